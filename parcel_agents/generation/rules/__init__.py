"""Claims made by rules alone; no model is asked. They are plainer than what a model writes, and marked `rules`.

write         all claims about one decision
world         what other decisions and briefs give: authorities, parentheticals, names
case          a decision made ready
statements    its sentences as parentheticals; clauses, leads and sentences are their parts
supported     true claims
edits         reversal, scope and distractor: one change of a statement, found by reversal, scope and distractors
voices, phantoms, details, unaddressed   the other false claims, each with the true ones in its wording
negation, wording   single words: `not`, and what is well-formed
"""

from parcel_agents.generation.rules.world import World
from parcel_agents.generation.rules.write import write_by_rules

__all__ = ["World", "write_by_rules"]
