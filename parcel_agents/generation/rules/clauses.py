"""From a sentence of an opinion to a clause that can stand alone behind `that`.

A lawyer's parenthetical is read away from the opinion: what ties a sentence to the one before it goes (`However,`),
and a sentence that cannot be understood by itself (`He then did so again`) is no clause.
"""

from __future__ import annotations

import re

_HEADING = re.compile(r"^(?:(?:[IVX]{2,}|V|[B-H]|\d{1,2})\.? |[IAX]\. )(?=(?:[A-Z][A-Za-z'’]+|A) [\w,])")
_CONNECTIVES = (
    "however|moreover|thus|accordingly|here|in sum|in short|in any event|indeed|further|furthermore|additionally"
    "|consequently|therefore|nevertheless|nonetheless|instead|rather|as a result|on the other hand|similarly|likewise"
    "|finally|first|second|third|initially|at the outset|in addition|for example|for instance|by contrast|in contrast"
    "|to be sure|of course|specifically|in other words|that is|put differently|put simply|simply put|significantly"
    "|notably|importantly|in particular|in this case|in this regard|in that regard|in this context|hence|in fact|also"
    "|again|on the contrary|to the contrary|at the same time|that said|even so|still|in conclusion|on this record"
    "|in essence|as noted|as stated|critically|more importantly|most importantly|surprisingly|unfortunately|generally"
    "|in light of the foregoing|for these reasons|for this reason|for the foregoing reasons|in the instant case"
    "|as relevant here|in this instance|as discussed|as explained|conversely|otherwise|in response|clearly|plainly"
    "|in the present case|on this appeal|in our view|in my view|under these circumstances|at any rate|ultimately"
    "|because of this|lastly|next|equally|then|more specifically|in effect|in turn|on these facts|in either case"
    "|on the merits|in that case|yet|subsequently|thereafter|afterwards?|shortly thereafter|soon thereafter"
    "|at that point"
    r"|(?:\w+ ){1,3}(?:later|thereafter|afterwards?)"
    "|for that reason|at that time|stated another way|meanwhile|even then|in the meantime|that same day"
    "|as such|to that end"
    "|tellingly|undoubtedly|turning to the merits|more to the point"
)
_LEADING = re.compile(rf"^(?:(?:And|But|Yet|So|For) )?(?:(?:{_CONNECTIVES}), ?)+", re.IGNORECASE)
_LEADING_WORD = re.compile(
    r"^(?:And|But|Yet|So|Thus|Hence|Therefore|Accordingly|Consequently|Indeed|Rather(?! than)|Subsequently"
    r"|Thereafter) (?=\S)"
)
_INNER = re.compile(
    r", (?:however|moreover|then|therefore|thus|accordingly|indeed|of course|too|nevertheless|nonetheless|furthermore"
    r"|consequently|in turn|though|to be sure|for example|for instance|likewise|similarly|as noted|here"
    r"|on the other hand|by contrast|in contrast|instead|in fact),(?= )"
)
_ALSO = re.compile(
    r"(?<=[a-z]) (?:also|then|therefore|thus|further|likewise|similarly|accordingly"
    r"|additionally)(?= [a-z]+(?:ed|s|t|ld|ew|de|nd|es)\b)(?<!but also)(?<!not)"
)
_TRAILING = re.compile(
    r",? (?:however|here|as well|too|in this case|in the instant case|on this record|without costs|thereafter)$"
)

_POINTING = re.compile(
    r"\b(?:supra|infra|see|above|aforementioned|foregoing|discussed|herein\w*|hereby|hereto\w*|latter|former|earlier"
    r"|the same reason|likewise|similarly|as noted|as stated|instant|today|footnote|dissent\w*|concurr\w+|majority"
    r"|the same (?:is|was|cannot|certainly|holds|may|can|result|conclusion|reasoning|rule|principle|logic"
    r"|analysis|time)"
    r"|additional(?:ly)?|additional reasons?|other reasons?|each of the|in turn|respectively|the following"
    r"|thereof|therein|thereto|thereby|therefrom|dissenters?|the quoted|the above|the question|the issue|the answer"
    r"|colleagues?|plurality|part [IVX]+|id|(?:this|these)(?! (?:case|appeal|action|prosecution)\b))\b",
    re.IGNORECASE,
)
_NESTED = re.compile(r"['’‘] ?[\"“”]|[\"“”] ?['‘’]|[—–]|\bet al\b|\betc\b|\ufffd|\b[A-Z]{4,} [A-Z]{2,}|\^")
_BY_THAT = re.compile(
    r"\b[Ii]f (?:so|not)\b|\bfor (?:that|this|the same) reasons?\b|"
    r"\bthat (?:is|was|would be) (?:\w+ly )?(?:one|the|an?|why|because|what)\b"
    r"|\bJudge of (?:the|this) Court"
    r"|leave to appeal|[a-z] \d{3}$|[a-z]{2}[.?!]\W{0,2} \(?[A-Z]|\b[Tt]he (?:first|second|third|fourth|next"
    r"|last) (?:criticism"
    r"|arguments?|claim|issue|reason|factor|prong|contention|question|point)\b|authority cited|"
    r"\b(?:in|on|at|of|from|under|with|by|to|for|upon) that(?= (?!(?:the|an?|it|he|she|they|his"
    r"|defendant)\b)[a-z]+\b(?! (?:is|are|was|were|had)\b))"
    r"|^If there (?:had|were)"
)
_FIRST_PERSON = re.compile(r"\b(?:[Ww]e|[Oo]ur|[Uu]s|[Oo]urs(?:elves)?|I|[Mm]y|[Mm]e|[Mm]yself)\b")
_HANGING = re.compile(
    r"(?:He|She|They|Them|His|Her|Their|Its|This|That|These|Those|Such|Both|Neither|Each|Another|Other|Others|Either"
    r"|All three|All four|Nor|None|So|Same|Then|Or|Which|Who|Whether|What|How|Why|Where|Nothing|Not|Even so|Two|Three"
    r"|There(?! (?:is|are|was|were|has|can|may|must|will|would|had)\b)|It|One|Rather|Otherwise|Again|Also|Too"
    r"|Some|Most|Many|Only|Even|Perhaps|Unlike|Like|Compare|Here|Thereafter|Afterwards?|Later|Meanwhile)\b"
)
# `It is settled that`, `It was error to`: the pronoun points forward.
_FORWARD = re.compile(
    r"It (?:is|was|would be|has been|cannot be|may be|must be) (?:[\w-]+ ){0,4}?(?:that|to|for|whether)\b(?! this)"
)
_POINTING_SUBJECT = re.compile(
    r"\b(?:this|these|those|such)\b(?! (?:Court|State|as)\b)|\bthat(?= \w+ (?:is|was|has)\b)"
)
_PARTY_SAYS = re.compile(
    r"\b(?:defendants?|the People|petitioners?|respondents?|plaintiffs?|appellants?|claimants?|counsel|prosecutors?"
    r"|the State|the City|amic\w+|he|she|they|district attorney)\b[^,;]{0,30}? "
    r"(?:argue|contend|maintain|claim|assert|suggest|urge|insist|submit|allege|posit|counter|complain|say)(?:s|d|ed)?\b",
    re.IGNORECASE,
)
# A party under its name; a court or a judge does other things with words.
_NAMED_SAYS = re.compile(
    r"\b(?!Court|Division|Term|Judge|Justice)[A-Z][a-z]+ (?:\w+ly |also |now )?"
    r"(?:argu|contend|maintain|claim|assert|urg|insist|submit|alleg|complain)(?:e?s|e?d)\b"
)
_PRONOUN = re.compile(r"\b(?:he|she|his|him|himself|her|hers|herself|they|their|them|themselves)\b", re.IGNORECASE)
_OBJECT = re.compile(r"\b(?:him|them|her(?= (?:and|to|in|with|that|for|from|on|at|as|by|into|out)\b|$|,))")
_SOMEBODY = re.compile(
    r"\b(?i:defendants?|petitioners?|respondents?|plaintiffs?|victims?|complainants?|officers?|detectives?|witness(?:es)?"
    r"|jurors?|judges?|attorneys?|counsel|lawyers?|man|woman|men|women|child(?:ren)?|mother|father|person|persons"
    r"|prosecutors?|offenders?|police|parents?|people|individuals?|inmates?|employees?|owners?|passengers?|drivers?"
    r"|codefendants?|claimants?|brother|sister|wife|husband|boyfriend|girlfriend|friend|girl|boy|neighbou?rs?|party"
    r"|parties|tenants?|landlords?|buyers?|sellers?|insureds?|insurers?|physicians?|doctors?|patients?|suspects?"
    r"|accomplices?|testator|applicants?|students?|motorists?|workers?|appellants?|adult|minor|infant|anyone"
    r"|everyone|someone|citizens?|perpetrators?|accused|psychiatrist|experts?|legislators?)\b"
    r"|(?<=[a-z,] )[A-Z][a-z]{2,}\b|^[A-Z][a-z]{2,}(?= (?:[a-z]+ed|told|said|saw|was|had|did|went|took|gave"
    r"|left|asked)\b)"
)
_PRONOUN_FIRST = 60
"""A pronoun that stands before its noun (`When he fled, defendant ...`) has it within so many characters."""


_PREFACE = re.compile(
    r"^(?:It (?:is|remains) (?:\w+ )?true that|It (?:must|should|bears?) (?:also )?(?:be )?(?:noted|emphasized"
    r"|emphasizing|noting"
    r"|remembered|repeating) that|(?:The )?fact of the matter is that|There is no (?:question|doubt|dispute) that"
    r"|(?:Certainly|Obviously|Undoubtedly|Surely|Presumably|Perhaps|Nor),?|Suffice it to say that|It follows that) "
)
_AND_AFFIRM = re.compile(
    r"(?<=\w),? and,? (?:therefore |thus |now |accordingly |hence )*(?:we )?(?:now |therefore )?"
    r"(?:affirm|reverse|remit|dismiss|modify|hold|conclude)\b(?! by).*$"
)
"""What the Court does to the order besides, behind `We agree that the waiver was valid`."""
_AS_HERE = re.compile(r",? as here(?=,)|,? as relevant here,?(?= )")
_EVEN_ALSO = re.compile(
    r"(?:(?<=was)|(?<=were)|(?<=had)) (?:later|subsequently|thereafter"
    r"|then)(?= [a-z]+ed\b)|(?<!but)(?<!only) also(?= \w)"
)


def without_links(sentence: str) -> str:
    """The sentence without headings and connectives before it and within it; its first letter is a capital again."""
    sentence = _HEADING.sub("", sentence)
    while (bare := _PREFACE.sub("", _LEADING_WORD.sub("", _LEADING.sub("", sentence)))) != sentence:
        sentence = bare[:1].upper() + bare[1:]
    sentence = _EVEN_ALSO.sub("", sentence)
    # In print a comma stands within the quotation marks; it is outside where a citation stood before it.
    sentence = re.sub(r"([\"”]),", r",\1", _AS_HERE.sub("", sentence))
    return _ALSO.sub("", _TRAILING.sub("", _INNER.sub("", sentence)))


def stands_alone(clause: str) -> bool:
    """True if the clause, beginning with a capital, can be understood without the sentence before it."""
    if refers_back(clause) or _PARTY_SAYS.search(clause) or _NAMED_SAYS.search(clause):
        return False
    if _HANGING.match(clause) and not _FORWARD.match(clause):
        return False
    head = " ".join(clause.split()[:8])
    return not (_POINTING_SUBJECT.search(head) or re.search(r"\b(?:these|those|such)\b(?! (?:as|who|that)\b)", clause))


def refers_back(words: str) -> bool:
    """True if the words point to something said before, or to the writer."""
    pointing = _POINTING.search(words) or _FIRST_PERSON.search(words) or _NESTED.search(words) or _BY_THAT.search(words)
    return pointing is not None or not _pronouns_have_nouns(words)


def without_order(clause: str) -> str:
    """A clause behind `that` without the Court's order at its end (`... and therefore affirm`)."""
    return _TRAILING.sub("", _AND_AFFIRM.sub("", clause))


def first_of_series(clause: str) -> str:
    """What stands before the first semicolon, which is a whole sentence; a clause without one is given back."""
    return clause.split(";")[0].rstrip(" ,") if ";" in clause else clause


def _pronouns_have_nouns(clause: str) -> bool:
    """True if somebody is named before each personal pronoun, and two are before one that is an object."""
    for found in _PRONOUN.finditer(clause):
        named = len({match.group().lower() for match in _SOMEBODY.finditer(clause, 0, found.start())})
        wanted = 2 if _OBJECT.match(clause, found.start()) else 1
        if named < wanted:
            near = clause[found.start() : found.start() + _PRONOUN_FIRST]
            opens = re.match(r"(?:When|As|While|After|Before|Although|Because|Since|Upon|In|By|If)\b", clause)
            if not (opens and wanted == 1 and named == 0 and _SOMEBODY.search(near)):
                return False
    return True
