"""Every parenthetical that says something is listed, whatever it stands behind. All cases are made up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parcel_agents.briefs.source import read_source
from parcel_agents.citations.harvest import harvest, harvest_all
from parcel_agents.citations.read import read_citations
from parcel_agents.errors import OpinionError

NOT_READ = "the citation before it is in a form that is not read"
LAW = "it describes a provision of law, and only decisions are checked"


@pytest.mark.parametrize(
    ("text", "cite", "why"),
    [
        ("See ECF No. 12 at 3 (finding that the gate was dark).", "ECF No. 12 at 3", NOT_READ),
        ("See Dkt. 45 ¶ 7 (“the gate was dark at night”).", "Dkt. 45 ¶ 7", NOT_READ),
        (
            "See Hale, A-1234-18 (N.J. App. 2031) (holding that it was).",
            "See Hale, A-1234-18 (N.J. App. 2031)",
            NOT_READ,
        ),
        ("See Gateworks at *3 (excluding the harbor master's report).", "See Gateworks at *3", NOT_READ),
        ("See Quist, discussion above (holding that it was).", "See Quist, discussion above", NOT_READ),
        ("The Harbor Papers No. 72, at 487 (explaining what a gate is).", "The Harbor Papers No. 72, at 487", NOT_READ),
        ("The court agreed (holding that the gate was dark).", "", "no citation stands before it"),
        ("Penal Law § 10.00 (1) (defining a gate as a door).", "Penal Law § 10.00 (1)", LAW),
        (
            "Pell, On Stops, 79 Yale L.J. 12 (1993) (arguing for stops).",
            "79 Yale L.J. 12",
            "it describes an article or a book, and only decisions are checked",
        ),
        (
            "Dunham v. Ferrer, 513 U.S. 200 (1995); Dunham v. Hale, 103 F.3d 190 (2d Cir. 1996). See Dunham, supra, at"
            " 206 (noting a gate).",
            "Dunham",
            "it may be Dunham v. Ferrer, 513 U.S. 200 or Dunham v. Hale, 103 F.3d 190",
        ),
        (
            "Rowley v. Dunham, 103 F.3d 30 (2d Cir. 1996). See Dunham, supra, at 506 (noting a gate).",
            "Dunham",
            "its page 506 lies outside of Rowley v. Dunham, 103 F.3d 30",
        ),
    ],
)
def test_what_is_said_behind_no_decision_that_is_read_is_listed_with_the_reason(text: str, cite: str, why: str) -> None:
    citations = read_citations(text)
    (found,) = harvest_all(citations)
    assert (found.cite, found.unchecked) == (cite, why)
    assert text[found.start : found.end] == found.claim.strip("()")
    assert list(harvest(citations)) == []


def test_id_behind_a_citation_that_is_not_read_is_not_the_decision_before_it() -> None:
    text = "Hale v. Rowley, 12 F.3d 4 (2d Cir. 1993). ECF No. 12 at 3 (finding a gate). Id. at 5 (noting a lock)."
    first, second = harvest_all(read_citations(text))
    assert (first.unchecked, second.unchecked) == (NOT_READ, NOT_READ)


@pytest.mark.parametrize(
    "text",
    [
        "The Harbor Act (“the Act”) and the Gate Works (“Gateworks”) apply.",
        "The order (dated May 7) was late (see above).",
        "Hale v. Rowley, 12 F.3d 4 (2d Cir. 1993) (en banc) (emphasis added) (quoting Pell v. Orr, 3 F.3d 4).",
    ],
)
def test_what_says_nothing_is_not_listed(text: str) -> None:
    assert list(harvest_all(read_citations(text))) == []


CITED = "Hale v. Rowley, 12 F.3d 4"


@pytest.mark.parametrize(
    ("text", "claim", "opinion"),
    [
        # What is cited proves the point, and the point is the claim.
        (
            f"{CITED} (2d Cir. 1993) (citing Pell v. Orr, 3 F.3d 4, for the point that gates are doors)",
            "(citing Pell v. Orr, 3 F.3d 4, for the point that gates are doors)",
            None,
        ),
        (
            f"{CITED} (2d Cir. 1993) (quoting Pell v. Orr, 3 F.3d 4, and holding that gates are doors)",
            "(quoting Pell v. Orr, 3 F.3d 4, and holding that gates are doors)",
            None,
        ),
        # A separate opinion that says something.
        (
            f"{CITED} (2d Cir. 1993) (Oster, J., dissenting, arguing that gates are doors)",
            "(Oster, J., dissenting, arguing that gates are doors)",
            "dissent",
        ),
        (
            f"{CITED} (2d Cir. 1993) (Oster, J., concurring in part) (explaining that gates are doors)",
            "(explaining that gates are doors)",
            "concurrence",
        ),
        (f"{CITED} (2d Cir. 1993) (dissent arguing that gates are doors)", None, "dissent"),
        # A claim in the bracket of court and year.
        (f"{CITED} (2d Cir. 1993, holding that gates are doors)", "(holding that gates are doors)", None),
        (f"{CITED} [2d Cir 1993; rejecting the claim of a dissenter]", "(rejecting the claim of a dissenter)", None),
        (
            f"{CITED} (2d Cir. 1993, Oster, J., dissenting, arguing that gates are doors)",
            "(Oster, J., dissenting, arguing that gates are doors)",
            "dissent",
        ),
        # Who rejects a dissent is none.
        (f"{CITED} (2d Cir. 1993) (rejecting the dissenting view)", "(rejecting the dissenting view)", None),
    ],
)
def test_a_bracket_that_asserts_something_is_a_claim(text: str, claim: str | None, opinion: str | None) -> None:
    first = next(harvest_all(read_citations(text)))
    assert first.unchecked is None
    assert (first.cite, first.year, first.opinion) == ("12 F.3d 4", 1993, opinion)
    assert claim is None or first.claim == claim


@pytest.mark.parametrize(
    "bracket",
    [
        "Oster, J., dissenting",
        "opinion of Oster, J., announcing the judgment of the Court",
        "Oster, J., concurring, joined by Pell, J.",
        "citing Pell v. Orr, 3 F.3d 4",
        "quoting Pell v. Orr, 3 F.3d 4 (1993) (holding that gates are doors)",
    ],
)
def test_a_bracket_that_names_a_judge_or_a_source_alone_is_none(bracket: str) -> None:
    assert all(one.cite != "12 F.3d 4" for one in harvest_all(read_citations(f"{CITED} (2d Cir. 1993) ({bracket})")))


# A count that knows nothing of the parser: a bracket that begins with a verb of saying, or with quoted words behind
# a number or another bracket.
_CRUDE = re.compile(
    r"[(\[](?=(?:holding|finding|explaining|noting|stating|concluding|observing|recognizing|reasoning|rejecting"
    r"|affirming|reversing|upholding|describing|emphasizing|determining)\b)"
    r"|(?<=[\d)\]])[.,]?\s{0,2}[(\[](?=[\"“](?:[\w’',-]+\s){4})"
)


def test_every_parenthetical_of_the_shared_briefs_is_listed(shared_data: Path) -> None:
    counted = 0
    for path in sorted((shared_data / "briefs").rglob("*")):
        if "opinions" in path.parts or path.suffix not in {".txt", ".html", ".pdf", ".md"}:
            continue
        try:
            text = read_source(path).text
        except OpinionError:
            continue
        listed = {found.start for found in harvest_all(read_citations(text))}
        crude = {match.end() for match in _CRUDE.finditer(text)}
        missing = [text[max(0, place - 60) : place + 40] for place in sorted(crude - listed)]
        assert missing == [], path.name
        counted += len(crude)
    assert counted >= 25
