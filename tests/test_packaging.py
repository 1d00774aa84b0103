"""The wheel holds what the tree holds, and nothing beside parcel_agents."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def packages_in_tree() -> list[str]:
    found = set()
    # The walk follows the links to graphs, retrievers and eval.
    for folder, _, files in os.walk(ROOT / "parcel_agents", followlinks=True):
        if "__init__.py" in files:
            found.add(".".join(Path(folder).relative_to(ROOT).parts))
    return sorted(found)


def test_the_list_of_packages_is_the_trees() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert sorted(settings["tool"]["setuptools"]["packages"]) == packages_in_tree()


@pytest.mark.parametrize("name", ["graphs", "retrievers", "eval"])
def test_the_top_level_folders_are_linked_relatively(name: str) -> None:
    link = ROOT / "parcel_agents" / name
    assert link.is_symlink()
    assert link.readlink() == Path("..") / name


@pytest.mark.slow
def test_a_wheel_installs_and_every_module_imports(tmp_path: Path) -> None:
    # A copy, since building leaves a folder with what was built before.
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, symlinks=True, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info", "tests"))
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", tmp_path, source],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"parcel_agents"}
    for needed in (
        "py.typed",
        "panels.toml",
        "examples/claims.jsonl",
        "examples/opinions/people_v_marlowe.md",
        "retrievers/hybrid_weights.json",
        "server/static/job.js",
        "server/templates/base.html",
        "traces/templates/claim.html",
        "traces/templates/opinion.js",
        "traces/templates/trace.html",
        "traces/templates/trace.css",
        "traces/templates/trace.js",
    ):
        assert f"parcel_agents/{needed}" in names
    site = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-deps", "--quiet", "--target", site, wheel],
        check=True,
        capture_output=True,
    )
    modules = sorted(
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in names if name.endswith(".py")
    )
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r})\nimport importlib, parcel_agents\n"
        f"assert parcel_agents.__file__.startswith({str(site)!r}), parcel_agents.__file__\n"
        f"for name in {modules!r}: importlib.import_module(name)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
