"""What the wording of labelled claims gives away of their labels: `parcel-agents bench artefacts`.

`probe` asks two things of a data set: how often a classifier that never sees an opinion is right (`guessing`), and
whether claims of one label are longer, begin with other words, or share more words with the opinion than those of
another (`parity`, `lead_words`). `model` has the results, `tables` shows them.
"""

from parcel_agents.eval.artefacts.model import Probe, Probed
from parcel_agents.eval.artefacts.probing import CONTRAST, probe

__all__ = ["CONTRAST", "Probe", "Probed", "probe"]
