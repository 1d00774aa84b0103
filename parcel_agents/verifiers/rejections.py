"""The sentence behind one that a judge only stated to reject it, or to say whose argument it was."""

from __future__ import annotations

import re

_OPENING = (
    r"(?:(?:But|However|Yet|Still|Again|Here|Rather|And|On the contrary|To the contrary|In our view|Today|Now),? )?"
)
_VIEW = (
    r"(?:arguments?|contentions?|claims?|assertions?|positions?|readings?|interpretations?|views?|theor(?:y"
    r"|ies)|rules?"
    r"|propositions?|notions?|ideas?|premises?|reasoning|conclusions?|analys[ie]s|accounts?|versions?|tests?|law"
    r"|statements?|suggestions?|approach(?:es)?|assumptions?|logic|holdings?|standards?|rulings?|decisions?"
    r"|submissions?)"
)
_TALE = r"(?:story|case|charge|allegation|testimony|defense|tale|evidence)"
_FAULT = (
    r"(?:wrong|mistaken|incorrect|erron\w+|error|misplaced|misguided|misconceived|meritless|false|belied|belies"
    r"|un(?:true|sound|availing|persuasive|tenable|supported|convincing|founded|workable)|flawed|overruled|overstated"
    r"|overblown|absurd|nonsense|contrary|lacking|refuted|contradicted|outdated|no longer|rejected|without"
    r"|too (?:broad|narrow|much|simple|far)|inconsistent|at odds|dictum|dicta|circular|fanciful|simplistic"
    r"|inaccurate|abrogated)"
)
# What something is not, or does not do: `That is not the law`, `It does not follow`.
_RIGHT = (
    r"(?:so\b|true|correct|right|accurate|an accurate|what\b|how\b|(?:good |settled )?law|persuasive|hold\b"
    r"|the (?:law|rule|case|test|question|standard|whole|full|holding|point)|our (?:law|rule|view|reading|holding)"
    r"|follow|suffice|convinc|withstand|survive|bear|square|squared|reconciled|be (?:squared|reconciled"
    r"|sustained|correct|so|right|true)"
    r"|persuade|exist|apply here|supported|tenable|quite|exactly)"
)
_ADVERBS = r"(?:,? (?:\w+ly|however|of course|too|also|now|quite|just|to be),?)*"
_IT = r"(?:[Tt]h(?:is|at|ese|ose)|[Ii]t|[Tt]hey|[Hh]e|[Ss]he)"
# Not `his remaining contentions`: those are others than what stands before.
_THE_VIEW = (
    r"(?:[Tt]h(?:is|at|ese|ose|e)|[Ss]uch|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|(?!Today)[A-Z]\w+['’]s?)"
    rf"(?: (?!(?:remaining|additional|other|further|alternative)\b)\w+){{0,2}} {_VIEW}"
)
_WE = (
    r"(?:[Ww]e|I)(?:,? (?:\w+ly|now|must|again|hereby|however),?)* (?:disagree|reject|decline|disapprove"
    r"|overrul|disavow|abandon|repudiate|hold otherwise|conclude otherwise|part company|see it differently"
    r"|differ\b|refuse|doubt"
    r"|take a different|think not|find no merit|see no merit|hold the (?:contrary|opposite|reverse)"
    r"|(?:do not|don['’]t|cannot|can['’]t|could not|decline to|would not)(?: \w+ly| so)?"
    r" (?:agree|accept|think|believe|subscribe|adopt|share|see it|read|hold|endorse|follow|say so|join"
    r"|countenance|go)"
    r"|(?:are|am|were) (?:not|un)[ -]?(?:persuaded|convinced|so sure))"
)
_IS_AT_FAULT = (
    rf"(?:{_IT}|{_THE_VIEW}){_ADVERBS} (?:"
    rf"(?:is|are|was|were|has been|have been|must be|seems?|can be){_ADVERBS}"
    rf" (?:{_FAULT}|not(?: \w+ly| quite| at all)? {_RIGHT}|never(?: been)? {_RIGHT})"
    rf"|(?:does|do|did|can|could|will|would|must) ?not(?: \w+ly)? {_RIGHT}"
    r"|(?:lacks?|fails?|failed|misses|misreads?|ignores?|overlooks?|misstates?|misapprehends?|overstates?"
    r"|ha(?:s|ve) no|finds? no|makes? (?:no|little)|proves? too much|goes too far|went too far|rests? on|ha(?:s"
    r"|ve|d) it back\w*))\b"
)
_IS_NOT = (
    r"[Tt]h(?:is|at) (?:is|was)"
    r" (?:n['’]t|not (?!(?:to say|all|only|just|the end|necessary|merely|simply)\b))"
)
_PARTICLE = (
    r"[Nn]ot (?:so|quite|any ?more|true|exactly|here|at all)\b|[Nn]one of (?:this|that)\b|No[.,;!]|Wrong\b|Hardly\b"
    r"|Nonsense\b|Far from it|Nothing could be|That, (?:at any rate|at least|anyway|however)"
    r"|Quite the (?:contrary|opposite)|False\b|Would that it were|If only"
)
_THE_LAW_SAYS = (
    r"The (?:law|rule|record|statute|evidence|truth|reality)(?: \w+ly)? (?:is|says|shows|provides|proves|belies|tells"
    r"|refutes) (?:otherwise|different|not so|to the contrary|the (?:contrary|opposite)|it|this|that|another)"
    r"|The (?:opposite|contrary|reverse) is"
)
_SOMEBODY_ERRS = (
    r"(?:The |Our )?(?!(?:[Ii]f|[Ww]hen|[Ww]hether|[Tt]hat|[Nn]o|[Nn]othing)\b)[A-Z]?\w+(?: \w+){0,2} (?:is|are"
    r"|was|were) (?:wrong|mistaken|incorrect|in error)\b"
    rf"|(?:Such|That|This) (?:an? )?(?:\w+ )?{_VIEW} (?:would|is no more|cannot)\b"
)
_SO_SAYS_SOMEBODY = (
    r"(?:Or so|So|As) (?:(?:the |our )?[A-Z]?\w+(?: \w+){0,3} )?"
    r"(?:says?|said|runs?|ran|goes|went|argues?|argued|claims?|claimed|contends?|contended|swore|reads?|thinks?"
    r"|thought)\b"
    r"|(?:Such|That|This|These|Those) (?:is|was|are|were|at least is) (?:at least )?"
    rf"(?:(?:the|his|her|its|their|an?|an old|[A-Z]?[\w ]{{1,30}}['’]s?) )?(?:\w+ )?(?:{_VIEW}|{_TALE})\b"
)
# How a sentence begins that takes back the one before.
_REJECTS = re.compile(
    rf"{_OPENING}(?:{_WE}|{_IS_AT_FAULT}|{_IS_NOT}|{_PARTICLE}|{_THE_LAW_SAYS}|{_SOMEBODY_ERRS}|{_SO_SAYS_SOMEBODY})"
)
# A short sentence need only point back and deny, or speak of an argument, to leave a doubt.
_SHORT_WORDS = 12
_BACK = r"(?:this|that(?! (?:he|she|they|it|the|an?|his|her|defendant|counsel)\b)|these|those|such|so|therein)"
_DENIES = (
    r"(?:not|no|never|cannot|nothing|none|wrong|mistaken|false|disagree\w*|reject\w*|error|erred|doubt\w*|leave|changed"
    r"|otherwise|before|until|lying|lied|untrue|is what|was what|words|abrogated|overruled|merit)"
)
_SHORT = re.compile(
    rf"(?:\b{_BACK}\b|\bisn['’]t so).*(?:\b{_DENIES}\b|n['’]t\b)|(?:\b{_DENIES}\b|n['’]t\b).*\b{_BACK}\b"
    r"|\b(?:argument|theory|contention|claim|syllogism|logic|position|premise|notion|fallacy|truth)\b|\berr(?:ed|or)\b"
    r"|\bdisagree|^thus (?:the|spoke|said)\b|\b(?:lying|lied)\b|^\W*(?:\w+\W+){0,5}\w+\?",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"\b(?:also|remaining|additional|other|further|alternative|not to say|next|second)\b")
# The sentence before, where it is short and only brings up what somebody else says.
_BRINGS_UP = re.compile(
    r"^(?:But |And |So |Now )?(?:hear|consider|suppose|assume|imagine|take|picture|here (?:is|are)|according to)\b"
    r"|\b(?:arguments?|position|view|claims?|theory|points?|version|account|story|contentions?|brief)\b"
    r"|\b(?:puts?|has|have|tells?|told) it\b|\b(?:old|former|prior|earlier) (?:rule|law|statute)\b"
    r"|\brule (?:before|was|used)\b"
    r"|\b(?:dissent|majority)['’]s\b|\bcharged the jury\b|\bdispute|\bas follows\b",
    re.IGNORECASE,
)


def takes_back(following: str) -> str:
    """How a sentence takes back the one before, in its own words; empty if it does not.

    Args:
        following: the sentence, or the text from its start.
    """
    if match := _REJECTS.match(following):
        return match.group().strip()
    sentence = _first(following)
    short = len(sentence.split()) <= _SHORT_WORDS
    return sentence if short and _SHORT.search(sentence) and not _ELSEWHERE.search(sentence) else ""


def brings_up(before: str) -> bool:
    """True for a short sentence that brings up what somebody else says, or what was the law once."""
    return len(before.split()) <= _SHORT_WORDS and _BRINGS_UP.search(before.strip()) is not None


def _first(text: str) -> str:
    end = re.search(r"[.?!][”\"’')\]]*(?:\s|$)", text)
    return text[: end.end()].strip() if end else text.strip()
