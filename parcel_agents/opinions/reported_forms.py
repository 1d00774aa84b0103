"""The forms of sentences that report what somebody else said, made of the words in `reported_words`."""

from __future__ import annotations

import re
from functools import lru_cache

from parcel_agents.opinions.reported_words import (
    ADVERBS,
    ARGUES,
    ARGUING,
    ARGUMENT,
    ASIDE,
    BARE_COURT,
    COURT_BELOW,
    PARTY,
    RULED,
    RULING,
    SEPARATE,
    SEPARATE_SAYS,
    TESTIFIED,
    WITNESS,
)

OPENING = (
    r"(?:(?P<subordinate>(?:[Aa]l|[Ee]ven )?[Tt]hough|[Ww]hile|[Ww]hereas|[Ii]nsofar as|[Tt]o the extent(?: that)?"
    r"|[Ii]nasmuch as) )?"
)
# What may stand before the speaker: nothing, up to two short phrases with a comma, or another clause.
BEFORE = re.compile(
    r"(?:(?!(?:If|When|Where|Whether|Whenever|Unless|Once|Until|Because|Had|We|I|In (?:People|Matter of) v?)\b)"
    r"(?:[A-Z_][^,;:]{0,90}, )(?:(?!that\b|which\b|who\b|whether\b)[^,;:]{1,60}, )?"
    r"|[A-Z](?:hus|till|ven so|et|nd|ut|or)\b,? |.*[;:] (?:and |but |yet )?|.*, (?:and|but|yet) )?"
    r"(?:Nor do(?:es)? )?$",
    re.DOTALL,
)
# "We note that, although defendant claims ...": a subordinate clause may stand within the writer's own.
WITHIN = re.compile(r"(?:\bthat,?|,) $")
OF_CASE = re.compile(
    r"\bIn (?:[A-Z][\w'’.-]+|_+)(?: v [A-Z][\w'’.-]+)?,|\bIn (?:People|Matter of|United States)\b"
    r"|\bin [A-Z][\w'’-]+,? $"
)
ADOPTS = re.compile(r"\b(?:correctly|rightly|properly|persuasively|accurately|aptly|appropriately|justifiably)\b")
REJECTS = re.compile(r"\b(?:erroneously|incorrectly|wrongly|improperly|mistakenly|unpersuasively|unavailingly)\b")
ENDS = re.compile(
    r"(?:;|[;,] (?:but|yet|and|though|although|nor),?) (?:we\b|this Court\b|that (?:argument|contention|claim"
    r"|position)\b|this (?:argument"
    r"|contention|claim)\b|(?:an? |his |her |its |their |the )?(?:argument|contention|claim|position"
    r"|assertion)s? (?:we|that we|which we|is|are|lacks?|fails?|was)\b"
    r"|the record\b|our\b|nothing in\b)|[,;_] (?:but|yet) |; however,|—(?:but|we|an? (?:argument|contention|claim))\b"
    r"|, (?:an? |the )?(?:argument|contention|claim|position|assertion)s? (?:we|that we|which we|that is|which is)\b"
)
ACT_ENDS = re.compile(r"; |, (?:and|but|which|we|where|while|although|though)\b|\band (?:a|one) (?:Judge|Justice)\b")
MAIN_CLAUSE = re.compile(
    r", (?:we|I|this|that|those|these|the|any|such|it|there|his|her|their|nothing|neither|no|he|she|they|our"
    r"|defendant|counsel|in|under)\b"
)
NEXT_REJECTS = re.compile(
    r"^(?:But |However, |Again, |Here, )?(?:We (?:disagree|do not agree|reject|are not persuaded|are unpersuaded"
    r"|cannot agree|find no merit)\b"
    r"|(?:This|That|The|These|Those|His|Her|Such|Neither|Defendant['’]s) (?:arguments?|contentions?|claims?"
    r"|assertions?|positions?|reading|interpretation|view)"
    r" (?:is|are|has|have|lacks?|fails?|must be|misses|misreads|ignores|overlooks|cannot|does not"
    r"|do not)\b(?! correct| right| well| persuasive| has merit)"
    r"|Not so\b|There is no merit\b|That is (?:wrong|incorrect|not so)\b|(?:He|She|They) (?:is|are) (?:wrong"
    r"|mistaken|incorrect)\b)"
)
NEXT_ADOPTS = re.compile(r"^(?:We (?:now )?agree(?:[.,;]| and\b)|(?:He|She|They) (?:is|are) (?:correct|right)\b)")

WITNESS_CUE = re.compile(rf"(?P<who>{WITNESS}){ASIDE}{ADVERBS} (?P<verb>{TESTIFIED})\b(?P<that>:|,| that\b)")
OUT_OF_COURT = re.compile(
    r"(?P<who>(?:[Tt]he (?:victim|complainant|witness|officers?|detectives?|informant|caller|911 caller"
    r"|eyewitness)|[Dd]efendant|Detective [A-Z]\w+"
    r"|Officer [A-Z]\w+))(?: \w+ly| also| then| later| first)? (?P<verb>told (?:the )?(?:police|officers?"
    r"|detectives?|him|her|them|investigators?)"
    r"(?: officers?)?) (?P<that>that\b)"
)
COURT_CUE = re.compile(rf"(?P<who>{COURT_BELOW}){ASIDE}{ADVERBS} (?P<verb>{RULED})\b")
BARE_CUE = re.compile(rf"(?P<who>{BARE_COURT}){ADVERBS} (?P<verb>{RULED})\b")
SEPARATE_CUE = re.compile(rf"(?P<who>{SEPARATE}){ASIDE}{ADVERBS} (?P<verb>{SEPARATE_SAYS})\b")
JUSTICES_CUE = re.compile(
    r"(?P<who>(?:(?:[Oo]ne|[Tt]wo|[Tt]he dissenting"
    rf"|[Aa] dissenting) )Justices?) (?P<verb>dissented,? (?:and )?{RULING}|dissented and would have|"
    rf"would have|{ARGUES}|{RULED})\b"
)
ACCORDING = re.compile(
    rf"(?P<verb>[Aa]ccording to|[Ii]n the (?:view|opinion) of) (?P<who>{PARTY}|[Tt]he dissent|[Tt]he majority"
    rf"|{COURT_BELOW})(?=[,:]| _)"
)
ACCORDING_TO_WITNESS = re.compile(
    r"(?P<verb>[Aa]ccording to) (?P<who>(?:(?:the|this|that|another|one) (?:victim|complainant|witness|officers?"
    r"|detectives?|informant|expert)"
    r"|(?:Detective|Officer|Sergeant|Investigator|Agent|Dr\."
    r"|M[rs]s?\.) [A-Z][\w'’-]+)(?:['’]s? (?:\w+ )?testimony)?)(?=,)"
)
IN_VIEW = re.compile(
    r"(?P<verb>[Ii]n|[Oo]n|[Uu]nder) (?P<who>(?:defendants?|plaintiffs?|petitioners?|respondents?|appellants?"
    r"|the (?:People|prosecution"
    r"|State|Government|government|defense|dissent|majority|trial court))['’]s?) (?:(?:own|apparent) )?(?:view"
    r"|telling|estimation|theory|reading|words)(?=,)"
)
TRAILING = re.compile(r"(?: (?:also|then|later|further|subsequently|again|\w+ly))+$")
PRONOUN = re.compile(rf"(?P<who>He|She|They|It|he|she|they){ADVERBS} (?P<verb>{ARGUES})\b(?P<that> that\b|,| _)?")
PRONOUN_NOW = re.compile(
    rf"(?P<who>He|She|They|he|she|they){ADVERBS} (?P<verb>argues?|contends?|maintains?|asserts?|claims?|urges?"
    r"|insists?|posits?)\b(?P<that> that\b)"
)
PARTICIPLE = re.compile(
    r"^(?P<verb>(?:Argu|Contend|Maintain|Assert|Claim|Urg|Alleg|Posit|Insist|Complain)ing) that\b(?P<rest>.*?),"
    rf" (?P<who>{PARTY}) "
)
INSERTED = re.compile(
    rf", (?P<who>{PARTY}){ADVERBS} (?P<verb>argues?|contends?|maintains?|asserts?|claims?|insists?|says?"
    r"|suggests?)(?=[,.])(?!,[^,]{{1,40}}, that\b)"
)
POSSESSIVE = re.compile(
    r"(?P<who>(?:[Dd]efendant|[Pp]laintiff|[Pp]etitioner|[Rr]espondent|[Aa]ppellant|[Cc]laimant)(?:s['’]|['’]s)"
    r"|[Tt]he (?:People|prosecution|State|Government|government|defense|dissent|majority|concurrence"
    r"|District Attorney|defendant|petitioner)['’]s?"
    r"|[Cc]ounsel['’]s|\b(?:his|her|their))"
    rf"(?: (?!argument|contention|claim)[\w-]+){{0,3}}? (?P<verb>{ARGUMENT})(?:,[^,;]{{1,60}},| on (?:this )?appeal"
    r"| here)? (?P<that>(?:is |was )?that|based (?:up)?on)\b(?! (?:do|does|did|are|were|have|had|was|we)\b)"
)
UNOWNED = re.compile(r"(?P<who>)[Tt]he (?P<verb>argument|contention|claim|assertion) (?P<that>that)\b")
# Openings whose clause ends where the main clause begins: "In response to defendant's claim that ..., the court ..."
SUBORDINATES = re.compile(
    r"^(?:In|As|To|Because|Given|Even|Although|Though|While|If|Despite|Notwithstanding|Having|Since|Upon|On|With"
    r"|Regarding|Absent|For"
    r"|Turning|Addressing|Rejecting|Contrary|After|Where|When)\b[^,]*$"
)
PREDICATE = re.compile(
    r"(?:,? (?:is|are|was|were) (?:also |therefore |thus |likewise |equally |similarly |simply |plainly |clearly "
    r"|largely |not )?"
    r"(?:without merit|unavailing|unpreserved|unpersuasive|meritless|belied|misplaced|unreviewable|refuted"
    r"|academic|beyond our|wrong|mistaken|unconvincing|untenable"
    r"|lacking|contradicted|foreclosed|incorrect|flawed|unsupported|rejected|preserved|persuasive|properly before"
    r"|supported|reviewable|correct|well taken|meritorious|not)\b"
    r"|,? (?:lacks? merit|fails?|has no merit|have no merit|has merit|must (?:also )?(?:fail|be rejected)|cannot"
    r"|misses|ignores|overlooks|misreads|misapprehends|rests on|finds no|need not|does not|do not)\b)"
)
# So plain a judgment of an argument that it ends the argument's clause wherever that stands.
ON_THE_MERITS = re.compile(
    r",? (?:is|are) (?:also |therefore |thus |likewise |similarly )?(?:without merit|unavailing|unpreserved"
    r"|meritless)\b"
    r"|,? lacks? merit\b"
)
ACCEPTING = re.compile(r"(?:correct|well taken|meritorious|has merit|(?<!not )(?<!un)persuasive)\b")
WE_REJECT = re.compile(
    r"\b(?:[Ww]e|I|[Tt]his Court)(?: also| therefore| thus| likewise| have| must| similarly| further"
    r"| conclude that| find)*,? "
    r"(?:reject(?:ed)?|disagree with|decline to (?:adopt|accept)|(?:are|am) (?:unpersuaded|not persuaded"
    r"|unconvinced|not convinced) by|cannot (?:accept|agree with)"
    r"|do not (?:agree with|accept|reach|address)|find (?:no merit (?:in|to)|unavailing|unpersuasive|unpreserved"
    r"|without merit))|^(?:Contrary to|There is no merit to|Without merit is"
    r"|We (?:disagree|do not agree) with|Equally unavailing is|Unpersuasive is|Also (?:unavailing"
    r"|without merit) is|Nor (?:is|are|do|does|can|has) (?:we |there )?[^,]{0,40})"
)
WE_DISAGREE_WITH = re.compile(
    r"^(?:\w+, )?(?:(?:We|I)(?: \w+ly| do not| cannot)* (?:disagree|(?<=not )agree)|Nor (?:do"
    rf"|can) we agree) with (?P<who>{PARTY}"
    rf"|[Tt]he dissent|[Tt]he majority|{COURT_BELOW})['’]?s?(?: \w+)? (?P<that>that)\b"
)
WE_AGREE = re.compile(
    r"(?<![Dd]o )(?<![Cc]an )(?<!if )(?<!whether )(?<!were )\b(?:[Ww]e|I)(?: \w+ly| also| thus| therefore"
    r"| nonetheless)* (?P<verb>agree"
    rf"|concur) (?:in part )?with (?P<who>{PARTY}|the dissent(?:ers?)?|the majority"
    rf"|{COURT_BELOW})['’]?s?(?: \w+){{0,2}}? that\b"
)
APPEAL = re.compile(
    rf"^(?:[A-Z][^,;]{{0,80}}, )?(?P<who>{PARTY})\b(?:(?! not "
    rf"| would )[^;:]){{0,300}}?, (?P<verb>{ARGUING})\b(?: that\b|:|,)?"
)
COURT_RULING = re.compile(
    rf"^(?:[A-Z][^,;]{{0,80}}, )?(?P<who>{COURT_BELOW})\b[^;:]{{0,300}}?, (?:and |but )?(?:also "
    rf"|further )?(?P<verb>{RULING})\b"
)
REST_REJECTS = re.compile(
    r"\bwe (?:disagree|reject|are not persuaded|are unpersuaded|do not agree)\b"
    r"|\b(?:lacks merit|is without merit|is unavailing)\b"
)
REST_ADOPTS = re.compile(r"\b(?<!do )we agree\b")


@lru_cache(maxsize=64)
def party_cue(names: tuple[str, ...]) -> re.Pattern[str]:
    """A party that argues; under its role, or under one of these surnames."""
    named = "|".join(re.escape(name) for name in names)
    party = rf"(?:{PARTY}|(?:M[rs]s?\. )?(?:{named})(?!['’]))" if named else PARTY
    # "claims the car" and "urged him to" say nothing of what is true.
    return re.compile(
        rf"{OPENING}(?P<who>{party}){ASIDE}{ADVERBS} (?P<verb>{ARGUES})\b"
        r"(?! (?:his|her|its|their|the|a|an|for|with)\b| to\b(?! the (?:court|jury) that\b))"
    )
