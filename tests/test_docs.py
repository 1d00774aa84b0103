"""The code of the documentation runs."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from fakes.documents import ROOT, blocks


def test_the_code_of_embedding_runs_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example_opinion: Path
) -> None:
    (tmp_path / "opinions").mkdir()
    shutil.copy(example_opinion, tmp_path / "opinions" / example_opinion.name)
    monkeypatch.chdir(tmp_path)
    page = "docs/embedding.md"
    found = blocks(page, "python")
    assert len(found) == 4
    module = ModuleType("embedding_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in found:
        exec(compile(block, str(ROOT / page), "exec", dont_inherit=True), module.__dict__)


@pytest.mark.parametrize("page", ["docs/embedding.md", "docs/extending.md"])
def test_the_code_of_a_page_can_be_read(page: str) -> None:
    for block in blocks(page, "python"):
        compile(block, page, "exec")
    for block in blocks(page, "toml"):
        tomllib.loads(block)
