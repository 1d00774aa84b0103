"""NLI models: sentence-transformers CrossEncoders that tell entailment, neutral and contradiction of a pair of texts.

A model is a folder, or a name on the Hugging Face hub that has been downloaded before: nothing is fetched here, since
a check of a claim should not begin with a download of a gigabyte. It is loaded at its first use, once per process.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from re import finditer
from threading import Lock
from typing import Any

import numpy as np

from parcel_agents.errors import ConfigError, MissingDependencyError
from parcel_agents.providers import RunStoppedError

ENTAILMENT, NEUTRAL, CONTRADICTION = LABELS = ("entailment", "neutral", "contradiction")
_BATCH = 16


class NliHeadError(ConfigError, RunStoppedError):
    """The model does not tell the three NLI labels; every vote would fail in the same way."""


class NliModelMissingError(MissingDependencyError, RunStoppedError):
    """The model is not on this machine, or cannot be read; every vote would fail in the same way."""


class HypothesisTooLongError(ValueError):
    """The claim alone fills the model's window."""


@dataclass(frozen=True)
class Probabilities:
    """What a model makes of one premise."""

    entailment: float
    contradiction: float
    read: int
    """How many characters of the premise the model was shown; all of them unless the pair was too long."""


class NliModel:
    """A loaded model. Calls from several threads take turns."""

    def __init__(self, name: str, encoder: Any) -> None:
        """Take a CrossEncoder.

        Raises:
            NliHeadError: it does not have the three labels.
        """
        self.name = name
        self._encoder = encoder
        self._columns = label_columns(encoder.config.id2label, name)
        self._limit = min(
            limit
            for limit in (encoder.max_seq_length, getattr(encoder.config, "max_position_embeddings", None), 1_000_000)
            if limit
        )
        # Tokenizers keep their settings for cutting inside, and two threads would change them for each other.
        self._lock = Lock()

    def judge(self, premises: Sequence[str], hypothesis: str) -> list[Probabilities]:
        """The probabilities for each premise, in order.

        A premise is cut at a word, from its end, where the pair is too long; the hypothesis never is.

        Raises:
            HypothesisTooLongError: no word of a premise has room beside the hypothesis.
            ValueError: the model's numbers are no probabilities.
        """
        from torch.nn import Identity

        with self._lock:
            read = [self._fit(premise, hypothesis) for premise in premises]
            pairs = [(premise[:end], hypothesis) for premise, end in zip(premises, read, strict=True)]
            scores = self._encoder.predict(
                pairs, batch_size=_BATCH, activation_fn=Identity(), apply_softmax=True, show_progress_bar=False
            )
        found = np.asarray(scores, dtype=np.float64).reshape(len(pairs), -1)
        if found.shape[1] != len(LABELS) or not np.isfinite(found).all():
            raise ValueError(f"the NLI model {self.name!r} gives no probabilities; its weights may be damaged")
        # Single precision may come out a trifle above one.
        found = np.clip(found, 0.0, 1.0)
        entailment, contradiction = (found[:, self._columns[label]].tolist() for label in (ENTAILMENT, CONTRADICTION))
        return [Probabilities(*each) for each in zip(entailment, contradiction, read, strict=True)]

    def _fit(self, premise: str, hypothesis: str) -> int:
        """How many characters of the premise fit beside the hypothesis."""
        if self._size(premise, hypothesis) <= self._limit:
            return len(premise)
        ends = [word.end() for word in finditer(r"\S+", premise)]
        fitting = bisect_right(ends, self._limit, key=lambda end: self._size(premise[:end], hypothesis))
        if not fitting:
            raise HypothesisTooLongError(
                f"the claim alone fills the {self._limit} tokens that the NLI model {self.name!r} reads at once"
            )
        return ends[fitting - 1]

    def _size(self, premise: str, hypothesis: str) -> int:
        tokens = self._encoder.tokenizer(premise, hypothesis, truncation=False, verbose=False)["input_ids"]
        return len(tokens)


def label_columns(id2label: Mapping[Any, str], model: str) -> dict[str, int]:
    """The column of each NLI label in a model's output, as its configuration says.

    Raises:
        NliHeadError: the labels are not exactly entailment, neutral and contradiction, in any order and case.
    """
    columns = {str(label).strip().lower(): int(column) for column, label in id2label.items()}
    if len(id2label) == len(LABELS) and columns.keys() == set(LABELS):
        return columns
    found = ", ".join(str(label) for label in id2label.values())
    if len(id2label) == 2 and ENTAILMENT in columns:
        why = "such a head cannot tell contradiction from neutral"
    elif len(id2label) == 1:
        why = "a head with one output ranks passages and does not judge them"
    else:
        why = "names such as LABEL_0 do not say which is which"
    raise NliHeadError(
        f"the model {model!r} cannot be used for NLI: its id2label has {found}, allowed are exactly "
        f"{', '.join(LABELS)}, in any order ({why})"
    )


def check_folder(model: str) -> None:
    """Object early, and without loading anything heavy, to a model that is given as a folder.

    Raises:
        ConfigError: it is written as a path and there is no such folder, or the model has other labels.
    """
    folder = Path(model).expanduser()
    if not folder.is_dir():
        if model.startswith((".", "/", "~")) or model.count("/") > 1 or "\\" in model:
            raise ConfigError(f"there is no folder {model!r}; give a downloaded NLI model, or its name on the hub")
        return
    try:
        labels = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("id2label")
    except (OSError, ValueError, AttributeError):
        return  # loading says what is wrong with it
    if isinstance(labels, dict) and labels:
        label_columns(labels, model)


_models: dict[str, NliModel] = {}
_loading = Lock()


def load_nli_model(name: str) -> NliModel:
    """The model with this name or path, loaded unless it has been.

    Raises:
        NliHeadError: it does not tell the three labels.
        NliModelMissingError: it is not on this machine, or cannot be read.
    """
    with _loading:
        if name not in _models:
            _models[name] = _load(name)
        return _models[name]


def _load(name: str) -> NliModel:
    folder = Path(name).expanduser()
    from huggingface_hub import snapshot_download
    from sentence_transformers import CrossEncoder
    from transformers.utils.logging import disable_progress_bar

    # Loading takes seconds; its bar would stand between our own lines.
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        # By name, the library would ask the hub for the latest revision even where it may not download.
        path = str(folder) if folder.is_dir() else snapshot_download(name, local_files_only=True)
    except (OSError, ValueError) as error:
        raise NliModelMissingError(
            f"the NLI model {name!r} is neither a folder nor among the downloaded models; download it with: "
            f"hf download {name} --exclude 'onnx/*' --exclude 'openvino/*' - or give the path of a downloaded model"
        ) from error
    try:
        encoder = CrossEncoder(path, local_files_only=True)
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise NliModelMissingError(
            f"the NLI model {name!r} cannot be loaded ({first}); its folder must hold a whole sentence-transformers "
            "CrossEncoder, so download it again or give the path of another"
        ) from error
    return NliModel(name, encoder)
