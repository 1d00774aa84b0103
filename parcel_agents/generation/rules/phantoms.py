"""Phantom citation: a true statement said to rest on a case that the opinion never names; and true reliance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from parcel_agents.citations.authorities import find_authorities, names_authority
from parcel_agents.citations.model import DECISIONS
from parcel_agents.generation.model import Candidate
from parcel_agents.generation.rules.case import Case
from parcel_agents.generation.rules.leads import disposes
from parcel_agents.generation.rules.statements import Statement
from parcel_agents.generation.rules.wording import content_words
from parcel_agents.generation.rules.world import Cited, World

RULE_FORMS = (
    "relying on {name} for the rule that",
    "citing {name} for the proposition that",
    "citing {name} for the point that",
    "invoking {name} for the principle that",
    "explaining, with citation to {name}, that",
    "recognizing, on the authority of {name}, that",
)
CONCLUSION_FORMS = (
    "relying on {name} in concluding that",
    "citing {name} in support of the conclusion that",
    "following {name} in holding that",
    "concluding, on the authority of {name}, that",
    "concluding, with citation to {name}, that",
)
_SIGNALS = frozenset({None, "see", "see also", "see e.g.", "see, e.g.,", "see generally"})
_PER_STATEMENT = 3
_REJECTED = re.compile(
    r"without merit|meritless|lacks? merit|unpreserved|contentions?\b|second argument|distinguishable"
)
_COURT_SAID = re.compile(
    r"^the Court (?:has )?(?:\w+ly |long |also )*(?:held|recognized|explained|noted|observed|stated|concluded"
    r"|emphasized|reiterated|reasoned|ruled|determined|made clear) that (?=\w)"
)
_OF_THIS_CASE = re.compile(
    r"(?<!\ba )(?<!\ban )(?<!\bany )(?<!\bevery )\b(?:defendants?|petitioners?|plaintiffs?|respondents?"
    r"|complain(?:ant|t)s?|(?:trial |defense |appellate )?counsel)\b|\bthe (?:People|jury|victims?|officers?"
    r"|detectives?|trial court|hearing court|record|trial judge)\b|\b(?:County|Supreme|Family|City|Criminal) Court\b"
    r"|\bAppellate (?:Division|Term)\b",
    re.IGNORECASE,
)
"""Who and what a decision is about: a rule that a case is cited for speaks of nobody in particular."""
_NAME_WITHIN = 25
"""The case that a sentence is about is named within so many characters, behind `However, in`."""
_HELD = re.compile(
    r"[Ii]n [^,]{3,70}, the (?:(?:United States |US |U\.S\. )?Supreme )?Court (?:\w+ly |also )?(?:held"
    r"|recognized|explained|noted|observed|stated|concluded|determined|emphasized|reiterated|cautioned|made clear|ruled"
    r"|reasoned) that (?P<rest>.+)"
)


def phantoms(case: Case, world: World, rng: np.random.Generator) -> Iterator[Candidate]:
    """False reliance, one claim a statement before a second one; the case is near in subject, never named."""
    near = {one: _absent(case, world, one) for one in case.statements if is_rule(one)}
    for turn in range(_PER_STATEMENT):
        for statement, cited in near.items():
            if turn < len(cited):
                authority = cited[turn]
                claim = relying(statement, authority, rng)
                yield from case.false(
                    claim,
                    strategy="phantom_citation",
                    label="not_found",
                    statement=statement,
                    changed_to=authority.name if authority.name in claim else short_name(authority.name) or "",
                )


def true_reliance(case: Case, statements: Sequence[Statement], rng: np.random.Generator) -> Iterator[Candidate]:
    """True reliance: the sentence is directly followed by the citation of a case, or tells what a case held."""
    for statement in statements:
        if not statement.is_clause or disposes(statement.body) or statement.usage == "procedural":
            continue
        told = _HELD.match(statement.body)
        cited = _cited_first(case, statement) if told else _citation_behind(case, statement)
        if cited is None or _is_of_the_case(cited.name, case):
            continue
        if statement.usage == "background" and told is None:
            continue  # facts, or what became of another case
        if told is not None:
            statement = replace(statement, body=told["rest"], usage="reasoning")
        if not re.search(r" v |\bMatter of\b", statement.body) and cited.name.split(" v ")[1] not in statement.body:
            claim = relying(statement, cited, rng)
            yield from case.true(claim, statement=statement, mirror="phantom_citation")


def is_rule(statement: Statement) -> bool:
    """True if a case could be cited for it, and it names none itself."""
    usages = {"reasoning", "holding", "application"}
    if _REJECTED.search(statement.body):
        return False
    if statement.usage == "reasoning" and _OF_THIS_CASE.search(statement.body):
        return False
    names_none = not re.search(r" v |\bMatter of\b", statement.body)
    return statement.is_clause and statement.usage in usages and names_none and not disposes(statement.body)


def relying(statement: Statement, authority: Cited, rng: np.random.Generator) -> str:
    """The claim that the statement rests on the authority; named in full, by name or by its telling party."""
    forms = RULE_FORMS if statement.usage in {"reasoning", "background"} else CONCLUSION_FORMS
    form = forms[int(rng.integers(len(forms)))]
    short = short_name(authority.name)
    names = [authority.name, authority.name, authority.in_full, authority.in_full, *([short] if short else [])]
    lead = form.format(name=names[int(rng.integers(len(names)))])
    body = _COURT_SAID.sub("", statement.body)
    return f"({' '.join(filter(None, [statement.speaker, lead, body]))})"


def short_name(name: str) -> str | None:
    """The one word by which a case is called (`Hathersage`), if it has one."""
    found = re.fullmatch(r"People v ([A-Z][a-z]{3,})", name)
    return found[1] if found else None


def _absent(case: Case, world: World, statement: Statement) -> list[Cited]:
    """Cases of other decisions, the nearest in subject first, which this opinion does not name in any way."""
    found = []
    for cited in world.near(content_words(statement.body), case.id):
        cases = [one for one in find_authorities(cited.name) if one.kind == "case"]
        telling = all(not names_authority(case.opinion.text, one) for one in cases)
        if cases and telling and cited.cite not in case.text and not _is_of_the_case(cited.name, case):
            found.append(cited)
        if len(found) == _PER_STATEMENT:
            break
    return found


def _is_of_the_case(name: str, case: Case) -> bool:
    """True for the case itself under whatever name."""
    return bool(case.opinion.name) and name.split(" v ")[-1] in (case.opinion.name or "")


def _cited_first(case: Case, statement: Statement) -> Cited | None:
    """The case that a sentence names at its beginning: `In People v Roe (2 NY3d 118 [2004]), ...`."""
    inside = [one for one in case.citations if statement.span.start <= one.start < statement.span.end]
    if not inside or inside[0].start - statement.span.start > _NAME_WITHIN:
        return None
    full = case.citations[inside[0].authority] if inside[0].authority is not None else inside[0]
    name = " ".join((full.name or "").split())
    return Cited(name, full.cite, full.year, frozenset(), case.id) if full.kind in DECISIONS and " v " in name else None


def _citation_behind(case: Case, statement: Statement) -> Cited | None:
    """The case in the bracket that ends the sentence, the first one if there are several; None if it is no case."""
    inside = [one for one in case.citations if statement.span.start <= one.start < statement.span.end]
    if not inside or not statement.sentence.rstrip(".").endswith(")") or inside[0].signal not in _SIGNALS:
        return None
    # Nothing but the bracket's sign and the signal stands between the words of the claim and the citation.
    before = case.opinion.text[statement.span.start : inside[0].start]
    full = case.citations[inside[0].authority] if inside[0].authority is not None else inside[0]
    if not re.search(r"\((?:[Ss]ee,?(?: also,?| generally,?)?(?: e\.g\.,?)? )?$", before) or full.kind not in DECISIONS:
        return None
    tail = case.opinion.text[inside[0].start : statement.span.end]
    name = " ".join((full.name or "").split())
    if " v " not in name or _closes_before_end(tail):
        return None
    return Cited(name, full.cite, full.year, frozenset(), case.id)


def _closes_before_end(tail: str) -> bool:
    """True if words follow the bracket in which the citation stands, so that it ends no sentence."""
    depth = 1
    for place, sign in enumerate(tail):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return bool(tail[place + 1 :].strip(" .\n"))
    return True
