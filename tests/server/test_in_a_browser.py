"""The web app in Debian's chromium: from upload to exported table, and a hostile brief that executes nothing."""

from __future__ import annotations

import csv
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fakes.browser import CONTRAST, chromium
from fakes.checks import BRIEF, FILES, Server, Slow, hostile, long_job

from parcel_agents.server import pages
from parcel_agents.server.record import JobRecord
from parcel_agents.traces.page import make_environment


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    yield from chromium(tmp_path_factory.mktemp("profile"))


class Site:
    """The app behind a real socket, and what a user sees and does there."""

    def __init__(self, browser: Any, folder: Path, slow: Slow | None) -> None:
        self.browser = browser
        self.server = Server(folder / "jobs", slow=slow)
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            self.port = held.getsockname()[1]
        self._real = uvicorn.Server(
            uvicorn.Config(self.server.app, host="127.0.0.1", port=self.port, log_level="error")
        )
        self._thread = threading.Thread(target=self._real.run, daemon=True)
        self._thread.start()
        while not self._real.started:
            time.sleep(0.01)
        self.files = folder / "files"
        self.files.mkdir()
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.downloads = folder

    def close(self) -> None:
        self.browser.get("about:blank")
        self.server.jobs.say_stopping()
        self._real.should_exit = True
        self._thread.join(timeout=10)
        self.server.jobs.stop()

    def open(self, path: str = "/") -> None:
        self.browser.get(f"http://localhost:{self.port}{path}")

    def find(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def run(self, script: str) -> Any:
        return self.browser.execute_script(script)

    def text(self, selector: str = "body") -> str:
        return str(self.find(selector).text)

    def until(self, true: Callable[[], Any]) -> Any:
        until = time.monotonic() + 15
        while time.monotonic() < until:
            try:
                if found := true():
                    return found
            except Exception as error:  # noqa: BLE001 - the page may change while it is looked at
                last = error
            time.sleep(0.05)
        raise AssertionError(f"never so: {self.text()}\n{locals().get('last')}")

    def upload(self, brief: str = BRIEF, name: str = "brief.txt", opinions: Any = FILES) -> JobRecord:
        self.open()
        paths = []
        for each, text in [(name, brief), *opinions]:
            path = self.files / each
            path.write_text(text, errors="replace")
            paths.append(str(path))
        self.find("#brief").send_keys(paths[0])
        self.find("#opinions").send_keys("\n".join(paths[1:]))
        self.find("#new button").click()
        self.until(lambda: "/jobs/" in self.browser.current_url)
        record = self.server.jobs.get(self.browser.current_url.rpartition("/")[2])
        assert record is not None
        return record

    def downloaded(self, kind: str) -> Path:
        self.find(f"a[href$='.{kind}']").click()
        return Path(self.until(lambda: next(iter(self.downloads.glob(f"*.{kind}")), None)))

    def faults(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser")]


@pytest.fixture
def site(browser: Any, tmp_path: Path) -> Iterator[Site]:
    browser.get_log("browser")
    opened = Site(browser, tmp_path, None)
    yield opened
    opened.close()


@pytest.fixture
def slow_site(browser: Any, tmp_path: Path) -> Iterator[Site]:
    browser.get_log("browser")
    opened = Site(browser, tmp_path, Slow())
    yield opened
    opened.close()


def test_from_the_upload_to_the_exported_table(site: Site) -> None:
    site.upload()
    site.until(lambda: site.text("#progress").startswith("Finished: 3 of 3 citations checked; 1 not checked"))
    assert [one.text for one in site.browser.find_elements("css selector", "#claims .tag")] == [
        "✓ Supported",
        "○ Not found",
        "✓ Supported",
        "– Opinion not at hand",
    ]
    # Narrowed to a verdict, without a new page.
    site.find("[data-filter=not_found]").click()
    assert site.run(
        "return [...document.querySelectorAll('#claims li')].filter(l => l.offsetHeight).map(l => l.id)"
    ) == ["c2"]
    site.find("[data-filter='']").click()
    # The trace, with the opinion fetched beside it.
    site.find("#c1 a.words").click()
    site.until(lambda: site.run("return document.querySelectorAll('aside .text mark.supports').length"))
    assert "The People bear the burden" in site.text("aside .text mark.supports")
    # An override, with its note.
    site.find("#decision summary").click()
    site.find("#note").send_keys("Only the dissent says so.")
    site.find("#label option[value=refuted]").click()
    site.find("[value=overridden]").click()
    site.until(lambda: site.text("#decision .decided") == "✎ Reader: Overridden: refuted")
    assert site.text("h2 .tag") == "✓ Supported"
    colours = (
        "return ['#decision .decided', 'h2 .tag'].map(s => getComputedStyle(document.querySelector(s)).backgroundColor)"
    )
    reader, machine = site.run(colours)
    assert reader != machine
    # The next claim by a key, and accepted.
    site.find("main").send_keys("j")
    site.until(lambda: "/claims/2" in site.browser.current_url)
    site.find("#decision summary").click()
    site.find("[value=accepted]").click()
    site.until(lambda: site.text("#decision .decided") == "✎ Reader: Accepted")
    site.find("#list").click()
    site.until(lambda: "✎ Reader: Overridden: refuted" in site.text("#c1"))
    with site.downloaded("csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["machine_verdict"] for row in rows] == ["Supported", "Not found", "Supported", "Opinion not at hand"]
    assert [row["decision"] for row in rows] == ["Overridden: refuted", "Accepted", "", ""]
    assert rows[0]["note"] == "Only the dissent says so."
    data = json.loads(site.downloaded("json").read_text())
    assert len(data["decisions"]) == 2
    assert site.downloaded("docx").read_bytes()[:2] == b"PK"
    assert site.faults() == []


def test_claims_change_while_they_are_checked(slow_site: Site) -> None:
    site, slow = slow_site, slow_site.server.slow
    assert slow is not None
    site.upload()
    site.until(lambda: site.text("#progress").startswith("0 of 3 citations checked"))
    assert site.text("#c1 .tag") == "… Not checked yet"
    assert site.browser.find_elements("css selector", "#c1 a.words") == []
    slow.let.release()
    site.until(lambda: site.text("#progress").startswith("1 of 3 citations checked, 1 of them left undecided"))
    site.until(lambda: site.text("#c1 .tag") == "? Undecided")
    site.find("#c1 a.words").click()
    site.until(lambda: "Citation 1" in site.browser.title)
    # Away and back: nothing was lost.
    site.open()
    assert "1 of 3 citations checked" in site.text(".jobs")
    site.find(".jobs a").click()
    slow.let.release(2)
    site.until(lambda: site.text("#progress").startswith("Finished: 3 of 3"))
    assert site.faults() == []


def test_a_check_is_stopped_and_deleted(slow_site: Site) -> None:
    site = slow_site
    record = site.upload()
    site.until(lambda: site.text("#progress").startswith("0 of 3"))
    site.find("form[action$=cancel] button").click()
    site.until(lambda: site.text("#progress").startswith("Stopped by you: 0 of 3"))
    site.find("details.delete summary").click()
    site.find("form[action$=delete] button").click()
    site.until(lambda: "None yet." in site.text())
    assert not record.folder.exists()


def test_what_is_too_large_is_told_before_it_is_sent(site: Site) -> None:
    site.open()
    long = site.files / "long.txt"
    long.write_text("word " * 2_100_000)
    site.find("#brief").send_keys(str(long))
    assert "long.txt has 10.5 MB; the most that one file may have is 10.0 MB." in site.text("#complaint")
    site.find("#new button").click()
    assert site.browser.current_url.endswith("/")


def test_a_file_is_dropped_on_the_page(site: Site) -> None:
    site.open()
    site.run(
        "const data = new DataTransfer(); data.items.add(new File(['words'], 'dropped.txt'));"
        "document.querySelector('.drop').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true}))"
    )
    assert site.text(".drop .chosen") == "dropped.txt"
    assert site.run("return document.getElementById('brief').files.length") == 1


def test_a_hostile_brief_executes_nothing(site: Site) -> None:
    given = hostile()
    opinions = [(name.replace("/", ""), text) for name, text in given["opinions"]]
    record = site.upload(given["brief"], given["name"].replace("/", ""), opinions)
    site.until(lambda: site.text("#progress").startswith("Finished"))
    site.server.post(
        f"/jobs/{record.job.id}/claims/1/decision", kind="accepted", note="<img src=x onerror=window.hit=1>"
    )
    site.browser.get_log("performance")
    for path in ("", *(f"/claims/{number}" for number, _ in sorted(record.done()))):
        site.open(f"/jobs/{record.job.id}{path}")
        if path:
            site.until(lambda: site.text("aside") not in ("", "Fetching the opinion …"))
        assert site.run("return [window.hit, document.querySelectorAll('iframe, img, svg, base, style').length]") == [
            None,
            0,
        ]
    site.open()
    assert "<script>window.hit = 1<script>.txt" in site.text(".jobs")
    assert site.faults() == []
    events = [json.loads(entry["message"])["message"] for entry in site.browser.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]
    ours = (f"http://localhost:{site.port}/", "data:,", "about:", "chrome:")
    assert [url for url in asked if not url.startswith(ours)] == []


def test_the_policy_stops_what_would_slip_through(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    slipped = (
        "<script>window.hit = 1</script><img src='data:,' onerror='window.hit = 2'><style>body{display:none}</style>"
    )
    read = pages._read
    monkeypatch.setattr(pages, "_read", lambda name: read(name).replace("<h1>", f"{slipped}<h1>"))
    services = site.server.app.state.services
    monkeypatch.setattr(services.pages, "_environment", make_environment(pages._read))
    site.open()
    assert "Check a brief" in site.text()
    assert site.run("return window.hit") is None
    assert len([fault for fault in site.faults() if "Content Security Policy" in fault]) == 3


def test_a_page_of_another_site_can_do_nothing(site: Site) -> None:
    record = site.upload()
    site.until(lambda: site.text("#progress").startswith("Finished"))
    token = site.server.app.state.services.keys.form
    # Another port is another origin; it even knows the token.
    site.browser.get("data:text/html,<form method=post><input name=csrf></form>")
    site.run(
        f"const form = document.forms[0]; form.action = 'http://localhost:{site.port}/jobs/{record.job.id}/delete';"
        f"form.csrf.value = '{token}'; form.submit()"
    )
    site.until(lambda: "This came from another page" in site.text())
    assert record.folder.exists()


def test_every_page_fits_and_can_be_read(site: Site) -> None:
    record = site.upload()
    site.until(lambda: site.text("#progress").startswith("Finished"))
    id = record.job.id
    site.server.post(f"/jobs/{id}/claims/2/decision", kind="overridden", label="refuted", note="no")
    nameless = (
        "return [...document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea, progress')]"
        ".filter(e => !(e.textContent.trim() || e.ariaLabel || e.labels && e.labels.length)).length"
    )
    try:
        for path in ("/", f"/jobs/{id}", f"/jobs/{id}/claims/2", f"/jobs/{id}/claims/4", "/nothing"):
            site.open(path)
            site.run("for (const each of document.querySelectorAll('details')) each.open = true")
            assert site.run(CONTRAST) == []
            assert site.run(nameless) == 0
            assert site.run("return document.querySelectorAll('main').length") == 1
            for width in (1400, 800, 480):
                site.browser.set_window_size(width, 900)
                inner, whole = site.run("return [document.documentElement.clientWidth, document.body.scrollWidth]")
                assert whole <= inner, (path, width)
    finally:
        site.browser.set_window_size(1400, 900)


def test_a_long_brief_opens_at_once(site: Site) -> None:
    record = long_job(site.server, claims=400, opinions=4)
    for path in (f"/jobs/{record.job.id}", f"/jobs/{record.job.id}/claims/399"):
        site.open(path)
        site.until(lambda: site.run("return performance.getEntriesByName('first-contentful-paint').length"))
        assert site.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime") <= 1_000
        assert len(site.server.client.get(path).content) < 1_000_000
    site.until(lambda: site.run("return document.querySelectorAll('aside .text mark').length"))
    assert len(site.server.client.get(f"/jobs/{record.job.id}/claims/399/opinion").content) < 5_000_000
