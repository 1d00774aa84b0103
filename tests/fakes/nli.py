"""A real CrossEncoder of a few kilobytes whose judgement is known: single words of a pair decide.

`indeed` entails and `never` contradicts, `perhaps` and `hardly` do so less surely, and a pair without them is neutral.
The weights are set by hand: every word is the unknown one and is nothing, each of the four has a direction of its own,
attention is the mean of all tokens, and the layer norms take the number of words out again. A word is a token.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import torch
from fakes.llm import NoIndex, make_opinion
from transformers import BertConfig, BertForSequenceClassification, BertTokenizer
from transformers.utils.logging import disable_progress_bar

from parcel_agents.types import Claim, Hit, Opinion, Vote
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.nli import NliVerifier, make_nli_verifier

os.environ["HF_HUB_OFFLINE"] = "1"

NLI = ("entailment", "neutral", "contradiction")
STRENGTH = {"indeed": ("entailment", 1.0), "never": ("contradiction", 1.0), "perhaps": ("entailment", 0.5),
            "hardly": ("contradiction", 0.5)}  # fmt: skip
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_HIDDEN = 32


def make_nli_model(folder: Path, labels: tuple[str, ...] = NLI, *, window: int = 64, spelling: Any = str) -> str:
    """Write the model to a folder and return its path.

    Args:
        folder: where it goes.
        labels: the names of its outputs in their order.
        window: how many tokens it reads.
        spelling: what is made of a label's name in the configuration.
    """
    disable_progress_bar()  # type: ignore[no-untyped-call]
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [*_SPECIAL, *STRENGTH]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    BertTokenizer(vocab=str(folder / "vocab.txt"), model_max_length=window).save_pretrained(folder)
    names = {place: spelling(label) for place, label in enumerate(labels)}
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=_HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=_HIDDEN,
        max_position_embeddings=window,
        num_labels=len(labels),
        id2label=names,
        label2id={name: place for place, name in names.items()},
    )
    model = BertForSequenceClassification(config)
    with torch.no_grad():
        _set_weights(model, labels)
    model.save_pretrained(folder)
    return str(folder)


def _set_weights(model: BertForSequenceClassification, labels: tuple[str, ...]) -> None:
    for name, weight in model.named_parameters():
        weight.fill_(1.0 if name.endswith("LayerNorm.weight") else 0.0)
    bert = model.bert
    for layer in bert.encoder.layer:
        layer.attention.self.value.weight.copy_(torch.eye(_HIDDEN))
        layer.attention.output.dense.weight.copy_(torch.eye(_HIDDEN))
    bert.pooler.dense.weight.copy_(torch.eye(_HIDDEN) * 0.1)
    for place, (label, strength) in enumerate(STRENGTH.values()):
        bert.embeddings.word_embeddings.weight[len(_SPECIAL) + place, place] = 1.0
        if label in labels:
            model.classifier.weight[labels.index(label), place] = 20.0 * (1.0 if strength == 1.0 else 0.7)
    if "neutral" in labels:
        model.classifier.bias[labels.index("neutral")] = 3.0


def make_nli_task(opinion: Opinion | None = None, claim: str = "(holding that the locker is open)", *,
                  order: tuple[int, ...] | None = None, scores: dict[str, float] | None = None) -> Task:  # fmt: skip
    """A task whose hits are all passages of the opinion, in the order of the text or in another."""
    opinion = opinion or make_opinion()
    ids = [opinion.passages[place].id for place in order or range(len(opinion.passages))]
    hits = tuple(Hit(passage=id, rank=rank, score=1.0, scores=scores or {}) for rank, id in enumerate(ids, 1))
    return Task(claim=Claim.of(claim), opinion=opinion, index=NoIndex(opinion), hits=hits)


def nli_vote(model: str, task: Task, **settings: Any) -> Vote:
    """The vote of a new verifier."""
    verifier: NliVerifier = make_nli_verifier("nli", model=model, **settings)
    return asyncio.run(verifier.verify(task))
