from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parcel_agents.errors import ConfigError, InputError
from parcel_agents.generation.folder import GenerateMeta, OutFolder
from parcel_agents.generation.model import DecisionRecord, Exemplars


def meta(**fields: Any) -> GenerateMeta:
    given: dict[str, Any] = {
        "made_by": "openai:writer", "blind": "openai:reader", "settings": {"seed": 0, "shares": {"x": 0.1}},
        "prompts": {"write_v1": "write_v1@aa"}, "versions": {"python": "3.11"}, "created": "2026-01-01T00:00:00",
    }  # fmt: skip
    return GenerateMeta(**{**given, **fields})


def test_what_is_kept_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    record = DecisionRecord(opinion_id="Vole / 2d, Été", file="", status="failed", reason="error: 500")
    with OutFolder(tmp_path / "out", meta()) as folder:
        assert folder.record(record.opinion_id) is None
        assert folder.exemplars() is None
        assert folder.spent_usd() == 0.0
        folder.keep_record(record)
        folder.keep_exemplars(Exemplars(harvested=3))
        folder.keep_spent(0.25)
    with OutFolder(tmp_path / "out", meta()) as folder:
        assert folder.record(record.opinion_id) == record
        assert folder.exemplars() == Exemplars(harvested=3)
        assert folder.spent_usd() == 0.25


def test_the_first_command_says_when_a_set_was_begun_and_under_which_versions(tmp_path: Path) -> None:
    OutFolder(tmp_path, meta()).__exit__(None, None, None)
    with OutFolder(tmp_path, meta(created="2027-01-01T00:00:00", versions={"python": "3.12"})) as folder:
        assert (folder.meta.created, folder.meta.versions) == ("2026-01-01T00:00:00", {"python": "3.11"})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"settings": {"seed": 1, "shares": {"x": 0.1}}}, "seed is 1, was 0"),
        ({"settings": {"seed": 0}}, "shares is None, was {'x': 0.1}"),
        ({"settings": {"seed": 0, "shares": {"x": 0.1}, "new": 2}}, "new is 2, was None"),
        ({"made_by": "rules"}, "made_by is 'rules', was 'openai:writer'"),
        ({"prompts": {"write_v1": "write_v1@bb"}}, "write_v1 is 'write_v1@bb', was 'write_v1@aa'"),
    ],
)
def test_another_setting_is_refused_by_name_and_the_folder_stays_free(
    tmp_path: Path, fields: dict[str, Any], words: str
) -> None:
    OutFolder(tmp_path, meta()).__exit__(None, None, None)
    with pytest.raises(ConfigError) as raised:
        OutFolder(tmp_path, meta(**fields))
    assert words in str(raised.value)
    with OutFolder(tmp_path, meta()):
        pass


def test_a_folder_with_other_files_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        OutFolder(tmp_path, meta())
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("left", [[], ["generate.lock"], ["generate.lock", "generate.json.new"]])
def test_a_kill_at_the_very_beginning_does_no_harm(tmp_path: Path, left: list[str]) -> None:
    for name in left:
        (tmp_path / name).write_text("{")
    with OutFolder(tmp_path, meta()) as folder:
        folder.keep_record(DecisionRecord(opinion_id="a", file="", status="failed"))


def test_folders_that_a_kill_kept_from_being_made_are_made_the_next_time(tmp_path: Path) -> None:
    OutFolder(tmp_path, meta()).__exit__(None, None, None)
    (tmp_path / "records").rmdir()
    (tmp_path / "opinions").rmdir()
    (tmp_path / "a.md").write_text("Text.")
    with OutFolder(tmp_path, meta()) as folder:
        assert folder.keep_opinion(tmp_path / "a.md", "a") == "a.md"


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    with OutFolder(tmp_path, meta()), pytest.raises(InputError, match="is writing here"):
        OutFolder(tmp_path, meta())


def test_a_file_in_the_folder_s_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        OutFolder(tmp_path / "out", meta())


@pytest.mark.parametrize("name", ["generate.json", "exemplars.json", "spent.json"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    OutFolder(tmp_path, meta()).__exit__(None, None, None)
    (tmp_path / name).write_text('{"made_by": ')

    def read() -> None:
        with OutFolder(tmp_path, meta()) as folder:
            folder.exemplars()
            folder.spent_usd()

    with pytest.raises(InputError, match=rf"{name}: is damaged .* restore it"):
        read()


def test_a_decision_is_copied_as_it_is_under_its_id(tmp_path: Path) -> None:
    source = tmp_path / "People v. Vole.HTML"
    source.write_bytes(b"\xff\r\n<p>Text")
    with OutFolder(tmp_path / "out", meta()) as folder:
        assert folder.keep_opinion(source, "People v. Vole") == "People v. Vole.html"
        (copy,) = (tmp_path / "out" / "opinions").iterdir()
        assert copy.read_bytes() == source.read_bytes()
        assert not list((tmp_path / "out").glob("*.new"))


def test_half_a_copy_is_not_taken_for_the_decision(tmp_path: Path) -> None:
    source = tmp_path / "vole.md"
    source.write_text("The whole text.")
    with OutFolder(tmp_path / "out", meta()) as folder:
        (tmp_path / "out" / "opinions.new").write_text("The who")
        folder.keep_opinion(source, "vole")
        assert (tmp_path / "out" / "opinions" / "vole.md").read_text() == "The whole text."


def test_lines_come_back_and_a_file_without_any_goes_away(tmp_path: Path) -> None:
    rows = [{"claim": "(a\u2028b)"}, {"claim": "(é)"}]
    with OutFolder(tmp_path, meta()) as folder:
        folder.write_lines("claims.jsonl", rows)
        assert folder.read_lines("claims.jsonl") == rows
        folder.write_lines("claims.jsonl", [])
        assert not (tmp_path / "claims.jsonl").exists()
        assert folder.read_lines("claims.jsonl") == []


@pytest.mark.parametrize(("line", "words"), [('{"decision": keep}', "is no JSON"), ("[1]", "is no JSON object")])
def test_a_line_that_a_person_broke_is_told_by_its_number(tmp_path: Path, line: str, words: str) -> None:
    with OutFolder(tmp_path, meta()) as folder:
        (tmp_path / "review.jsonl").write_text(f"{json.dumps({'id': 'a'})}\n\n{line}\n")
        with pytest.raises(InputError, match=rf"review\.jsonl:3: {words}"):
            folder.read_lines("review.jsonl")


def test_a_file_from_an_editor_is_read_if_it_is_utf_8(tmp_path: Path) -> None:
    with OutFolder(tmp_path, meta()) as folder:
        file = tmp_path / "review.jsonl"
        file.write_bytes(b'\xef\xbb\xbf{"id": "a"}\r\n{"id": "b"}\r\n')
        assert [row["id"] for row in folder.read_lines("review.jsonl")] == ["a", "b"]
        file.write_text('{"id": "a"}', encoding="utf-16")
        with pytest.raises(InputError, match="save it as UTF-8"):
            folder.read_lines("review.jsonl")
