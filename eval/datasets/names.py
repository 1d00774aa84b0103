"""What the columns of a data set are called, in the words of the paper, of inference data sets and of fact checking."""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["label", "claim", "decision", "opinion_id", "strategy", "usage_type", "evidence", "id"]

LIKELY = 1
"""The rank of a column whose name may well mean the role."""
NAMELESS = 3
"""The rank of a column whose name says nothing of the role."""

_SURE: dict[Role, str] = {
    "label": "label labels gold goldlabel labelgold nlilabel truelabel claimlabel groundtruth",
    "claim": "claim claims claimtext parenthetical parentheticalclaim parentheticaltext hypothesis",
    "decision": "decision decisiontext opinion opiniontext judgment judgement judgmenttext premise fulltext "
    "fullopinion casetext caseopinion courtdecision judicialdecision judicialopinion",
    "opinion_id": "opinionid decisionid caseid documentid docid opinionfile decisionfile",
    "strategy": "strategy adversarialstrategy generationstrategy perturbationstrategy adversarialtype",
    "usage_type": "usagetype usage usagecategory",
    "evidence": "evidence evidencetext goldevidence",
    "id": "claimid id uid uuid",
}
_LIKELY: dict[Role, str] = {
    "label": "class y target truth verdict answer annotation entailment nli relation category gt status outcome",
    "claim": "statement proposition assertion sentence text claimsentence generatedclaim explanatoryparenthetical",
    "decision": "text context document documenttext source sourcetext content body case ruling plaintext",
    "opinion_id": "opinion decision case document file filename sourceid id slipop",
    "strategy": "perturbation perturbationtype manipulation corruption attack technique method errortype",
    "usage_type": "function parentheticaltype rubric",
    "evidence": "excerpt",
    "id": "exampleid sampleid itemid rowid pairid key",
}
_PART: dict[Role, str] = {
    "label": "label gold truth",
    "claim": "claim parenthetical hypothesis",
    "decision": "decision opinion judgment judgement premise",
    "opinion_id": "",
    "strategy": "strategy perturbation adversarial",
    "usage_type": "usage",
    "evidence": "",
    "id": "",
}
_PREDICTED = frozenset("pred preds predicted prediction predictions model output response answered gpt llm".split())
"""A column with such a word in its name holds what somebody answered, and no label to measure answers by."""


def name_rank(role: Role, column: str) -> int:
    """How well a column's name goes with a role: 0 surely, 1 likely, 2 in part, 3 (`NAMELESS`) not at all.

    Case, spaces and punctuation are no matter.

    >>> [name_rank("label", name) for name in ("Gold Label", "verdict", "label_2024", "year")]
    [0, 1, 2, 3]
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", column)]
    if role == "label" and not _PREDICTED.isdisjoint(words):
        return NAMELESS
    squeezed = re.sub(r"[\W_]+", "", column).lower()
    for rank, names in enumerate((_SURE, _LIKELY)):
        if squeezed in names[role].split():
            return rank
    return 2 if not set(words).isdisjoint(_PART[role].split()) else NAMELESS
