"""No verdict is Supported on evidence that only another voice gives."""

from __future__ import annotations

import pytest

from parcel_agents.graphs.certify import make_verdict
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Claim, EvidenceRef, Label, Resolution, Verdict, Vote

GATE = "The harbor master closed the gate before the tide turned, and no ship owner had notice of it that morning."
QUAY = "The quay was open to every ship that paid its dues, and the harbor master had no power to close it at night."
LINES = [
    "State v. Quist",
    "OPINION OF THE COURT",
    "QUIST, J.",
    GATE,
    "ARDEN, J., dissenting.",
    QUAY,
    "BRILL, J., misc dissenting",
]
OPINION = parse_opinion(
    "\n\n".join([*LINES, "The tide was late, and nobody on the pier that day had seen the harbor master at all."]),
    suffix=".md",
)


def verdict(claim: str, words: str, label: Label = "supported") -> Verdict:
    """What becomes of one vote that points to the passage with these words."""
    passage = next(one for one in OPINION.passages if words in one.text)
    relation = "supports" if label == "supported" else "contradicts"
    ref = EvidenceRef(passage=passage.id, start=passage.start, end=passage.end, relation=relation)
    return make_verdict(
        Claim.of(claim),
        OPINION,
        hits=[],
        votes=[Vote(verifier="model", outcome="ok", label=label, evidence=(ref,))],
        resolution=Resolution(label=label, reason="1 of 1 supported", counted=("model",)),
        policy="majority",
        locates=lambda _: True,
    )


@pytest.mark.parametrize(
    ("claim", "words", "label"),
    [
        ("(holding that the gate was closed too early)", GATE, "supported"),
        ("(holding that the quay was open)", QUAY, None),
        ("(Arden, J., dissenting, arguing that the quay was open)", QUAY, "supported"),
        ("(Arden, J., dissenting, arguing that the gate was closed)", GATE, None),
        ("(holding that the tide was late)", "The tide was late", None),
        ("(dissent arguing that the tide was late)", "The tide was late", None),
        ("(holding that the State lost)", "State v. Quist", None),
    ],
)
def test_supported_needs_evidence_of_a_voice_that_can_support_the_claim(
    claim: str, words: str, label: Label | None
) -> None:
    found = verdict(claim, words)
    assert found.label == label
    assert (label is None) == ("in another voice than the claim names" in found.reason)


def test_a_refutation_may_point_to_any_voice() -> None:
    assert verdict("(holding that the quay was open)", QUAY, "refuted").label == "refuted"
