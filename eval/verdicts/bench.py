"""Every section of the bench, in the order in which it is measured and shown.

A new section is a function that takes what is measured, the panel and an rng, and yields entries;
it gets a line in `SECTIONS`. Without a table of its own (`tables._MAKERS`) it is shown with a row per entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets import Dataset
from parcel_agents.eval.verdicts.ablations import measure_ablations
from parcel_agents.eval.verdicts.asking import Panel
from parcel_agents.eval.verdicts.each_check import measure_checks
from parcel_agents.eval.verdicts.entries import Entry
from parcel_agents.eval.verdicts.labelled import measure_labelled
from parcel_agents.eval.verdicts.natural import Parentheticals, measure_natural
from parcel_agents.eval.verdicts.speed import measure_speed
from parcel_agents.eval.verdicts.word_for_word import SENTENCES, measure_sentences


@dataclass(frozen=True)
class Measured:
    """What a panel is measured on."""

    data: Dataset
    also: tuple[Dataset, ...] = ()
    """Other data sets, of which only the labelled claims are asked about."""
    train: Dataset | None = None
    """Claims on other opinions, to fit the baseline of BM25 similarity and the ablations of `combined` on."""
    natural: Parentheticals | None = None
    sentences: int = SENTENCES
    config_file: Path | None = None
    """The file that the panel is configured by, where it is not the usual one."""


Section = Callable[[Measured, Panel, np.random.Generator], Iterator[Entry]]


def labelled(given: Measured, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """Labelled claims of the data set, if it has any."""
    if any(claim.label is not None for claim in given.data.claims):
        yield from measure_labelled(given.data, panel, rng, given.train)


def sentences(given: Measured, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """Sentences of the opinions, as they stand and with one change."""
    return measure_sentences(given.data.opinions, panel, rng, number=given.sentences)


def natural(given: Measured, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """Parentheticals that judges wrote, if there are any."""
    if given.natural is not None:
        yield from measure_natural(given.natural, panel, rng)


def checks(given: Measured, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """Each check alone on the labelled claims."""
    if any(claim.label is not None for claim in given.data.claims):
        yield from measure_checks(given.data, panel, rng)


def ablations(given: Measured, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """The verifier `combined` without parts of what it measures, if there are claims to train it on."""
    if given.train is not None:
        yield from measure_ablations(given.data, given.train, panel, rng)


def also(given: Measured, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """Labelled claims of the other data sets."""
    for data in given.also:
        yield from measure_labelled(data, panel, rng)


def speed(given: Measured, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """Claims a second, and the time of a cold start."""
    return measure_speed(given.data, panel, config=given.config_file)


SECTIONS: Mapping[str, Section] = {
    "labelled": labelled,
    "sentences": sentences,
    "natural": natural,
    "checks": checks,
    "ablations": ablations,
    "also": also,
    "speed": speed,
}


def measure(given: Measured, panel: Panel, *, only: Sequence[str] = (), seed: int = 0) -> Iterator[Entry]:
    """The entries of all sections, or of some.

    A section's draws do not depend on which others are measured.

    Raises:
        InputError: there is no section of a name.
    """
    for name in only:
        if name not in SECTIONS:
            raise InputError(f"unknown section {name!r}; known: {', '.join(SECTIONS)}")
    for place, (name, section) in enumerate(SECTIONS.items()):
        if not only or name in only:
            yield from section(given, panel, np.random.default_rng([seed, place]))
