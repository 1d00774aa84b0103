"""The lines that begin a separate opinion: one table of forms for the courts of the United States.

The forms are those of the courts' own opinions and style manuals and of the publishers' headings; the table in
`tests/opinions/test_headings.py` lists them court by court. A line that looks like such a heading and has none of these
forms is not guessed at: `looks_like_head` finds it, and the voice after it stays unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from parcel_agents.opinions.closings import begins_a_list
from parcel_agents.opinions.judges import HAS_TITLE, NAME, NAMES, OFFICE, PARAGRAPH, closed, tidy_author
from parcel_agents.opinions.openings import is_author_line, is_opinion_title, names_only_author
from parcel_agents.types import PartForm, PartKind

_BEFORE = re.compile(rf"{PARAGRAPH}(?:\[(?=[A-Z])|/s/ )?")
# In the past tense it tells what a judge of the court below did.
_STANCE = r"(?:dissent(?:ing|s)|concur(?:ring|s)|dubitante)"
# What may follow in the manner of a separate opinion. Any other word makes it a sentence about that opinion.
_TAIL_WORDS = (
    "a above additional additionally affirmance also an and appeal application appointment as assigned assigning"
    " assigns banc below but by certiorari conclusion concurrence conviction convictions count counts court"
    " court's court’s curiam decision denial denying dismissal disposition dissent division divisions en except"
    " filing following follows footnote for from fully further give gives giving grant granting held her herein"
    " his in issue issues joining joins judgment judgments law lead leave majority majority's majority’s"
    " memorandum motion no not of on only opinion opinions order orders otherwise our paragraph part parts per"
    " petition plurality point points principal reargument reason reasons reconsideration regarding rehearing"
    " relief reluctantly remand remedy respectfully respecting result results reversal review rule section"
    " sections sentence sentences sentencing separate separately setting severability specially state stated"
    " statement states stating stay syllabus that the this to upon vacatur with within without written"
).split()
_NUMERAL = r"[IVX]+(?:[–-][A-Z\d]+)*|[A-D]|\d{1,2}"
_TAIL_WORD = "|".join(sorted(_TAIL_WORDS, key=len, reverse=True))
_MANNER = (
    r"(?i:(?:(?:respectfully|specially|reluctantly|additionally|separately|writing|also),? ){0,3}"
    rf"{_STANCE}(?:[,/;-]? ?(?:&|{_STANCE}\b|(?:{_TAIL_WORD})\b|(?:{_NUMERAL})\b"
    rf"|(?-i:{OFFICE} {NAME})))*"
    r"|(?:statement )?(?:respecting|regarding|concerning) the [a-z ]{3,60})"
)
_JOINED = r"(?:(?i:Mrs?|Ms|Jr|Sr)\.|(?:[ACPSV]\. ?)*JJ?\.|Js\.|[^.:();]){3,300}?"
_JOINERS = (
    r"(?: ?\((?:with whom|joined by|joining|in which) [^()]{3,300}\)"
    rf"|,? (?:and )?(?:with whom|whom|in which|which) {_JOINED} (?:joins?|joined|concurs?|agrees?)"
    r"(?: (?:in|as to|except as to|only as to|with respect to) (?:[^.,:()]|(?<=[IVX]),){2,80})?"
    rf"|,? joined (?:in part )?by {_JOINED})"
)
# What may stand between a judge's title and the manner.
_SEATED = (
    r"(?:,? (?:sitting by \w+|by (?:assignment|designation)|pro tem(?:pore)?|specially (?:assigned|presiding)|retired))"
)
# A heading ends with its line, or with a stop before the opinion's first words.
_END = r"\s*(?:,\s*$|[.:;](?=\s|$|[—–-])|[—–]|--|-(?=\s|[A-Z])|[.:]?\s*$)"

_NAME_FIRST = re.compile(
    rf"(?:By )?(?P<author>{NAMES}),?{_SEATED}?{_JOINERS}?,? (?P<manner>{_MANNER})(?:,?{_JOINERS})?{_END}"
)
# "Gray, J. (dissenting)." and "Chief Judge Gray (concurring in result):". "(dissenting op at 648)" is a citation.
_IN_PARENTHESES = re.compile(
    rf"(?P<author>{NAMES})[.,]{{0,2}} ?"
    r"\((?P<manner>(?![^()]*\b(?:ops?|opinion at|slip|at)\b)"
    r"(?i:[^()]*\b(?:dissent|concur|statement|dubitante)[^()]*))\)"
    r"(?=[.:,]?\s*[—–-]|[.:]|,?\s*$|\s+[A-Z\"“])"
)
_WRITING = r"(?:opinion|statement|memorandum|writing|views?)"
_STANCES = (
    rf"(?:(?:special(?:ly)?|partial(?:ly)?|separate|additional|respectful) )?{_STANCE}(?:[ ,/&]+(?:and|in|part|the"
    rf"|result|judgments?|only|specially|{_STANCE})\b)*"
)
# "DISSENTING OPINION BY GRAY, J.", "Dissent by: Ada Gray (In Part)", "Statement of JUSTICE GRAY respecting ..."
_KIND_FIRST = re.compile(
    rf"(?P<manner>(?i:{_STANCES}(?: {_WRITING})?|dissent|concur(?:rence)?|{_WRITING} {_STANCES}"
    rf"|(?:separate|additional) {_WRITING}|statement|memorandum))"
    rf"(?P<by>(?i: (?:written |issued |authored )?(?:by|of|from):?|by:|(?<=opinion):?|(?<=statement):?)) "
    rf"(?P<author>{NAMES})(?:,? ?\((?P<more>(?i:in part|in the (?:result|judgment)|specially)[^()]*)\))?"
    rf"(?:,? (?P<rest>(?i:{_MANNER}|(?:respecting|regarding|concerning|on)\b[^:]{{0,200}}|in support of [^.:]{{3,40}}"
    rf"|joined by .{{3,200}}|with whom .{{3,200}}|in which .{{3,200}}|which .{{3,200}})))?{_END}"
)
_NAMED_TITLE = re.compile(
    rf"(?P<manner>(?i:{_STANCES} {_WRITING}|{_STANCES}|(?:partial )?(?:dissent|concurrence)"
    rf"(?:,? (?:and|in part|in the (?:result|judgment)|dissent|concurrence)\b)*|{_WRITING},? {_STANCES}"
    rf"|concurring (?:and|in part and) dissenting))\W*$"
)
# Whose opinion it is stands behind a title of its own: "JUSTICE GRAY        DECIDED: May 2, 2031"
_SIGNED = re.compile(rf"(?P<author>{OFFICE} {NAMES}|{NAMES})(?:\s+(?:DECIDED|FILED|Decided|Filed)\b.*)?[.:]?\s*$")
# A court that is equally divided, or a judge who takes no side: nobody's words but the author's.
_OWN_OPINION = re.compile(
    rf"(?:(?i:Separate opinion (?:of|by)|Opinion in support of)|Opinion of|OPINION BY(?=.* IN SUPPORT OF)) ?"
    rf"(?P<author>{NAMES})?[^a-z]{{0,60}}\s*$"
)
_FILED = re.compile(
    rf"(?P<author>{NAMES}),? (?:(?i:filed|files|delivered|delivers|wrote|writes|issued) (?:a|an|his|her)"
    rf" (?:separate,? )?(?P<manner>(?i:{_STANCES}))\s*(?i:opinion|statement)\b"
    r"|(?P<side>(?i:dissent|concurr)(?:ed|ing))[, ](?: ?and )? ?(?i:filed|delivered) the following\b)"
)
_FINITE = re.compile(r"\b(?:dissents|concurs)\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(
    r"I (?:(?:respectfully|must|also|therefore|reluctantly|fully|only|specially|would|agree and) )*"
    r"(?P<manner>dissent|concur)\b"
)
_GLUED = re.compile(
    r"(?<=[.?!;)\]\"”’'])(?<!\b[A-Z]\.)(?<!\bJr\.)\s+(?P<head>OPINION OF THE COURT"
    r"|(?:Dissent|Concurr)ing(?: in part and (?:dissent|concurr)ing in part)? opinion by [^.()]{3,60}"
    r"(?:\.[^.()]{1,40}?){0,3}\.?$"
    r"|[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,3}, (?:Ch\. ?|[ACPSV]\. ?)*JJ?\. \([^()]*\b(?:dissent|concurr)ing\b[^()]*\)"
    r"\s*(?:[.:—–]|$).*"
    r"|(?:Mc|Mac|De|La)?[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]+){0,3}, (?:[ACPSV]\. ?)*"
    r"(?:JJ?\.|(?:Chief |Circuit |District )*(?:Judge|Justice))"
    r", (?:dissent|concurr)ing[^.:]{0,80}[.:].*"
    rf"|(?:\*\d{{1,4}} ?)?(?:(?:Chief|CHIEF|Mr\.|MR\.) )*(?:Justice|JUSTICE) {NAME}(?: {NAME})?{_JOINERS}?, "
    rf"{_MANNER}[.:](?=\s).*)",
    re.DOTALL,
)

# --- what looks like a heading of an unknown form -------------------------------------------------------------------
_KEYWORD = re.compile(
    r"\b(?:dissent(?:ing|s|ed)?|concur(?:ring|rence|s)?|dubitante|separate(?:ly)? (?:opinion|writing|written)"
    r"|writing separately|additional views|objecting|subscribes|assigns (?:additional )?reasons"
    r"|statement (?:of|by|respecting|regarding|concerning))\b",
    re.IGNORECASE,
)
# A sentence, not a name: "The Appellate Division, with two Justices dissenting, affirmed ..."
_ABOUT = re.compile(
    r"(?:The (?!Chief)|(?:In|A|An|On|At|This|That|Those|One|Two|Three|Some|With|As) )|.{0,80}\bwith (?:one|two)\b"
)
_SPLIT_KEYWORD = re.compile(r"dissenting|concurring", re.IGNORECASE)
_OF_ANOTHER = re.compile(
    r"\b(?:the|our|its|that|this|by) (?:\w+ )?(?:dissent|concurrence|dissenter|concurring|dissenting)\b|['’]s\b"
)
_SAYS = re.compile(
    r"\b(?:said|says|wrote|writes|argued|argues|noted|notes|observed|observes|explained|explains|reasoned|reasons that"
    r"|concluded|concludes|stated that|states that|believed|believes|thought|thinks|saw|sees|would|found|finds|opined"
    r"|contended|contends|maintained|maintains|suggested|suggests|asserted|asserts|agreed|agrees|disagreed|disagrees"
    r"|emphasi[sz]ed|emphasi[sz]es|cautioned|warned|expressed|because|took|takes|was|were|is|are|had|has|joined by)\b"
)
_LOOKS_NAMED = re.compile(rf"(?P<author>{NAMES})[.,]{{0,2}}(?P<between>[^.:;]{{0,60}}?)\b(?i:{_STANCE})\b")
_ONE_VOTE = re.compile(rf"(?P<author>{NAMES}),? (?i:dissents|concurs)\b")
_SHORT_WORDS = 25
_HEAD_CHARS = 200


@dataclass(frozen=True)
class Head:
    """The beginning of a separate opinion as its first line tells it."""

    kind: PartKind
    author: str | None
    announced: bool = False
    """True for a title over the opinion; the line that names its author may follow."""
    form: PartForm | None = None
    reports: bool = False
    """True for a line that can as well report a vote: `Gray, J., dissents.` It begins an opinion where one follows."""
    doubt: str | None = None
    """Why it is not known whose opinion begins; then the kind is `unknown`."""


def separate_head(text: str) -> Head | None:
    """What a paragraph says if a separate opinion begins with it; None for any other paragraph."""
    line = _plain(text)
    for read in (_read_title, _read_kind_first, _read_name_first, _read_filed, _read_own):
        if (head := read(line)) is not None:
            return head
    return None


def _plain(text: str) -> str:
    """The text without the number of its paragraph and without what may stand before a heading: brackets, `/s/`."""
    return closed(_BEFORE.sub("", text, count=1))


def _read_title(line: str) -> Head | None:
    first, _, rest = line.strip(" *_–—-").partition("\n")
    found = _NAMED_TITLE.fullmatch(first.strip())
    if found is None or len(first) > 80 or first[:1].islower() or _FINITE.search(first):
        return None
    signed = _SIGNED.fullmatch(rest.strip()) if rest else None
    author = tidy_author(signed["author"]) if signed and HAS_TITLE.search(signed["author"]) else None
    return Head(_kind(found["manner"]), author, announced=True, form=_form(found["manner"]))


def _read_kind_first(line: str) -> Head | None:
    found = _KIND_FIRST.match(line)
    if found is None:
        return None
    manner = " ".join(filter(None, [found["manner"], found["more"], found["rest"]]))
    stance = re.search(r"dissent|concur", manner, re.IGNORECASE)
    statement = re.match(r"(?i:statement|memorandum)", found["manner"])
    titled = HAS_TITLE.search(found["author"]) is not None
    if (not stance and not (statement and titled)) or (not titled and not found["by"].strip(" :")):
        return None
    author = tidy_author(found["author"])
    if not stance:
        return Head("concurrence", author, form="statement")
    return Head(_kind(manner), author, announced=True, form=_form(manner))


def _read_name_first(line: str) -> Head | None:
    found = _IN_PARENTHESES.match(line) or _NAME_FIRST.match(line)
    if found is None or not HAS_TITLE.search(found["author"]):
        return None
    manner, author = found["manner"], tidy_author(found["author"])
    if not re.search(r"dissent|concur|dubitante", manner, re.IGNORECASE):
        return Head("concurrence", author, form="statement")
    return Head(
        _kind(manner),
        None if author.casefold() == "memorandum" else author,
        form=_form(manner),
        reports=_FINITE.search(manner) is not None and "as follows" not in manner.lower(),
    )


def _read_filed(line: str) -> Head | None:
    found = _FILED.match(line)
    if found is None or not HAS_TITLE.search(found["author"]):
        return None
    manner = found["manner"] or found["side"]
    return Head(_kind(manner), tidy_author(found["author"]), form=_form(manner), reports=True)


def _read_own(line: str) -> Head | None:
    first = line.partition("\n")[0]
    found = _OWN_OPINION.fullmatch(first.strip()) if len(first) <= 120 else None
    if found is None:
        return None
    named = found["author"] if found["author"] and HAS_TITLE.search(found["author"]) else None
    if named is None and not re.match(r"(?i:opinion (?:by|in support)|separate opinion)", first):
        return None
    author = tidy_author(named) if named else None
    return Head("unknown", author, doubt=f"“{first.strip()}” begins an opinion that is not the Court's")


def signed_author(text: str) -> str | None:
    """The author in the line behind a title: `JUSTICE GRAY        DECIDED: May 2, 2031`."""
    found = _SIGNED.fullmatch(text.strip()) if len(text) <= 120 else None
    return tidy_author(found["author"]) if found and HAS_TITLE.search(found["author"]) else None


def own_words_head(text: str) -> Head | None:
    """The head of a separate opinion that begins with an author's name and `I dissent`, without a heading."""
    line = _plain(text)
    author = names_only_author(line)
    if author is None:
        return None
    found = _FIRST_PERSON.match(line, author.end)
    return Head(_kind(found["manner"] + "ing"), author.name) if found else None


def looks_like_head(text: str) -> bool:
    """True for a paragraph that looks like the beginning of a separate opinion in a form that is not known.

    Running text that speaks of a judge who dissents is not meant, though it may begin in the same way.
    """
    line = _plain(text)[:_HEAD_CHARS]
    if begins_a_list(text) or re.match(r"\W*[a-z]", line):
        return False
    if (keyword := _KEYWORD.search(line)) and re.search(r"\(\d{4}\)|\d,? [A-Z][\w.]*\.? ", line[: keyword.start()]):
        # A citation whose parenthesis names the judge.
        return False
    named = _LOOKS_NAMED.match(line)
    if named and HAS_TITLE.search(line[: named.end()]) and not _ABOUT.match(line):
        sentence = re.split(r"(?<=[a-z]{2})[.:](?=\s)|[—–]", line[named.end() :], maxsplit=1)[0]
        said = _SAYS.search(sentence) or _SAYS.search(named["between"])
        return (
            not said
            and not _OF_ANOTHER.search(line[: named.end()])
            and not re.match(r",? (?:in|at|from) [A-Z]\w+ v", sentence)
        )
    words = line.split()
    if len(words) <= _SHORT_WORDS and not _KEYWORD.search(line) and _SPLIT_KEYWORD.search("".join(words)):
        # A scan may set blanks within the word.
        return HAS_TITLE.search(line) is not None or re.search(r"\bJJ?\b", line) is not None
    if len(text.split()) > _SHORT_WORDS or not _KEYWORD.search(line) or _OF_ANOTHER.search(line):
        return False
    capitals = sum(1 for word in words if word[:1].isupper() or not word[:1].isalpha())
    titled = HAS_TITLE.search(line) is not None
    small = re.match(r"(?i:\W*(?:dissent|concur))", line) is not None
    if re.search(r"\bv\.? |\bat \d", line):
        return False
    stance = re.search(r"(?i:dissent|concur)", line) is not None
    apart = re.search(r"(?i:separate|additional views)", line) is not None
    told = titled or small or ((stance or apart) and line.isupper())
    return capitals >= 0.6 * len(words) and told and not _SAYS.search(line)


def says_i_dissent(text: str) -> bool:
    """True for a paragraph that begins with `I dissent` or `I respectfully concur`: no majority speaks so."""
    return _FIRST_PERSON.match(_plain(text)) is not None


def reports_one_vote(text: str) -> bool:
    """True for a line such as `Gray, J., dissents for reasons assigned.`, after which those reasons may follow."""
    found = _ONE_VOTE.match(text)
    return (
        found is not None
        and len(text.split()) <= _SHORT_WORDS
        and HAS_TITLE.search(found["author"]) is not None
        and not _SAYS.search(text)
    )


def split_glued_head(text: str) -> tuple[int, int] | None:
    """Where the text before a heading ends and the heading begins, if a source has run the two together."""
    if found := _GLUED.search(text):
        return found.start(), found.start("head")
    return None


def is_heading_line(line: str) -> bool:
    """True if a whole line names an author or begins a separate opinion, so that a paragraph ends with it."""
    if is_opinion_title(line):
        return True
    head = separate_head(line)
    if head is None or head.reports:
        return is_author_line(line, whole=True)
    if head.announced:
        return True
    plain = _plain(line)
    found = _IN_PARENTHESES.match(plain) or _NAME_FIRST.match(plain)
    if found is None or plain[found.end() :].strip(" .:,—–-"):
        return False
    return "(" in plain or plain.rstrip().endswith((".", ":"))


def _kind(manner: str) -> PartKind:
    manner = manner.lower().replace("-", " ")
    dissents, concurs = "dissent" in manner, "concur" in manner
    if dissents and (concurs or re.search(r"\bin part\b|\bpartial", manner)):
        return "mixed"
    return "dissent" if dissents else "concurrence"


def _form(manner: str) -> PartForm | None:
    manner = manner.lower().replace("-", " ")
    if "dissent" not in manner and re.search(r"\bin (?:the )?(?:result|judgments?)\b", manner):
        return "in_result"
    return "in_part" if re.search(r"\bin parts?\b", manner) else None
