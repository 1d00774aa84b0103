from __future__ import annotations

import functools
import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes.vote_tables import letters, run_votes

from parcel_agents.eval.report.evaluate import evaluate_votes
from parcel_agents.eval.report.evaluation import Evaluation
from parcel_agents.eval.report.page import Section, facts, report_page
from parcel_agents.eval.report.tables import all_tables
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.store import DatasetMeta, PanelMeta, RunMeta, SettingsMeta

pytest.importorskip("matplotlib", reason="the page needs matplotlib (extra `plots`)")
from parcel_agents.eval.report.figures import Picture, pictures

HOSTILE = ('<script>alert("x")</script>', "a&b $x_1$ ]]> \\frac{1}{2}")
STRATEGIES = {"S": "", "R": " logic_reversal", "N": " phantom_citation"}


def many_claims(names: tuple[str, ...] = ("checks", "a-model")) -> VoteTable:
    rng = np.random.default_rng(0)
    rows = []
    for opinion in range(12):
        for label in "SRNRSN":
            votes = "".join(label if rng.random() < 0.8 else rng.choice(list("SRN-x")) for _ in names)
            rows.append(f"o{opinion} {label} {votes}{STRATEGIES[label]}")
    return letters(rows, names=names, confidence=rng.uniform(0.5, 1, (len(rows), len(names))).tolist())


def evaluated(table: VoteTable) -> Evaluation:
    return evaluate_votes([run_votes(table)], np.random.default_rng(0), policies=("majority",), resamples=100)


@functools.cache
def measured(names: tuple[str, ...] = ("checks", "a-model")) -> tuple[Evaluation, list[Picture]]:
    found = evaluated(many_claims(names))
    return found, pictures(found)


def meta(name: str = "made-up") -> RunMeta:
    return RunMeta(
        dataset=DatasetMeta(name=name, source="made-up", hash="0", claims=1, opinions=1),
        panel=PanelMeta(name="mine", policy="majority", tiers=(("checks",), ("a-model",))),
        verifiers={},
        settings=SettingsMeta(retriever="bm25", top_k=10),
        versions={"python": "3.11"},
        created="2026-01-01T00:00:00Z",
    )


def page(names: tuple[str, ...] = ("checks", "a-model"), *, sections: int = 1, name: str = "made-up") -> str:
    found, drawn = measured(names)
    described = facts([(name, meta(name))])
    section = Section(f"{name}: what was measured", described, found.notes, all_tables(found), drawn, ("So it is.",))
    return report_page(f"Report on {name}", [section] * sections)


class Elements(HTMLParser):
    """The elements of a page with their attributes, and whether each that must be closed is."""

    VOID = frozenset(("meta", "link", "br", "img", "hr"))

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag


def elements(html: str) -> Elements:
    parser = Elements()
    parser.feed(html)
    assert parser.open == []
    return parser


def test_the_page_has_tables_figures_and_captions() -> None:
    html = page()
    tags = [tag for tag, _ in elements(html).found]
    assert tags.count("table") == 8
    assert tags.count("figure") == tags.count("figcaption") == 5
    for text in ("Table 2.", "Table 7.", "Three denominators", "majority class", "claim only", "bm25, 10 passages"):
        assert text in html


def test_the_page_needs_nothing_but_itself() -> None:
    html = page(sections=2)
    found = elements(html).found
    assert "script" not in [tag for tag, _ in found]
    for _, attributes in found:
        for name, address in attributes.items():
            if name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
                assert address is not None
                assert address.startswith(("#", "data:")), address
    assert not re.search(r"@import|url\((?!#)", html)


def test_ids_are_unique_and_references_have_their_aim() -> None:
    html = page(sections=2)
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    aims = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', html)
    assert {one or other for one, other in aims} <= set(ids)


def test_names_are_shown_as_they_are_and_never_run() -> None:
    html = page(HOSTILE, name='<img src="x" onerror="alert(1)">')
    found = elements(html).found
    assert {"script", "img"}.isdisjoint(tag for tag, _ in found)
    assert "&lt;script&gt;alert(" in html
    assert "a&amp;b $x_1$ ]]&gt;" in html


def test_pictures_are_the_same_each_time() -> None:
    found, drawn = measured()
    assert pictures(found) == drawn


def test_what_nobody_said_is_not_drawn() -> None:
    # Neither confidence nor strategies, and nobody can be falsely supported.
    found = evaluated(letters(["o1 S S", "o2 S -"]))
    assert [picture.key for picture in pictures(found)] == ["confusion", "risk-coverage"]


def test_facts_that_all_runs_share_stand_once() -> None:
    found = dict(facts([("one", meta("a")), ("two", meta("b"))]))
    assert found["data set (one)"] == "a (made-up, 0)"
    assert found["panel"] == "mine: checks; then a-model"


# In a browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("needs Debian's packages chromium and chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    profile = tmp_path_factory.mktemp("profile")
    switches = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
    for switch in f"{switches} disable-component-update disable-sync user-data-dir={profile}".split():
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    yield opened
    opened.quit()


@pytest.fixture(scope="module")
def shown(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page(HOSTILE, sections=2), encoding="utf-8")
    browser.get(path.as_uri())
    return browser


def test_a_browser_finds_no_fault_and_asks_nobody(shown: Any) -> None:
    assert shown.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in shown.get_log("performance")]
    requests = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
    # The browser's own first page asks for parts of its own.
    asked = [one["request"]["url"] for one in requests if one["documentURL"] == shown.current_url]
    assert shown.current_url in asked
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("width", [1280, 800])
def test_a_browser_shows_every_figure_within_the_page(shown: Any, width: int, tmp_path: Path) -> None:
    shown.set_window_size(width, 900)
    inner, whole = shown.execute_script("return [document.documentElement.clientWidth, document.body.scrollWidth]")
    assert whole <= inner <= width
    sizes = shown.execute_script(
        "return [...document.querySelectorAll('figure svg')].map(s => { const box = s.getBoundingClientRect();"
        " return [box.width, box.height, box.right]; })"
    )
    assert len(sizes) == 10
    for wide, high, right in sizes:
        assert wide > 400
        assert high > 100
        assert right <= inner
    assert shown.save_screenshot(str(tmp_path / "page.png"))


def test_a_browser_shows_the_text_of_figures_unclipped(shown: Any) -> None:
    shown.set_window_size(1280, 900)
    outside = shown.execute_script(
        "return [...document.querySelectorAll('figure svg')].flatMap(s => { const box = s.getBoundingClientRect();"
        " return [...s.querySelectorAll('text')].filter(t => { const b = t.getBoundingClientRect();"
        " return b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1;"
        " })"
        ".map(t => t.textContent); })"
    )
    assert outside == []
