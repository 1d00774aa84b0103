"""The probe: everything that is measured of the wording, for the main claims and for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from parcel_agents.eval.artefacts.guessing import guess
from parcel_agents.eval.artefacts.lead_words import lead_words
from parcel_agents.eval.artefacts.model import Probe, Probed
from parcel_agents.eval.artefacts.parity import feature, lengths, overlaps
from parcel_agents.eval.artefacts.sample import Sample
from parcel_agents.eval.bootstrap import Bootstrap
from parcel_agents.types import LABELS, GoldClaim, Opinion

CONTRAST = "contrast"
"""The subset of the claims that have the wording of the false ones and are true."""


def probe(claims: Sequence[GoldClaim], opinions: Mapping[str, Opinion], rng: np.random.Generator) -> Probe:
    """What the wording gives away of the labels; the order of the claims does not matter.

    Args:
        claims: of a data set; those of the subset `contrast` are measured together with the others only, those
            without a label not at all.
        opinions: by id; all that the claims are about.
        rng: draws opinions for the intervals.
    """
    main = [claim for claim in claims if claim.subset != CONTRAST]
    labelled = [claim for claim in claims if claim.label is not None]
    has_contrast = any(claim.subset == CONTRAST for claim in labelled)
    return Probe(
        main=_probed(main, opinions, rng),
        with_contrast=_probed(claims, opinions, rng) if has_contrast else None,
        unlabelled=len(claims) - len(labelled),
    )


def _probed(claims: Sequence[GoldClaim], opinions: Mapping[str, Opinion], rng: np.random.Generator) -> Probed:
    sample = Sample.of(claims)
    nothing = Bootstrap(np.empty((0, 0), dtype=np.float32))
    bootstrap = Bootstrap.of(sample.groups, rng) if sample.groups else nothing
    contrast = np.array([claim.subset == CONTRAST for claim in sample.claims], dtype=np.bool_)
    guessing = guess(sample, contrast, bootstrap)
    sizes = np.bincount(sample.gold, minlength=len(LABELS)).tolist()
    return Probed(
        claims=len(sample.claims),
        opinions=sample.groups,
        classes={label: size for label, size in zip(LABELS, sizes, strict=True) if size},
        guessing=None if isinstance(guessing, str) else guessing,
        reason=guessing if isinstance(guessing, str) else "",
        length=feature(sample, lengths(sample), bootstrap),
        overlap=feature(sample, overlaps(sample, opinions), bootstrap),
        lead=lead_words(sample, rng),
    )
