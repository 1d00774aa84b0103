"""The card of a generated data set: what it is, how it was made, what was lost on the way, what its wording gives away.

`facts` is what the maker tells of itself, `counts` what is in the set, `losses` what became of all that was written,
`balance` what kept the set from being larger, `limits` what a user must know. `tables` and `markdown` print it.
"""

from parcel_agents.eval.data_card.card import Card, make_card
from parcel_agents.eval.data_card.facts import CardFacts

__all__ = ["Card", "CardFacts", "make_card"]
