"""Numbers on a claim's surface that should not depend on its label: its length, and what it shares with the opinion."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from parcel_agents.ensemble.ballots import SUPPORTED, Floats
from parcel_agents.eval.artefacts.model import Feature
from parcel_agents.eval.artefacts.ranking import area
from parcel_agents.eval.artefacts.sample import Sample
from parcel_agents.eval.bootstrap import Bootstrap
from parcel_agents.retrievers.terms import terms
from parcel_agents.types import LABELS, Opinion


def lengths(sample: Sample) -> Floats:
    """(claims,): words, divided by white space."""
    return np.array([len(claim.claim.split()) for claim in sample.claims], dtype=np.float64)


def overlaps(sample: Sample, opinions: Mapping[str, Opinion]) -> Floats:
    """(claims,): the share of a claim's different terms that its opinion has too; nan for a claim without terms."""
    present = {id: frozenset(terms(opinions[id].text)) for id in {claim.opinion_id for claim in sample.claims}}
    return np.array([_shared(claim.claim, present[claim.opinion_id]) for claim in sample.claims], dtype=np.float64)


def feature(sample: Sample, values: Floats, bootstrap: Bootstrap) -> Feature:
    """The number by label, and whether it tells supported claims from the others.

    Args:
        sample: labelled claims.
        values: (claims,); nan for a claim that has no such number.
        bootstrap: draws of the sample's opinions.
    """
    known = ~np.isnan(values)
    supported = sample.gold == SUPPORTED
    of_label = {label: known & (sample.gold == code) for code, label in enumerate(LABELS)}
    return Feature(
        medians={label: float(np.median(values[here])) for label, here in of_label.items() if here.any()},
        auc=area(values, supported, sample.opinions, bootstrap),
        auc_against={
            label: area(np.where(supported | here, values, np.nan), supported, sample.opinions, bootstrap)
            for label, here in of_label.items()
            if label != "supported" and here.any()
        },
    )


def _shared(claim: str, present: frozenset[str]) -> float:
    wanted = set(terms(claim))
    return len(wanted & present) / len(wanted) if wanted else math.nan
