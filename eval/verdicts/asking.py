"""A panel at work, asked about claims on any number of opinions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from parcel_agents.api import make_context, verify
from parcel_agents.config import Config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.types import Claim, Opinion, Verdict

Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""A title and a number of steps give a function to call after each step."""


@dataclass(frozen=True)
class Question:
    """A claim about one of some opinions."""

    opinion_id: str
    claim: Claim


@dataclass
class Panel:
    """The panel that is measured; its indexes stay warm between the parts of the bench."""

    config: Config
    progress: Progress
    context: VerifyContext
    record: list[dict[str, Any]] = field(default_factory=list)
    """Every claim that was asked with its verdict, for a reader who wants to see what is behind a figure."""

    @classmethod
    def of(cls, config: Config, progress: Progress) -> Panel:
        """The panel that the configuration names."""
        return cls(config, progress, make_context(config=config))

    def ask(
        self,
        section: str,
        opinions: Mapping[str, Opinion],
        questions: Sequence[Question],
        about: Iterable[Mapping[str, Any]] = (),
    ) -> list[Verdict]:
        """The panel's verdicts, in the order of the questions.

        Args:
            section: the part of the bench that asks.
            opinions: by the id that the questions name.
            questions: claims.
            about: what is known of each question, for the record.
        """
        places: dict[str, list[int]] = {}
        for place, question in enumerate(questions):
            places.setdefault(question.opinion_id, []).append(place)
        found: dict[int, Verdict] = {}
        with self.progress(section, len(questions)) as step:
            for opinion_id, here in places.items():
                verdicts = verify(
                    opinions[opinion_id],
                    [questions[place].claim for place in here],
                    context=self.context,
                    on_verdict=lambda _: step(),
                )
                found |= dict(zip(here, verdicts, strict=True))
        answers = [found[place] for place in range(len(questions))]
        known = list(about) or [{}] * len(questions)
        for question, verdict, what in zip(questions, answers, known, strict=True):
            self.record.append(
                {
                    "section": section,
                    **what,
                    "opinion_id": question.opinion_id,
                    "claim": question.claim.text,
                    "label": verdict.label,
                    "reason": verdict.reason,
                    "votes": [
                        {"verifier": vote.verifier, "label": vote.label, "reason": vote.reason}
                        for vote in verdict.votes
                    ],
                }
            )
        return answers
