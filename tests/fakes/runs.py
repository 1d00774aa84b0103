"""Run folders made of tables of votes."""

from __future__ import annotations

import json
from pathlib import Path

from parcel_agents.ensemble.ballots import ABSTAINED
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, VoteTable
from parcel_agents.store import DatasetMeta, PanelMeta, Run, RunMeta, SettingsMeta, VerifierMeta
from parcel_agents.types import LABELS


def meta_of(table: VoteTable, *, policy: str = "majority", data_hash: str = "0") -> RunMeta:
    """A description of a run with the table's votes."""
    tiers = sorted({member.tier for member in table.ballots.members})
    return RunMeta(
        dataset=DatasetMeta(name="made-up", source="made-up", hash=data_hash, claims=len(table), opinions=1),
        panel=PanelMeta(
            name="made-up",
            policy=policy,
            tiers=tuple(tuple(m.name for m in table.ballots.members if m.tier == tier) for tier in tiers),
        ),
        verifiers={
            member.name: VerifierMeta(kind="fake", casts=tuple(sorted(member.casts)))
            for member in table.ballots.members
        },
        settings=SettingsMeta(retriever="bm25", top_k=10),
        versions={},
        created="2026-01-01T00:00:00Z",
    )


def write_run(folder: Path, table: VoteTable, *, policy: str = "majority", data_hash: str = "0") -> Path:
    """A run with the table's claims, labels and votes; passages of the evidence are made up."""
    Run.create(folder, meta_of(table, policy=policy, data_hash=data_hash), table.claims).close()
    with (folder / "votes.jsonl").open("w") as file:
        for row, claim in enumerate(table.claims):
            for column, name in enumerate(table.names):
                if (code := int(table.outcomes[row, column])) == NOT_RECORDED:
                    continue
                confidence = float(table.ballots.confidence[row, column])
                choice = int(table.ballots.choices[row, column])
                vote = {
                    "claim_id": claim.id,
                    "verifier": name,
                    "outcome": OUTCOMES[code],
                    "label": LABELS[choice] if choice < ABSTAINED else None,
                    "confidence": confidence if confidence == confidence and code == 0 else None,
                    "cost_usd": float(table.costs[row, column]),
                    "latency_s": float(table.latencies[row, column]),
                }
                file.write(json.dumps(vote) + "\n")
    return folder
