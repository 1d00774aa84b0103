"""Words that cannot both be true of the same thing: negations, opposites, modal verbs, quantifiers, numbers.

These are facts of the language, not of any opinion. Each test takes the words of both sides.
"""

from __future__ import annotations

import re
from itertools import product

from parcel_agents.citations.quantities import ORDINALS, find_numbers
from parcel_agents.retrievers.terms import stem
from parcel_agents.verifiers.alignment import Word

NEGATIONS = frozenset({"not", "no", "never", "nor", "neither", "none", "without", "nothing"})
# What a negation governs with one of these behind it is narrower than the sentence: `not only`, `not necessarily`.
_HEDGED = frozenset("only merely simply just solely exclusively necessarily always all every".split())

# Words of one side against words of the other; either may stand in the claim.
_OPPOSITES = """
affirm affirmed affirming / reverse reversed vacate vacated
grant granted granting / deny denied denying
require required requires must / permit permitted permits allow allowed allows forbid forbidden prohibit prohibited
permit permitted permits allow allowed allows / forbid forbidden prohibit prohibited prohibits
permit permitted permits allow allowed allows / bar barred preclude precluded
authorize authorized authorizes / forbid forbidden prohibit prohibited prohibits preclude precluded
accept accepted / reject rejected
admit admitted admissible / exclude excluded suppress suppressed
include included includes including / exclude excluded excludes excluding
uphold upheld sustain sustained / overturn overturned overrule overruled reverse reversed
convict convicted / acquit acquitted
guilty / innocent
before / after
prior / subsequent
earlier / later
first / last
always / never rarely
all every each / none no
many most / few
both / neither
either / neither
any / no
some / no
if / unless
only / even
because since / although though despite unless
more greater higher larger longer / less fewer lesser lower smaller shorter
increase increased / decrease decreased reduce reduced
maximum / minimum
mandatory / discretionary permissive optional
broad broadly / narrow narrowly
consecutive consecutively / concurrent concurrently
retroactive retroactively / prospective prospectively
oral orally / written
public publicly / private privately
civil / criminal
felony felonies / misdemeanor misdemeanors violation
express expressly / implied implicitly impliedly
waive waived / preserve preserved
succeed succeeded / fail failed
present / absent
majority / minority
plaintiff plaintiffs / defendant defendants
petitioner petitioners / respondent respondents
defendant defendants / victim victims complainant complainants people prosecution prosecutor prosecutors
defense / prosecution
harmless / prejudicial harmful
strengthen strengthened / weaken weakened
federal / state
open opened / closed
"""
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis")
_MODALS = """
may might can could / must shall
may / should
"""
_BODIES = (
    frozenset({
        "appellate division", "appellate term", "supreme court", "county court", "family court", "criminal court",
        "city court", "court appeals", "legislature", "governor", "congress",
    }),
    frozenset({"supreme", "county", "family", "criminal", "city"}),
    frozenset({"division", "term"}),
)  # fmt: skip


def _pairs(table: str) -> frozenset[tuple[str, str]]:
    pairs = set()
    for line in filter(None, map(str.strip, table.splitlines())):
        left, right = (side.split() for side in line.split("/"))
        pairs |= set(product(left, right)) | set(product(right, left))
    return frozenset(pairs)


_OPPOSITE = _pairs(_OPPOSITES)
_OTHER_MODAL = _pairs(_MODALS)


def are_opposite(one: Word, other: Word) -> bool:
    """True for `granted` and `denied`, `valid` and `invalid`, `before` and `after`; not for `all` and `some`, of which
    the one follows from the other."""
    a, b = _plain(one), _plain(other)
    if (a, b) in _OPPOSITE:
        return True
    short, long = sorted((a, b), key=len)
    return len(short) > 2 and any(
        long.startswith(prefix) and stem(long.removeprefix(prefix)) == stem(short) for prefix in _PREFIXES
    )


def are_other_modals(one: Word, other: Word) -> bool:
    """True where the one lets and the other commands: `may` and `must`."""
    return (_plain(one), _plain(other)) in _OTHER_MODAL


def number_of(word: Word) -> float | str | None:
    """The number a word writes, in words or digits or as an ordinal; a section such as `30.30` as it stands."""
    plain = _plain(word)
    if plain in ORDINALS:
        return float(ORDINALS[plain])
    if ordinal := re.fullmatch(r"(\d+)(?:st|nd|rd|th|d)", plain):
        return float(ordinal[1])
    if re.fullmatch(r"\d+\.\d+", plain):
        return plain
    found = find_numbers(plain)
    return found[0].value if len(found) == 1 and found[0].text.lower() == plain else None


def is_hedged(word: Word) -> bool:
    """True if a negation before the word does not turn the sentence: `not only`, `not necessarily`."""
    return _plain(word) in _HEDGED


def are_other_bodies(one: tuple[Word, ...], other: tuple[Word, ...]) -> bool:
    """True for two courts or branches of government: `Supreme Court` and `Appellate Division`."""
    names = [" ".join(map(_plain, words)) for words in (one, other)]
    capital = all(word.text[0].isupper() for word in (*one, *other))
    return capital and names[0] != names[1] and any(set(names) <= group for group in _BODIES)


def _plain(word: Word) -> str:
    return re.sub(r"['’]s?$", "", word.text.lower())
