from __future__ import annotations

from pathlib import Path

from fakes.traces import DISSENT, OPINION

from parcel_agents.briefs.check import BriefReport, match_claims, read_brief
from parcel_agents.briefs.shelf import Shelf
from parcel_agents.briefs.source import SourceText
from parcel_agents.briefs.traces import from_brief
from parcel_agents.types import PageMark

BRIEF = f"""BRIEF FOR APPELLANT (fictional)

No search is lawful where nobody asked (see People v Marlowe, 7 NY3d 210, 211 [2024] [holding that the owner must be
asked]). But see People v Marlowe, 7 NY3d 210, 212 [2024, Quist, J., dissenting] [{DISSENT[0].lower()}{DISSENT[1:-1]}];
People v Dunmarrow, 46 NY3d 118 [2019] [holding that a locker is no less private than a trunk].
"""


def matched(folder: Path) -> tuple[BriefReport, SourceText]:
    (folder / "brief.txt").write_text(BRIEF)
    (folder / "opinions").mkdir()
    (folder / "opinions" / "people_v_marlowe.md").write_text(OPINION.replace("97 NY3d", "7 NY3d"))
    source, citations = read_brief(folder / "brief.txt")
    return match_claims(citations, Shelf.read(folder / "opinions")), source


def test_what_nobody_was_asked_about_was_not_checked(tmp_path: Path) -> None:
    report, source = matched(tmp_path)
    book = from_brief(report, source, title="brief", stopped="the key is not accepted")
    assert [trace.status for trace in book.traces] == ["could_not_check", "could_not_check", "not_at_hand"]
    assert book.traces[0].why == "the key is not accepted"
    assert book.traces[0].verdict is None
    # The opinion is shown all the same: a reader may check by hand.
    assert list(book.opinions) == [book.traces[0].opinion_id]
    assert "stopped: the key is not accepted" in book.notes


def test_a_claim_about_a_dissent_says_so_and_the_briefs_words_stand_beside_it(tmp_path: Path) -> None:
    report, source = matched(tmp_path)
    trace = from_brief(report, source, title="brief").traces[1]
    assert trace.claim.startswith("(the dissent, a locker")
    assert trace.authority is not None
    assert trace.authority.parenthetical.startswith("(a locker")
    assert (trace.authority.opinion, trace.authority.signal) == ("dissent", "but see")


def test_a_place_is_found_by_page_and_by_the_words_before_it(tmp_path: Path) -> None:
    report, source = matched(tmp_path)
    paged = SourceText(source.text, None, (PageMark(offset=0, page="*1", reporter=False),))
    first = from_brief(report, paged, title="brief").traces[0].authority
    assert first is not None
    assert first.page == "*1"
    assert first.before.endswith("No search is lawful where nobody asked (see People v Marlowe, 7 NY3d 210, 211 [2024]")
    assert source.text[first.start : first.end].split() == first.parenthetical[1:-1].split()
