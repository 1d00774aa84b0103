"""How a claim opens: `holding that`, `declining to reach`, by what the sentence says and who says it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from parcel_agents.generation.rules.sentences import Voice

Usage = Literal["holding", "reasoning", "procedural", "application", "background"]

LEADS: Mapping[Usage, Sequence[str]] = {
    "holding": ("holding that", "concluding that", "determining that"),
    "reasoning": ("explaining that", "recognizing that", "noting that", "observing that", "stating that"),
    "procedural": ("noting that", "recounting that", "in a case where", "observing that", "where"),
    "application": ("concluding that", "finding that", "noting that", "determining that", "reasoning that"),
    "background": ("where", "recounting that", "noting that", "observing that", "in a case where"),
}
"""For a sentence that does not say itself what it is. Each may stand before a statement of its kind, true or false."""
FACT_LEADS = ("noting that", "recounting that", "observing that")
"""For facts that a separate opinion tells, and for facts that cannot stand behind `where`."""
SEPARATE_LEADS = ("arguing that", "maintaining that", "reasoning that", "asserting that", "concluding that")
MAJORITY_LEADS = ("holding that", "concluding that", "reasoning that", "explaining that", "determining that")

_ADVERB = (
    r"(?:(?:therefore|thus|now|also|further|accordingly|additionally|nevertheless|nonetheless|instead|again|likewise"
    r"|similarly|simply|merely|respectfully|consequently|first|finally|hereby|must|specifically|expressly|all|next"
    r"|too|then|ultimately|moreover),? )*"
)
_THAT: Mapping[str, str] = {
    "hold": "holding",
    "conclude": "concluding",
    "find": "finding",
    "note": "noting",
    "recognize": "recognizing",
    "observe": "observing",
    "emphasize": "emphasizing",
    "stress": "stressing",
    "reiterate": "reiterating",
    "determine": "determining",
    "acknowledge": "acknowledging",
    "agree": "agreeing",
    "caution": "cautioning",
    "reaffirm": "reaffirming",
    "believe": "reasoning",
    "think": "reasoning",
    "underscore": "underscoring",
    "add": "adding",
    "clarify": "clarifying",
    "assume": "assuming",
    "rule": "ruling",
    "repeat": "repeating",
    "disagree": "disagreeing",
}
_DOES: Mapping[str, str] = {
    "reject": "rejecting",
    "affirm": "affirming",
    "reverse": "reversing",
    "modify": "modifying",
    "decline": "declining",
    "dismiss": "dismissing",
    "adopt": "adopting",
    "overrule": "overruling",
    "perceive": "perceiving",
    "discern": "discerning",
    "find no": "finding no",
    "find it": "finding it",
    "see": "seeing",
    "agree with": "agreeing with",
    "disagree with": "disagreeing with",
    "remit": "remitting",
    "vacate": "vacating",
    "apply": "applying",
}
_SAYS = re.compile(
    rf"(?:We|I) {_ADVERB}(?:would (?:also )?)?(?P<verb>{'|'.join(_THAT)}),? (?P<with>with [^,;]{{3,60}}? )?that "
    r"(?!(?:would|is|was|will|may|should|has|can|could|such|these|this)\b)"
)
_ACTS = re.compile(rf"We {_ADVERB}(?P<verb>{'|'.join(_DOES)}) (?=\w)")
_VOTES = re.compile(
    r"I (?:respectfully |therefore |accordingly |thus )*would (?P<verb>affirm|reverse|modify|remit|dismiss) (?=\w)"
)
_LEAVES = re.compile(
    rf"We {_ADVERB}(?:(?P<need>need not)|do not|cannot|have no (?:need|occasion) to|decline to) "
    r"(?P<verb>decide|reach|address|consider|determine|resolve|pass (?:up)?on|review|entertain|express any)\b,? (?=\w)"
)
_HAS_SAID = re.compile(
    r"We have (?P<words>(?:\w+ly |long |often |also |previously |never )*"
    r"(?:held|recognized|explained|noted|observed|stated|said|made clear|cautioned|emphasized|concluded"
    r"|stressed)) that "
)
_DID = re.compile(
    r"\b[Ww]e (?P<have>have )?(?P<did>(?:(?:\w+ly|also|long|first|recently) )*(?:held|recognized|explained"
    r"|noted|observed"
    r"|stated|concluded|determined|rejected|reversed|affirmed|found|emphasized|reiterated|adopted|addressed|considered"
    r"|cautioned|made clear|vacated|upheld|applied|relied|reasoned|ruled|announced|articulated|described))\b"
)
"""What the Court did in earlier cases, told in the first person."""
_ASIDE = re.compile(r", we (?P<verb>hold|conclude|find|note|believe),")
_AND = re.compile(
    r"\band (?:(?:therefore|thus|now|also) )?(affirm|reverse|modify|remit|dismiss|vacate|reinstate|order|hold"
    r"|conclude|reject)(?= )"
)
_AND_DOES = {**_THAT, **_DOES, "reinstate": "reinstating", "order": "ordering"}

_PROCEDURE = re.compile(
    r"(?:(?:Appellate (?:Division|Term)|(?:County|Supreme|Family|City|Criminal|District|trial|hearing|suppression"
    r"|sentencing|motion|the) [Cc]ourt)(?: \([^)]*\))?,?(?: [\w,]+){0,5} (?:affirmed|reversed|modified|denied|granted"
    r"|dismissed|convicted|sentenced|vacated|remitted|adjudicated|ordered|suppressed|imposed|directed|instructed))\b"
    r"|plead(?:ed)? guilty|\b(?:was|were|been) (?:\w+ly )?(?:convicted|sentenced|indicted|charged|arraigned|adjudicated"
    r"|acquitted|granted|denied)\b|\bmoved (?:\w+ )?(?:to|for|pursuant)\b|appealed|leave to appeal"
    r"|\bjury (?:convicted|found|acquitted|returned|rendered)|\bcommenced\b|Court (?:is|was) asked"
)
_ORDER = re.compile(
    r"\b(?:orders?|judgments?|convictions?|appeals?)\b.*\b(?:should|must)(?: therefore)? be (?:affirm|revers"
    r"|modif|dismiss|vacat)"
)
_ORDERED = re.compile(
    r"(?P<what>(?:[Tt]he |[Ee]ach )(?:orders?|judgments?)\b(?: of [^,]*?)?) should be "
    r"(?P<did>affirmed|reversed|modified|vacated)(?P<rest>.*)$"
)
_ALSO_ORDERED = re.compile(
    r"(?P<what>.+?) (?P<did>ordered|dismissed|granted|denied|vacated|remitted|reinstated|affirmed)"
    r"(?P<tail>(?: (?:to|for) .*)?)$"
)
_ORDERING: Mapping[str, str] = {
    "affirmed": "affirming",
    "reversed": "reversing",
    "modified": "modifying",
    "vacated": "vacating",
    "ordered": "ordering",
    "dismissed": "dismissing",
    "granted": "granting",
    "denied": "denying",
    "remitted": "remitting",
    "reinstated": "reinstating",
}
_LEGAL = re.compile(
    r"\b(?:err(?:or|ed|oneous\w*)|abused? (?:of|its|his|her)|sufficien\w+|insufficien\w+|improper\w*|properly"
    r"|proper|unlawful\w*|lawful\w*"
    r"|reasonabl\w+|unreasonabl\w+|entitled|violat\w+|prejudic\w+|harmless|unconstitutional\w*|constitutional\w*"
    r"|preserv\w+|unpreserved|waived?|valid\w*|invalid\w*|probable cause|meritless|without merit|ineffective|deprived"
    r"|warranted|justified|admissible|inadmissible|binding|ambigu\w+|evidence (?:is|was)|must be|required|negligen\w+"
    r"|liab\w+|breach\w*|duty|jurisdiction|inapplicable|appl(?:y|ies))\b",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\b(?:defendants?(?:['’]s?)?|petitioners?|plaintiffs?|respondents?|the (?:jury|People|victim|officers?"
    r"|police|trial"
    r" court|record|complainant|prosecutor)|Appellate (?:Division|Term)|(?:County|Supreme|Family) Court|here"
    r"|this case)\b"
)
_WHERE = re.compile(
    r"(?:defendants?|petitioners?|plaintiffs?|respondents?|the|an?|[A-Z][a-z]+) (?!when\b|if\b)[\w'’]+ "
)
"""What may stand behind `where`: a subject, and no other clause before it."""
_PRESENT = re.compile(
    r"\b(?:is|are|has|have|does|do|may|must|shall|can|cannot|will|should|(?:[a-z]{3,}(?:ires|ides|its|lies|orts|ows|ates"
    r"|ishes|ues|ains|ands|ects|ents|ermits|ists|eans|akes|ies|ends|ines|urs)(?= (?:that|the|a|an|to|no|any|on|only|not"
    r"|its|his|from|when|where|if)\b)))\b"
)
_PAST = re.compile(
    r"(?<!, )(?<!\bbe )(?<!\bis )(?<!\bare )(?<!been )(?<!\b[Aa] )(?<!\b[Aa]n )(?<![Tt]he )(?<!not )\b(?:was|were|had"
    r"|did|[a-z]{2,}ed|told"
    r"|went|came|saw|ran|took|gave|left|made|found|held|struck|fled|shot|began|heard|said|could|would)\b"
)
_CONCLUDES = re.compile(
    r"(?:was|were|had|did|failed|erred|abused|lacked|violated|deprived|waived|exceeded|established|acted|satisfied"
    r"|constituted|warranted|supported|justified|provided|could|would|demonstrated|required|properly|preserved)$"
)


@dataclass(frozen=True)
class Opening:
    """How a claim opens and what follows."""

    lead: str | None
    """None where the sentence does not say itself what it is."""
    body: str
    is_clause: bool
    """True if the body could stand behind any `that`."""
    usage: Usage


def court_opening(sentence: str) -> Opening:
    """What the Court says in the first person told in the third (`We hold that` becomes `holding that`)."""
    if found := _LEAVES.match(sentence):
        words = "finding it unnecessary to" if found["need"] else "declining to"
        return Opening(f"{words} {found['verb']}", sentence[found.end() :], False, "reasoning")
    if found := _SAYS.match(sentence):
        usage: Usage = "holding" if found["verb"] in {"hold", "conclude", "determine", "rule"} else "reasoning"
        lead = f"{_THAT[found['verb']]} {found['with'] or ''}that"
        return Opening(lead, sentence[found.end() :], True, usage)
    if found := _HAS_SAID.match(sentence):
        body = f"the Court has {found['words']} that {sentence[found.end() :]}"
        return Opening("noting that", body, True, "reasoning")
    if found := _ACTS.match(sentence):
        body = _AND.sub(lambda also: f"and {_AND_DOES[also[1]]}", sentence[found.end() :])
        return Opening(_DOES[found["verb"]], body, False, "holding")
    if found := _ASIDE.search(sentence):
        usage = "holding" if found["verb"] in {"hold", "conclude"} else "reasoning"
        return Opening(f"{_THAT[found['verb']]} that", _ASIDE.sub("", sentence), True, usage)
    if (ordered := _order_in_gerunds(sentence)) is not None:
        return Opening("", ordered, False, "procedural")
    sentence = _DID.sub(lambda did: f"the Court {'has ' if did['have'] else ''}{did['did']}", sentence)
    return Opening(None, sentence[:1].upper() + sentence[1:], True, usage_of(sentence))


def _order_in_gerunds(sentence: str) -> str | None:
    """`the order should be reversed and a new trial ordered` as `reversing the order and ordering a new trial`."""
    found = _ORDERED.match(sentence)
    if found is None:
        return None
    said = [f"{_ORDERING[found['did']]} {found['what'][:1].lower()}{found['what'][1:]}"]
    for item in re.split(
        r",? and (?=[^,]+ (?:ordered|dismissed|granted|denied|vacated|remitted|reinstated)\b)|, ", found["rest"]
    ):
        if item.strip():
            also = _ALSO_ORDERED.match(item.strip())
            if also is None:
                return None
            said.append(f"{_ORDERING[also['did']]} {also['what']}{also['tail']}")
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def separate_opening(sentence: str) -> Opening:
    """The same for a judge who speaks alone (`I would hold that` becomes `arguing that`)."""
    if found := _VOTES.match(sentence):
        return Opening(f"voting to {found['verb']}", sentence[found.end() :], False, "holding")
    if found := _SAYS.match(sentence):
        return Opening(None, sentence[found.end() :], True, "holding")
    return Opening(None, sentence, True, usage_of(sentence))


def disposes(body: str) -> bool:
    """True if it says what becomes of an order or a judgment."""
    return _ORDER.search(body) is not None


def choose_lead(usage: Usage, body: str, voice: Voice, rng: np.random.Generator) -> str:
    """One of the leads that a sentence of this kind may have, by whoever says it."""
    leads = LEADS[usage]
    if usage in {"background", "procedural"}:
        if voice != "court" or not _WHERE.match(body) or _PRESENT.search(body):
            leads = FACT_LEADS
    elif voice != "court":
        leads = SEPARATE_LEADS
    return leads[int(rng.integers(len(leads)))]


def usage_of(sentence: str) -> Usage:
    """What a sentence that does not say it itself is: a rule, its application, a step of the case, a fact."""
    if disposes(sentence):
        return "holding"
    if _PROCEDURE.search(sentence):
        return "procedural"
    past, present = _PAST.search(sentence), _PRESENT.search(sentence)
    is_past = past is not None and (present is None or past.start() < present.start())
    if _LEGAL.search(sentence) and _HERE.search(sentence):
        is_told = is_past and past is not None and not _CONCLUDES.search(past.group())
        return "background" if is_told else "application"
    return "background" if is_past else "reasoning"
