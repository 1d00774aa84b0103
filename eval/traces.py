"""The traces of a run: its recorded votes, resolved once more by the policy that it was made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from parcel_agents.ensemble import Member, Policy, resolve
from parcel_agents.ensemble.policy_file import recorded_policy
from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import Dataset
from parcel_agents.eval.run_data import data_of_run
from parcel_agents.graphs.certify import make_verdict
from parcel_agents.retrievers import Index, Retriever
from parcel_agents.store import PanelMeta, Run, RunMeta
from parcel_agents.traces import Asked, TraceBook, from_verdicts
from parcel_agents.types import GoldClaim, Resolution, Verdict, Vote


def from_run(
    run: Run,
    dataset: Dataset,
    retriever: Retriever,
    *,
    only: str | None = None,
    progress: Callable[[], None] = lambda: None,
) -> TraceBook:
    """The book of a run, with a trace for each of its claims in order.

    Args:
        run: the run.
        dataset: the data set that it was made on; claims of other subsets are passed over.
        retriever: the run's; it says which passages came nearest.
        only: the id of the one claim that is wanted, or its number from 1; None for all.
        progress: called after each claim.

    Raises:
        InputError: the data set is another one, the run has no such claim, or is damaged.
        ConfigError: the run's policy is unknown here.
    """
    chosen = data_of_run(str(run.path), run.meta, run.claims, dataset)
    claims = _wanted(run, only)
    verdicts = verdicts_of(run, claims, chosen, retriever, progress)
    about = {claim.opinion_id for claim in claims}
    return from_verdicts(
        [opinion for id, opinion in chosen.opinions.items() if id in about],
        verdicts,
        title=f"Run {run.path.resolve().name}",
        kind="run",
        asked=asked_of(run.meta),
        gold={claim.id: claim for claim in claims},
    )


def verdicts_of(
    run: Run, claims: Sequence[GoldClaim], dataset: Dataset, retriever: Retriever, progress: Callable[[], None]
) -> list[Verdict]:
    """What the policy of the run makes of its votes, with evidence and certificate as the graph gives them."""
    meta = run.meta
    policy, panel = recorded_policy(meta.panel), members_of(meta)
    names = set(meta.panel.verifiers)
    votes: dict[str, list[Vote]] = {}
    for claim_id, vote in run.votes():
        if vote.verifier in names:
            votes.setdefault(claim_id, []).append(vote)
    indexes: dict[str, Index] = {}
    found: dict[str, Verdict] = {}
    for opinion_id in dict.fromkeys(claim.opinion_id for claim in claims):
        own = [claim for claim in claims if claim.opinion_id == opinion_id]
        opinion = dataset.opinions[opinion_id]
        index = indexes.setdefault(opinion_id, retriever.index(opinion))
        index.prepare([claim.claim for claim in own])
        for claim in own:
            given = votes.get(claim.id, [])
            resolution = _resolution(policy, panel, meta.panel, given)
            asked = [vote for vote in given if vote.verifier not in resolution.unasked]
            found[claim.id] = make_verdict(
                claim.as_claim(),
                opinion,
                hits=index.search(claim.claim, meta.settings.top_k),
                votes=asked,
                resolution=resolution,
                policy=policy.name,
                locates=lambda name: _locates(meta, name),
            )
            progress()
    return [found[claim.id] for claim in claims]


def members_of(meta: RunMeta) -> tuple[Member, ...]:
    """The panel of a run as its policy sees it."""
    return tuple(
        Member(name, frozenset(meta.verifiers[name].casts), place)
        for place, tier in enumerate(meta.panel.tiers)
        for name in tier
    )


def asked_of(meta: RunMeta) -> Asked:
    """What a run says of itself."""
    return Asked(
        panel=meta.panel.name,
        tiers=meta.panel.tiers,
        policy=meta.panel.policy,
        retriever=meta.settings.retriever,
        top_k=meta.settings.top_k,
        dataset=meta.dataset.name,
        versions=meta.versions,
        created=meta.created,
    )


def _resolution(policy: Policy, panel: Sequence[Member], meta: PanelMeta, votes: Sequence[Vote]) -> Resolution:
    """As in the graph: tier after tier until the policy wants no further one asked."""
    for tier, _ in enumerate(meta.tiers[:-1]):
        if (resolution := resolve(policy, panel, votes, tier=tier)) is not None:
            return resolution
    resolution = resolve(policy, panel, votes)
    if resolution is None:
        raise ValueError("the policy wants a tier behind the last")
    return resolution


def _locates(meta: RunMeta, name: str) -> bool:
    """Whether the verifier points to passages: models that are asked for the label alone do not."""
    described = meta.verifiers[name]
    return described.kind != "llm" or described.settings.get("protocol", "evidence") != "label"


def _wanted(run: Run, only: str | None) -> Sequence[GoldClaim]:
    if only is None:
        return run.claims
    numbered = {str(number): claim for number, claim in enumerate(run.claims, 1)}
    found = {claim.id: claim for claim in run.claims}.get(only) or numbered.get(only)
    if found is None:
        first = ", ".join(repr(claim.id) for claim in run.claims[:3])
        raise InputError(f"{run.path}: has no claim {only!r}; its {len(run.claims)} claims are {first} ...")
    return [found]
