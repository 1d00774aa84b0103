"""The last node of the verify graph: cut the evidence from the opinion and say what a verdict rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from parcel_agents.graphs.events import tell_resolved
from parcel_agents.graphs.state import Json, VerifyContext, VerifyState, claim_of
from parcel_agents.types import (
    Certificate,
    Claim,
    Evidence,
    EvidenceRef,
    Hit,
    Nearest,
    Opinion,
    Relation,
    Resolution,
    Verdict,
    Vote,
)
from parcel_agents.verifiers.lacking import shortfall
from parcel_agents.verifiers.voices import may_support

NEAREST = 3
"""How many passages a Not Found certificate or an abstention shows."""

_RELATIONS: dict[str, Relation] = {"supported": "supports", "refuted": "contradicts"}


async def certify(state: VerifyState, *, context: VerifyContext) -> Json:
    """The verdict with evidence, certificate and votes."""
    verdict = make_verdict(
        claim_of(state),
        context.opinions[state["opinion_id"]],
        hits=[Hit.model_validate(hit) for hit in state["hits"]],
        votes=[Vote.model_validate(vote) for vote in state["votes"]],
        resolution=Resolution.model_validate(state["resolution"]),
        policy=context.policy.name,
        locates=lambda name: _locates(context, name),
        fail_closed=context.fail_closed,
    )
    tell_resolved(verdict)
    # The next run of the thread may be of another claim, and give no id.
    return {"verdict": verdict.model_dump(mode="json"), "claim_id": ""}


def make_verdict(
    claim: Claim,
    opinion: Opinion,
    *,
    hits: Sequence[Hit],
    votes: Sequence[Vote],
    resolution: Resolution,
    policy: str,
    locates: Callable[[str], bool],
    fail_closed: bool = False,
) -> Verdict:
    """The verdict on a claim, from votes that may have been given long ago.

    Args:
        claim: the claim.
        opinion: the opinion.
        hits: the passages that were retrieved for the claim.
        votes: those of the verifiers that were asked.
        resolution: what the policy makes of them.
        policy: its name.
        locates: whether the verifier of this name points to passages.
        fail_closed: True to withhold Supported where a verifier that was asked gave no vote.
    """
    votes = tuple(sorted(votes, key=lambda vote: vote.verifier))
    evidence = _evidence(opinion, votes, resolution)
    label, reason = resolution.label, resolution.reason
    if label == "supported" and not evidence:
        if any(locates(name) for name in resolution.counted):
            label, reason = None, f"{reason}, but no supporting passage could be located"
        else:
            reason = f"{reason}; nobody was asked for the passage"
    elif label == "supported" and (others := _others(claim, opinion, evidence)):
        label, reason = None, f"{reason}, but the supporting words are in another voice than the claim names: {others}"
    failed = [vote.verifier for vote in votes if vote.outcome != "ok"]
    error = _unchecked(resolution) if label is None else None
    if label == "supported" and fail_closed and failed:
        label, error = None, f"no vote from {', '.join(failed)}, and the panel fails closed; the others say: {reason}"
        evidence = ()
    nearest = [_cut(opinion, ref) for ref in _nearest(opinion, hits)]
    return Verdict(
        claim_id=claim.id,
        claim=claim.text,
        opinion_id=opinion.id,
        label=label,
        status="abstained" if label is None else "decided",
        confidence=resolution.confidence if label is not None else None,
        policy=policy,
        reason=reason,
        error=error,
        evidence=evidence or tuple(nearest),
        votes=votes,
        certificate=_certificate(opinion, claim.text, votes, nearest) if label == "not_found" else None,
    )


def _others(claim: Claim, opinion: Opinion, evidence: Sequence[Evidence]) -> str | None:
    """The voice of the evidence where none of it is of a voice that can support the claim; None where some is."""
    parts = [opinion.part(one.part) for one in evidence]
    return None if any(may_support(claim.text, part) for part in parts) else parts[0].voice


def _locates(context: VerifyContext, name: str) -> bool:
    """Whether this verifier points to passages; under the paper's protocol models are not asked to."""
    return getattr(context.verifier(name), "locates", True)


def _unchecked(resolution: Resolution) -> str | None:
    """Why an abstention means that the claim could not be checked, None if the panel looked and stayed undecided."""
    if not resolution.missing or not resolution.missing_could_change:
        return None
    return f"no vote from {', '.join(resolution.missing)}, which could have decided the claim"


def _evidence(opinion: Opinion, votes: tuple[Vote, ...], resolution: Resolution) -> tuple[Evidence, ...]:
    """The places that the winning votes point to, each once, for the relation that the label states."""
    relation = _RELATIONS.get(resolution.label or "")
    refs = {
        (ref.start, ref.end): ref
        for vote in votes
        if vote.verifier in resolution.counted
        for ref in vote.evidence
        if ref.relation == relation
    }
    return tuple(_cut(opinion, ref) for _, ref in sorted(refs.items()))


def _nearest(opinion: Opinion, hits: Sequence[Hit]) -> list[EvidenceRef]:
    passages = [opinion.passage(hit.passage) for hit in hits[:NEAREST]]
    return [EvidenceRef(passage=p.id, start=p.start, end=p.end, relation="nearest") for p in passages]


def _cut(opinion: Opinion, ref: EvidenceRef) -> Evidence:
    part = opinion.part(opinion.passage(ref.passage).part)
    return Evidence(
        **ref.model_dump(),
        text=opinion.text[ref.start : ref.end],
        part=part.id,
        voice=part.voice,
        page=opinion.pages_of(ref.start, ref.end),
    )


def _certificate(opinion: Opinion, claim: str, votes: tuple[Vote, ...], nearest: list[Evidence]) -> Certificate:
    read = {passage for vote in votes for passage in vote.read}
    total = sum(len(passage.text) for passage in opinion.passages)
    covered = sum(len(passage.text) for passage in opinion.passages if passage.id in read)
    return Certificate(
        read_by={vote.verifier: vote.read for vote in votes if vote.read},
        coverage=covered / total if total else 0.0,
        nearest=tuple(Nearest(evidence=found, shortfall=shortfall(claim, found.text)) for found in nearest),
    )
