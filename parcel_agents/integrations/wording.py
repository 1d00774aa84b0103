"""A verdict in words that a drafting model cannot mistake: what was found, what it rests on, what to do."""

from __future__ import annotations

from parcel_agents.integrations.checking import Checked
from parcel_agents.tools.untrusted import NOTICE, clean, fence, label
from parcel_agents.traces.building import status_of
from parcel_agents.traces.model import TraceStatus
from parcel_agents.types import Evidence, Opinion, Verdict

MAX_EVIDENCE = 4
_QUOTE = 900
_REASON = 400

VERDICTS: dict[str, tuple[str, str]] = {
    "supported": (
        "SUPPORTED",
        "The opinion says this. You may cite it for this claim, as worded here, with the voice and page below.",
    ),
    "refuted": (
        "REFUTED",
        "DO NOT CITE: the opinion says otherwise. Reword the claim to what the evidence says, or drop it.",
    ),
    "not_found": (
        "NOT FOUND",
        "DO NOT CITE: the opinion does not say this. Reword the claim to what the opinion says, cite another"
        " authority, or drop it.",
    ),
    "undecided": (
        "UNDECIDED",
        "DO NOT CITE as verified: the panel read the opinion and cannot tell. Reword the claim closer to the opinion's"
        " own words and check again, or mark the citation for a person to read.",
    ),
    "could_not_check": (
        "COULD NOT CHECK",
        "DO NOT CITE as verified: nothing was found out, neither for nor against the claim. Remove what stood in the"
        " way and check again, or mark the citation for a person to read.",
    ),
}
"""Per status its name and what to do. Only `supported` allows the citation."""


def may_cite(verdict: Verdict) -> bool:
    """True for Supported alone: a drafter fails closed."""
    return verdict.label == "supported"


def status(verdict: Verdict) -> TraceStatus:
    """The verdict in one word, with claims that could not be checked told from those left undecided."""
    return status_of(verdict)


def in_words(checked: Checked) -> str:
    """The whole answer on one claim."""
    verdict = checked.verdict
    name, advice = VERDICTS[status(verdict)]
    lines = [f"{name}. {advice}", f"Claim: {fence(verdict.claim, 600)}"]
    if checked.opinion is not None:
        lines.append(f"Opinion: {named(checked.opinion)} ({checked.match.why})")
    lines += [f"Why: {reason}" for reason in _reasons(verdict)]
    lines += _evidence(verdict)
    return "\n".join(lines)


def summary(checked: list[Checked]) -> str:
    """The answers on several claims about one opinion, with a count first."""
    good = sum(may_cite(one.verdict) for one in checked)
    head = f"{good} of {len(checked)} claims SUPPORTED; the others are not to be cited."
    if checked and good == len(checked):
        head = f"All {good} claims SUPPORTED."
    return "\n\n".join([head, *(f"[{number}] {in_words(one)}" for number, one in enumerate(checked, 1))])


def named(opinion: Opinion) -> str:
    """The opinion as a drafter would cite it."""
    return label(", ".join(part for part in (opinion.name, opinion.citation) if part) or opinion.id, 160)


def _reasons(verdict: Verdict) -> list[str]:
    """What speaks for the verdict, or why there is none."""
    said = [
        f"{vote.verifier}: {vote.reason}"
        for vote in verdict.votes
        if vote.reason and (vote.label == verdict.label or vote.outcome != "ok" or verdict.label is None)
    ]
    first = [verdict.error] if verdict.error else [] if verdict.label and said else [verdict.reason]
    # Reasons may quote the opinion or a model.
    return [_short(reason) for reason in (*first, *said)][:6]


def _short(text: str) -> str:
    cleaned = clean(text)
    return cleaned if len(cleaned) <= _REASON else f"{cleaned[:_REASON].rsplit(' ', 1)[0]} …"


def _evidence(verdict: Verdict) -> list[str]:
    nearest = verdict.label not in ("supported", "refuted")
    shown = verdict.evidence[:MAX_EVIDENCE]
    if not shown:
        return [] if nearest else ["No passage was located: find the page yourself before you cite it."]
    shortfall = (
        {one.evidence.passage: one.shortfall for one in verdict.certificate.nearest} if verdict.certificate else {}
    )
    head = "Nearest passages, which do not decide it:" if nearest else "Evidence:"
    return [NOTICE, head, *(_quote(one, shortfall.get(one.passage)) for one in shown)]


def _quote(evidence: Evidence, shortfall: str | None) -> str:
    place = (evidence.voice, evidence.page or "no page marked", evidence.passage)
    where = " | ".join(label(part, 80) for part in place)
    lacks = f" ({_short(shortfall)})" if shortfall else ""
    return f"- {where}: {fence(evidence.text, _QUOTE)}{lacks}"
