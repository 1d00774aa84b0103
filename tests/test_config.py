from __future__ import annotations

from pathlib import Path

import pytest

from parcel_agents.api import make_context
from parcel_agents.config import load_config
from parcel_agents.ensemble.cascade import Accept, Cascade
from parcel_agents.ensemble.voting import Unanimous
from parcel_agents.errors import ConfigError
from parcel_agents.registry import Registry


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def test_the_embedded_panel_is_the_default() -> None:
    config = load_config(environ={})
    assert config.get_panel(config.settings.panel).tier[0].verifiers == ("checks", "combined")


def test_an_argument_beats_the_environment_beats_the_file_beats_the_default(tmp_path: Path) -> None:
    path = write(tmp_path, "[settings]\ntop_k = 3\nconcurrency = 3\nretriever = 'bm25'\n")
    environ = {"PARCEL_AGENTS_CONFIG": str(path), "PARCEL_AGENTS_TOP_K": "4", "PARCEL_AGENTS_CONCURRENCY": "4"}
    settings = load_config(environ=environ, concurrency=5, panel=None).settings
    assert (settings.concurrency, settings.top_k, settings.retriever, settings.panel) == (5, 4, "bm25", "embedded")


def test_the_users_panels_join_the_built_in_ones(tmp_path: Path) -> None:
    text = "[panel.mine]\n[[panel.mine.tier]]\nverifiers = ['second', 'checks']\n[verifier.second]\nkind = 'checks'\n"
    config = load_config(write(tmp_path, text), environ={})
    assert set(config.panel) == {"embedded", "local-nli", "paper", "mine"}
    context = make_context(panel="mine", config=config)
    assert [verifier.name for verifier in context.verifiers] == ["second", "checks"]


def test_a_panel_of_two_tiers_is_a_cascade(tmp_path: Path) -> None:
    text = (
        "[panel.mine]\npolicy = 'unanimous'\nsettings = {at_least = 2}\n"
        "[[panel.mine.tier]]\nverifiers = ['checks']\naccept = {supported = 1.0, other = 0.8}\n"
        "[[panel.mine.tier]]\nverifiers = ['similarity']\n"
    )
    context = make_context(panel="mine", config=load_config(write(tmp_path, text), environ={}))
    assert context.policy == Cascade(Unanimous(at_least=2), (Accept(1.0, 0.8), None))
    assert [(member.name, member.tier) for member in context.panel] == [("checks", 0), ("similarity", 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[settings]\ncolour = 1\n", "settings.colour"),
        ("[settings]\nconcurrency = 0\n", "settings.concurrency"),
        ("[pannel.mine]\n", "pannel"),
        ("[panel.mine]\npolicy = 'majority'\n", "panel.mine.tier"),
        ("[panel.mine]\nquorum = 3\n[[panel.mine.tier]]\nverifiers = ['checks']\n", "panel.mine.quorum"),
        ("[panel.mine]\n[[panel.mine.tier]]\nverifiers = []\n", "panel.mine.tier"),
        ("[verifier.x]\n", "verifier.x.kind"),
        ("[settings\n", "not TOML"),
    ],
)
def test_an_unknown_key_or_a_wrong_value_is_an_error_that_names_it(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=message) as caught:
        load_config(path, environ={})
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[panel.mine]\n[[panel.mine.tier]]\nverifiers = ['nobody']\n", r"no \[verifier.nobody\] table; known: checks"),
        (
            "[panel.mine]\n[[panel.mine.tier]]\nverifiers = ['x']\n[verifier.x]\nkind = 'oracle'\n",
            "unknown verifier kind",
        ),
        (
            "[panel.mine]\n[[panel.mine.tier]]\nverifiers = ['x']\n[verifier.x]\nkind = 'checks'\ncolour = 1\n",
            "cannot be made with",
        ),
        ("[panel.mine]\npolicy = 'dice'\n[[panel.mine.tier]]\nverifiers = ['checks']\n", "unknown policy 'dice'"),
        (
            "[panel.mine]\nsettings = {dice = 6}\n[[panel.mine.tier]]\nverifiers = ['checks']\n",
            r"policy 'majority' cannot be made with \['dice'\]",
        ),
        (
            "[panel.mine]\npolicy = 'unanimous'\nsettings = {at_least = 0}\n"
            "[[panel.mine.tier]]\nverifiers = ['checks']\n",
            "support takes at least one vote",
        ),
        ("[panel.mine]\n[[panel.mine.tier]]\nverifiers = ['checks', 'checks']\n", "names the verifier 'checks' twice"),
        (
            "[panel.mine]\npolicy = 'veto'\nsettings = {by = ['chekcs']}\n"
            "[[panel.mine.tier]]\nverifiers = ['checks']\n",
            r"by names 'chekcs', who is not of the panel \(checks\)",
        ),
        (
            "[panel.mine]\n[[panel.mine.tier]]\nverifiers = ['checks']\naccept = {supported = 1.0, other = 1.0}\n",
            "the last tier's decision always stands",
        ),
        (
            "[panel.mine]\npolicy = 'no.json'\n[[panel.mine.tier]]\nverifiers = ['checks']\n",
            "the policy cannot be read",
        ),
    ],
)
def test_a_panel_that_cannot_be_made_says_why(tmp_path: Path, text: str, message: str) -> None:
    config = load_config(write(tmp_path, text), environ={})
    with pytest.raises(ConfigError, match=message):
        make_context(panel="mine", config=config)


def test_an_unknown_panel_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="unknown panel 'embeded'; known: embedded"):
        make_context(panel="embeded", config=load_config(environ={}))


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml", environ={})


def test_a_registry_takes_new_names_only() -> None:
    registry = Registry("thing", "parcel_agents.no_such_group", {"dict": "builtins:dict"})
    registry.register("list", list)
    assert registry.names() == ["dict", "list"]
    assert registry.create("dict", a=1) == {"a": 1}
    with pytest.raises(ConfigError, match="registered already"):
        registry.register("dict", list)


SOURCES = "[source.a]\nkind = 'folder'\nfolder = 'more'\n[source.b]\nkind = 'folder'\nfolder = '/else/where'\n"


def test_nobody_is_asked_for_opinions_who_is_not_named(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, SOURCES), environ={})
    assert (config.settings.sources, config.get_sources()) == ((), {})


def test_sources_are_named_in_order_and_their_folders_are_beside_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, f"[settings]\nsources = ['b', 'a']\n{SOURCES}")
    found = load_config(path, environ={}).get_sources()
    assert [(name, table.settings["folder"]) for name, table in found.items()] == [
        ("b", "/else/where"),
        ("a", str(tmp_path / "more")),
    ]
    named = load_config(path, environ={"PARCEL_AGENTS_SOURCES": "a, b"}).settings.sources
    assert named == ("a", "b")


def test_the_settings_of_other_kinds_of_source_stay_as_they_are(tmp_path: Path) -> None:
    text = "[settings]\nsources = ['c']\n[source.c]\nkind = 'firm'\nfolder = 'matters'\n"
    assert load_config(write(tmp_path, text), environ={}).get_sources()["c"].settings == {"folder": "matters"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[settings]\nsources = ['a', 'a']\n", "settings.sources names 'a' twice"),
        ("[settings]\nsources = ['c']\n", r"names 'c', which has no \[source.c\] table; known: a, b"),
    ],
)
def test_sources_that_are_not_there_say_so(tmp_path: Path, text: str, message: str) -> None:
    config = load_config(write(tmp_path, f"{text}{SOURCES}"), environ={})
    with pytest.raises(ConfigError, match=message):
        config.get_sources()


@pytest.mark.parametrize("text", ["[source.a]\nfolder = 'x'\n", "source = 3\n", "[source]\na = 3\n"])
def test_a_source_without_a_kind_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="source"):
        load_config(write(tmp_path, text), environ={})
