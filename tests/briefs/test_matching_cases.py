"""Which file a brief means, from the brief's words to the shelf. All cases are made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parcel_agents.briefs.check import BriefReport, match_claims
from parcel_agents.briefs.shelf import Shelf
from parcel_agents.briefs.shelved import Shelved, shelve
from parcel_agents.citations.read import read_citations

BODY = "The harbor officer boarded the boat at its berth and asked nobody for the missing extinguisher that day. " * 4
SAID = "(holding that a harbor master may close a channel without notice in an emergency)"


def file(
    name: str | None, citation: str | None = None, date: str | None = None, *, stem: str = "opinion", **fields: Any
) -> Shelved:
    """A file whose reader has found this in it."""
    from parcel_agents.opinions import parse_opinion

    made = parse_opinion(BODY).model_copy(update={"name": name, "citation": citation, "date": date, **fields})
    return shelve(f"{stem}.html", made.identified())


def check(brief: str, *files: Shelved) -> BriefReport:
    return match_claims(read_citations(brief), Shelf(files, ()))


def test_every_case_of_the_shared_inputs_holds(shared_data: Path) -> None:
    path = shared_data / "cases" / "matching.jsonl"
    if not path.exists():
        pytest.skip("this copy of the shared data has no cases of matching")
    cases = {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    checked = 0
    for id, row in cases.items():
        files = [file(row["file"]["name"], row["file"]["citation"], row["file"]["date"])] if "file" in row else []
        (claim,) = check(row["brief"], *files).claims
        found, match = claim.harvested, claim.match
        told = {"nm": match.status, "sp": found.cite, "sk": found.cite}[id[:2]]
        right = {
            "nm-1": "not_matched",
            "nm-2": "not_matched",
            "nm-3": "not_matched",
            "nm-4": "not_at_hand",
            "nm-5": "at_hand",
            "sp-1": "513 U.S. 200",
            "sk-1": "604 U. S. ___",
            "sk-2": "Case No. 2:19-cv-00123-ABC, Dkt. 45",
            "sk-3": "T.C. Memo. 2020-26",
        }
        assert told == right[id], id
        checked += 1
    assert checked == len(cases)


# The brief's citation, the file (name, cite, date), and the status.
BY_CITE_AND_YEAR = [
    # Neutral cites: their numbers and their years differ.
    ("State v. Arden, 2033-Ohio-1234, ¶ 12", ("State v. Arden", "2031-Ohio-777", "May 7, 2031"), "not_matched"),
    ("State v. Arden, 2033-Ohio-1234, ¶ 12", ("State v. Arden", "2033-Ohio-777", None), "not_matched"),
    ("State v. Arden, 2033-Ohio-1234, ¶ 12", ("State v. Arden", None, "May 7, 2031"), "not_matched"),
    ("State v. Arden, 2033-Ohio-1234, ¶ 12", ("State v. Arden", "2033-Ohio-1234", None), "at_hand"),
    ("State v. Arden, 2033 Ohio 1234, ¶ 12", ("State v. Arden", "2033-Ohio-1234", None), "at_hand"),
    ("State v. Arden, 2033-Ohio-1234, ¶ 12", ("State v. Arden", None, "May 7, 2033"), "at_hand"),
    ("Hale v. Rowley, 2031 WI 5, ¶ 3", ("Hale v. Rowley", "2029 WI App 5", None), "not_matched"),
    ("Hale v. Rowley, 2031 WI 5, ¶ 3", ("Hale v. Rowley", "389 Wis. 2d 1", "2031"), "at_hand"),
    ("Hale v. Rowley, 2031 ND 5, ¶ 3", ("Hale v. Rowley", "2031 SD 5", None), "not_matched"),
    ("Quist v. Comm'r, T.C. Memo. 2031-26", ("Quist v. Comm'r", "T.C. Memo. 2030-26", None), "not_matched"),
    ("Quist v. Comm'r, T.C. Memo. 2031-26", ("Quist v. Commissioner", "T.C. Memo. 2031-26", None), "at_hand"),
    # Another court of the same year.
    ("Hale v. Rowley, 604 U.S. 12 (2031)", ("Hale v. Rowley", "103 F.3d 30", "May 7, 2031"), "not_matched"),
    ("People v Arden, 61 AD3d 902 [2031]", ("People v Arden", "47 NY3d 910", "May 7, 2031"), "not_matched"),
    # Louisiana: docket number and date are of the cite.
    ("State v. Denham, 2029-1234 (La. 5/1/30), 300 So. 3d 1, 5", ("State v. Lamont", None, None), "not_at_hand"),
    ("State v. Denham, 2029-1234 (La. 5/1/30), 300 So. 3d 1, 5", ("State v. La", None, None), "not_at_hand"),
    ("State v. Denham, 2029-1234 (La. 5/1/30), 300 So. 3d 1", ("State v. Denham", "300 So. 3d 1", None), "at_hand"),
    ("State v. Denham, 2029-1234 (La. 5/1/30)", ("State v. Denham", None, "May 1, 2030"), "at_hand"),
    ("State v. Denham, 2029-1234 (La. 5/1/30)", ("State v. Denham", None, "May 1, 2028"), "not_matched"),
    # Blanks: any decision of the volume may have them.
    ("Ferrer v. Hale, 604 U. S. ___ (2031)", ("Ferrer v. Hale", "604 U.S. ___", "May 7, 2031"), "at_hand"),
    ("Ferrer v. Hale, 604 U. S. ___ (2031)", ("Ferrer v. Hale", "604 U.S. 7", "May 7, 2031"), "at_hand"),
    ("Ferrer v. Hale, 604 U. S. ___ (2031)", ("Rowley v. Hale", "604 U.S. ___", "May 7, 2031"), "not_at_hand"),
    ("Ferrer v. Hale, 604 U. S. ___ (2031)", ("Ferrer v. Hale", "603 U.S. 7", "May 7, 2031"), "not_matched"),
    # No year in the file, or none in the brief: the name alone is too little.
    ("State v. Arden, 12 F.3d 4 (2031)", ("State v. Arden", None, None), "not_matched"),
    ("State v. Arden, 12 F.3d 4", ("State v. Arden", None, "May 7, 2031"), "not_matched"),
    ("Hale v. Rowley Gate Works, 12 F.3d 4 (2031)", ("Hale v. Rowley Gate Works", None, None), "not_matched"),
]


@pytest.mark.parametrize(("cited", "held", "status"), BY_CITE_AND_YEAR)
def test_name_cite_and_year_have_to_agree(cited: str, held: tuple[str, str | None, str | None], status: str) -> None:
    (claim,) = check(f"See {cited} {SAID}.", file(*held)).claims
    assert claim.match.status == status, claim.match
    assert claim.match.why


def test_the_reason_says_what_disagrees_or_is_missing() -> None:
    def why(cited: str, *held: str | None) -> str:
        return check(f"See {cited} {SAID}.", file(*held)).claims[0].match.why

    assert "is of 2031, not 2033" in why("State v. Arden, 2033-Ohio-1234", "State v. Arden", "2031-Ohio-777", None)
    assert "is not 12 F.3d 4" in why("State v. Arden, 12 F.3d 4 (2031)", "State v. Arden", "13 F.3d 9", "2031")
    assert "tells no year, and nothing else shows" in why("State v. Arden, 12 F.3d 4 (2031)", "State v. Arden")
    assert "the brief states no year" in why("State v. Arden, 12 F.3d 4", "State v. Arden", None, "2031")


def test_a_file_that_its_keeper_named_for_the_case_is_believed_where_nothing_speaks_against_it() -> None:
    brief = f"See Hale v. Rowley, 12 F.3d 4 (2d Cir. 2031) {SAID}."
    (claim,) = check(brief, file(None, stem="Hale_v_Rowley")).claims
    assert claim.match.status == "at_hand"
    for against in (
        file(None, "13 F.3d 9", stem="Hale_v_Rowley"),
        file(None, None, "2029", stem="Hale_v_Rowley"),
        file(None, court="United States Court of Appeals, Ninth Circuit", stem="Hale_v_Rowley"),
        file(None, stem="Hale_v_Rowley_2029"),
        file(None, stem="Hale"),
    ):
        assert check(brief, against).claims[0].match.status != "at_hand", against


def test_a_distinctive_name_needs_a_court_or_a_docket_number_beside_it() -> None:
    brief = f"See Hale v. Rowley Gate Works, No. 32-1573, 2031 WL 7 (2d Cir. 2031) {SAID}."
    name = "Hale v. Rowley Gate Works"
    court = file(name, court="2d Cir.")
    assert check(brief, court).claims[0].match.why == "by name and court; the file tells no year"
    made = file(name).opinion
    docket = shelve("opinion.html", made.model_copy(update={"text": "No. 32-1573. " + made.text}))
    assert check(brief, docket).claims[0].match.why == "by name and docket number; the file tells no year"
    # Of the State's cases too many have such a name.
    common = f"See State v. Hale, 2031 WL 7 (2d Cir. 2031) {SAID}."
    assert check(common, file("State v. Hale", court="2d Cir.")).claims[0].match.status == "not_matched"


def paged(stem: str, *pages: int) -> Shelved:
    marks = "".join(f"<p>{BODY}<span class='star-pagination'>*{page}</span> {BODY}</p>" for page in pages)
    from parcel_agents.opinions import parse_opinion

    return shelve(f"{stem}.html", parse_opinion(marks, suffix=".html"))


@pytest.mark.parametrize(
    ("cite", "pages", "status"),
    [
        ("985 Ga. 543", (217, 221), "not_matched"),
        ("989 F.3d 764", (416, 419), "not_matched"),
        ("985 Ga. 215", (217, 221), "at_hand"),
        # The pages of a slip opinion are its own, and those of the Supreme Court may be another reporter's.
        ("985 Ga. 543", (1, 2), "at_hand"),
        ("976 U.S. 12", (2182, 2196), "at_hand"),
    ],
)
def test_the_pages_in_a_file_rule_out_a_cite_that_they_do_not_hold(
    cite: str, pages: tuple[int, ...], status: str
) -> None:
    (claim,) = check(f"See Hale v. Rowley, {cite} (2031) {SAID}.", paged("Hale_v_Rowley", *pages)).claims
    assert claim.match.status == status, claim.match


def test_two_slip_opinions_of_one_volume_are_two_decisions() -> None:
    brief = (
        "See Ferrer v. Hale, 604 U. S. ___ (2031) (slip op., at 4) (holding that the gate was dark); "
        "Rowley v. Quist, 604 U. S. ___ (2031) (slip op., at 7) (finding a stop)."
    )
    held = file("Rowley v. Quist", "604 U. S. ___", "May 7, 2031")
    report = check(brief, held)
    assert (report.authorities, report.at_hand) == (2, 1)
    assert [claim.match.status for claim in report.claims] == ["not_at_hand", "at_hand"]


def test_what_cannot_be_tied_to_a_decision_is_listed_with_the_reason() -> None:
    brief = (
        "See Hale v. Rowley, 12 F.3d 4 (2d Cir. 2031) (finding a stop). See ECF No. 12 at 3 (noting that the gate was"
        " dark). Id. at 4 (finding a lock). Penal Law § 10.00 (defining gates)."
    )
    report = check(brief)
    assert [(claim.match.status, claim.match.why) for claim in report.claims] == [
        ("not_at_hand", "no file has its cite or name"),
        ("not_matched", "not checked: the citation before it is in a form that is not read"),
        ("not_matched", "not checked: the citation before it is in a form that is not read"),
        ("not_matched", "not checked: it describes a provision of law, and only decisions are checked"),
    ]


def test_a_claim_of_a_dissent_is_checked_as_one() -> None:
    from parcel_agents.briefs.check import spoken

    brief = (
        "See Hale v. Rowley, 12 F.3d 4 (2d Cir. 2031) (Oster, J., dissenting, arguing that the gate was dark); "
        "Hale v. Rowley, 12 F.3d 4 (2d Cir. 2031) (Oster, J., dissenting) (arguing that the lock was new)."
    )
    first, second = check(brief).claims
    assert (first.harvested.opinion, second.harvested.opinion) == ("dissent", "dissent")
    assert spoken(first.harvested) == "(Oster, J., dissenting, arguing that the gate was dark)"
    assert spoken(second.harvested).startswith("(the dissent, arguing")
