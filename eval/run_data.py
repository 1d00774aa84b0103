"""The data set that a run was made on, found again for those who read its opinions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import Dataset
from parcel_agents.eval.runs.opening import dataset_hash
from parcel_agents.store import RunMeta
from parcel_agents.types import GoldClaim


def data_of_run(name: str, meta: RunMeta, claims: Sequence[GoldClaim], dataset: Dataset) -> Dataset:
    """The claims of a run with their opinions, from its data set; those of other subsets are left out.

    Args:
        name: of the run, for the message.
        meta: what it says of itself.
        claims: all its claims, those without a label too.
        dataset: the data set that it was made on, as a whole.

    Raises:
        InputError: the data set is not the one that the votes are about.
    """
    ids = {claim.id for claim in claims}
    found = tuple(claim for claim in dataset.claims if claim.id in ids)
    about = {claim.opinion_id for claim in found}
    opinions = {id: opinion for id, opinion in dataset.opinions.items() if id in about}
    chosen = replace(dataset, claims=found, opinions=opinions)
    if dataset_hash(chosen) != meta.dataset.hash:
        raise InputError(
            f"{name}: was made on {meta.dataset.name!r} ({meta.dataset.hash}); {dataset.name!r} has other claims, or "
            "opinions whose text or passages differ. Name the data set of the run, or make the run again"
        )
    return chosen
