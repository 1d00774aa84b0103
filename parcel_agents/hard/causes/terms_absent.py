"""Terms absent: words of the claim that the opinion never uses, and the passage that tempts to overlook it.

The paper's example: the claim speaks of "leaving the scene of a personal injury accident", the opinion of Vehicle and
Traffic Law § 600 (2) (a) and nothing more. Whoever knows the statute takes the one for the other.

A claim in its own words has words that the opinion lacks as well. Most are of those in which claims are put. These are
plain words (`notion`, `keeping`), or turn up in claims about many an opinion (`declining`); only others are counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from parcel_agents.citations.authorities import without_citations
from parcel_agents.citations.statutes import find_provisions
from parcel_agents.hard.causes.cause import Cause
from parcel_agents.hard.claim import HardClaim, cut_span
from parcel_agents.retrievers.terms import missing_words, stem, term_set, terms
from parcel_agents.types import Evidence, GoldClaim, Opinion, Passage
from parcel_agents.verifiers.alignment import claim_body

MIN_MISSING = 2
"""One word that is nowhere may be a paraphrase's; where it is a name or a number, `subtle_edit` looks at it."""
MIN_SHARE = 0.2
"""Of the claim's terms."""
ORDINARY_SHARE, ORDINARY_LEAST = 0.15, 2
"""A word is ordinary if claims about more opinions use it than this share of them, and than so many.

On parcel_train the cause applies to 52% of the claims that are not found and to 6% of the supported ones (with all
words to 91% and 27%), on parcel_dev to 35% and 3% (83% and 22%)."""
_PLAIN_WORDS = frozenset(
    map(
        stem,
        "about again ago almost already although another anything arise arose away back become became begin began"
        " being better bring brought call came cause come despite either enough even ever every everything far few find"
        " first found further gave get give go going gone got great happen having help however how idea instead itself"
        " just keep kept kind know known later least leave left less let like little long look made make making many"
        " matter mean merely more most much need never new nothing notion number often once one only other otherwise"
        " own part perhaps place point put quite rather really said same say see seem set several show simply since so"
        " some something soon sort still take taken tell thing think though thought through throughout time together"
        " told too took toward try turn two until use used very want way well went whatever whenever whether whole why"
        " wish within word work yet".split(),
    )
)


def ordinary_terms(claims: Iterable[GoldClaim]) -> frozenset[str]:
    """The stems of plain words, and those that claims about many an opinion use."""
    used: dict[str, set[str]] = defaultdict(set)
    for claim in claims:
        used[claim.opinion_id].update(terms(claim.claim))
    opinions = Counter(one for stems in used.values() for one in stems)
    most = max(ORDINARY_LEAST, ORDINARY_SHARE * len(used))
    return _PLAIN_WORDS.union(one for one, count in opinions.items() if count > most)


def terms_absent(hard: HardClaim) -> Cause | None:
    """The cause, where at least two of the claim's terms, and a fifth of them, are no ordinary words and occur nowhere
    in the opinion."""
    if hard.opinion is None:
        return None
    body = without_citations(claim_body(hard.claim.claim))
    size = len(set(terms(body)))
    missing = [word for word in missing_words(body, hard.opinion.text) if not hard.ordinary.issuperset(terms(word))]
    if len(missing) < MIN_MISSING or len(missing) < MIN_SHARE * size:
        return None
    passage = _tempting(hard, hard.opinion, body)
    provisions = list(dict.fromkeys(one.text for one in find_provisions(passage.text))) if passage else []
    if any(True for _ in find_provisions(hard.claim.claim)):
        provisions = []
    words = ", ".join(f"“{word}”" for word in missing)
    reason = f"the opinion nowhere says {words} ({len(missing)} of the claim's {size} terms)"
    if hard.claim.label == "supported":
        reason += ": it says it in other words"
    elif provisions:
        reason += f"; the nearest passage cites {', '.join(provisions)}, which a reader may put into such words"
    place = _place(hard, hard.opinion, passage)
    return Cause(
        name="terms_absent",
        reason=reason,
        places=(place,) if place is not None else (),
        details={"missing": missing, "terms": size, "provisions": provisions},
    )


def _place(hard: HardClaim, opinion: Opinion, passage: Passage | None) -> Evidence | None:
    """The data set's evidence for a supported claim, which says it in other words; else the tempting passage."""
    if hard.claim.label == "supported" and hard.gold_evidence is not None:
        return cut_span(opinion, hard.gold_evidence, "supports")
    return None if passage is None else cut_span(opinion, passage, "nearest")


def _tempting(hard: HardClaim, opinion: Opinion, body: str) -> Passage | None:
    """The passage that most wrong supporters point to, else the one with most of the claim's terms; of several the
    first. None where no passage has any of them."""
    cited = [
        ref.passage
        for vote in hard.failing
        if vote.label == "supported"
        for ref in vote.evidence
        if opinion.has_passage(ref.passage)
    ]
    if cited:
        return opinion.passage(max(cited, key=cited.count))
    wanted = term_set(body)
    best = max(opinion.passages, key=lambda passage: len(wanted & set(terms(passage.text))), default=None)
    return best if best is not None and wanted & set(terms(best.text)) else None
