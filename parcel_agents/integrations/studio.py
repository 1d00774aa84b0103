"""The graphs as LangGraph Studio and `langgraph dev` load them, and as `parcel-agents graph` draws them.

Each function makes a graph that needs no arguments and can be run as it is: over the opinion and the claims that the
package carries, with the embedded panel, with rules as the writer, and with made-up readers. The contexts are made at
the first call and kept, since a server asks for a graph at every run. For opinions of your own, copy `verify` to a file
of yours and name that in `langgraph.json`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from parcel_agents.graphs.generate import GenerateGraph
from parcel_agents.graphs.generate_decision import DecisionGraph
from parcel_agents.graphs.generate_state import GenerateContext
from parcel_agents.graphs.hard_claims import HardClaimsGraph
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.graphs.verify import VerifyGraph
from parcel_agents.hard.state import HardContext
from parcel_agents.types import LABELS, GoldClaim, Opinion, Vote

SEED = 0


def verify() -> VerifyGraph:
    """One claim against one opinion. Input: `{"claim": ..., "opinion_id": ...}`."""
    from parcel_agents.graphs.verify import build

    return build(_verify_context())


def generate() -> GenerateGraph:
    """From decisions to claims of every class, by rules, into a temporary folder. Input: `{}`."""
    from parcel_agents.graphs.generate import build

    return build(_generate_context())


def decision() -> DecisionGraph:
    """What `generate` does with one decision. Its state is filled by `generate`."""
    from parcel_agents.graphs.generate_decision import build_decision

    return build_decision(_generate_context())


def hard_claims() -> HardClaimsGraph:
    """The claims that several readers fail, and why. Input: `{"k": 2}`."""
    from parcel_agents.graphs.hard_claims import build

    return build(_hard_context())


GRAPHS: Mapping[str, Callable[[], Any]] = {
    "verify": verify,
    "generate": generate,
    "decision": decision,
    "hard_claims": hard_claims,
}


def _examples() -> Path:
    return Path(str(files("parcel_agents").joinpath("examples")))


@lru_cache(maxsize=1)
def _opinion() -> Opinion:
    return Opinion.load(_examples() / "opinions" / "people_v_marlowe.md")


@lru_cache(maxsize=1)
def _claims() -> tuple[GoldClaim, ...]:
    lines = (_examples() / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(GoldClaim.model_validate_json(line) for line in lines)


@lru_cache(maxsize=1)
def _verify_context() -> VerifyContext:
    from parcel_agents.api import make_context

    return make_context(opinions=[_opinion()])


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="parcel-agents-studio-")


@lru_cache(maxsize=1)
def _generate_context() -> GenerateContext:
    from parcel_agents.config import load_config
    from parcel_agents.eval.generation.inputs import Briefs, find_decisions
    from parcel_agents.eval.generation.making import Recipe, describe
    from parcel_agents.generation.balance import PAPER_SHARES
    from parcel_agents.generation.folder import OutFolder
    from parcel_agents.generation.model import USAGE_TYPES
    from parcel_agents.generation.orders import Wanted
    from parcel_agents.generation.rule_writer import RuleWriter
    from parcel_agents.generation.rules import World

    wanted = Wanted(4, PAPER_SHARES, tuple(USAGE_TYPES), contrast=False)
    recipe = Recipe(find_decisions([_examples() / "opinions"]), Briefs((), ()), wanted, SEED, None, None)
    return GenerateContext(
        files=recipe.decisions,
        briefs=(),
        wanted=wanted,
        make_writer=lambda opinions, _: RuleWriter(World.of(opinions, ()), SEED, wanted.contrast),
        rater=None,
        reader=None,
        folder=OutFolder(Path(_folder().name), describe(recipe, load_config(), created=datetime.now(UTC))),
        seed=SEED,
    )


@lru_cache(maxsize=1)
def _hard_context() -> HardContext:
    from parcel_agents.ensemble.ballots import Ballots, Member
    from parcel_agents.hard.failures import failures_of

    claims = _claims()
    votes = {claim.id: _made_up(claim) for claim in claims}
    names = tuple(vote.verifier for vote in votes[claims[0].id])
    gold = np.array([LABELS.index(claim.label) for claim in claims if claim.label is not None], dtype=np.int8)
    ballots = Ballots.of([Member(name) for name in names], [votes[claim.id] for claim in claims])
    return HardContext(
        claims=claims,
        ballots=ballots,
        failures=failures_of(ballots, gold),
        groups={},
        panel=names,
        read_votes=lambda ids: {id: votes[id] for id in ids},
        opinions={claims[0].opinion_id: _opinion()},
        seed=SEED,
    )


def _made_up(claim: GoldClaim) -> tuple[Vote, ...]:
    """Votes of readers that believe everything, believe nothing, and doubt only what is refuted."""
    doubting = "refuted" if claim.label == "refuted" else "supported"
    labels = {"believing": "supported", "disbelieving": "not_found", "doubting": doubting}
    return tuple(
        Vote.model_validate({"verifier": name, "outcome": "ok", "label": label}) for name, label in labels.items()
    )
