"""Reading every opinion of a folder, as a check of the reader on real files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parcel_agents.errors import InputError, ParcelError
from parcel_agents.opinions.load import READERS
from parcel_agents.opinions.passages import MAX_WORDS
from parcel_agents.types import Opinion


@dataclass
class ReadingReport:
    """What was read, and what did not hold."""

    files: int = 0
    read: int = 0
    passages: int = 0
    words_in_longest_passage: int = 0
    with_part: Counter[str] = field(default_factory=Counter)
    """Opinions that have a part of this kind, or footnotes."""
    describing: Counter[str] = field(default_factory=Counter)
    """Opinions whose name, citation, court and date were found."""
    failures: list[str] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """The figures as a JSON object."""
        return {
            "files": self.files,
            "read": self.read,
            "failures": len(self.failures),
            "passages": self.passages,
            "words_in_longest_passage": self.words_in_longest_passage,
            "opinions_with": dict(self.with_part.most_common()),
            "opinions_naming": dict(self.describing),
        }


def opinion_files(folders: Iterable[Path]) -> list[Path]:
    """The files below some folders whose ending a reader knows, sorted; .txt and .json are not searched for.

    Raises:
        InputError: there are none.
    """
    wanted = set(READERS) - {".txt"}
    found = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in wanted)
    if not found:
        raise InputError(f"no opinions ({', '.join(sorted(wanted))}) in {', '.join(map(str, folders))}")
    return found


def read_all(files: Sequence[Path], progress: Callable[[], None] = lambda: None) -> ReadingReport:
    """Read each file and check what an `Opinion` promises."""
    report = ReadingReport(files=len(files))
    for path in files:
        try:
            opinion = Opinion.load(path)
        except ParcelError as error:
            report.failures.append(str(error))
        else:
            report.read += 1
            report.failures += [f"{path}: {fault}" for fault in faults(opinion)]
            _count(report, opinion)
        progress()
    return report


def faults(opinion: Opinion) -> list[str]:
    """What does not hold of an opinion: parts that leave gaps, passages that are not the text at their offsets."""
    found = []
    ends = [0, *(part.end for part in opinion.parts)]
    if [part.start for part in opinion.parts] != ends[:-1] or ends[-1] != len(opinion.text):
        found.append("the parts do not cover the text")
    for passage in opinion.passages:
        part = opinion.part(passage.part)
        if opinion.text[passage.start : passage.end] != passage.text:
            found.append(f"passage {passage.id} is not the text at its offsets")
        if not part.start <= passage.start <= passage.end <= part.end:
            found.append(f"passage {passage.id} crosses the border of its part")
        if len(passage.text.split()) > MAX_WORDS:
            found.append(f"passage {passage.id} has more than {MAX_WORDS} words")
    covered = sum(len("".join(passage.text.split())) for passage in opinion.passages)
    if covered != len("".join(opinion.text.split())):
        found.append("the passages do not hold all words of the text")
    return found


def _count(report: ReadingReport, opinion: Opinion) -> None:
    report.passages += len(opinion.passages)
    longest = max((len(passage.text.split()) for passage in opinion.passages), default=0)
    report.words_in_longest_passage = max(report.words_in_longest_passage, longest)
    report.with_part.update({part.kind for part in opinion.parts if part.footnote is None})
    report.with_part.update({"footnotes"} if any(part.footnote for part in opinion.parts) else set())
    report.describing.update(field for field in ("name", "citation", "court", "date") if getattr(opinion, field))
