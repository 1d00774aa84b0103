from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import steady

from parcel_agents.api import make_context, verify
from parcel_agents.config import load_config
from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import Dataset, load_dataset
from parcel_agents.eval.runs.opening import choose, describe, open_run
from parcel_agents.eval.runs.recording import record_votes
from parcel_agents.eval.traces import from_run
from parcel_agents.retrievers import make_retriever
from parcel_agents.store import Run
from parcel_agents.types import Verdict

steady.register()
PANELS = {
    "one tier": 'policy = "majority"\n[[panel.mine.tier]]\nverifiers = ["v0", "v1", "v2"]\n',
    "two tiers": 'policy = "majority"\n[[panel.mine.tier]]\nverifiers = ["v0", "v1"]\n'
    '[[panel.mine.tier]]\nverifiers = ["v2"]\n',
}


def write_panel(path: Path, panel: str, *, raises: str = "") -> Path:
    lines = ['[settings]\nretriever = "bm25"\npanel = "mine"\nconcurrency = 4\ntop_k = 3\n[panel.mine]\n', panel]
    lines += [f'[verifier.{name}]\nkind = "steady"\nraises = "{raises}"\n' for name in ("v0", "v1", "v2")]
    path.write_text("".join(lines))
    return path


def record(folder: Path, panel: str, *, raises: str = "") -> tuple[Run, Dataset, dict[str, Verdict]]:
    """A recorded run, its data, and what the graph says of the same claims."""
    data = load_dataset(steady.write_dataset(folder / "data"))
    config = load_config(write_panel(folder / "panel.toml", panel, raises=raises), environ={})
    context = make_context(config=config, environ={})
    meta = describe(data, "data", config, context, created=datetime(2026, 1, 2, tzinfo=UTC))
    with open_run(folder / "run", meta, data.claims) as run:
        asyncio.run(record_votes(run, data, context))
    live = {}
    for id, claims in data.by_opinion().items():
        found = verify(data.opinions[id], [claim.as_claim() for claim in claims], context=context)
        live |= {verdict.claim_id: verdict for verdict in found}
    return Run.open(folder / "run"), data, live


def untimed(verdict: Verdict) -> Verdict:
    votes = tuple(vote.model_copy(update={"latency_s": 0.0}) for vote in verdict.votes)
    return verdict.model_copy(update={"votes": votes})


@pytest.mark.parametrize("raises", ["", "o1-"])
@pytest.mark.parametrize("panel", PANELS)
def test_a_replayed_verdict_is_the_one_of_the_graph(panel: str, raises: str, tmp_path: Path) -> None:
    run, data, live = record(tmp_path, PANELS[panel], raises=raises)
    book = from_run(run, data, make_retriever("bm25"))
    assert [trace.claim_id for trace in book.traces] == [claim.id for claim in data.claims]
    for trace in book.traces:
        assert trace.verdict is not None
        assert untimed(trace.verdict) == untimed(live[trace.claim_id])
        assert trace.gold is not None
        assert trace.gold.id == trace.claim_id
    statuses = {trace.status for trace in book.traces if trace.claim_id.startswith("o1-")}
    assert (statuses == {"could_not_check"}) == bool(raises)
    assert (book.kind, book.asked.panel, book.asked.retriever) == ("run", "mine", "bm25")


def test_one_claim_is_chosen_by_id_or_number(tmp_path: Path) -> None:
    run, data, _ = record(tmp_path, PANELS["one tier"])
    for wanted in ("o0-2", "3"):
        book = from_run(run, data, make_retriever("bm25"), only=wanted)
        assert [trace.claim_id for trace in book.traces] == ["o0-2"]
        assert len(book.opinions) == 1
    with pytest.raises(InputError, match="has no claim 'none'"):
        from_run(run, data, make_retriever("bm25"), only="none")


def test_another_data_set_is_refused(tmp_path: Path) -> None:
    run, data, _ = record(tmp_path, PANELS["one tier"])
    changed = data.claims[0].model_copy(update={"claim": "(holding that it is otherwise)"})
    with pytest.raises(InputError, match="Name the data set of the run"):
        from_run(run, replace(data, claims=(changed, *data.claims[1:])), make_retriever("bm25"))


def test_claims_of_other_subsets_are_passed_over(tmp_path: Path) -> None:
    run, data, _ = record(tmp_path, PANELS["one tier"])
    more = data.claims[0].model_copy(update={"id": "further", "subset": "more"})
    book = from_run(run, replace(data, claims=(*data.claims, more)), make_retriever("bm25"))
    assert len(book.traces) == len(choose(data, []).claims)
