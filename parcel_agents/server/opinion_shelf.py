"""Opinions as pages show them, read from the disk when somebody asks; the last few stay in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from parcel_agents.server.record import JobRecord
from parcel_agents.traces.building import traced
from parcel_agents.traces.model import TracedOpinion
from parcel_agents.traces.page import opinion_data
from parcel_agents.traces.text_marks import BrowserOffsets

KEPT = 16


@dataclass(frozen=True)
class ShownOpinion:
    """An opinion, and how browsers count in it."""

    opinion: TracedOpinion
    offsets: BrowserOffsets

    def as_json(self) -> str:
        """As the script takes it."""
        return str(opinion_data(self.opinion, self.offsets))


class OpinionShelf:
    """The opinions of all jobs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], ShownOpinion] = OrderedDict()

    def get(self, record: JobRecord, id: str) -> ShownOpinion:
        """An opinion of a job; KeyError if it has none of this id."""
        key = (record.job.id, id)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        opinion = traced(record.opinion(id))
        made = ShownOpinion(opinion, BrowserOffsets(opinion.text))
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made
