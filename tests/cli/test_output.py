from __future__ import annotations

from pathlib import Path

import pytest

from parcel_agents.cli import output
from parcel_agents.errors import InputError


def test_a_file_is_written_in_a_new_folder_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "page.html"
    output.write_file(file, "the boat of Marlowe\n", told="2 claims written")
    assert file.read_text() == "the boat of Marlowe\n"
    assert capsys.readouterr().err == f"{file}: 2 claims written\n"
    output.write_file(file, "", told="")
    assert capsys.readouterr().err == ""


def test_half_a_character_does_not_cost_the_page(tmp_path: Path) -> None:
    output.write_file(tmp_path / "page.html", "the boat \ud800 of Marlowe")
    assert (tmp_path / "page.html").read_text() == "the boat ? of Marlowe"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        output.write_file(tmp_path, "")
