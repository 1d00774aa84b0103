"""What the Court itself says that it does not reach, or rejects in a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.generation.rules.clauses import refers_back, without_links
from parcel_agents.generation.rules.sentences import without_cites
from parcel_agents.generation.rules.statements import Statement
from parcel_agents.generation.rules.wording import MIN_WORDS
from parcel_agents.opinions.passages import sentences
from parcel_agents.types import Opinion

_LEAVES = re.compile(
    r"\b(?:[Ww]e|[Tt]h(?:e|is) Court) (?:(?:therefore|thus|also|accordingly|likewise),? )?"
    r"(?:(?P<need>need not|have no (?:need|occasion) to)|do not|cannot|decline to) "
    r"(?P<verb>decide|reach|address|consider|determine|resolve|pass (?:up)?on|review|entertain)\b,? (?P<what>[a-z(].+)"
)
_NO_NEED = re.compile(
    r"\b[Ii]t is (?:therefore |thus )?unnecessary (?:for (?:us|this Court) )?to "
    r"(?P<verb>decide|reach|address|consider|determine|resolve) (?P<what>[a-z(].+)"
)
_NO_OPINION = re.compile(
    r"\b[Ww]e (?:therefore |thus )?express no (?P<noun>opinion|view) (?P<on>as to|on|about|regarding"
    r"|concerning|whether) (?P<what>[a-z(].+)"
)
_NOT_BEFORE = re.compile(
    r"(?P<what>(?:[Tt]he|[Dd]efendant's|[Tt]he People's) [^,;()]{3,120}?) (?:is|are|was"
    r"|were) not (?:properly )?before (?:us|this Court)\b"
)
_REJECTS = re.compile(
    r"(?P<what>(?:The |the )?(?:[\w-]+['’]s?|parties['’]|remaining|other|second|third) [^;()]{3,200}?),? "
    r"(?:(?:is|are|was|were) (?:also |likewise |therefore |similarly )?"
    r"(?P<why>unpreserved|not preserved|without merit|meritless|academic)|(?P<lacks>lacks? merit))\b"
)
_CONSIDERED = re.compile(
    r"[Ww]e have (?:also )?(?:considered|examined|reviewed) (?P<what>[^,;()]{3,120}?) and (?:find|conclude"
    r"|consider|deem)\b"
    r".*\b(?:without merit|meritless|lack merit|unavailing)"
)
_ARGUED = re.compile(r"\b(?:arguments?|contentions?|claims?|challenges?|objections?|issues?)\b")
_TAIL = re.compile(
    r"(?:,? (?:since|because|inasmuch as|which|but|at this time|in this case)\b.*|,? and (?:we"
    r"|is|are|do|was|therefore|thus)\b.*|[,;—].*|[.\s]+)$"
)


def passed_over(opinion: Opinion) -> Iterator[Statement]:
    """The arguments that the Court leaves aside or rejects in a word, its footnotes included, in order."""
    for passage in opinion.passages:
        if opinion.part(passage.part).kind != "majority":
            continue
        for span in sentences(opinion.text, passage):
            sentence = " ".join(opinion.text[span.start : span.end].split())
            told = _told(without_links(" ".join(without_cites(sentence).split())))
            if told is not None:
                lead, body = told
                yield Statement("", lead, body, False, "holding", "court", span, sentence)


def _told(sentence: str) -> tuple[str, str] | None:
    """Lead and body, None for a sentence of another kind or one that points to what was said before."""
    if found := _LEAVES.search(sentence):
        lead = f"{'finding it unnecessary to' if found['need'] else 'declining to'} {found['verb']}"
    elif found := _NO_NEED.search(sentence):
        lead = f"finding it unnecessary to {found['verb']}"
    elif found := _NO_OPINION.search(sentence):
        lead = f"expressing no {found['noun']} {found['on']}"
    elif found := _NOT_BEFORE.match(sentence):
        lead = "declining to consider"
    elif found := _CONSIDERED.match(sentence):
        lead = "rejecting as without merit"
    elif (found := _REJECTS.match(sentence)) and _ARGUED.search(found["what"]):
        why = "without merit" if found["lacks"] else found["why"].replace("not preserved", "unpreserved")
        lead = f"rejecting as {why.replace('meritless', 'without merit')}"
    else:
        return None
    body = _TAIL.sub("", found["what"])
    body = re.sub(
        r"^(?:The|Defendants?|Petitioners?|Plaintiffs?|Respondents?)(?=[ '’])", lambda first: first[0].lower(), body
    )
    if lead.endswith("reach") and re.search(r"\b(?:conclusion|result|verdict|decision)\b", body):
        return None
    if refers_back(body) or re.search(
        r"[\[\]\"“”:?]|\b(?:this|that|these|such|the) (?:argument|claim|issue|question|contention)s?$", body
    ):
        return None
    short = len(f"{lead} {body}".split()) < MIN_WORDS
    return lead, f"{body} on appeal" if short and _ARGUED.search(body) else body
