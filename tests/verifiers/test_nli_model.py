"""The models of the verifier `nli`: their labels, their window, and what happens where one is not there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sentence_transformers
from fakes.llm import make_opinion
from fakes.nli import NLI, make_nli_model, make_nli_task, nli_vote

from parcel_agents.config import VerifierConfig
from parcel_agents.errors import ConfigError, MissingDependencyError
from parcel_agents.providers import RunStoppedError
from parcel_agents.verifiers import make_verifier
from parcel_agents.verifiers.description import describe_verifier
from parcel_agents.verifiers.nli import make_nli_verifier
from parcel_agents.verifiers.nli_model import label_columns, load_nli_model

YES = "The locker is indeed open to the officer. The boat lay at the pier of Hathersage."
FILLER = "and so on and so forth " * 12


@pytest.mark.parametrize("spelling", [str.upper, str.capitalize])
def test_labels_are_read_from_the_configuration_whatever_their_case(tmp_path: Path, spelling: Any) -> None:
    path = make_nli_model(tmp_path / "m", ("neutral", "contradiction", "entailment"), spelling=spelling)
    assert nli_vote(path, make_nli_task(make_opinion(YES))).label == "supported"


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (("LABEL_0",), "ranks passages"),
        (("LABEL_0", "LABEL_1", "LABEL_2"), "do not say which is which"),
        (("entailment", "not_entailment"), "cannot tell contradiction"),
        (("entailment", "neutral", "entailment"), "allowed are exactly entailment, neutral, contradiction"),
        ((*NLI, "other"), "allowed are exactly"),
    ],
)
def test_other_labels_are_refused_and_named(labels: tuple[str, ...], why: str) -> None:
    with pytest.raises(ConfigError, match=why) as caught:
        label_columns(dict(enumerate(labels)), "some/model")
    assert f"has {', '.join(labels)}, allowed" in str(caught.value)


@pytest.mark.parametrize("labels", [("LABEL_0",), ("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment", "not_entailment")])
def test_a_model_with_another_head_never_votes(tmp_path: Path, labels: tuple[str, ...]) -> None:
    path = make_nli_model(tmp_path / "m", labels)
    with pytest.raises(ConfigError, match="cannot be used for NLI"):
        nli_vote(path, make_nli_task(make_opinion(YES)))
    # A name on the hub is looked at no sooner than at the first vote, and then the whole run would be in vain.
    with pytest.raises(RunStoppedError, match="cannot be used for NLI"):
        load_nli_model(path)


def test_a_folder_with_another_head_is_refused_before_the_first_vote(tmp_path: Path) -> None:
    path = make_nli_model(tmp_path / "m", ("entailment", "not_entailment"))
    with pytest.raises(ConfigError, match="entailment, not_entailment"):
        make_nli_verifier("nli", model=path)


@pytest.mark.parametrize("path", ["./nowhere", "/nowhere/at/all", "~/nowhere", "models/nli/nowhere"])
def test_a_path_that_is_not_there_is_refused_before_the_first_vote(path: str) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        make_nli_verifier("nli", model=path)


def test_a_model_that_was_not_downloaded_stops_the_run_and_says_what_to_do() -> None:
    verifier = make_nli_verifier("nli", model="quist/not-downloaded")
    with pytest.raises(RunStoppedError, match="hf download quist/not-downloaded") as caught:
        asyncio.run(verifier.verify(make_nli_task(make_opinion(YES))))
    assert isinstance(caught.value, MissingDependencyError)
    assert caught.value.outcome == "error"


def test_a_folder_without_weights_stops_the_run(tmp_path: Path) -> None:
    path = make_nli_model(tmp_path / "m")
    (tmp_path / "m" / "model.safetensors").unlink()
    with pytest.raises(RunStoppedError, match="its folder must hold a whole"):
        nli_vote(path, make_nli_task(make_opinion(YES)))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "model: Field required"),
        ({"model": "a/b", "top_k": 3}, "top_k: .*known: contradicts_at, entails_at, model, top_sentences"),
        ({"model": "a/b", "entails_at": 1.5}, "entails_at: "),
        ({"model": "a/b", "top_sentences": 0}, "top_sentences: "),
    ],
)
def test_settings_that_are_not_allowed_are_named(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=f"verifier 'nli': {words}"):
        make_verifier("nli", VerifierConfig(kind="nli", **settings))


def test_a_run_keeps_what_votes_depend_on() -> None:
    config = VerifierConfig(kind="nli", model="a/b", top_sentences=5, entails_at=0.9)
    meta = describe_verifier(make_verifier("nli", config), config)
    assert meta.settings == {"model": "a/b", "top_sentences": 5}
    assert set(meta.casts) == {"supported", "refuted"}


def test_a_premise_that_is_too_long_is_cut_at_its_end_and_the_vote_says_so(tmp_path: Path) -> None:
    path = make_nli_model(tmp_path / "m", window=40)
    read = make_opinion(f"The locker is indeed open {FILLER}.")
    vote = nli_vote(path, make_nli_task(read))
    assert vote.label == "supported"
    assert vote.reason.endswith("1 of 2 sentences were too long and read in part")
    shown = read.text[vote.evidence[0].start : vote.evidence[0].end]
    assert read.text.startswith(shown)
    # A word is a token: 40 less the 4 of `the locker is open` and 3 marks.
    assert len(shown.split()) == 33


def test_what_was_cut_off_is_not_taken_for_read(tmp_path: Path) -> None:
    path = make_nli_model(tmp_path / "m", window=40)
    vote = nli_vote(path, make_nli_task(make_opinion(f"The locker is {FILLER} indeed open.")))
    assert (vote.outcome, vote.label) == ("ok", None)
    assert "1 of 2 sentences were too long and read in part" in vote.reason


def test_a_short_pair_is_read_whole_and_nothing_is_said_of_cutting(tmp_path: Path) -> None:
    vote = nli_vote(make_nli_model(tmp_path / "m"), make_nli_task(make_opinion(YES)))
    assert "in part" not in vote.reason


def test_the_claim_is_never_cut(tmp_path: Path) -> None:
    path = make_nli_model(tmp_path / "m", window=40)
    claim = f"(holding that the locker is open {'and so forth ' * 8} and open indeed)"  # its last word decides
    vote = nli_vote(path, make_nli_task(make_opinion(f"The locker is open {FILLER}."), claim))
    assert vote.label == "supported"
    assert "read in part" in vote.reason


def test_a_claim_that_fills_the_window_is_a_missing_vote(tmp_path: Path) -> None:
    path = make_nli_model(tmp_path / "m", window=40)
    vote = nli_vote(path, make_nli_task(make_opinion(YES), f"(holding that the locker is {'indeed ' * 36} open)"))
    assert (vote.outcome, vote.label) == ("context_overflow", None)
    assert "fills the 40 tokens" in vote.reason


def test_numbers_that_are_no_probabilities_are_no_vote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_nli_model(tmp_path / "m")
    model = load_nli_model(path)
    monkeypatch.setattr(model._encoder, "predict", lambda pairs, **_: [[float("nan")] * 3 for _ in pairs])
    with pytest.raises(ValueError, match="gives no probabilities"):
        nli_vote(path, make_nli_task(make_opinion(YES)))


def test_concurrent_votes_of_two_verifiers_share_one_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_nli_model(tmp_path / "m")
    loads = []
    whole = sentence_transformers.CrossEncoder

    def counting(name: str, **options: Any) -> Any:
        loads.append(name)
        return whole(name, **options)

    monkeypatch.setattr(sentence_transformers, "CrossEncoder", counting)
    verifiers = [make_nli_verifier(name, model=path) for name in ("one", "other")]
    words = ["indeed", "never", "plainly", "perhaps"] * 4
    tasks = [make_nli_task(make_opinion(f"The locker is {word} open to the officer.")) for word in words]

    async def all_at_once() -> list[Any]:
        return await asyncio.gather(*(one.verify(task) for task in tasks for one in verifiers))

    votes = asyncio.run(all_at_once())
    assert loads == [path]
    expected = ["supported", "refuted", None, "supported"] * 4
    assert [vote.label for vote in votes if vote.verifier == "one"] == expected
    assert [vote.label for vote in votes if vote.verifier == "other"] == expected


def test_making_the_verifier_loads_nothing_heavy() -> None:
    code = (
        "import sys; from parcel_agents.verifiers.nli import make_nli_verifier; make_nli_verifier('nli', model='a/b');"
        "sys.exit(any(name in sys.modules for name in ('torch', 'transformers', 'sentence_transformers')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
