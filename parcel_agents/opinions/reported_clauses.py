"""Who speaks in a sentence: the speaker, the verb of saying, how far the words go and what the writer makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from parcel_agents.opinions import reported_forms as forms
from parcel_agents.opinions.reported_words import ACTED
from parcel_agents.types import PartKind

ClauseSource = Literal["party", "court_below", "witness", "dissent", "concurrence", "majority"]
Stance = Literal["reported", "adopted", "rejected"]


@dataclass(frozen=True)
class Clause:
    """A reported clause by offsets in its sentence."""

    start: int
    end: int
    source: ClauseSource
    who: str | None
    stance: Stance
    cue_start: int
    cue_end: int


@dataclass(frozen=True)
class Context:
    """What the sentences before tell about the next one."""

    kind: PartKind
    """Whose opinion it is."""
    names: tuple[str, ...] = ()
    """Surnames of parties."""
    last: Clause | None = None
    """The clause that was reported last in the paragraph."""
    court_below_was_named: bool = False
    """True if `the court` may be one below."""


def read_clause(sentence: str, following: str, context: Context) -> Clause | None:
    """The reported clause of a sentence; None where the writer speaks.

    Args:
        sentence: the sentence with brackets and quotations blanked.
        following: the sentence behind it, which may say what the writer thinks of the first; empty for none.
        context: what came before.
    """
    if agreed := forms.WE_AGREE.search(sentence):
        source = _source_of(agreed["who"], context.kind)
        if source is None:
            return None
        return Clause(agreed.start(), len(sentence), source, agreed["who"], "adopted", *agreed.span())
    clause = _disagreement(sentence, context) or _noun(sentence, context) or _spoken(sentence, context)
    return _judged(clause, sentence, following) if clause else None


def _disagreement(sentence: str, context: Context) -> Clause | None:
    """`We disagree with defendant that ...`."""
    found = forms.WE_DISAGREE_WITH.search(sentence)
    source = _source_of(found["who"], context.kind) if found else None
    if found is None or source is None:
        return None
    return Clause(found.start(), _end(sentence, found.end()), source, found["who"], "rejected", *found.span())


def _noun(sentence: str, context: Context) -> Clause | None:
    """A clause reported by a noun: `defendant's contention that ... is without merit`."""
    owned = forms.POSSESSIVE.search(sentence)
    found = owned or forms.UNOWNED.search(sentence)
    if found is None:
        return None
    rejected = forms.WE_REJECT.search(sentence, 0, found.start()) is not None
    source = _source_of(found["who"], context.kind) if owned else "party" if rejected else None
    if source is None:
        return None
    before = sentence[: found.start()]
    is_subject = _is_opening(before) or before.rstrip().endswith(",")
    predicate = (forms.PREDICATE if is_subject else forms.ON_THE_MERITS).search(sentence, found.end())
    if predicate is None and is_subject and not rejected and not found["that"].startswith(("is", "was")):
        return None  # the noun is the subject, and where its clause ends is not known
    end = predicate.start() if predicate else _end(sentence, found.end(), aside=bool(forms.SUBORDINATES.match(before)))
    if before.count("—") % 2 and (dash := sentence.find("—", found.end())) >= 0:
        end = min(end, dash)
    stance: Stance = "rejected" if rejected else "reported"
    if predicate and not rejected:
        accepted = forms.ACCEPTING.search(predicate.group()) and " not" not in predicate.group()
        stance = "adopted" if accepted else "rejected"
    return Clause(found.start(), end, source, _named(found["who"]) or None, stance, *found.span())


def _spoken(sentence: str, context: Context) -> Clause | None:
    """A clause reported by a verb: `Defendant argues that ...`."""
    for pattern, fixed in _patterns(context):
        for found in pattern.finditer(sentence):
            source = fixed or _separate_below(found, context.last) or _source_of(found["who"], context.kind)
            within = found.groupdict().get("subordinate") and forms.WITHIN.search(sentence, 0, found.start())
            if source and (within or _stands_alone(sentence[: found.start()], source)):
                return _clause(sentence, found, source, context.last)
    if inserted := forms.INSERTED.search(sentence):
        stance = _adverb_stance(inserted.group())
        return Clause(0, len(sentence), "party", inserted["who"], stance, *inserted.span())
    return None


def _patterns(context: Context) -> Iterator[tuple[re.Pattern[str], ClauseSource | None]]:
    """The forms to look for, in order, with whom they make speak; None where the speaker's name tells."""
    yield forms.party_cue(context.names), "party"
    if context.last and context.last.source in {"party", "dissent", "concurrence", "majority"}:
        yield forms.PRONOUN, context.last.source
    yield from _FORMS
    if context.court_below_was_named:
        yield forms.BARE_CUE, "court_below"


_FORMS: tuple[tuple[re.Pattern[str], ClauseSource | None], ...] = (
    (forms.SEPARATE_CUE, None),
    (forms.ACCORDING_TO_WITNESS, "witness"),
    (forms.JUSTICES_CUE, "court_below"),
    (forms.COURT_RULING, "court_below"),
    (forms.COURT_CUE, "court_below"),
    (forms.WITNESS_CUE, "witness"),
    (forms.OUT_OF_COURT, "witness"),
    (forms.ACCORDING, None),
    (forms.IN_VIEW, None),
    (forms.APPEAL, "party"),
    (forms.PARTICIPLE, "party"),
    (forms.PRONOUN_NOW, "party"),
)


def _clause(sentence: str, found: re.Match[str], source: ClauseSource, last: Clause | None) -> Clause:
    """The clause of a speaker and a verb."""
    who = last.who if found.re is forms.PRONOUN and last else _named(found["who"])
    if found.re is forms.PARTICIPLE:  # "Contending that ..., defendant moved": the speaker comes last
        return Clause(0, found.start("who") - 2, source, who, "reported", *found.span("verb"))
    start, cue_end = min(found.start("who"), found.start("verb")), max(found.end("verb"), found.end("who"))
    acts = ACTED.fullmatch(found["verb"]) is not None
    end = _end(sentence, found.end(), aside=bool(found.groupdict().get("subordinate")), acts=acts)
    if found["verb"] in {"replied", "responded"} and found["who"].lower().endswith("defendant"):
        source = "witness"
    return Clause(start, end, source, who, _adverb_stance(found.group()), start, cue_end)


def _separate_below(found: re.Match[str], last: Clause | None) -> ClauseSource | None:
    """The court below where `the majority` or `the dissent` of its decision is told of, in the past tense."""
    if found.re is forms.SEPARATE_CUE and last and last.source == "court_below":
        return "court_below" if re.match(r"\w+ed$|held$|found$|said$|would have", found["verb"]) else None
    return None


def _stands_alone(before: str, source: ClauseSource) -> bool:
    """True if the speaker is the subject of a main clause that tells of this case and not of another."""
    return _is_opening(before) and (source == "witness" or not forms.OF_CASE.search(before))


def _is_opening(before: str) -> bool:
    return forms.BEFORE.fullmatch(before) is not None


def _named(who: str) -> str:
    """The speaker without the adverbs behind and without the ending of `in defendant's view`."""
    return re.sub(r"['’]s?$", "", forms.TRAILING.sub("", who.strip()))


def _adverb_stance(cue: str) -> Stance:
    return "rejected" if forms.REJECTS.search(cue) else "adopted" if forms.ADOPTS.search(cue) else "reported"


def _end(sentence: str, start: int, *, aside: bool = False, acts: bool = False) -> int:
    """Where the reported words end: at the writer's own clause, else with the sentence."""
    ends = forms.MAIN_CLAUSE if aside else forms.ACT_ENDS if acts else forms.ENDS
    if stop := ends.search(sentence, start):
        return stop.start()
    comma = sentence.rfind(",", start) if aside else -1
    return comma if comma >= 0 else len(sentence)


def _judged(clause: Clause, sentence: str, following: str) -> Clause:
    """The clause with the stance that the rest of its sentence or the next one tells."""
    if clause.stance != "reported":
        return clause
    rest = sentence[clause.end :]
    if forms.REST_REJECTS.search(rest) or forms.NEXT_REJECTS.search(following):
        return replace(clause, stance="rejected")
    if forms.REST_ADOPTS.search(rest) or forms.NEXT_ADOPTS.search(following):
        return replace(clause, stance="adopted")
    return clause


def _source_of(who: str, kind: PartKind) -> ClauseSource | None:
    """Who speaks under this name in an opinion of this kind; None where it is the writer."""
    lower = who.lower()
    if "dissent" in lower:
        return None if kind == "dissent" else "dissent"
    if "concurr" in lower:
        return None if kind == "concurrence" else "concurrence"
    if "majorit" in lower and "appellate" not in lower:
        return None if kind == "majority" else "majority"
    if re.search(r"\bcourts?\b|appellate|\bjudge\b|officer|justice", lower):
        return "court_below"
    return "party"
