from __future__ import annotations

import pytest

from parcel_agents.citations.speakers import find_speaker


@pytest.mark.parametrize(
    ("claim", "kind", "author"),
    [
        ("(holding that the locker was searched)", "majority", None),
        ("(Quist, J., dissenting, reasoning that silence was a choice)", "dissent", "Quist"),
        ("(Chief Judge Hallam, concurring, adding a word)", "concurrence", "Hallam"),
        ("(Ferris, Lund and Quist, JJ., concurring)", "concurrence", "Quist"),
        ("(dissent reasoning that the statute is silent)", "dissent", None),
        ("(the concurrence would go no further)", "concurrence", None),
        ("(dissenting opinion stating that no request was due)", "dissent", None),
        ("(cautioning, through Judge Quist's dissent, that courts must not add words)", "dissent", "Quist"),
        ("(plurality opinion concluding that the gate was closed)", "plurality", None),
        ("(the plurality would ask no more)", "plurality", None),
        # The Court speaks of the dissent here.
        ("(rejecting the dissent's reading of section 12)", "majority", None),
        ("(majority concluding that the search was unlawful)", "majority", None),
        # Another court's dissent is reported by whoever writes.
        ("(Justice Lund, dissenting at the Appellate Division, saw no error)", "majority", None),
    ],
)
def test_a_claim_says_whose_words_it_reports(claim: str, kind: str, author: str | None) -> None:
    speaker = find_speaker(claim)
    assert (speaker.kind, speaker.author) == (kind, author)
