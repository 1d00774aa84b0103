"""The verifier `nli`: what the sentences that it reads come to. The model's judgement is known, see `fakes.nli`."""

from __future__ import annotations

from itertools import permutations

import pytest
from fakes.nli import NLI, make_nli_model, make_nli_task, nli_vote
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion, Span, Vote
from parcel_agents.verifiers.nli import NliSettings, Reading, decide
from parcel_agents.verifiers.nli_model import Probabilities
from parcel_agents.verifiers.nli_sentences import Sentence

OPEN = "(holding that the locker of the boat is open to the officer)"
NEUTRAL = "The boat lay at the pier of Dunmarrow when the officer came aboard."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_nli_model(tmp_path_factory.mktemp("nli") / "model")


@pytest.fixture(scope="module")
def permuted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("permuted")
    return [make_nli_model(folder / "-".join(labels), labels) for labels in permutations(NLI)]


def opinion(majority: str, dissent: str = "I would affirm the order of the court below in all respects.") -> Opinion:
    return parse_opinion(
        f"# People v Marlowe, indeed\n\nOPINION OF THE COURT\n\nFerris, J.\n\n{majority}\n\n"
        f"Quist, J. (dissenting). {dissent}\n\nJudges Wren and Lund concur.",
        suffix=".md",
    )


def quoted(vote: Vote, read: Opinion) -> list[tuple[str, str]]:
    return [(ref.relation, read.text[ref.start : ref.end]) for ref in vote.evidence]


def test_a_sentence_that_entails_supports_with_its_place_and_probability(model: str) -> None:
    read = opinion(f"{NEUTRAL} The locker is indeed open to the officer. {NEUTRAL}")
    vote = nli_vote(model, make_nli_task(read, OPEN))
    assert (vote.outcome, vote.label, vote.model) == ("ok", "supported", model)
    assert vote.confidence == pytest.approx(0.999, abs=0.001)
    assert quoted(vote, read) == [("supports", "The locker is indeed open to the officer.")]
    passage = read.passage(vote.evidence[0].passage)
    assert passage.start <= vote.evidence[0].start < vote.evidence[0].end <= passage.end
    assert passage.id in vote.read
    assert not {one.id for one in read.passages if read.part(one.part).kind == "front"} & set(vote.read)


def test_a_sentence_that_contradicts_refutes(model: str) -> None:
    read = opinion(f"{NEUTRAL} The locker is never open to the officer.")
    vote = nli_vote(model, make_nli_task(read, OPEN))
    assert vote.label == "refuted"
    assert quoted(vote, read) == [("contradicts", "The locker is never open to the officer.")]


def test_neutral_everywhere_is_an_abstention_with_its_reason_and_not_not_found(model: str) -> None:
    vote = nli_vote(model, make_nli_task(opinion(NEUTRAL), OPEN))
    assert (vote.outcome, vote.label, vote.confidence, vote.evidence) == ("ok", None, None, ())
    assert "entails the claim (at most 0.05) or contradicts it (at most 0.05)" in vote.reason


@pytest.mark.parametrize(
    ("sentences", "label"),
    [
        (("perhaps", "never"), "refuted"),
        (("never", "perhaps"), "refuted"),
        (("hardly", "indeed"), "supported"),
        (("indeed", "never"), "refuted"),  # equally strong: contradiction is looked for first
    ],
)
def test_contradiction_comes_first_unless_a_sentence_entails_more_strongly(
    model: str, sentences: tuple[str, str], label: str
) -> None:
    text = " ".join(f"The locker is {word} open to the officer." for word in sentences)
    vote = nli_vote(model, make_nli_task(opinion(text), OPEN))
    assert vote.label == label
    assert ("another contradicts it (0.98)" in vote.reason) == (label == "supported")


@pytest.mark.parametrize("word", ["indeed", "never"])
def test_a_dissent_decides_nothing_about_an_unattributed_claim(model: str, word: str) -> None:
    vote = nli_vote(model, make_nli_task(opinion(NEUTRAL, f"The locker is {word} open."), OPEN))
    assert (vote.outcome, vote.label, vote.evidence) == ("ok", None, ())
    assert ("stands in the dissent (Quist, J.)" in vote.reason) == (word == "indeed")


@pytest.mark.parametrize(("word", "label"), [("indeed", "supported"), ("never", "refuted")])
def test_a_claim_of_the_dissent_is_judged_by_the_dissent_alone(model: str, word: str, label: str) -> None:
    claim = "(Quist, J., dissenting, stating that the locker is open)"
    assert nli_vote(model, make_nli_task(opinion(NEUTRAL, f"The locker is {word} open."), claim)).label == label
    assert nli_vote(model, make_nli_task(opinion(f"The locker is {word} open. {NEUTRAL}"), claim)).label is None


def test_a_contradicting_dissent_does_not_keep_the_courts_word_from_supporting(model: str) -> None:
    read = opinion("The locker is perhaps open to the officer, as we have said.", "The locker is never open.")
    assert nli_vote(model, make_nli_task(read, OPEN)).label == "supported"


@pytest.mark.parametrize("word", ["indeed", "never"])
@pytest.mark.parametrize(
    "lead",
    [
        "Defendant contends that",
        "County Court determined that",
        "The officer testified that",
        "The boat lay at the pier, and defendant contends that",
    ],
)
def test_what_somebody_else_said_decides_nothing(model: str, lead: str, word: str) -> None:
    vote = nli_vote(model, make_nli_task(opinion(f"{lead} the locker is {word} open to the officer."), OPEN))
    assert (vote.outcome, vote.label) == ("ok", None)
    assert ("is reported of" in vote.reason) == (word == "indeed")


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "(noting that defendant contended that the locker is open)",
            "Defendant argues that the locker is indeed open.",
        ),
        (
            "(noting that County Court had determined the locker to be open)",
            "County Court determined that the locker is indeed open.",
        ),
    ],
)
def test_a_claim_that_says_who_said_it_is_supported_by_reported_words(model: str, claim: str, sentence: str) -> None:
    assert nli_vote(model, make_nli_task(opinion(sentence), claim)).label == "supported"


@pytest.mark.parametrize(("word", "label"), [("never", "refuted"), ("indeed", None)])
def test_an_argument_that_the_court_rejects_may_refute_and_never_supports(
    model: str, word: str, label: str | None
) -> None:
    text = f"We reject defendant's contention that the locker is {word} open to the officer."
    assert nli_vote(model, make_nli_task(opinion(text), OPEN)).label == label


def test_only_the_closest_sentences_are_read(model: str) -> None:
    read = opinion("The officer came to the locker of the boat. It was indeed open on that and every other day.")
    assert nli_vote(model, make_nli_task(read, OPEN), top_sentences=1).label is None
    assert nli_vote(model, make_nli_task(read, OPEN), top_sentences=2).label == "supported"


def test_a_sentence_of_a_word_or_two_says_nothing_alone(model: str) -> None:
    assert nli_vote(model, make_nli_task(opinion(f"{NEUTRAL} Never again."), OPEN)).label is None


def test_sentences_that_decide_nothing_do_not_crowd_out_those_that_do(model: str) -> None:
    read = opinion("It was indeed open, and no other way was shown to us.", "The locker of the boat is open. " * 8)
    assert nli_vote(model, make_nli_task(read, OPEN), top_sentences=1).label == "supported"


def test_a_few_that_decide_nothing_are_read_beyond_the_number_for_the_reason(model: str) -> None:
    read = opinion(NEUTRAL, "The locker of the boat is indeed open. " * 8)
    vote = nli_vote(model, make_nli_task(read, OPEN), top_sentences=1)
    assert "stands in the dissent" in vote.reason
    read = opinion(NEUTRAL, "The locker of the boat is open. " * 8)
    assert nli_vote(model, make_nli_task(read, OPEN), top_sentences=1).reason.startswith("none of 5 sentences")


@pytest.mark.parametrize(("entails_at", "label"), [(0.97, "supported"), (0.98, None)])
def test_support_takes_the_probability_that_is_set(model: str, entails_at: float, label: str | None) -> None:
    read = opinion("The locker is perhaps open to the officer of the day.")  # .976
    assert nli_vote(model, make_nli_task(read, OPEN), entails_at=entails_at).label == label


@pytest.mark.parametrize(("contradicts_at", "label"), [(0.97, "refuted"), (0.98, None)])
def test_refuting_takes_the_probability_that_is_set(model: str, contradicts_at: float, label: str | None) -> None:
    read = opinion("The locker is hardly open to the officer of the day.")
    assert nli_vote(model, make_nli_task(read, OPEN), contradicts_at=contradicts_at).label == label


def test_without_passages_there_is_an_abstention() -> None:
    task = make_nli_task(opinion(NEUTRAL), OPEN)
    vote = nli_vote("nobody/not-downloaded", type(task)(task.claim, task.opinion, task.index, ()))
    assert (vote.outcome, vote.label, vote.read) == ("ok", None, ())


WORDS = st.sampled_from(["indeed", "never", "perhaps", "hardly", "plainly"])
SENTENCES = st.lists(WORDS.map(lambda word: f"The locker is {word} open to any officer of the port."), max_size=5)


@settings(max_examples=10)
@given(majority=SENTENCES, dissent=SENTENCES, data=st.data())
def test_neither_order_of_labels_nor_order_of_hits_changes_a_vote(
    permuted: list[str], majority: list[str], dissent: list[str], data: st.DataObject
) -> None:
    read = opinion("\n\n".join([NEUTRAL, *majority]), "\n\n".join([NEUTRAL, *dissent]))
    expected = nli_vote(permuted[0], make_nli_task(read, OPEN))
    order = data.draw(st.permutations(range(len(read.passages))))
    other = nli_vote(data.draw(st.sampled_from(permuted)), make_nli_task(read, OPEN, order=tuple(order)))
    assert (other.label, other.evidence, other.read) == (expected.label, expected.evidence, expected.read)
    assert other.confidence == pytest.approx(expected.confidence, abs=1e-5)


def reading(place: int, entails: float, contradicts: float, obstacle: bool, may_refute: bool) -> Reading:
    span = Span(start=10 * place, end=10 * place + 4)
    sentence = Sentence("p1", span, "text", (0.0, 0.0), "stands elsewhere" if obstacle else "", may_refute)
    return Reading(sentence, Probabilities(entails, contradicts * (1 - entails), 4))


SHARES = st.sampled_from([0.0, 0.5, 0.9, 0.95, 1.0])
READINGS = st.lists(st.tuples(SHARES, SHARES, st.booleans(), st.booleans()), max_size=6).map(
    lambda rows: [reading(place, *row) for place, row in enumerate(rows)]
)


@given(READINGS, st.randoms())
def test_the_order_of_readings_does_not_change_the_finding(readings: list[Reading], random: object) -> None:
    shuffled = list(readings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert decide(shuffled, NliSettings(model="m")) == decide(readings, NliSettings(model="m"))


@given(READINGS, SHARES)
def test_one_more_contradiction_never_makes_a_claim_supported(readings: list[Reading], share: float) -> None:
    more = [*readings, reading(99, 0.0, share, False, True)]
    if decide(more, NliSettings(model="m")).label == "supported":
        assert decide(readings, NliSettings(model="m")).label == "supported"


@given(READINGS)
def test_what_has_an_obstacle_never_supports(readings: list[Reading]) -> None:
    found = decide(readings, NliSettings(model="m"))
    if found.label == "supported":
        assert found.decisive is not None
        assert found.decisive.sentence.obstacle == ""
