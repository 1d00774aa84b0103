"""The page of traces in Debian's chromium: what a reader does works, and what a hostile file tries does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes.browser import CONTRAST, chromium
from fakes.traces import COURT, HOSTILE, every_status, hostile, many

from parcel_agents.traces.page import trace_page


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    yield from chromium(tmp_path_factory.mktemp("profile"))


class Page:
    """A page in the browser, and what a reader sees and does there."""

    def __init__(self, browser: Any, path: Path) -> None:
        self.browser = browser
        self.path = path

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def press(self, *keys: str) -> None:
        self.browser.switch_to.active_element.send_keys(*keys)

    def click(self, selector: str) -> None:
        self.browser.find_element("css selector", selector).click()

    @property
    def chosen(self) -> list[str]:
        return list(
            self.run("return [...document.querySelectorAll('article')].filter(a => a.offsetHeight).map(a => a.id)")
        )

    @property
    def listed(self) -> list[str]:
        return list(
            self.run("return [...document.querySelectorAll('nav ol a')].filter(a => a.offsetHeight).map(a => a.hash)")
        )

    @property
    def marked(self) -> list[str]:
        return list(
            self.run("return [...document.querySelectorAll('aside .text mark')].map(m => m.lastChild.textContent)")
        )


def show(browser: Any, folder: Path, html: str) -> Page:
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8", errors="replace")
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(path.as_uri())
    return Page(browser, path)


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Page:
    return show(browser, tmp_path, trace_page(every_status()))


def test_the_first_claim_stands_beside_its_opinion(page: Page) -> None:
    assert page.chosen == ["c1"]
    assert page.marked == [COURT]
    voices = page.run("return [...document.querySelectorAll('aside .voice')].map(v => v.textContent)")
    assert {"majority (Ferris, J.)", "dissent (Quist, J.)"} <= set(voices)
    assert "[97 NY3d at 212] " in page.run("return [...document.querySelectorAll('.page')].map(p => p.textContent)")
    # Scrolled to: the mark lies inside what is seen of the pane.
    box, pane = page.run(
        "return ['aside mark.here', 'aside'].map(s => document.querySelector(s).getBoundingClientRect().toJSON())"
    )
    assert pane["top"] <= box["top"] < box["bottom"] <= pane["bottom"]
    assert page.browser.get_log("browser") == []


def test_a_mark_behind_a_wide_character_stands_where_it_belongs(browser: Any, tmp_path: Path) -> None:
    page = show(browser, tmp_path, trace_page(many(claims=2, opinions=1, words="The People bear the burden")))
    assert page.marked[0] == "The People bear the burden"


def test_claims_are_filtered_by_verdict(page: Page) -> None:
    page.click("[data-filter=not_at_hand]")
    assert (page.listed, page.chosen) == (["#c6"], ["c6"])
    assert page.run("return document.getElementById('shown').textContent") == "1 of 7 claims shown"
    assert page.run("return document.querySelector('[data-filter=not_at_hand]').ariaPressed") == "true"
    assert "No opinion" in page.run("return document.querySelector('aside').textContent")
    page.click("[data-filter='']")
    assert len(page.listed) == 7


def test_claims_are_searched_by_all_words(page: Page) -> None:
    page.click("#search")
    page.press("OYSTERS 640")
    assert (page.listed, page.chosen) == (["#c3"], ["c3"])
    page.press(" nonsense")
    assert (page.listed, page.chosen) == ([], [])
    assert page.run("return document.getElementById('none').offsetHeight") > 0
    page.press("\ue00c")  # Escape
    assert len(page.listed) == 7
    assert len(page.chosen) == 1


def test_a_reader_needs_no_mouse(page: Page) -> None:
    page.press("j")
    assert page.chosen == ["c2"]
    page.press("\ue015")  # down
    assert page.chosen == ["c3"]
    assert page.run("return document.activeElement.hash") == "#c3"
    assert page.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.press("k")
    page.press("\ue013")  # up
    assert page.chosen == ["c1"]
    page.press("k")
    assert page.chosen == ["c1"]
    page.press("\ue010")  # end
    assert page.chosen == ["c7"]
    page.press("/")
    page.press("jk")  # letters are letters in the search box
    assert page.run("return document.getElementById('search').value") == "jk"


def test_a_link_to_a_claim_opens_it(page: Page) -> None:
    page.browser.get("about:blank")
    page.browser.get(f"{page.path.as_uri()}#c4")
    assert page.chosen == ["c4"]
    page.click("nav a[href='#c2']")
    assert page.run("return location.hash") == "#c2"


def test_differing_words_are_marked_on_both_sides(page: Page) -> None:
    page.click("nav a[href='#c2']")
    assert page.run("return [...document.querySelectorAll('#c2 .claim mark.differs')].map(m => m.textContent)") == [
        "may open"
    ]
    assert "may not open" in page.run(
        "return [...document.querySelectorAll('aside mark.differs.contradicts')].map(m => m.lastChild.textContent)"
    )


def test_a_cite_is_copied(page: Page) -> None:
    page.click("#c1 [data-copy]")
    said = page.browser.execute_async_script(
        "const done = arguments[0]; setTimeout(() => done(document.getElementById('said').textContent), 300);"
    )
    assert said == "Cite copied"
    page.click("#search")
    page.press("\ue009v")  # control and v
    assert page.run("return document.getElementById('search').value") == "People v Marlowe, 97 NY3d 210, 211 [2024]"


def test_a_cite_is_copied_without_the_clipboard_of_newer_browsers(page: Page) -> None:
    page.run("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("#c1 [data-copy]")
    assert page.run("return document.querySelector('#c1 [data-copy]').textContent") == "Copied"


def test_a_hostile_file_runs_nothing_and_asks_nobody(browser: Any, tmp_path: Path) -> None:
    page = show(browser, tmp_path, trace_page(hostile()))
    for number in range(1, len(HOSTILE) + 1):
        page.click(f"nav a[href='#c{number}']")
        assert page.chosen == [f"c{number}"]
        page.run("for (const b of document.querySelectorAll('article.chosen button')) b.click()")
    assert page.run("return [window.hit, document.querySelectorAll('iframe, img, svg, base, aside a').length]") == [
        None,
        0,
    ]
    assert page.run("return document.title").startswith("<script>window.hit")
    assert HOSTILE[0] in page.run("return document.querySelector('aside').textContent")
    # Nothing was even tried that the policy had to forbid.
    assert page.browser.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if not url.startswith(("file:", "data:,", "about:", "chrome:"))] == []


def test_the_policy_would_stop_what_slipped_through(browser: Any, tmp_path: Path) -> None:
    slipped = (
        "<script>window.hit = 1</script><img src='data:,' onerror='window.hit = 2'><style>nav{display:none}</style>"
    )
    page = show(browser, tmp_path, trace_page(every_status()).replace("<header>", f"{slipped}<header>"))
    assert page.run("return window.hit") is None
    assert len(page.listed) == 7
    refused = [entry["message"] for entry in browser.get_log("browser")]
    assert len([one for one in refused if "Content Security Policy" in one]) == 3


def test_a_long_brief_opens_at_once(browser: Any, tmp_path: Path) -> None:
    html = trace_page(many(claims=400, opinions=20, paragraphs=500))
    assert len(html.encode()) < 5_000_000
    page = show(browser, tmp_path, html)
    paint = page.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint <= 1_000
    assert len(page.listed) == 400
    spent = page.run(
        "const start = performance.now(); document.querySelector(\"nav a[href='#c399']\").click();"
        " return performance.now() - start"
    )
    assert page.chosen == ["c399"]
    assert spent < 500


@pytest.mark.parametrize("width", [1600, 1000, 500])
def test_nothing_runs_out_of_the_page(page: Page, width: int) -> None:
    page.browser.set_window_size(width, 900)
    try:
        inner, whole = page.run("return [document.documentElement.clientWidth, document.body.scrollWidth]")
        assert whole <= inner
    finally:
        page.browser.set_window_size(1400, 900)


def test_a_small_screen_shows_the_claim_that_is_chosen(page: Page) -> None:
    page.browser.set_window_size(500, 900)
    try:
        page.browser.get("about:blank")
        page.browser.get(page.path.as_uri())
        assert page.run("return scrollY") == 0
        page.click("nav a[href='#c2']")
        top = page.run("return document.getElementById('c2').getBoundingClientRect().top")
        assert 0 <= top < 100
    finally:
        page.browser.set_window_size(1400, 900)


def test_all_text_stands_out_from_its_ground(page: Page) -> None:
    for number in range(1, 8):
        page.click(f"nav a[href='#c{number}']")
        assert page.run(CONTRAST) == []


def test_everything_that_is_pressed_has_a_name(page: Page) -> None:
    nameless = (
        "return [...document.querySelectorAll('button, a, input')].filter(e => !(e.textContent.trim() ||"
        " e.labels && e.labels.length)).length"
    )
    assert page.run(nameless) == 0
    assert page.run("return document.querySelectorAll('main, nav, aside, h1').length") == 4


def test_all_claims_are_printed_and_no_list(page: Page) -> None:
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert len(page.chosen) == 7
        assert page.listed == []
    finally:
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_claims_are_read_without_a_script(page: Page) -> None:
    page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.browser.get(page.path.as_uri())
        page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        assert len(page.chosen) == 7
        assert len(page.listed) == 7
        assert (
            page.run("return [...document.querySelectorAll('button, input, aside')].filter(e => e.offsetHeight).length")
            == 0
        )
    finally:
        page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
