"""Files in, opinions out: encodings, JSON, and every kind of bad input as one error with its remedy."""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.errors import OpinionError
from parcel_agents.opinions import load_opinion, parse_opinion
from parcel_agents.opinions.load import MAX_BYTES
from parcel_agents.types import Opinion

PROSE = (
    "The bell of the chapel rang at noon on every day but one, and on that day the rope was found cut through below."
)


def written(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def record(**fields: Any) -> str:
    return json.dumps(fields)


@pytest.mark.parametrize(
    "name", ["bell.md", "bell.MARKDOWN", "bell.txt", "bell.TXT", "bell.html", "bell.htm", "bell.xml"]
)
def test_reader_is_chosen_by_the_ending_in_any_case(tmp_path: Path, name: str) -> None:
    read = load_opinion(written(tmp_path, name, PROSE))
    assert (read.text, read.source, read.id) == (PROSE, name, read.identified().id)


@pytest.mark.parametrize(
    "data",
    [
        PROSE.encode("utf-8"),
        PROSE.encode("utf-8-sig"),
        PROSE.encode("utf-16"),
        b"\xfe\xff" + PROSE.encode("utf-16-be"),
        PROSE.replace(" ", "\r\n").encode(),
        PROSE.replace(" ", "\r").encode(),
        PROSE.replace("bell", "be\x00ll").encode(),
        PROSE.replace("bell", "be\u00adll").encode(),  # soft hyphen
        PROSE.replace("bell", "be\u200bll").encode(),
        PROSE.replace(" ", "\u00a0").encode(),
        PROSE.replace("bell", "\ue000bell\uf8ff").encode(),
        PROSE.replace("bell", "\ufeffbell").encode(),
    ],
)
def test_same_text_in_any_dress_is_the_same_opinion(tmp_path: Path, data: bytes) -> None:
    assert load_opinion(written(tmp_path, "bell.txt", data)).id == parse_opinion(PROSE, suffix=".txt").id


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_quotation_marks_and_section_signs_survive(tmp_path: Path, encoding: str) -> None:
    text = f"“{PROSE}” § 9 — née"
    assert load_opinion(written(tmp_path, "bell.txt", text.encode(encoding))).text == text


def test_codes_of_the_windows_page_in_unicode_are_what_they_meant() -> None:
    assert parse_opinion(f"\x93{PROSE}\x94").text == f"“{PROSE}”"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("bell.txt", b"", "empty"),
        ("bell.md", b" \n\t\r\n", "empty"),
        ("bell.txt", b"\x00" * 40, "empty"),
        ("bell.txt", bytes(range(256)) * 20, "binary"),
        ("bell.txt", PROSE.encode("utf-16-le"), "binary"),  # without its mark
        ("bell.txt", PROSE.encode("utf-16") + b"\x00", "binary"),
        ("bell.pages", PROSE, r"cannot read files ending in '\.pages'; known: \.md"),
        ("bell", PROSE, "cannot read files ending in ''"),
        ("bell.json", "{", "line 1: is not JSON"),
        ("bell.json", '{\n"text": x}', "line 2: is not JSON"),
        ("bell.json", "[1]", "no JSON object"),
        ("bell.json", '"text"', "no JSON object"),
        ("bell.json", record(name="A v B"), r"no text in a field 'text' or 'html'; its fields are \['name'\]"),
        ("bell.json", record(text=None, html=" "), "no text in a field"),
        ("bell.json", record(text=["a"]), "no text in a field"),
        ("bell.json", "[" * 100_000, "nested too deeply"),
        ("bell.json", '{"text": ' + "1" * 5000 + "}", "too long a number"),
        ("bell.md", "# A v B\n\nOrder affirmed.", "no opinion in it"),
        ("bell.txt", "1 2 3 4 5\n" * 40, "no opinion in it"),
    ],
)
def test_bad_file_gives_one_error_that_names_it(tmp_path: Path, name: str, data: bytes | str, reason: str) -> None:
    path = written(tmp_path, name, data)
    with pytest.raises(OpinionError, match=reason) as caught:
        load_opinion(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("path", ["", "missing.md", "no\x00such.md", "x" * 400 + ".md"])
def test_path_that_cannot_be_read_is_an_error(tmp_path: Path, path: str) -> None:
    with pytest.raises(OpinionError, match=r"is a folder|cannot be read"):
        load_opinion(tmp_path / path)


def test_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bell.md")
    with pytest.raises(OpinionError, match="no regular file"):
        load_opinion(tmp_path / "bell.md")


def test_file_too_large_for_an_opinion_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bell.txt"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    monkeypatch.setattr(Path, "read_bytes", lambda self: pytest.fail("was read"))
    with pytest.raises(OpinionError, match="too large"):
        load_opinion(path)


def test_unreadable_file_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", deny)
    with pytest.raises(OpinionError, match="Permission denied"):
        load_opinion(written(tmp_path, "bell.md", PROSE))


def test_record_describes_its_opinion() -> None:
    read = parse_opinion(
        record(
            case_name="Bell v Rope",
            citation="9 Mill 2d 4",
            date_filed="2031-05-02",
            author_str="Alder, J.",
            court="https://x.example/9",
            plain_text=PROSE,
        ),
        suffix=".json",
    )
    assert (read.name, read.citation, read.date, read.court) == ("Bell v Rope", "9 Mill 2d 4", "2031-05-02", None)
    assert read.parts[0].author == "Alder, J."


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"text": PROSE}, PROSE),
        ({"plain_text": PROSE}, PROSE),
        ({"html": f"<p>{PROSE}</p>"}, PROSE),
        ({"html_with_citations": f"<p>{PROSE}</p>", "plain_text": "less"}, PROSE),  # markup is preferred
        ({"html_with_citations": "", "plain_text": PROSE}, PROSE),
        ({"text": f"<p>{PROSE}</p>"}, PROSE),  # markup in the field for text
        (
            {"text": f"{PROSE} \ud800 and \ud83d\ude00"},
            f"{PROSE} \ufffd and \U0001f600",
        ),  # half a pair, and a whole one
    ],
)
def test_text_of_a_record_is_found(fields: dict[str, str], text: str) -> None:
    assert parse_opinion(record(**fields), suffix=".json").text == text


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("010combined", "unknown"),
        ("015unamimous", "majority"),
        ("020lead", "majority"),
        ("025plurality", "plurality"),
        ("030concurrence", "concurrence"),
        ("035concurrenceinpart", "mixed"),
        ("040dissent", "dissent"),
        (7, "unknown"),
    ],
)
def test_type_of_a_record_tells_whose_voice_it_is(type_: object, kind: str) -> None:
    assert parse_opinion(record(text=PROSE, type=type_), suffix=".json").parts[0].kind == kind


def test_half_pairs_in_a_record_do_not_reach_the_opinion() -> None:
    read = parse_opinion(record(text=PROSE, name="Bell \ud83d v Rope"), suffix=".json")
    assert "Bell" in read.model_dump_json()


def test_long_opinion_is_read_in_well_under_a_second() -> None:
    source = "# Bell v Rope\n\nAlder, J.\n\n" + "\n\n".join(
        f"{PROSE} {{**99 NY3d at {n}}} (*Bell v Rope*, 99 NY3d 4 [2031])." for n in range(400)
    )
    parse_opinion(PROSE)  # the sentence model is loaded once
    began = thread_time()
    assert len(parse_opinion(source, suffix=".md").text) > 55_000
    assert thread_time() - began < 1


@pytest.mark.parametrize(
    "filler",
    [
        " ",
        "\n",
        "*",
        "[",
        "(",
        "{",
        "<",
        ". ",
        "a;",
        "J. (",
        "Judge Elm and ",
        "ab-\n",
        "1\n",
        "<em>\n",
        "(\n",
        " [FN1] x",
        "a{7}b",
    ],
)
@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
def test_no_repetition_makes_reading_hang(filler: str, suffix: str) -> None:
    source = PROSE + "\n\n" + filler * (40_000 // len(filler)) + "\n\n" + PROSE
    began = thread_time()
    parse_opinion(source, suffix=suffix)
    assert thread_time() - began < 3


@given(st.binary(max_size=400), st.sampled_from([".md", ".txt", ".html", ".json", ".xml", ".pdf"]))
@settings(max_examples=150, deadline=None)
def test_any_bytes_give_an_opinion_or_an_opinion_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("any") / f"bell{suffix}"
    path.write_bytes(data)
    try:
        text = load_opinion(path).text
    except OpinionError as error:
        text = str(error) if str(path) in str(error) else ""
    assert text


@given(st.text(max_size=300), st.sampled_from([".md", ".txt", ".html"]))
@settings(max_examples=150, deadline=None)
def test_opinion_survives_json(extra: str, suffix: str) -> None:
    read = parse_opinion(f"{PROSE}\n\n{extra}\n\n{PROSE}", suffix=suffix)
    assert Opinion.model_validate_json(read.model_dump_json()) == read
    assert read.text.encode()
    assert all(passage.text == read.text[passage.start : passage.end] for passage in read.passages)
