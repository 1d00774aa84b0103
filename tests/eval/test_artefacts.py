"""What the wording of claims gives away."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.eval.artefacts import CONTRAST, Probe, probe
from parcel_agents.eval.artefacts.lead_words import A_JUDGE, NO_WORD, lead_word, lead_words, total_variation
from parcel_agents.eval.artefacts.ranking import area
from parcel_agents.eval.artefacts.sample import Sample
from parcel_agents.eval.artefacts.tables import all_tables
from parcel_agents.eval.bootstrap import Bootstrap
from parcel_agents.eval.datasets import load_dataset
from parcel_agents.eval.report.table_formats import as_text
from parcel_agents.eval.report.table_markdown import as_markdown, share, without_nought
from parcel_agents.types import GoldClaim, Label, Opinion

TEXT = "Ferris moored the ferry at Hathersage, and Quist paid for the rope."


GIVEAWAYS: list[tuple[Label, str, str | None]] = [
    ("supported", "holding", None),
    ("refuted", "denying", "logic_reversal"),
    ("not_found", "citing", "phantom_citation"),
]


def claim(
    opinion: str, label: Label | None, words: str, *, strategy: str | None = None, subset: str = "claims"
) -> GoldClaim:
    return GoldClaim(
        id=f"{opinion}{label}{words}",
        opinion_id=opinion,
        claim=f"({words})",
        label=label,
        strategy=strategy,
        subset=subset,
    )


def giveaway(opinions: str = "abcdef") -> list[GoldClaim]:
    """In each opinion two claims of each label, whose first word is the label's."""
    return [
        claim(opinion, label, f"{word} that Ferris moored boat {place}", strategy=strategy)
        for opinion in opinions
        for place in range(2)
        for label, word, strategy in GIVEAWAYS
    ]


def contrast(opinions: str = "abcdef") -> list[GoldClaim]:
    """True claims in the wording of the false ones."""
    return [
        claim(opinion, "supported", f"{word} that Ferris moored boat {place}", subset=CONTRAST)
        for opinion in opinions
        for place in range(2)
        for word in ("denying", "citing")
    ]


def probed(claims: Sequence[GoldClaim], text: str = TEXT) -> Probe:
    opinions = {one.opinion_id: Opinion(id=one.opinion_id, text=text, parts=(), passages=()) for one in claims}
    return probe(claims, opinions, np.random.default_rng(0))


def area_of(positive: Sequence[float], negative: Sequence[float]) -> float:
    values = np.array([*positive, *negative], dtype=np.float64)
    is_positive = np.arange(len(values)) < len(positive)
    opinions = np.arange(len(values), dtype=np.int64) % 3
    return area(values, is_positive, opinions, Bootstrap.of(3, np.random.default_rng(0), 10)).value


def test_wording_that_names_the_label_is_guessed_in_every_group() -> None:
    guessing = probed(giveaway()).main.guessing
    assert guessing is not None
    assert (guessing.accuracy.value, guessing.accuracy.low) == (1.0, 1.0)
    assert [(one.label, one.claims, one.right.value) for one in guessing.classes] == [
        ("supported", 12, 1.0),
        ("refuted", 12, 1.0),
        ("not_found", 12, 1.0),
    ]
    assert [(one.strategy, one.claims, one.right.value) for one in guessing.strategies] == [
        ("logic_reversal", 12, 1.0),
        ("phantom_citation", 12, 1.0),
    ]
    assert guessing.contrast is None


def test_contrast_claims_are_measured_with_the_others_only() -> None:
    found = probed([*giveaway(), *contrast()])
    assert found.with_contrast is not None
    assert (found.main.claims, found.with_contrast.claims) == (36, 60)
    assert found.main == probed(giveaway()).main
    with_them, alone = found.with_contrast.guessing, found.main.guessing
    assert with_them is not None
    assert alone is not None
    assert with_them.accuracy.value < alone.accuracy.value
    assert with_them.contrast is not None
    assert (with_them.contrast.label, with_them.contrast.claims) == ("supported", 24)
    # They have no strategy, and do not count as claims of one.
    assert sum(one.claims for one in with_them.strategies) == 24


def test_the_largest_class_is_what_always_saying_it_reaches() -> None:
    # 12 and 24 supported of 60 in all.
    both = probed([*giveaway(), *contrast()]).with_contrast
    assert both is not None
    assert both.majority == 0.6


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ([], "no claim has a label"),
        ([claim("a", None, "noting a ferry")], "no claim has a label"),
        (giveaway("a"), "the claims are about 1 opinion, and it takes 5"),
        (giveaway("abcd"), "the claims are about 4 opinions, and it takes 5"),
        ([claim(o, "refuted", f"denying boat {o}") for o in "abcdef"], "all claims are labelled refuted"),
        (
            # The one refuted claim is never in the part that is learned from when it is to be guessed.
            [claim(o, "refuted" if o == "a" else "supported", f"denying boat {o}") for o in "abcdef"],
            "all claims of one label are about one opinion",
        ),
    ],
)
def test_too_little_cannot_be_probed_and_says_why(claims: list[GoldClaim], reason: str) -> None:
    found = probed(claims)
    assert found.main.guessing is None
    assert found.main.reason.startswith(reason)
    text = "\n".join(as_text(table) + as_markdown(table) for table in all_tables(found))
    assert " ".join(text.split()).count(f"cannot be probed: {reason}") == 2
    assert "nan" not in text.replace("Ferris", "")
    printed = json.dumps(found.as_json(), allow_nan=False)
    assert json.loads(printed)["main"]["claim_only"] is None


def test_claims_without_a_label_are_counted_and_left_out() -> None:
    found = probed([*giveaway(), claim("a", None, "noting a ferry")])
    assert found.unlabelled == 1
    assert found.main == probed(giveaway()).main


@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_claims_does_not_matter(random: Random) -> None:
    claims = [*giveaway(), *contrast()]
    shuffled = list(claims)
    random.shuffle(shuffled)
    assert probed(shuffled) == probed(claims)


def test_length_and_overlap_are_measured_by_class() -> None:
    claims = [
        claim("a", "supported", "Ferris moored the ferry"),
        claim("a", "refuted", "Quist moored"),
        claim("a", "not_found", "Marlowe moored the yacht at Hathersage"),
    ]
    found = probed(claims).main
    # 4, 2 and 6 words.
    assert found.length.medians == {"supported": 4, "refuted": 2, "not_found": 6}
    # Without "the" and "at": 3 of 3, 2 of 2; of Marlowe, moored, yacht and Hathersage 2 of 4.
    assert found.overlap.medians == {"supported": 1, "refuted": 1, "not_found": 0.5}
    # The supported claim is longer than one of the two, and has more overlap than one and as much as the other.
    assert found.length.auc.value == 0.5
    assert found.overlap.auc.value == 0.75
    assert {label: one.value for label, one in found.overlap.auc_against.items()} == {"refuted": 0.5, "not_found": 1}


def test_a_claim_of_function_words_has_no_overlap_to_count() -> None:
    found = probed([claim("a", "supported", "it was so"), claim("a", "refuted", "Quist moored")]).main
    assert found.overlap.medians == {"refuted": 1}
    assert math.isnan(found.overlap.auc.value)


def test_the_area_counts_pairs_and_halves_ties() -> None:
    # 3 > 1, 3 > 2, 2 > 1, and 2 = 2 for a half: 3.5 of 4 pairs.
    assert area_of([3, 2], [1, 2]) == 3.5 / 4
    assert math.isnan(area_of([], [1]))
    assert math.isnan(area_of([1], []))


NUMBERS = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12)


@given(NUMBERS, NUMBERS)
def test_the_area_is_one_less_the_area_under_swap(first: list[float], second: list[float]) -> None:
    assert area_of(first, second) == pytest.approx(1 - area_of(second, first))
    assert 0 <= area_of(first, second) <= 1


@given(NUMBERS, NUMBERS)
def test_the_area_is_that_of_scikit_learn(first: list[float], second: list[float]) -> None:
    from sklearn.metrics import roc_auc_score

    truth = [True] * len(first) + [False] * len(second)
    assert area_of(first, second) == pytest.approx(roc_auc_score(truth, [*first, *second]))


def test_the_areas_interval_is_that_of_drawn_opinions() -> None:
    # Two opinions. Drawn together: of 2 x 2 pairs, 5 > 1, 5 > 9, 3 > 1 hold for 5 and 3 against 1 and 9: 2 of 4.
    # The first twice: 5 > 1, so 1; the second twice: 3 < 9, so 0.
    values = np.array([5.0, 1.0, 3.0, 9.0])
    draws = Bootstrap(np.array([[2, 0], [1, 1], [0, 2]], dtype=np.float32))
    found = area(values, np.array([True, False, True, False]), np.array([0, 0, 1, 1]), draws)
    assert found.value == 0.5
    # Quantiles of (0, .5, 1): 0.025 x 2 steps of .5 each from either end.
    assert found.interval == pytest.approx([0.025, 0.975])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("(holding that Quist paid)", "holding"),
        ("(Holding that Quist paid)", "holding"),
        ("(Ferris, J., dissenting, reasoning that Quist paid)", A_JUDGE),
        ("(Van Ferris, Ch. J., noting that Quist paid)", A_JUDGE),
        ("(Ferris and Quist, JJ., concurring)", A_JUDGE),
        ("(per curiam)", "per"),
        ("(holding, as Ferris, J., had in dissent, that)", "holding"),
        ("(125.25)", NO_WORD),
        ("", NO_WORD),
    ],
)
def test_the_lead_word_is_the_first_but_a_judges_name_is_any_judges(text: str, word: str) -> None:
    assert lead_word(text) == word


def test_the_distance_of_lead_words_is_from_the_supported_claims() -> None:
    rows: list[tuple[Label, str]] = [
        ("supported", "holding"),
        ("supported", "noting"),
        ("refuted", "holding"),
        ("refuted", "holding"),
        ("not_found", "citing"),
    ]
    sample = Sample.of(claim("a", label, f"{word} that {place}") for place, (label, word) in enumerate(rows))
    found = lead_words(sample, np.random.default_rng(0))
    assert found.counts["supported"] == {"holding": 1, "noting": 1}
    # |1/2 - 1| + |1/2 - 0|, halved; and nothing shared.
    assert {label: one.value for label, one in found.from_supported.items()} == {"refuted": 0.5, "not_found": 1}
    # Three "holding" and a "noting" dealt to two and two: one side always has the "noting".
    assert found.from_supported["refuted"].by_chance == 0.5


COUNTS = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


@given(COUNTS, COUNTS)
def test_total_variation_is_symmetric_and_between_nought_and_one(first: list[int], second: list[int]) -> None:
    assert 0 <= total_variation(first, second) <= 1
    assert total_variation(first, second) == pytest.approx(total_variation(second, first))
    assert total_variation(first, first) == 0
    assert total_variation(first, [7 * count for count in first]) == pytest.approx(0)


def test_shares_in_markdown_are_written_without_a_nought() -> None:
    assert [share(value) for value in (0.6875, 1.0, 0.0, math.nan)] == [".688", "1", "0", "-"]
    assert without_nought("12.500") == "12.500"


def test_markdown_escapes_what_would_end_a_cell() -> None:
    tables = all_tables(probed([claim(o, "supported", "x", strategy="a|b") for o in "ab"] + giveaway()))
    assert r"... a\|b (2)" in as_markdown(tables[0])


def test_the_wording_gives_away_what_the_readme_says(shared_data: Path) -> None:
    data = load_dataset(shared_data / "parcel_dev")
    found = probe(data.claims, data.opinions, np.random.default_rng(0))
    assert found.with_contrast is not None
    for measured, claims, accuracy in ((found.main, 400, 0.688), (found.with_contrast, 600, 0.585)):
        assert measured.guessing is not None
        assert (measured.claims, measured.majority) == (claims, 0.5)
        assert measured.guessing.accuracy.value == pytest.approx(accuracy, abs=0.01)
