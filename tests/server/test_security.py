"""Who is turned away, and what a hostile request or file can do: nothing."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from fakes.checks import BRIEF, EXECUTES, MARLOWE, hostile, serving

from parcel_agents.errors import ConfigError
from parcel_agents.server.security import Keys
from parcel_agents.server.settings import ServerSettings

TOKEN = "a-long-token-of-nobody"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8765", 200),
        ("localhost", 200),
        ("LOCALHOST:9000", 200),
        ("127.0.0.1:8765", 200),
        ("[::1]:8765", 200),
        ("evil.example:8765", 400),
        ("localhost.evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("10.0.0.7", 400),
        ("localhost:8765@evil.example", 400),
        ("localhost/evil", 400),
        ("localhost:x", 400),
        ("", 400),
    ],
)
def test_only_names_of_this_machine_are_served(tmp_path: Path, host: str, status: int) -> None:
    with serving(tmp_path) as server:
        answer = server.client.get("/", headers={"host": host})
        assert answer.status_code == status
        assert ("Check a brief" in answer.text) == (status == 200)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"origin": "http://localhost:8765"}, 303),
        ({"origin": "http://localhost:8765", "sec-fetch-site": "same-origin"}, 303),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost:9000"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_only_our_own_pages_may_change_something(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        assert server.post(f"/jobs/{record.job.id}/cancel", headers).status_code == status


@pytest.mark.parametrize("path", ["cancel", "continue", "delete", "claims/1/decision"])
def test_nothing_is_done_without_the_forms_token(tmp_path: Path, path: str) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        for fields in ({}, {"csrf": "0" * 64}, {"csrf": "ä"}):
            answer = server.client.post(f"/jobs/{record.job.id}/{path}", data=fields)
            assert (answer.status_code, "too old" in answer.text) == (403, True)
        assert record.job.state == "done"
        assert record.decisions() == []


def test_an_upload_without_the_forms_token_is_not_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.client.post("/jobs", files=[("brief", ("brief.txt", BRIEF))]).status_code == 403
        assert server.jobs.all() == []
        assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


@pytest.mark.parametrize("path", ["/", "/nothing", "/static/app.css", "/static/trace.js", "/jobs/" + "0" * 24])
def test_every_answer_has_the_headers(tmp_path: Path, path: str) -> None:
    with serving(tmp_path) as server:
        answer = server.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == ("private, max-age=3600" if path == "/static/app.css" else "no-store")
        assert "server" not in answer.headers


def test_traces_are_not_kept_by_browsers(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        id = server.checked().job.id
        for path in ("", "/claims/1", "/claims/1/opinion", "/export.csv"):
            assert server.client.get(f"/jobs/{id}{path}").headers["cache-control"] == "no-store"


def test_a_page_holds_no_script_and_no_style(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        id = server.checked().job.id
        for path in ("/", f"/jobs/{id}", f"/jobs/{id}/claims/1", "/nothing"):
            html = server.client.get(path).text
            assert re.findall(r"<script(?! src=)|<style| style=| on\w+=", html) == []
            assert re.findall(r"(?:src|href|action)=\"(?!/|data:,|#)", html) == []


# The token


def test_the_network_is_not_served_without_a_token(tmp_path: Path) -> None:
    for host in ("0.0.0.0", "192.0.2.7", "::", "brief.example"):
        with pytest.raises(ConfigError, match="a token is needed"):
            ServerSettings(folder=tmp_path, host=host)
        assert ServerSettings(folder=tmp_path, host=host, token=TOKEN).token == TOKEN
    with pytest.raises(ConfigError, match="at least 16"):
        ServerSettings(folder=tmp_path, token="short")


def test_a_bound_name_is_served_and_no_other(tmp_path: Path) -> None:
    settings = ServerSettings(folder=tmp_path, host="192.0.2.7", token=TOKEN)
    assert [settings.serves(host) for host in ("192.0.2.7", "127.0.0.1", "evil.example")] == [True, True, False]
    assert ServerSettings(folder=tmp_path, host="0.0.0.0", token=TOKEN).serves("brief.example")


def test_nothing_is_shown_before_the_token_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parcel_agents.server.security.WRONG_TOKEN_SECONDS", 0.0)
    with serving(tmp_path, token=TOKEN) as server:
        for path in ("/", "/jobs/0", "/nothing"):
            answer = server.client.get(path, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"], answer.text) == (303, "/login", "")
        form = re.search(r'name="csrf" value="([0-9a-f]+)"', server.client.get("/login").text)
        assert form

        def log_in(token: str) -> Any:
            return server.client.post("/login", data={"csrf": form[1], "token": token}, follow_redirects=False)

        assert [log_in(token).status_code for token in ("", "wrong", TOKEN[:-1], "ä")] == [403] * 4
        answer = log_in(TOKEN)
        cookie = answer.headers["set-cookie"].lower()
        assert answer.status_code == 303
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert TOKEN not in cookie
        assert "Check a brief" in server.client.get("/").text
        assert server.post("/logout").headers["location"] == "/login"
        assert server.client.get("/", follow_redirects=False).status_code == 303
        server.client.cookies.set("parcel_agents", "0" * 64)
        assert server.client.get("/", follow_redirects=False).status_code == 303


def test_a_browser_stays_logged_in_when_the_app_starts_again(tmp_path: Path) -> None:
    with serving(tmp_path, token=TOKEN) as server:
        session = server.app.state.services.keys.session
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0
    with serving(tmp_path, token=TOKEN) as server:
        server.client.cookies.set("parcel_agents", session)
        assert server.client.get("/").status_code == 200
    with serving(tmp_path, token=f"{TOKEN}-another") as server:
        server.client.cookies.set("parcel_agents", session)
        assert server.client.get("/", follow_redirects=False).status_code == 303


# Paths


@pytest.mark.parametrize("id", ["../secret", "..%2fsecret", "%2e%2e", "uploads", "a" * 24, "%00", "é"])
def test_no_path_of_a_request_reaches_the_disk(tmp_path: Path, id: str) -> None:
    with serving(tmp_path) as server:
        for path in (f"/jobs/{id}", f"/jobs/{id}/export.json", f"/static/{id}", f"/jobs/{id}/claims/1/opinion"):
            assert server.client.get(path).status_code in ((400,) if id == "%00" else (404,))


@pytest.mark.parametrize(
    "rest", ["claims/0", "claims/9", "claims/-1", "claims/x", "claims/1e9", "export.exe", "export."]
)
def test_what_a_job_does_not_have_is_not_found(tmp_path: Path, rest: str) -> None:
    with serving(tmp_path) as server:
        id = server.checked().job.id
        answer = server.client.get(f"/jobs/{id}/{rest}")
        assert (answer.status_code, "There is no such page" in answer.text) == (404, True)


def test_names_of_files_are_shown_and_never_used(tmp_path: Path) -> None:
    names = [
        "../../outside.md",
        "/etc/hathersage.md",
        "C:\\boot\\quist.md",
        "..",
        "a\u202edm.exe.md",
        "x" * 300 + ".md",
    ]
    with serving(tmp_path / "jobs") as server:
        record = server.checked(opinions=[(name, MARLOWE) for name in names], name="../../brief.txt")
        assert record.job.brief.name == "brief.txt"
        shown = [one.name for one in record.job.opinions]
        assert shown[:3] == ["outside.md", "hathersage.md", "quist.md"]
        assert all(len(name) <= 120 and "\u202e" not in name for name in shown)
        assert any("kind that cannot be read" in fault for fault in record.job.left_out)
        stored = sorted(path.name for path in (record.folder / "uploads").iterdir())
        assert stored == ["brief.txt", *(f"opinion-{n:04}.md" for n in (1, 2, 3, 5, 6))]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["jobs"]


# Uploads


def test_an_upload_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, max_upload_bytes=50_000) as server:
        answer = server.drop(brief="word " * 20_000)
        assert (answer.status_code, "The most that can be sent at once is 0.1 MB" in answer.text) == (413, True)
        assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def test_an_upload_that_hides_its_length_is_counted(tmp_path: Path) -> None:
    with serving(tmp_path, max_upload_bytes=50_000) as server:
        head = b'--b\r\nContent-Disposition: form-data; name="brief"; filename="brief.txt"\r\n\r\n'

        def body() -> Any:
            yield head
            for _ in range(100):
                yield b"word " * 1_000

        answer = server.client.post(
            "/jobs", content=body(), headers={"content-type": "multipart/form-data; boundary=b"}
        )
        assert answer.status_code == 413


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    with serving(tmp_path, max_files=3) as server:
        four = server.drop(opinions=[(f"{n}.md", MARLOWE) for n in range(4)])
        assert (four.status_code, "the most at once is 3" in four.text) == (413, True)
        many = server.drop(opinions=[(f"{n}.md", MARLOWE) for n in range(40)])
        assert many.status_code == 413


def test_a_file_that_is_too_large_is_named(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        answer = server.drop(opinions=[("long.txt", b"word " * 2_100_000)])
        assert (answer.status_code, "long.txt has 10.5 MB" in answer.text) == (413, True)


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/document.xml", b"<w>" + b" " * 40_000_000)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("brief.zip", archive(), "is an archive"),
        ("brief.txt", archive(), "is an archive"),
        ("brief.pdf", b"MZ\x90\0", "is named .pdf and holds something else"),
        ("brief.docx", b"plain words", "is named .docx and holds something else"),
        ("brief.txt", b"\x7fELF\0\0\0", "is no text, Word, PDF or HTML file"),
        ("brief.doc", b"\xd0\xcf\x11\xe0\0", "is an old Word file"),
        ("brief.exe", b"plain words", "of a kind that cannot be read"),
        ("brief", b"plain words", "of a kind that cannot be read"),
        ("brief.txt", b"", "is empty"),
    ],
)
def test_a_brief_of_another_kind_is_refused(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    with serving(tmp_path) as server:
        answer = server.drop(brief=data, name=name)
        assert (answer.status_code, words in answer.text) == (400, True), answer.text
        assert "Start the check" in answer.text
        assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked(brief=archive(), name="brief.docx")
        assert record.job.state == "failed"
        assert "could not be read: brief.docx unpacks to 40,000,003 bytes" in record.job.why


def test_no_brief_and_no_opinions_are_said_plainly(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        nothing = server.client.post("/jobs", data={"csrf": server.token}, files=[("other", ("x", b"x"))])
        assert (nothing.status_code, "There is no brief" in nothing.text) == (400, True)
        assert "There is no opinion to check the brief against" in server.drop(opinions=[]).text
        assert "cat.png is no text" in server.drop(opinions=[("cat.png", b"\x89PNG\0")]).text
        broken = server.client.post("/jobs", content=b"junk", headers={"content-type": "multipart/form-data"})
        assert broken.status_code in (400, 403)


# Hostile contents


def test_a_hostile_brief_is_text(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked(**hostile())
        assert record.job.state == "done", record.job.why
        id = record.job.id
        pages = ["/", f"/jobs/{id}", *(f"/jobs/{id}/claims/{number}" for number, _ in record.done())]
        assert len(pages) > 12
        for page in pages:
            html = re.sub(r'<script src="/static/\w+\.js\?v=\w+" defer></script>', "", server.client.get(page).text)
            assert [m[0] for m in re.finditer(EXECUTES, html) if not m[0].startswith("javascript")] == []
            assert re.findall(r"<[^>]*(?:javascript:|onerror|onload|onmouseover)[^>]*>", html) == []


def test_a_query_is_not_echoed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        id = server.checked().job.id
        assert "hit" not in server.client.get(f"/jobs/{id}?show=<script>hit</script>").text
        assert "hit" not in server.client.get("/<script>hit</script>").text


def test_a_broken_page_tells_nothing_of_the_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        monkeypatch.setattr("parcel_agents.server.pages.filters_of", lambda _: 1 / 0)
        answer = server.client.get(f"/jobs/{server.checked().job.id}")
        assert (answer.status_code, "Something broke" in answer.text) == (500, True)
        assert "ZeroDivision" not in answer.text
        assert "content-security-policy" in answer.headers


def test_an_empty_secret_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    keys = Keys(tmp_path, None)
    assert len((tmp_path / "secret").read_text()) == 64
    assert keys.form == Keys(tmp_path, None).form


def test_a_form_in_an_odd_code_is_refused(tmp_path: Path) -> None:
    kind = "multipart/form-data; boundary=x; charset=undefined"
    body = '--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\na\r\n--x--\r\n'
    with serving(tmp_path) as server:
        assert server.client.post("/jobs", content=body, headers={"content-type": kind}).status_code == 400
