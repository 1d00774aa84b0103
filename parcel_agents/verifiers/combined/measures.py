"""What the text shows for and against a claim, in numbers that the model weighs and in words that a reader can check.

All measures compare the claim with the opinion: nothing here depends on the claim's wording alone, which gives the
labels of made-up benchmarks away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from parcel_agents.retrievers.terms import terms
from parcel_agents.types import EvidenceRef
from parcel_agents.verifiers.alignment import claim_body
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.verifier import find_defects
from parcel_agents.verifiers.combined.particulars import (
    FIGURES,
    Particulars,
    conflicts,
    find_particulars,
    find_times,
)
from parcel_agents.verifiers.combined.profile import OpinionProfile, Sentence, profile_of
from parcel_agents.verifiers.voices import right_voices, words_of_others

MEASURES: dict[str, str] = {
    "absent": "share of the claim's terms, by weight, that the opinion never has",
    "coverage": "share that one sentence has, at best",
    "coverage_two": "share of the terms, all alike, that two passages have together",
    "coverage_near": "the same for a passage with its neighbours",
    "pairs": "share of the pairs of terms on end in the claim that stand together in some sentence",
    "similarity": "cosine similarity of the best passage",
    "similarity_top3": "its mean over the best three",
    "untreated": "if the claim says that an argument was dealt with: share of its terms that no passage about an"
    " argument has; else 0",
    "other_times": "spans of time (six years, two weeks) and months of a year that the opinion gives nowhere",
    "missing": "findings of the checks: what the claim names and the opinion does not have",
    "contradicted": "findings of the checks: what the opinion says otherwise",
    "conflicts": "kinds of figures (date, number, degree, section) that the closest sentence has otherwise",
    "other_name": "1 if the closest sentence has another name where the claim's is not near",
    "far": "share of the claim's particulars that do not stand near the closest sentence; 0 if it has none",
    "other_voice": "1 if the closest sentence is not of the voice that the claim reports",
    "reported": "1 if the closest sentence only reports what somebody else said",
    "lost_conditions": "words of condition or extent in the closest sentence that the claim leaves out",
    "lost_negations": "how many more negations the closest sentence has than the claim",
}
"""Every measure, with what it says."""

MIN_TERMS = 6
"""With fewer terms one ordinary word that the opinion does not use would decide; the training claims have more."""

_CONDITIONS = frozenset(
    "may might must shall should can could would all any every each some only solely most many few several both either"
    " if unless until except although though whether while despite regardless even provided because since than before"
    " after always once instead".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_NEGATION = re.compile(
    r"\b(?:not|no|nor|never|neither|none|nothing|without|cannot|hardly|rarely|unable|fail(?:s|ed|ing|ure)?"
    r"|lack(?:s|ed|ing)?|declin(?:e|es|ed|ing)|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)?|den(?:y|ies|ied|ying)"
    r"|dispens\w*|absent|absence|disagree\w*|revers\w+|un(?:able|necessary|reasonable|lawful|warranted|timely)"
    r"|in(?:sufficient|valid|adequate|admissible|correct|applicable|consistent)|im(?:proper|permissible|possible))\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_TREATS_ARGUMENT = re.compile(
    r"^\W*(?:[\w.,]+ ){0,3}?(?:reject|declin|leaving|finding (?:no|it|un)|dismissing as|refus|disposing|not reaching"
    r"|deem)\w*[^.]{0,80}?\b(?:argument|contention|claim|challenge|whether|question|issue|theory|objection|reach"
    r"|decide|consider|address|unpreserved|academic|merit)\w*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Measured:
    """What was measured of one claim."""

    values: dict[str, float]
    """By name, see `MEASURES`."""
    words: dict[str, str]
    """For a reader: what a measure rests on, where it can be said in words."""
    closest: EvidenceRef | None
    """The closest sentence; None if the hits hold none."""


def has_similarities(task: Task) -> bool:
    """True if the retriever gives the scores that are measured."""
    return bool(task.hits) and "dense" in task.hits[0].scores


def can_measure(task: Task) -> bool:
    """True if the claim says enough to be judged by its words, and the retriever gives similarities."""
    return len(set(terms(claim_body(task.claim.text)))) >= MIN_TERMS and has_similarities(task)


def measure(task: Task) -> Measured:
    """All measures of a claim whose hits have similarities."""
    wanted = tuple(dict.fromkeys(terms(claim_body(task.claim.text))))
    profile = profile_of(task.opinion)
    similarity = sorted((hit.scores["dense"] for hit in task.hits), reverse=True)
    weights = {term: profile.weight(term) for term in wanted}
    best = _closest_sentence(task, weights, profile)
    values = _presence(task.claim.text, wanted, profile)
    values |= {"similarity": similarity[0], "similarity_top3": sum(similarity[:3]) / len(similarity[:3])}
    times = {key: words for key, words in find_times(task.claim.text).items() if key not in profile.times}
    values["other_times"] = float(len(times))
    words = {"other_times": f"it speaks nowhere of {', '.join(times.values())}" if times else ""}
    defects = find_defects(task)
    for name, label in (("missing", "not_found"), ("contradicted", "refuted")):
        found = [finding for finding in defects if finding.label == label]
        values[name] = float(len(found))
        words[name] = "; ".join(dict.fromkeys(finding.reason for finding in found))
    values["coverage"] = _share(weights, best.terms if best else frozenset())
    compared, said = _compare(task, best, profile)
    ref = None
    if best is not None:
        ref = EvidenceRef(passage=best.passage, start=best.span.start, end=best.span.end, relation="nearest")
    return Measured({name: values[name] for name in MEASURES if name in values} | compared, words | said, ref)


def _presence(claim: str, wanted: Sequence[str], profile: OpinionProfile) -> dict[str, float]:
    """How many of the claim's terms the opinion has at all, and together."""
    absent = [term for term in wanted if term not in profile.terms]
    total = sum(profile.weight(term) for term in wanted) or 1.0
    asked = frozenset(wanted)
    shares = [found & asked for found in profile.passages] or [frozenset[str]()]
    first = max(shares, key=len)
    second = max(shares, key=lambda found: len(found - first))
    windows = [frozenset().union(*shares[max(0, i - 1) : i + 2]) for i in range(len(shares))]
    pairs = list(pairwise(wanted))
    sentences = [sentence.terms for found in profile.sentences.values() for sentence in found]
    together = [any(one in found and other in found for found in sentences) for one, other in pairs]
    count = max(1, len(asked))
    untreated = 0.0
    if _TREATS_ARGUMENT.search(claim):
        untreated = 1 - max((len(found & asked) for found in profile.treating), default=0) / count
    return {
        "absent": sum(profile.weight(term) for term in absent) / total,
        "coverage_two": len(first | second) / count,
        "coverage_near": max(len(found) for found in windows) / count,
        "pairs": sum(together) / max(1, len(pairs)),
        "untreated": untreated,
    }


def _share(weights: Mapping[str, float], found: frozenset[str]) -> float:
    """How much of a claim's weight lies in the terms that were found."""
    return sum(weight for term, weight in weights.items() if term in found) / (sum(weights.values()) or 1.0)


def _closest_sentence(task: Task, weights: Mapping[str, float], profile: OpinionProfile) -> Sentence | None:
    """The sentence of the hits that has most of the claim's terms, in a similar passage; of equal ones the first."""
    scored = [
        (-(_share(weights, sentence.terms) + hit.scores["dense"]), sentence.span.start, sentence)
        for hit in task.hits
        if task.opinion.part(task.opinion.passage(hit.passage).part).kind != "front"
        for sentence in profile.sentences[hit.passage]
    ]
    return min(scored, key=lambda one: one[:2])[2] if scored else None


def _compare(task: Task, best: Sentence | None, profile: OpinionProfile) -> tuple[dict[str, float], dict[str, str]]:
    """What the closest sentence has otherwise than the claim."""
    names = ("conflicts", "other_name", "far", "other_voice", "reported", "lost_conditions", "lost_negations")
    values = dict.fromkeys(names, 0.0)
    words: dict[str, str] = {}
    if best is None:
        return values, words
    claim = find_particulars(task.claim.text)
    passage = task.opinion.passage(best.passage)
    around = find_particulars(passage.text)
    found = list(conflicts(claim, find_particulars(best.text), around))
    figures = [one for one in found if one[0] in FIGURES]
    others = [one for one in found if one[0] == "name"]
    values |= {
        "conflicts": float(len(figures)),
        "other_name": float(bool(others)),
        "far": _share_far(claim, around),
    }
    words["conflicts"] = _against(figures)
    words["other_name"] = _against(others)
    part = task.opinion.part(passage.part)
    if part.kind not in right_voices(task.claim.text) and part.kind != "closing":
        values["other_voice"] = 1.0
        words["other_voice"] = f"the closest sentence stands in the {part.voice}"
    reported = [one for one in words_of_others(task.opinion, part) if one.overlaps(best.span)]
    if reported:
        values["reported"] = 1.0
        words["reported"] = f"the closest sentence reports what “{reported[0].who or reported[0].source}” said"
    said, claimed = _words(best.text), _words(task.claim.text)
    lost = sorted(word for word in said - claimed if word in _CONDITIONS)
    values["lost_conditions"] = float(len(lost))
    words["lost_conditions"] = f"the claim leaves out {', '.join(f'“{word}”' for word in lost)}" if lost else ""
    more = len(_NEGATION.findall(best.text)) - len(_NEGATION.findall(task.claim.text))
    values["lost_negations"] = float(max(0, more))
    words["lost_negations"] = "the closest sentence has negations that the claim lacks" if more > 0 else ""
    return values, words


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _against(found: Iterable[tuple[str, str, str]]) -> str:
    return "; ".join(
        f"“{claim}” does not stand near the closest sentence, which has “{other}”" for _, claim, other in found
    )


def _share_far(claim: Particulars, around: Particulars) -> float:
    far = [key not in around.get(kind, {}) for kind, facts in claim.items() for key in facts]
    return sum(far) / len(far) if far else 0.0
