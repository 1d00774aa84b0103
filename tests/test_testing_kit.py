from __future__ import annotations

import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes.documents import blocks, named

from parcel_agents.briefs.shelf import Authority
from parcel_agents.ensemble import Ballots, Member, make_policy
from parcel_agents.ensemble.ballots import ABSTAINED
from parcel_agents.ensemble.base import Decisions
from parcel_agents.retrievers import make_retriever
from parcel_agents.testing import check_policy, check_retriever, check_source, check_verifier, example_opinion
from parcel_agents.types import LABELS, EvidenceRef, Hit, Label, Opinion, Vote
from parcel_agents.verifiers import Task
from parcel_agents.verifiers.checks import ChecksVerifier
from parcel_agents.verifiers.similarity import SimilarityVerifier

PAGE = "docs/extending.md"


@pytest.mark.parametrize("name", ["majority", "plurality", "unanimous", "veto"])
def test_the_policies_of_the_package_pass(name: str) -> None:
    check_policy(make_policy(name))
    check_policy(
        make_policy(name), members=[Member("a"), Member("b", frozenset({"refuted"})), Member("c"), Member("d")]
    )


def test_the_verifiers_of_the_package_pass() -> None:
    assert "not_found" in {vote.label for vote in check_verifier(ChecksVerifier("checks"))}
    check_verifier(SimilarityVerifier("similarity"))


def test_the_retriever_by_words_passes() -> None:
    check_retriever(make_retriever("bm25"))


@dataclass(frozen=True)
class Voting:
    """Answers as the test says."""

    vote: Callable[[Task], Any]
    name: str = "mine"
    casts: Any = frozenset(LABELS)

    async def verify(self, task: Task) -> Vote:
        found: Vote = self.vote(task)
        return found


def says(label: Label | None = "supported", **fields: Any) -> Vote:
    return Vote.model_validate({"verifier": "mine", "outcome": "ok", "label": label, **fields})


def boom(_: Task) -> Vote:
    raise RuntimeError("boom")


BAD_REF = EvidenceRef(passage="p999", start=0, end=1, relation="supports")
WIDE_REF = EvidenceRef(passage="p2", start=0, end=5_000, relation="supports")


@pytest.mark.parametrize(
    ("verifier", "words"),
    [
        (Voting(lambda _: says(), name=""), "name is ''"),
        (Voting(lambda _: says(), casts=frozenset({"true"})), "casts is {'true'}"),
        (Voting(lambda _: says(), casts={"supported"}), "casts is a set"),
        (Voting(lambda _: says(), casts=frozenset({"refuted"})), "not in its casts"),
        (Voting(lambda _: says(verifier="other")), "in the name of 'other'"),
        (Voting(lambda _: "supported"), "returned a str, not a Vote"),
        (Voting(boom), "it raised RuntimeError (boom)"),
        (Voting(lambda _: says(evidence=(BAD_REF,))), "'p999', which is not there"),
        (Voting(lambda _: says(evidence=(WIDE_REF,))), "is not within the passage"),
        (Voting(lambda _: says(read=("p999",))), "read ['p999']"),
        (Voting(lambda _: says(None, outcome="timeout")), "gives no reason"),
        (Voting(lambda task: says() if task.hits else boom(task)), "raised RuntimeError"),
    ],
)
def test_a_verifier_that_breaks_the_contract_is_told_how(verifier: Any, words: str) -> None:
    with pytest.raises(AssertionError, match=r"^verifier: ") as raised:
        check_verifier(verifier)
    assert words in str(raised.value)


def test_a_verifier_that_changes_its_mind_passes_only_where_it_may() -> None:
    count = iter(range(1_000))
    fickle = Voting(lambda _: says("supported" if next(count) < 8 else "refuted"))
    with pytest.raises(AssertionError, match="alone and"):
        check_verifier(fickle)
    check_verifier(fickle, repeatable=False)


@dataclass(frozen=True)
class Deciding:
    """A majority, changed as the test says."""

    change: Callable[[Decisions, Ballots], Decisions]
    name: str = "mine"
    calibrated: bool = False
    reads: frozenset[str] = frozenset()
    words: str = "as I like"

    def decide(self, ballots: Ballots) -> Decisions:
        return self.change(make_policy("majority").decide(ballots), ballots)

    def explain(self, decisions: Decisions) -> str:
        return self.words


def always(decided: Decisions, _: Ballots) -> Decisions:
    return replace(decided, labels=np.zeros_like(decided.labels))


def first(decided: Decisions, ballots: Ballots) -> Decisions:
    labels = np.where(ballots.choices[:, 0] < len(LABELS), ballots.choices[:, 0], ABSTAINED)
    return replace(decided, labels=labels.astype(decided.labels.dtype))


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Deciding(always), "decides for 'supported' where the votes are"),
        (Deciding(first), "depends on the order of the members"),
        (Deciding(lambda decided, _: replace(decided, scores=decided.scores * np.nan)), "NaN or something outside"),
        (Deciding(lambda decided, _: replace(decided, scores=decided.scores[:, :2])), "scores has the shape"),
        (Deciding(lambda decided, _: decided, words=""), "explain() says nothing"),
        (Deciding(lambda decided, _: decided, reads=frozenset({"mood"})), "reads is {'mood'}"),
    ],
)
def test_a_policy_that_breaks_the_contract_is_told_how(policy: Any, words: str) -> None:
    with pytest.raises(AssertionError, match=r"^policy: ") as raised:
        check_policy(policy)
    assert words in str(raised.value)


@dataclass(frozen=True)
class Ranking:
    """Ranks by words, changed as the test says."""

    change: Callable[[tuple[Hit, ...], str], Any]
    name: str = "mine"

    @property
    def opinion(self) -> Opinion:
        return example_opinion()

    def index(self, opinion: Opinion) -> Any:
        return self

    def prepare(self, queries: Any) -> None:
        pass

    def search(self, query: str, k: int) -> Any:
        return self.change(make_retriever("bm25").index(self.opinion).search(query, k), query)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda hits, _: list(hits), "a list, not a tuple"),
        (lambda hits, _: hits[:2], "returned 2 passages"),
        (lambda hits, _: hits[:1] * len(hits), "a passage twice"),
        (lambda hits, _: tuple(reversed(hits)), "ranks are not"),
        (lambda hits, _: tuple(hit.model_copy(update={"score": float("nan")}) for hit in hits), "is NaN"),
        (lambda hits, _: tuple(hit.model_copy(update={"score": float(hit.rank)}) for hit in hits), "scores rise"),
        (
            lambda hits, q: hits if q.strip() else tuple(h.model_copy(update={"score": -h.rank}) for h in hits),
            "an empty",
        ),
    ],
)
def test_a_retriever_that_breaks_the_contract_is_told_how(change: Any, words: str) -> None:
    with pytest.raises(AssertionError, match=r"^retriever: ") as raised:
        check_retriever(Ranking(change))
    assert words in str(raised.value)


HAS = "Matter of Quist v Hathersage, 99 NY3d 41 (2023)"
LACKS = Authority("97 NY3d 210", "People v Marlowe", 2024)
HOME = threading.get_ident()


@dataclass(frozen=True)
class Giving:
    """Gives what the test says for the opinion of the kit, and for all others."""

    had: Callable[[], Any] = lambda: [example_opinion()]
    lacked: Callable[[], Any] = list
    name: str = "mine"

    def fetch(self, authority: Authority) -> Any:
        return self.had() if authority.cite == "99 NY3d 41" else self.lacked()


def fails() -> Any:
    raise OSError("down")


def at_home() -> list[Opinion]:
    if threading.get_ident() != HOME:
        raise RuntimeError("made in another thread")
    return [example_opinion()]


def reported_elsewhere(opinion: Opinion) -> Opinion:
    """The opinion with the cite of another page, in its description and at its head."""
    moved = {"citation": "99 NY3d 99", "text": opinion.text.replace("99 NY3d 41", "99 NY3d 99")}
    return opinion.model_copy(update=moved).identified()


def test_a_source_that_keeps_the_contract_gives_its_opinions() -> None:
    assert check_source(Giving(), has=[HAS], lacks=[LACKS]) == [example_opinion()]
    check_source(Giving(lacked=tuple), has=[HAS], lacks=[LACKS, "People v Ferris, 98 NY3d 3 (2020)"])


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (Giving(name=""), "name is ''"),
        (Giving(list), "for '99 NY3d 41' it gave nothing, though it should have it"),
        (Giving(lambda: None), "no list of opinions, but NoneType"),
        (Giving(lambda: example_opinion()), "no list of opinions, but Opinion"),
        (Giving(lambda: ["the text"]), "no Opinion, but str"),
        (Giving(lambda: [example_opinion().model_copy(update={"id": "1"})]), "id is not that of its content"),
        (
            Giving(lambda: [reported_elsewhere(example_opinion())]),
            "gave another opinion",
        ),
        (Giving(fails), "for '99 NY3d 41' it raised OSError (down)"),
        (Giving(at_home), "it raised RuntimeError (made in another thread)"),
        (Giving(lacked=fails), "for '97 NY3d 210' it raised OSError (down)"),
        (Giving(lacked=lambda: None), "for '97 NY3d 210', which it lacks, it gave no list, but NoneType"),
        (Giving(lacked=lambda: [example_opinion()]), "which it lacks, it gave 1 opinions; an empty list is wanted"),
    ],
)
def test_a_source_that_breaks_the_contract_is_told_how(source: Any, words: str) -> None:
    with pytest.raises(AssertionError, match=r"^source: ") as raised:
        check_source(source, has=[HAS], lacks=[LACKS])
    assert words in str(raised.value)


def test_a_source_that_answers_otherwise_the_second_time_is_told_so() -> None:
    answers = iter([[example_opinion()], []])
    with pytest.raises(AssertionError, match="the second time"):
        check_source(Giving(lambda: next(answers)), has=[HAS], lacks=[LACKS])


@pytest.mark.parametrize(("has", "lacks"), [([], [LACKS]), ([HAS], []), (["Quist"], [LACKS])])
def test_a_source_is_checked_on_citations_of_both_kinds(has: list[str], lacks: list[Authority]) -> None:
    with pytest.raises(ValueError, match=r"at least one decision|has no citation"):
        check_source(Giving(), has=has, lacks=lacks)


def test_the_worked_example_is_found_by_its_entry_points_and_passes(tmp_path: Path) -> None:
    module = named(PAGE, "python", "marlowe_checks.py")
    (tmp_path / "marlowe_checks.py").write_text(module)
    project = tomllib.loads(blocks(PAGE, "toml")[0])["project"]
    # What `pip install` writes of the entry points.
    told = tmp_path / "marlowe_checks-0.1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{name} = {at}\n" for name, at in found.items()) for group, found in groups]
    (told / "entry_points.txt").write_text("\n".join(lines))
    (tmp_path / "parcel-agents.toml").write_text(named(PAGE, "toml", "parcel-agents.toml"))
    tests = named(PAGE, "python", "test_marlowe_checks.py")
    script = f"from marlowe_checks import *\n{tests}\n{named(PAGE, 'python', 'use.py')}\nprint('done')\n"
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr
