"""What a panel gets right, and what it must not get wrong: `parcel-agents bench verdicts`.

`bench` lists the sections; each is a module that asks the panel and hands over entries (`entries`), which `tables`
shows and `targets` holds against the numbers to reach. `sentences` and `edits` make claims of the opinions' own
sentences, with the rules of `parcel_agents.generation.rules`.
"""

from parcel_agents.eval.verdicts.asking import Panel
from parcel_agents.eval.verdicts.bench import SECTIONS, Measured, measure
from parcel_agents.eval.verdicts.entries import Entry

__all__ = ["SECTIONS", "Entry", "Measured", "Panel", "measure"]
