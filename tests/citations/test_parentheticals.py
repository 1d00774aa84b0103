"""Brackets behind citations: which they are, what they hold, and whose they are. All cases are made up."""

from __future__ import annotations

import pytest

from parcel_agents.citations.brackets import match_brackets
from parcel_agents.citations.parentheticals import read_kind
from parcel_agents.citations.read import read_citations


def held(text: str) -> list[list[str]]:
    """The explanatory parentheticals of each citation but bare names and laws."""
    found = [one for one in read_citations(text) if one.kind in {"case", "slip", "short", "id"}]
    return [[p.text for p in one.parentheticals if p.kind == "explanatory"] for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(see People v Marlowe, 31 NY3d 201, 208 [2018] [holding that it was])", [["holding that it was"]]),
        ("Orne v. Tarn, 12 F.3d 4, 6 (2d Cir. 1993) (holding that it was)", [["holding that it was"]]),
        # Brackets in brackets, of both kinds, and words in quotation marks.
        (
            '(People v Wren, 3 NY3d 4 [2004] [rejecting the claim (raised late) that "(t)he stop" (id.) was bad])',
            [['rejecting the claim (raised late) that "(t)he stop" (id.) was bad'], []],
        ),
        ("Orne v. Tarn, 1 F.3d 2 (1993) (holding “[t]he rule [is] plain”)", [["holding “[t]he rule [is] plain”"]]),
        # One that is left open within does not swallow the rest.
        (
            "(Orne v Tarn, 1 NY3d 2 [2003] [holding (a that it was]; Pell v Orr, 3 NY3d 4)",
            [["holding (a that it was"], []],
        ),
        # Each belongs to the citation before it, not to the next.
        (
            "(People v Wren, 3 NY3d 4 [2004] [no stop]; People v Pell, 5 NY3d 6 [2005]; People v Orr, 7 NY3d 8 [2006]"
            " [a stop])",
            [["no stop"], [], ["a stop"]],
        ),
        # Without a year, behind short forms and `id.`.
        ("Compare Wren, 3 NY3d at 6 [silence meant assent]", [["silence meant assent"]]),
        ("(People v Wren, 3 NY3d 4 [2004]). So too (id. at 7 [finding a stop])", [[], ["finding a stop"]]),
        # Behind something said of the words, and two of them.
        (
            '(Wren, 3 NY3d at 6 [emphasis added] [noting "no" stop]); Pell, 5 NY3d at 7 [holding one] [also another]',
            [['noting "no" stop'], ["holding one", "also another"]],
        ),
        # Behind the history it stands behind.
        ("People v Wren, 9 AD3d 4 [2d Dept 2004], affd 5 NY3d 7 [2005] [finding a stop]", [[], ["finding a stop"]]),
        # A line broken before it; a paragraph's end is no such thing.
        ("Orne v. Tarn, 1 F.3d 2 (1993)\n(holding so)", [["holding so"]]),
        ("Orne v. Tarn, 1 F.3d 2 (1993)\n\n(holding so)", [[]]),
        # A bracket that begins with a citation holds that citation and explains nothing.
        ("Orne v Tarn, 1 NY3d 2 [2003] [Pell v Orr, 3 NY3d 4 [2004]]", [[], []]),
        ("Orne v Tarn, 1 NY3d 2 [2003] [following Pell v Orr, 3 NY3d 4]", [["following Pell v Orr, 3 NY3d 4"], []]),
        ("Orne v Tarn, 1 NY3d 2 [2003] [CPL 10.20 (1)]", [[]]),
        ("Orne v Tarn, 1 NY3d 2 [2003] [CPL 10.20 requires notice]", [["CPL 10.20 requires notice"]]),
        # The bracket that is never closed holds nothing.
        ("Orne v. Tarn, 1 F.3d 2 (1993) (holding so", [[]]),
    ],
)
def test_parentheticals_are_whole_and_tied_to_their_citation(text: str, expected: list[list[str]]) -> None:
    assert held(text) == expected


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("holding that a waiver signed without counsel is void", "explanatory"),
        ('"the waiver was void" (emphasis added)', "explanatory"),
        ("same result where the waiver was oral", "explanatory"),
        ("citing the need for order in the prison", "explanatory"),
        ("dissenting Justices would have found a stop", "explanatory"),
        ("emphasis added", "weight"),
        ("internal quotation marks, citations and brackets omitted", "weight"),
        ("emphasis added; internal quotation marks omitted", "weight"),
        ("cleaned up", "weight"),
        ("same", "weight"),
        ("per curiam", "weight"),
        ("en banc", "weight"),
        ("plurality op", "weight"),
        ("decided today", "weight"),
        ("Wren, J., dissenting", "weight"),
        ("Wren, Ch. J., concurring in part and dissenting in part", "weight"),
        ("opinion of Wren, J.", "weight"),
        ("Wren & Pell, JJ., concurring", "weight"),
        ("Wren, J., statement regarding denial of certiorari", "weight"),
        ("additional citation omitted", "weight"),
        ("similar", "weight"),
        ("dissenting op", "weight"),
        ("quoting Orne v Tarn, 1 NY3d 2 [2003]", "source"),
        ("citing People v Wren", "source"),
        ("in turn quoting Orne", "source"),
        ("see id. at 434", "source"),
        ("dissenting op at 107", "source"),
        ("hereinafter Wren II", "name"),
        ("“Wren”", "name"),
        ('the "Tidewater Rule"', "name"),
        ("Wren II", "name"),
        ("2", "other"),
        ("b", "other"),
        ("4th ed 1951", "other"),
        ("eff Jan. 1, 2011", "other"),
        ("companion case to Marlowe", "other"),
        ("5th Cir", "other"),
    ],
)
def test_what_a_bracket_holds(content: str, kind: str) -> None:
    assert read_kind(content) == kind


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a (b [c] d) e", {2: 10, 5: 7}),
        # Each kind is matched apart.
        ("[a (b] c", {0: 5}),
        ("(a]) b)", {0: 3}),
        # A bracket left open takes none of a later paragraph's, but a paragraph may be torn.
        ("(a is open.\n\nb) c", {}),
        ("(a is\n\ntorn) c", {0: 11}),
        ("", {}),
    ],
)
def test_brackets_are_matched(text: str, pairs: dict[int, int]) -> None:
    assert match_brackets(text) == pairs
