"""What a user of a generated data set must know before relying on it, as sentences."""

from __future__ import annotations

from collections.abc import Iterator

from parcel_agents.eval.artefacts import Probe
from parcel_agents.eval.data_card.counts import Contents, Decisions
from parcel_agents.eval.data_card.facts import CardFacts
from parcel_agents.eval.report.notes import FEW_OPINIONS
from parcel_agents.eval.report.table_markdown import share
from parcel_agents.eval.report.tables import TITLES

MUCH = 0.05
"""So much more than the largest class is worth a warning, if a classifier reaches it without the opinions."""
TELLING = 0.1
"""So far from .5, the area of a surface feature is worth a warning."""


def known_limits(facts: CardFacts, contents: Contents, decisions: Decisions, probe: Probe) -> Iterator[str]:
    """A sentence or two on each; those that hold for every such set come last."""
    yield from _on_making(facts)
    yield from _on_contents(contents, decisions)
    yield from _on_wording(contents, probe)
    yield (
        "The claims are made and not found in filings: a score on them says how well made errors are caught, not how "
        "often lawyers err. Not Found means not in this opinion, whatever other decisions say."
    )


def _on_making(facts: CardFacts) -> Iterator[str]:
    if facts.without_model:
        yield (
            "Rules alone made the claims. Supported claims keep the decision's own words, so that finding the words "
            "again does well on them, and a false claim differs from its source in a word or a phrase."
        )
    if facts.blind_model is None:
        yield "No second reader has checked the labels: they are as good as the way the claims were made."
    elif facts.blind_model == facts.made_by:
        yield (
            "The blind reader is the model that wrote the claims: where it misreads a decision, it may do so twice in "
            "the same way."
        )
    if facts.blind_model is not None:
        yield (
            f"Claims on which {facts.blind_model} disagreed are left out unless a person kept them, so that what is "
            "hard for this model is rare, and its own score on the set, and that of models like it, is too good."
        )


def _on_contents(contents: Contents, decisions: Decisions) -> Iterator[str]:
    if decisions.used < FEW_OPINIONS:
        few = "one decision" if decisions.used == 1 else f"{decisions.used} decisions"
        yield f"All claims are about {few}: intervals over opinions are rough."
    if decisions.excluded:
        yield (
            f"{len(decisions.excluded):,} of {decisions.given:,} decisions are excluded, for the reasons above; "
            "what such decisions are about is rare in the set."
        )
    if decisions.failed:
        yield (
            f"{len(decisions.failed):,} of {decisions.given:,} decisions failed and are not in the set; the same "
            "command tries them again."
        )
    for count in contents.classes:
        if not count.claims:
            yield f"There is no claim that is {TITLES[count.label]}."
    missing = [str(one.strategy) for one in contents.strategies if one.wanted and not one.claims]
    if missing:
        yield f"No claim was made by {', '.join(name.replace('_', ' ') for name in missing)}."


def _on_wording(contents: Contents, probe: Probe) -> Iterator[str]:
    probed = probe.with_contrast or probe.main
    if probed.guessing is None:
        yield f"What the wording gives away cannot be probed: {probed.reason}."
    elif (accuracy := probed.guessing.accuracy.value) >= probed.majority + MUCH:
        yield (
            f"The wording alone gives {share(accuracy)} of the labels of "
            f"{'main and contrast claims' if probe.with_contrast else 'the claims'} away, where always saying the "
            f"largest class is right in {share(probed.majority)}; a model that was trained on such claims may have "
            "learned the wording."
        )
    if not contents.contrast:
        yield "There are no contrast claims, which are true in the wording of the false ones."
    for name, feature in (("length", probed.length), ("overlap with the opinion", probed.overlap)):
        if abs(feature.auc.value - 0.5) >= TELLING:
            yield (
                f"Supported claims differ from the others in {name}: one has more of it than another claim in "
                f"{share(feature.auc.value)} of the pairs."
            )
