from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from fakes.runs import meta_of
from fakes.tables import table_of

from parcel_agents.api import make_context
from parcel_agents.config import AcceptConfig, load_config
from parcel_agents.ensemble.ballots import FAILED, NOT_FOUND, REFUTED, SUPPORTED
from parcel_agents.ensemble.calibration import UNLABELLED
from parcel_agents.ensemble.cascade import Accept, Cascade
from parcel_agents.ensemble.dawid_skene import DawidSkene
from parcel_agents.ensemble.policy_file import PolicyFile, read_policy_file, recorded_policy
from parcel_agents.ensemble.risk import RiskControlled
from parcel_agents.ensemble.voting import Majority, Unanimous
from parcel_agents.ensemble.weighted import Weighted
from parcel_agents.errors import ConfigError, InputError
from parcel_agents.eval.replay.fit_policy import Targets, fit_policy, policy_file
from parcel_agents.eval.synthetic import paper_like_votes
from parcel_agents.eval.vote_table import VoteTable
from parcel_agents.store import PanelMeta, SettingsMeta, VerifierMeta

S, R, N = SUPPORTED, REFUTED, NOT_FOUND


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def tiered() -> VoteTable:
    """Votes of the paper's size by two cheap models, and a dear one that is asked second."""
    table = paper_like_votes(rng())
    picked = table.columns([4, 5, 0])
    members = [table_of([[S]], [S], names=[f"m{i}"], tiers=[int(i == 2)]).ballots.members[0] for i in range(3)]
    from dataclasses import replace

    return replace(picked, ballots=replace(picked.ballots, members=tuple(members)))


def test_a_voting_policy_needs_no_fitting() -> None:
    fitted = fit_policy(table_of([[S, S]], [S]), "majority", Targets(), rng())
    assert (fitted.policy, fitted.fitted_on, fitted.parameters) == (Majority(), 0, {})


def test_what_is_guaranteed_is_tested_on_opinions_that_nothing_was_fitted_to() -> None:
    table = paper_like_votes(rng(), repeat=3)
    fitted = fit_policy(table, "weighted", Targets(max_fer=0.05), rng())
    assert fitted.risk is not None
    # A third of 255 opinions for the weights, the others for the bound.
    assert fitted.risk.opinions == 170
    assert fitted.fitted_on + fitted.risk.claims == len(table)
    unfitted = fit_policy(table, "majority", Targets(max_fer=0.05), rng())
    assert unfitted.risk is not None
    assert unfitted.risk.opinions == 255


def test_a_cascade_for_an_error_target_costs_less_than_asking_everybody() -> None:
    fitted = fit_policy(tiered(), "dawid_skene", Targets(cascade_fer=0.03), rng())
    assert fitted.cascade is not None
    assert isinstance(fitted.policy, Cascade)
    assert fitted.cascade.cost < tiered().costs.sum(axis=1).mean()
    assert fitted.cascade.fer <= 0.03


def test_a_policy_file_gives_back_the_policy(tmp_path: Path) -> None:
    table = tiered()
    fitted = fit_policy(table, "dawid_skene", Targets(max_fer=0.1, cascade_fer=0.03), rng())
    path = tmp_path / "policy.json"
    policy_file(fitted, table, "dawid_skene", meta_of(table)).write(path)
    made = read_policy_file(path).make()
    assert isinstance(made, RiskControlled)
    assert isinstance(made.inner, Cascade)
    assert isinstance(made.inner.inner, DawidSkene)
    assert fitted.risk is not None
    whole = RiskControlled.of(fitted.policy, fitted.risk)
    np.testing.assert_array_equal(made.decide(table.ballots).labels, whole.decide(table.ballots).labels)
    np.testing.assert_array_equal(made.asked(table.ballots), whole.asked(table.ballots))
    assert json.loads(path.read_text())["report"]["risk"]["opinions"] == fitted.risk.opinions


@pytest.mark.parametrize(
    ("table", "policy", "targets", "message"),
    [
        (table_of([[S]], [UNLABELLED]), "majority", Targets(), "no labelled claim"),
        (table_of([[S]], [S]), "majority", Targets(cascade_fer=0.1), "at least two tiers; give them with --tier"),
        (table_of([[FAILED]] * 3, [S, R, N]), "dawid_skene", Targets(), "no verifier has voted on a labelled claim"),
        (
            table_of([[S, S]], [S], tiers=[0, 1]),
            "majority",
            Targets(cascade_fer=0.1, cascade_cost=1.0),
            "either a cost",
        ),
        (table_of([[S], [R]], [S, R]), "majority", Targets(max_fer=0.02), "are too few to keep"),
        (table_of([[S, S]] * 3, [S] * 3), "stacking", Targets(), "cannot be fitted to this run"),
    ],
)
def test_what_cannot_be_fitted_says_why(table: VoteTable, policy: str, targets: Targets, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_policy(table, policy, targets, rng())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no fitted policy"),
        ('{"policy": "majority"}', "tiers: Field required"),
        ('{"policy": "majority", "tiers": [["a"]], "colour": 1}', "colour"),
        ('{"format": 2, "policy": "majority", "tiers": [["a"]]}', "format"),
    ],
)
def test_a_file_that_holds_no_policy_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "policy.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        read_policy_file(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_policy_file(tmp_path / "none.json")


def test_parameters_that_make_no_sense_name_the_policy() -> None:
    file = PolicyFile(policy="weighted", parameters={"weights": {"a": -1.0}}, tiers=(("a",),))
    with pytest.raises(ConfigError, match="policy 'weighted'"):
        file.make()
    with pytest.raises(ConfigError, match=r"has to be fitted to labelled votes first: parcel-agents train policy"):
        PolicyFile(policy="weighted", tiers=(("a",),)).make()


def config(folder: Path, tiers: str, policy: str = "fitted.json") -> Path:
    path = folder / "mine.toml"
    path.write_text(f"[panel.mine]\npolicy = '{policy}'\n{tiers}")
    return path


TWO_TIERS = "[[panel.mine.tier]]\nverifiers = ['checks']\n[[panel.mine.tier]]\nverifiers = ['similarity']\n"


def test_a_panel_takes_its_policy_from_a_file_beside_its_configuration(tmp_path: Path) -> None:
    file = PolicyFile(
        policy="weighted",
        parameters={"weights": {"checks": 2.0, "similarity": 1.0}},
        tiers=(("checks",), ("similarity",)),
        accept=({"supported": 0.9, "other": 0.8},),  # type: ignore[arg-type]
    )
    file.write(tmp_path / "fitted.json")
    context = make_context(panel="mine", config=load_config(config(tmp_path, TWO_TIERS), environ={}))
    assert context.policy == Cascade(Weighted({"checks": 2.0, "similarity": 1.0}), (Accept(0.9, 0.8),))


@pytest.mark.parametrize(
    ("tiers", "message"),
    [
        (
            "[[panel.mine.tier]]\nverifiers = ['checks']\n",
            r"is fitted for the tiers .*checks.*similarity.*train policy",
        ),
        (
            TWO_TIERS.replace("['checks']\n", "['checks']\naccept = {supported = 1.0, other = 1.0}\n"),
            "the panel cannot give others",
        ),
        ("settings = {at_least = 2}\n" + TWO_TIERS, "has its own settings"),
    ],
)
def test_a_fitted_policy_is_only_for_the_panel_it_was_fitted_to(tmp_path: Path, tiers: str, message: str) -> None:
    PolicyFile(policy="majority", tiers=(("checks",), ("similarity",))).write(tmp_path / "fitted.json")
    with pytest.raises(ConfigError, match=message):
        make_context(panel="mine", config=load_config(config(tmp_path, tiers), environ={}))


def test_a_policy_fitted_to_votes_of_another_model_is_refused(tmp_path: Path) -> None:
    other = VerifierMeta(kind="checks", casts=("refuted", "not_found"), settings={"strictness": 3})
    PolicyFile(policy="majority", tiers=(("checks",), ("similarity",)), verifiers={"checks": other}).write(
        tmp_path / "fitted.json"
    )
    with pytest.raises(ConfigError, match=r"verifier.checks.strictness is not given, was 3. Fit it again"):
        make_context(panel="mine", config=load_config(config(tmp_path, TWO_TIERS), environ={}))


def test_a_label_that_nobody_gave_is_said() -> None:
    rows = [[R, N], [N, N], [R, R], [N, R]] * 3
    fitted = fit_policy(table_of(rows, [R, N, S, N] * 3), "weighted", Targets(), rng())
    assert fitted.notes == ("no verifier said supported here, so a policy fitted to these votes can hardly say it",)


def test_a_policy_fitted_to_other_passages_is_refused(tmp_path: Path) -> None:
    PolicyFile(
        policy="majority", tiers=(("checks",), ("similarity",)), settings=SettingsMeta(retriever="bm25", top_k=3)
    ).write(tmp_path / "fitted.json")
    with pytest.raises(ConfigError, match=r"the settings are .*'hybrid'.*, were .*'bm25'"):
        make_context(panel="mine", config=load_config(config(tmp_path, TWO_TIERS), environ={}))


def test_a_run_gives_back_the_panels_own_policy() -> None:
    own = PanelMeta(
        name="mine",
        policy="unanimous",
        tiers=(("v0", "v1"), ("v2",)),
        settings={"at_least": 2},
        accept=(AcceptConfig(supported=1.0, other=0.8), None),
    )
    assert recorded_policy(own) == Cascade(Unanimous(at_least=2), (Accept(1.0, 0.8), None))
    fitted = PolicyFile(policy="weighted", parameters={"weights": {"v0": 2.0}}, tiers=(("v0",),))
    meta = PanelMeta(name="mine", policy="p.json", tiers=(("v0",),), fitted=fitted.model_dump(mode="json"))
    assert recorded_policy(meta) == Weighted({"v0": 2.0})
