"""One trace, from a verdict and the opinion it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from parcel_agents.citations.quotations import QuotationCheck, check_quotation
from parcel_agents.hard.claim import text_task
from parcel_agents.traces.finding_words import differing, in_evidence, words_in
from parcel_agents.traces.model import (
    Asked,
    BookKind,
    BriefPlace,
    Defect,
    Near,
    QuotedWords,
    Trace,
    TraceBook,
    TracedOpinion,
    TracedPart,
    TracedPassage,
    TraceStatus,
)
from parcel_agents.types import Claim, GoldClaim, Opinion, Span, Verdict, Vote
from parcel_agents.verifiers.checks.finding import Finding
from parcel_agents.verifiers.checks.quotation import quoted_words
from parcel_agents.verifiers.checks.verifier import find_defects
from parcel_agents.verifiers.lacking import lacking

NEAREST = 3


def from_verdicts(
    opinions: Iterable[Opinion],
    verdicts: Sequence[Verdict],
    *,
    title: str,
    kind: BookKind = "verify",
    asked: Asked | None = None,
    gold: Mapping[str, GoldClaim] | None = None,
    notes: tuple[str, ...] = (),
) -> TraceBook:
    """A book of verdicts.

    Args:
        opinions: those that the verdicts are about.
        verdicts: in the order in which a reader shall see them.
        title: of the book.
        kind: what the verdicts come from.
        asked: what was asked of whom.
        gold: lines of a labelled data set, by the id of the claim.
        notes: what a reader has to know of the whole.
    """
    known = {opinion.id: opinion for opinion in opinions}
    traces = tuple(
        trace_of(number, verdict, known.get(verdict.opinion_id or ""), gold=(gold or {}).get(verdict.claim_id))
        for number, verdict in enumerate(verdicts, 1)
    )
    return make_book(title, kind, traces, known, asked=asked, notes=notes)


def make_book(
    title: str,
    kind: BookKind,
    traces: tuple[Trace, ...],
    opinions: Mapping[str, Opinion],
    *,
    asked: Asked | None = None,
    notes: tuple[str, ...] = (),
) -> TraceBook:
    """A book of traces, with those of the opinions that they are about."""
    wanted = dict.fromkeys(trace.opinion_id for trace in traces if trace.opinion_id is not None)
    return TraceBook(
        title=title,
        kind=kind,
        asked=asked or Asked(),
        notes=notes,
        opinions={id: traced(opinions[id]) for id in wanted},
        traces=traces,
    )


def trace_of(
    number: int,
    verdict: Verdict,
    opinion: Opinion | None,
    *,
    gold: GoldClaim | None = None,
    authority: BriefPlace | None = None,
    quotations: tuple[QuotedWords, ...] | None = None,
) -> Trace:
    """The trace of one claim.

    Args:
        number: its place in the book.
        verdict: what the panel said.
        opinion: the opinion it is about; None where there is none.
        gold: the claim's line in a labelled data set.
        authority: what a brief cites for it.
        quotations: what the claim quotes, where somebody has looked for it already; None to look now.
    """
    status = status_of(verdict)
    # What nobody looked at was not checked, and a check made here would look as if somebody had.
    looked = opinion is not None and bool(verdict.votes)
    return Trace(
        number=number,
        claim_id=verdict.claim_id,
        claim=verdict.claim,
        status=status,
        why=verdict.error or verdict.reason,
        opinion_id=opinion.id if opinion else None,
        verdict=verdict,
        defects=defects_of(verdict.claim, opinion, verdict.votes) if opinion and looked else (),
        quotations=quotations if quotations is not None else quotations_of(verdict.claim, opinion) if looked else (),
        nearest=_nearest(verdict) if status not in ("supported", "refuted") else (),
        authority=authority,
        gold=gold,
    )


def status_of(verdict: Verdict) -> TraceStatus:
    """The verdict in one word; a claim that could not be checked is not undecided."""
    if verdict.label is not None:
        return verdict.label
    return "could_not_check" if verdict.error is not None else "undecided"


def defects_of(claim: str, opinion: Opinion, votes: Sequence[Vote]) -> tuple[Defect, ...]:
    """What the checks of the text find, with the places of the words; whether the panel has said so as well."""
    found = find_defects(text_task(Claim.of(claim), opinion))
    return tuple(_defect(finding, claim, opinion, votes) for finding in found)


def quotations_of(claim: str, opinion: Opinion | None) -> tuple[QuotedWords, ...]:
    """The words that a claim quotes, looked for in the opinion."""
    if opinion is None:
        return ()
    return tuple(
        quoted(claim, words, check_quotation(opinion.text, words, parts=opinion.parts)) for words in quoted_words(claim)
    )


def quoted(claim: str, words: str, check: QuotationCheck) -> QuotedWords:
    """Quoted words with their places; of an altered quotation the differing words, of any other all of it."""
    whole = words_in(claim, words)
    marked = [words_in(claim, one.quoted, whole) for one in check.differences if one.quoted and whole]
    apart = [Span(start=one.start, end=one.end) for one in check.differences if one.end > one.start]
    return QuotedWords(
        words=words,
        status=check.status,
        differences=check.differences,
        in_claim=tuple(span for span in marked if span) if check.status == "altered" else (whole,) if whole else (),
        in_opinion=tuple(apart) if check.status == "altered" else (check.span,) if check.span else (),
    )


def traced(opinion: Opinion) -> TracedOpinion:
    """What a reader of traces needs of an opinion."""
    return TracedOpinion(
        text=opinion.text,
        parts=tuple(
            TracedPart(
                start=part.start,
                end=part.end,
                id=part.id,
                kind=part.kind,
                voice=part.voice,
                author=part.author,
                footnote=part.footnote,
            )
            for part in opinion.parts
        ),
        passages=tuple(
            TracedPassage(start=passage.start, end=passage.end, id=passage.id, part=passage.part)
            for passage in opinion.passages
        ),
        pages=opinion.pages,
        name=opinion.name,
        citation=opinion.citation,
        court=opinion.court,
        date=opinion.date,
        source=opinion.source,
        doubts=opinion.doubts,
    )


def _defect(finding: Finding, claim: str, opinion: Opinion, votes: Sequence[Vote]) -> Defect:
    said, says = differing(finding.words, finding.against) if finding.against else (finding.words, "")
    in_claim = words_in(claim, said) or words_in(claim, finding.words)
    return Defect(
        check=finding.check,
        label=finding.label,
        reason=finding.reason,
        words=finding.words,
        against=finding.against,
        in_claim=(in_claim,) if in_claim else (),
        in_opinion=in_evidence(opinion.text, says, finding.evidence)
        or in_evidence(opinion.text, finding.against, finding.evidence),
        said_by=tuple(vote.verifier for vote in votes if vote.label is not None and finding.reason in vote.reason),
    )


def _nearest(verdict: Verdict) -> tuple[Near, ...]:
    if verdict.certificate is not None:
        near = [(one.evidence, one.shortfall) for one in verdict.certificate.nearest]
    else:
        near = [(one, "") for one in verdict.evidence if one.relation == "nearest"]
    found = []
    for evidence, shortfall in near[:NEAREST]:
        lacks = lacking(verdict.claim, evidence.text)
        told = shortfall or lacks.told() or "has the claim's words"
        found.append(Near(evidence=evidence, lacks=lacks.words, shortfall=told))
    return tuple(found)
