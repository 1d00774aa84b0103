"""A probe as tables; `table_formats` and `table_markdown` print them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from parcel_agents.eval.artefacts.model import Feature, Group, LeadWords, Probe, Probed
from parcel_agents.eval.bootstrap import NOTHING, Estimate
from parcel_agents.eval.report.tables import TITLES, Cell, Column, Row, Table
from parcel_agents.types import LABELS, Label

LEADS = 10
"""So many lead words have a row of their own."""
OTHER = "(others)"
_CLAIM_ONLY = (
    "A classifier that sees the claims' words and no opinion (TF-IDF, logistic regression, trained on claims about the "
    "other opinions) guesses the label: what it reaches above the largest class, the wording gives away."
)
_PARITY = (
    "AUC: the chance that a supported claim has more of it than another claim, ties being half; .5 tells nothing. "
    "Overlap is the share of the claim's words, without function words and as stems, that the opinion has too."
)
_LEADS = (
    "Distance from the supported claims' first words: 0 for the same shares, 1 for nothing shared; 'by chance' is what "
    "it would be on average had the claims been dealt out at random."
)


def all_tables(probe: Probe) -> list[Table]:
    """What the words alone give away, how the classes differ on the surface, and how claims begin.

    Each has a column, or a group of columns, without and with the contrast claims.
    """
    columns = {"main claims": probe.main}
    if probe.with_contrast is not None:
        columns["main and contrast"] = probe.with_contrast
    made = [_guesses(columns), _parity(columns), _lead_words(columns)]
    return [table for table in made if table.columns]


def _guesses(columns: dict[str, Probed]) -> Table:
    probed = list(columns.values())
    groups = [_groups(one) for one in probed]
    # The last column has all that the others have, in the order of the classes.
    names = dict.fromkeys(chain.from_iterable(reversed(groups)))
    rows = [
        Row("claims", tuple(one.claims for one in probed)),
        Row("opinions", tuple(one.opinions for one in probed)),
        Row("largest class", tuple(Estimate(one.majority) for one in probed)),
        Row(
            "guessed right",
            tuple(NOTHING if one.guessing is None else one.guessing.accuracy for one in probed),
        ),
    ]
    rows += [Row(name, tuple(group.get(name) for group in groups), section="groups") for name in names]
    notes = [f"The {name} cannot be probed: {one.reason}." for name, one in columns.items() if one.reason]
    return Table("artefacts", "Guessed by the wording alone", _columns(columns), tuple(rows), (*notes, _CLAIM_ONLY))


def _groups(probed: Probed) -> dict[str, Cell]:
    """The share of each group that is guessed right, by the row's name."""
    found = probed.guessing
    if found is None:
        return {}
    cells: dict[str, Cell] = {}
    for whole in found.classes:
        cells[f"{TITLES[whole.label]}"] = whole.right
        parts = [group for group in found.strategies if group.label == whole.label]
        cells |= {f"  {_words(group)} ({group.claims:,})": group.right for group in parts}
        if whole.label == "supported" and found.contrast is not None:
            cells[f"  of these contrast ({found.contrast.claims:,})"] = found.contrast.right
    return cells


def _parity(columns: dict[str, Probed]) -> Table:
    lengths = [one.length for one in columns.values()]
    overlaps = [one.overlap for one in columns.values()]
    rows = [*_feature_rows("words", lengths, "count"), *_feature_rows("overlap", overlaps, "share")]
    return Table("parity", "Length, and overlap with the opinion", _columns(columns), tuple(rows), (_PARITY,))


def _feature_rows(name: str, features: Sequence[Feature], form: str) -> Iterator[Row]:
    def median(value: float | None) -> Cell:
        if value is None:
            return NOTHING
        return f"{value:g}" if form == "count" else Estimate(value)

    for label in _present(features):
        cells = tuple(median(one.medians.get(label)) for one in features)
        yield Row(f"{name}, median: {TITLES[label]}", cells, section=name)
    yield Row(f"{name}, AUC: Supported against the rest", tuple(one.auc for one in features), section=name)
    for label in _present(features):
        if label != "supported":
            aucs = tuple(one.auc_against.get(label, NOTHING) for one in features)
            yield Row(f"{name}, AUC: against {TITLES[label]}", aucs, section=name)


def _present(features: Sequence[Feature]) -> list[Label]:
    return [label for label in LABELS if any(label in one.medians for one in features)]


def _lead_words(columns: dict[str, Probed]) -> Table:
    places = [(name, label, one.lead) for name, one in columns.items() for label in LABELS if label in one.lead.counts]
    # The last column has the claims of the others, too.
    most = Counter[str]()
    for counts in list(columns.values())[-1].lead.counts.values():
        most.update(counts)
    shown = sorted(most, key=lambda word: (-most[word], word))[:LEADS]
    rows = [Row(word, tuple(_share(lead, label, [word]) for _, label, lead in places)) for word in shown]
    rest = sorted(set(most) - set(shown))
    if rest:
        rows.append(Row(OTHER, tuple(_share(lead, label, rest) for _, label, lead in places)))
    apart = [lead.from_supported.get(label) for _, label, lead in places]
    rows += [
        Row("distance", tuple(None if one is None else Estimate(one.value) for one in apart), section="distance"),
        Row("... by chance", tuple(None if one is None else Estimate(one.by_chance) for one in apart), "distance"),
    ]
    heads = tuple(Column(TITLES[label], group=name) for name, label, _ in places)
    return Table("lead_words", "The words that claims begin with", heads, tuple(rows), (_LEADS,))


def _share(lead: LeadWords, label: Label, words: Sequence[str]) -> Estimate:
    counts = lead.counts[label]
    return Estimate(sum(counts.get(word, 0) for word in words) / sum(counts.values()))


def _columns(columns: dict[str, Probed]) -> tuple[Column, ...]:
    return tuple(Column(name, main=True) for name in columns)


def _words(group: Group) -> str:
    return (group.strategy or "").replace("_", " ")
