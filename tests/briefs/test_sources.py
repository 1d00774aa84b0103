from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.briefs import sources as module
from parcel_agents.briefs.check import match_claims
from parcel_agents.briefs.folder_source import FolderSource
from parcel_agents.briefs.shelf import Authority, Match, Shelf, shelve
from parcel_agents.briefs.sources import AskedSource, authorities_of, make_sources, match_given, with_sources
from parcel_agents.citations.read import read_citations
from parcel_agents.config import load_config
from parcel_agents.errors import ConfigError, ParcelError
from parcel_agents.opinions import parse_opinion
from parcel_agents.testing import check_source
from parcel_agents.types import Opinion

BODY = "The harbor officer boarded the boat at its berth and asked nobody for the missing extinguisher that day. " * 4
EMPTY = Shelf((), ())
ABSENT = "no file has its cite or name"


def text_of(name: str, cite: str, year: int) -> str:
    return f"# *{name}*\n\n**{cite}**\n\n**June 11, {year}**\n\nOPINION OF THE COURT\n\nFerris, J.\n\n{BODY}\n"


def opinion(
    name: str = "People v Marlowe", cite: str = "7 NY3d 210", year: int = 2024, file: str | None = None
) -> Opinion:
    return parse_opinion(text_of(name, cite, year), suffix=".md", source=file)


MARLOWE = Authority("7 NY3d 210", "People v Marlowe", 2024)
HATHERSAGE = Authority("4 NY3d 77", "People v Hathersage", 2019)


class Scripted:
    """Answers as the test says, and counts how often it is asked."""

    def __init__(self, answer: Callable[[Authority], Any], name: str = "firm") -> None:
        self.name = name
        self.answer = answer
        self.asked: list[Authority] = []

    def fetch(self, authority: Authority) -> Sequence[Opinion]:
        self.asked.append(authority)
        found: Sequence[Opinion] = self.answer(authority)
        return found


def gives(*opinions: Any, name: str = "firm") -> Scripted:
    return Scripted(lambda _: list(opinions), name)


def raises(error: Exception, name: str = "firm") -> Scripted:
    def answer(_: Authority) -> list[Opinion]:
        raise error

    return Scripted(answer, name)


def match(*sources: Scripted, shelf: Shelf = EMPTY, authority: Authority = MARLOWE) -> Match:
    return with_sources(shelf, [authority], sources).match(authority)


def test_an_opinion_of_a_source_is_at_hand_and_says_where_it_came_from() -> None:
    found = match(gives(opinion(file="marlowe.md")))
    assert (found.status, found.why) == ("at_hand", "by cite, from the source firm")
    assert found.shelved is not None
    assert found.shelved.file == "firm/marlowe.md"


def test_without_sources_the_shelf_stays_as_it_is() -> None:
    assert with_sources(EMPTY, [MARLOWE], []) is EMPTY


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "the source firm has none"),
        (
            [opinion("People v Quist", "9 NY3d 1", 2021)],
            "the source firm gave another opinion: People v Quist, 9 NY3d 1",
        ),
        # Name and cite disagree.
        (
            [opinion("People v Quist")],
            "the source firm gave another opinion: the file with this cite is named People v Quist",
        ),
        (
            [opinion(cite="9 NY3d 1")],
            "the source firm gave another opinion: the file of this name is not 7 NY3d 210",
        ),
        (
            [parse_opinion(BODY, source="Marlowe_summary.txt")],
            "the source firm gave a summary, no opinion: Marlowe_summary.txt",
        ),
        (
            [opinion(), parse_opinion(text_of("People v Marlowe", "7 NY3d 210", 2024) + BODY, suffix=".md")],
            "gave 2 opinions, of which none is certainly meant: several files have this cite",
        ),
        (None, "the source firm gave no list of opinions, but NoneType"),
        (opinion(), "the source firm gave no list of opinions, but Opinion"),
        ("People v Marlowe", "the source firm gave no list of opinions, but str"),
        ((one for one in [opinion()]), "the source firm gave no list of opinions, but generator"),
        (
            [text_of("People v Marlowe", "7 NY3d 210", 2024)],
            "the source firm gave something that is no Opinion, but str",
        ),
        ([opinion(), {}], "the source firm gave something that is no Opinion, but dict"),
        ([opinion().model_copy(update={"text": " "})], "an opinion without text or passages"),
        ([opinion().model_copy(update={"passages": ()})], "an opinion without text or passages"),
        # Verdicts are kept by id.
        ([opinion().model_copy(update={"id": "marlowe"})], "an opinion whose id is not that of its content"),
        # A model that nobody validated.
        (
            [Opinion.model_construct(text="x", passages=(1,), id="2d711642b726b044")],
            "an opinion whose id is not that of its content",
        ),
        # Others have the name, too.
        (
            [parse_opinion(f"# *People v Marlowe*\n\nOPINION OF THE COURT\n\nFerris, J.\n\n{BODY}\n", suffix=".md")],
            "gave an opinion of this name, which shows neither its cite nor its year",
        ),
        # What the source calls a text is no name of it.
        ([parse_opinion(BODY, suffix=".txt", source="People v Marlowe.txt")], "gave another opinion"),
    ],
)
def test_what_is_not_certainly_the_opinion_that_was_asked_for_does_not_count(given: Any, told: str) -> None:
    found = match(Scripted(lambda _: given))
    assert (found.status, found.shelved) == ("not_at_hand", None)
    assert found.why.startswith(f"{ABSENT}; ")
    assert told in found.why


def test_of_two_opinions_the_one_that_was_asked_for_is_taken() -> None:
    found = match(gives(opinion("People v Quist", "9 NY3d 1", 2021), opinion()))
    assert found.shelved is not None
    assert found.shelved.opinion.name == "People v Marlowe"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TimeoutError(), "could not be asked (TimeoutError)"),
        (ValueError("first\nsecond"), "could not be asked (ValueError: first)"),
        (RuntimeError("GET https://api.hathersage.example/v1?key=abc123: 500"), "example/v1?***"),
        (RuntimeError("https://quist:hush-hush@firm.example/x is gone"), "https://***@firm.example/x is gone"),
        (RuntimeError("api_key=abc123 is refused"), "(RuntimeError: api_key=*** is refused)"),
        (RuntimeError("Authorization: Bearer abc123"), "Authorization: ***"),
        (RuntimeError("no entry for sesame-street"), "(RuntimeError: no entry for ***)"),
        (RuntimeError("x" * 5_000), f"({'RuntimeError: ' + 'x' * 200})"),
    ],
)
def test_a_source_that_raises_is_told_in_one_line_without_secrets(error: Exception, told: str) -> None:
    source = AskedSource(raises(error), hidden=["sesame-street"])
    found = with_sources(EMPTY, [MARLOWE], [source]).match(MARLOWE)
    assert found.status == "not_at_hand"
    assert told in found.why
    for secret in ("abc123", "hush-hush", "sesame", "second"):
        assert secret not in found.why


def test_sources_are_asked_in_order_until_one_has_the_opinion() -> None:
    broken, wrong = raises(OSError("down"), "one"), gives(opinion("People v Quist"), name="two")
    right, last = gives(opinion(), name="three"), gives(opinion(), name="four")
    found = match(broken, wrong, right, last)
    assert found.why == "by cite, from the source three"
    assert [len(source.asked) for source in (broken, wrong, right, last)] == [1, 1, 1, 0]


def test_what_each_source_said_is_told() -> None:
    found = match(raises(OSError("down"), "one"), gives(name="two"))
    assert found.why == f"{ABSENT}; the source one could not be asked (OSError: down); the source two has none"


def test_files_win_and_what_files_come_near_is_not_asked_for() -> None:
    shelf = Shelf((shelve("marlowe.md", opinion()),), ())
    source = gives(opinion(file="other.md"))
    assert match(source, shelf=shelf).why == "by cite"
    near = match(source, shelf=shelf, authority=Authority("9 NY3d 300", "People v Marlowe", 2024))
    assert (near.status, near.candidates) == ("not_matched", ("marlowe.md",))
    assert source.asked == []


def test_a_name_alone_is_not_asked_for() -> None:
    source = gives(opinion())
    found = match(source, authority=Authority("", "People v Marlowe", 2024))
    assert (found.status, source.asked) == ("not_at_hand", [])
    assert "asked by citation alone" in found.why


def test_the_nearest_files_are_still_named() -> None:
    shelf = Shelf((shelve("Quist_v_Harbor_Bldg_Dept.txt", parse_opinion(BODY)),), ())
    found = match(gives(), shelf=shelf, authority=Authority("3 F.3d 5", "Quist v. Harbor Tax Comm’n", 2018))
    assert found.candidates == ("Quist_v_Harbor_Bldg_Dept.txt",)


def test_two_opinions_under_one_name_are_kept_apart() -> None:
    # Claims are verified file by file.
    both = {"4 NY3d 77": opinion("People v Hathersage", "4 NY3d 77", 2019)}
    both["5 NY3d 12"] = opinion("People v Hathersage", "5 NY3d 12", 2021)
    second = Authority("5 NY3d 12", "People v Hathersage", 2021)
    shelf = with_sources(EMPTY, [HATHERSAGE, second], [Scripted(lambda one: [both[one.cite]])])
    found = [shelf.match(HATHERSAGE).shelved, shelf.match(second).shelved]
    assert [one and one.opinion.citation for one in found] == ["4 NY3d 77", "5 NY3d 12"]
    assert len({one.file for one in found if one}) == 2


def test_what_was_found_is_asked_for_once_and_what_was_not_again() -> None:
    answers: list[Any] = [[], None, [opinion("People v Quist")], [opinion()]]
    source = AskedSource(scripted := Scripted(lambda _: answers.pop(0)))
    told = [with_sources(EMPTY, [MARLOWE], [source]).match(MARLOWE).status for _ in range(7)]
    assert told == ["not_at_hand"] * 3 + ["at_hand"] * 4
    assert len(scripted.asked) == 4


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_OPINIONS", 2)
    source = AskedSource(scripted := Scripted(lambda one: [opinion(one.name or "", one.cite, 2024)]))
    for page in (1, 2, 1, 3, 1, 2):
        assert source.match(Authority(f"7 NY3d {page}", "People v Marlowe", 2024)).status == "at_hand"
    # The one that was asked for least recently has gone: 2.
    assert [one.cite for one in scripted.asked] == ["7 NY3d 1", "7 NY3d 2", "7 NY3d 3", "7 NY3d 2"]


def test_a_source_is_asked_by_one_thread_at_a_time() -> None:
    inside: list[int] = []
    most: list[int] = []

    def answer(_: Authority) -> list[Opinion]:
        inside.append(1)
        most.append(len(inside))
        threading.Event().wait(0.01)
        inside.pop()
        return []

    source = AskedSource(Scripted(answer))
    threads = [threading.Thread(target=source.match, args=[MARLOWE]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8


def test_progress_is_told_of_each_authority() -> None:
    steps: list[int] = []
    with_sources(EMPTY, [MARLOWE, HATHERSAGE], [gives()], lambda: steps.append(1))
    assert len(steps) == 2


POOL = [
    opinion("People v Marlowe", "7 NY3d 210", 2024),
    opinion("People v Hathersage", "4 NY3d 77", 2019),
    opinion("People v Hathersage", "5 NY3d 12", 2021),
    opinion("Matter of Quist", "7 NY3d 210", 2024),
    parse_opinion(BODY, source="Ferris_v_Dunmarrow.txt"),
    parse_opinion(BODY, source="People_v_Marlowe_summary.txt"),
]
ANSWERS = st.one_of(
    st.lists(st.one_of(st.sampled_from(POOL), st.integers()), max_size=3),
    st.sampled_from([None, "x", 3, POOL[0], RuntimeError("down"), ParcelError("no"), KeyError("key")]),
)
AUTHORITIES = st.builds(
    Authority,
    st.sampled_from(["", "7 NY3d 210", "4 NY3d 77", "88 F.3d 1"]),
    st.sampled_from([None, "People v Marlowe", "People v Hathersage", "Ferris v. Dunmarrow"]),
    st.sampled_from([None, 2019, 2024]),
)


def scripted_answer(answer: Any) -> Scripted:
    return raises(answer) if isinstance(answer, Exception) else Scripted(lambda _: answer)


@given(st.lists(ANSWERS, max_size=3), st.lists(st.sampled_from(POOL), max_size=3, unique=True), AUTHORITIES)
def test_sources_only_ever_add_what_files_of_them_alone_would_match(
    answers: list[Any], held: list[Opinion], authority: Authority
) -> None:
    shelf = Shelf(tuple(shelve(f"{number}.md", one) for number, one in enumerate(held)), ())
    scripted = [scripted_answer(answer) for answer in answers]
    alone, found = shelf.match(authority), with_sources(shelf, [authority], scripted).match(authority)
    if alone.status != "not_at_hand" or not authority.cite:
        assert (found.status, found.shelved) == (alone.status, alone.shelved)
        assert not any(source.asked for source in scripted)
        return
    lists = [one for one in answers if isinstance(one, list) and all(isinstance(item, Opinion) for item in one)]
    alike = [Shelf(tuple(shelve(one.name or "nameless", one) for one in given), ()) for given in lists]
    matched = [got for one in alike if (got := one.match(authority)).shelved]
    first = next((got for got in matched if is_certain(got, authority)), None)
    assert found.status == ("not_at_hand" if first is None else "at_hand")
    if first is not None and first.shelved is not None and found.shelved is not None:
        assert found.shelved.opinion is first.shelved.opinion
        assert found.why == f"{first.why}, from the source firm"


def is_certain(found: Match, authority: Authority) -> bool:
    """By more than a name."""
    year = found.shelved.year if found.shelved else None
    return found.why == "by cite" or "pages begin" in found.why or (year is not None and year == authority.year)


BRIEF = """A search is unreasonable where nobody asked (see People v Marlowe, 7 NY3d 210, 214 [2024] [holding that the
owner must be asked]; People v Hathersage, 4 NY3d 77 [2019] [holding that a locker is private]). The same was said
elsewhere (People v Quist, 7 NY3d 210, 215 [2024] [noting that nobody was asked]; Marlowe at 216 [noting the missing
extinguisher]).
"""


def test_all_that_a_brief_asks_a_shelf_for_is_listed() -> None:
    asked: list[Authority] = []

    class Asked(Shelf):
        def match(self, authority: Authority) -> Match:
            asked.append(authority)
            return super().match(authority)

    citations = read_citations(BRIEF)
    match_claims(citations, Asked((), ()))
    assert set(authorities_of(citations)) == set(asked)
    assert {(one.cite, one.name) for one in asked} == {
        ("7 NY3d 210", "People v Marlowe"),
        ("4 NY3d 77", "People v Hathersage"),
        ("7 NY3d 210", "People v Quist"),
    }


def test_a_cite_under_a_second_name_is_matched_under_its_own() -> None:
    citations = read_citations(BRIEF)
    shelf = with_sources(EMPTY, authorities_of(citations), [gives(opinion())])
    report = match_claims(citations, shelf)
    told = {claim.harvested.name: claim.match for claim in report.claims}
    assert told["People v Marlowe"].status == "at_hand"
    assert told["People v Quist"].status == "not_at_hand"
    assert "gave another opinion: the file with this cite is named People v Marlowe" in told["People v Quist"].why
    assert report.at_hand == 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "library"
    made.mkdir()
    (made / "marlowe.md").write_text(text_of("People v Marlowe", "7 NY3d 210", 2024))
    for page in (77, 78):
        (made / f"hathersage_{page}.md").write_text(text_of("People v Hathersage", f"4 NY3d {page}", 2019))
    return made


def test_a_folder_is_a_source(folder: Path) -> None:
    check_source(
        FolderSource(name="library", folder=str(folder)),
        has=["People v Marlowe, 7 NY3d 210 (2024)", HATHERSAGE],
        lacks=["People v Dunmarrow, 9 NY3d 1 (2020)"],
    )


def test_a_folder_says_why_none_of_its_files_is_meant_for_certain(folder: Path) -> None:
    source = FolderSource(name="library", folder=str(folder))
    other = Authority("61 AD3d 902", "People v Hathersage", 2019)
    assert match_given("library", other, source.fetch(other)).why == (
        "the source library gave 2 opinions, of which none is certainly meant: several files have this name"
    )


def test_a_folder_is_read_again_when_its_files_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    load = Opinion.load
    monkeypatch.setattr(Opinion, "load", lambda path: read.append(path) or load(path))
    source = FolderSource(name="library", folder=str(folder))
    assert read == []
    source.fetch(MARLOWE)
    assert (len(source.fetch(HATHERSAGE)), len(read)) == (1, 3)
    dunmarrow = Authority("9 NY3d 1", "People v Dunmarrow", 2020)
    assert source.fetch(dunmarrow) == ()
    (folder / "dunmarrow.md").write_text(text_of("People v Dunmarrow", "9 NY3d 1", 2020))
    assert len(source.fetch(dunmarrow)) == 1


def test_an_empty_folder_has_none_and_one_that_is_gone_says_so_without_its_place(tmp_path: Path) -> None:
    source = FolderSource(name="library", folder=str(tmp_path / "library"))
    why = with_sources(EMPTY, [MARLOWE], [source]).match(MARLOWE).why
    assert why == f"{ABSENT}; the source library could not be asked (InputError: its folder is not there)"
    (tmp_path / "library").mkdir()
    assert source.fetch(MARLOWE) == ()


def configured(folder: Path, text: str) -> Any:
    path = folder / "mine.toml"
    path.write_text(text)
    return make_sources(load_config(path, environ={}))


def test_sources_are_made_in_the_order_of_the_settings(folder: Path) -> None:
    text = (
        "[settings]\nsources = ['second', 'first']\n"
        "[source.first]\nkind = 'folder'\nfolder = 'none'\n[source.second]\nkind = 'folder'\nfolder = 'library'\n"
        "[source.third]\nkind = 'unused'\n"
    )
    made = configured(folder.parent, text)
    assert [one.name for one in made] == ["second", "first"]
    # The folder is beside the file that names it.
    found = with_sources(EMPTY, [MARLOWE], made).match(MARLOWE)
    assert found.why == "by cite, from the source second"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[source.x]\nkind = 'oracle'\n", "unknown source kind 'oracle'; known: folder"),
        ("[source.x]\nkind = 'folder'\n", r"source kind 'folder' cannot be made with \['name'\]"),
        ("[source.x]\nkind = 'folder'\nfolder = 'a'\ncolour = 1\n", "cannot be made with"),
        ("", r"settings.sources names 'x', which has no \[source.x\] table; known: none"),
        ("[source.y]\nkind = 'folder'\n", r"no \[source.x\] table; known: y"),
    ],
)
def test_a_source_that_cannot_be_made_says_why(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        configured(tmp_path, f"[settings]\nsources = ['x']\n{text}")


def test_settings_of_a_source_do_not_show_in_its_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, *, name: str, phrase: str) -> None:
            self.name, self.phrase = name, phrase

        def fetch(self, authority: Authority) -> list[Opinion]:
            raise RuntimeError(f"{self.phrase} is not accepted")

    monkeypatch.setitem(module.SOURCES._targets, "broken", Broken)
    made = configured(tmp_path, "[settings]\nsources = ['x']\n[source.x]\nkind = 'broken'\nphrase = 'open sesame'\n")
    assert "(RuntimeError: *** is not accepted)" in with_sources(EMPTY, [MARLOWE], made).match(MARLOWE).why


def test_a_folder_is_believed_by_the_names_of_its_files_as_files_at_hand_are(tmp_path: Path) -> None:
    """Many files show no name of their own; whoever keeps the folder has named them."""
    (tmp_path / "People_v_Marlowe.txt").write_text(f"Ferris, J.\n\n{BODY}\n")
    authority = Authority("7 NY3d 210", "People v Marlowe", 2024)
    (alone,) = [Shelf.read(tmp_path).match(authority)]
    found = with_sources(EMPTY, [authority], [FolderSource(name="firm", folder=str(tmp_path))]).match(authority)
    assert (alone.status, found.status) == ("at_hand", "at_hand")
    assert found.why == f"{alone.why}, from the source firm"
    # The same from a source that is no folder of the user's proves nothing.
    foreign = Scripted(lambda _: [one.opinion for one in Shelf.read(tmp_path).files])
    assert match(foreign, authority=authority).status == "not_at_hand"
