"""The contract of opinion sources, as a check."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from parcel_agents.briefs.shelf import Authority
from parcel_agents.briefs.sources import OpinionSource, match_given
from parcel_agents.integrations.library import read_reference
from parcel_agents.types import Opinion


def check_source(
    source: OpinionSource, *, has: Sequence[Authority | str], lacks: Sequence[Authority | str]
) -> list[Opinion]:
    """Check a source against the contract of `parcel_agents.briefs.sources`; returns the opinions of `has`, to look at.

    Args:
        source: as its factory makes it.
        has: decisions that it has, as a brief cites them: `People v Marlowe, 97 NY3d 210 (2024)`.
        lacks: decisions that it does not have.

    Raises:
        AssertionError: it breaks the contract; the text says how.
        ValueError: one of `has` and `lacks` is empty, or holds a text without a citation.
    """
    if not has or not lacks:
        raise ValueError("give at least one decision that the source has, and one that it lacks")
    name = getattr(source, "name", None)
    _require(isinstance(name, str) and bool(name), f"name is {name!r}; it must be the name in the configuration")
    found = [_check_had(source, _authority(one)) for one in has]
    for one in lacks:
        _check_lacked(source, _authority(one))
    return found


def _check_had(source: OpinionSource, authority: Authority) -> Opinion:
    what = f"for {authority.cite!r}"
    given = _fetch(source, authority)
    _require(not isinstance(given, Sequence) or bool(given), f"{what} it gave nothing, though it should have it")
    match = match_given(source.name, authority, given)
    if match.shelved is None:
        raise AssertionError(f"source: {what}: {match.why}")
    ids = [one.id for one in given]
    again = [one.id for one in _fetch(source, authority)]
    _require(ids == again, f"{what} it gave {again} the second time, and {ids} the first")
    with ThreadPoolExecutor(max_workers=1) as other:
        beside = [one.id for one in other.submit(_fetch, source, authority).result()]
    _require(ids == beside, f"{what} it gave {beside} in another thread, and {ids} in the first")
    return match.shelved.opinion


def _check_lacked(source: OpinionSource, authority: Authority) -> None:
    what = f"for {authority.cite!r}, which it lacks,"
    given = _fetch(source, authority)
    listed = isinstance(given, Sequence) and not isinstance(given, str | bytes)
    _require(listed, f"{what} it gave no list, but {type(given).__name__}")
    _require(not given, f"{what} it gave {len(given)} opinions; an empty list is wanted")


def _fetch(source: OpinionSource, authority: Authority) -> Sequence[Opinion]:
    try:
        return source.fetch(authority)
    except Exception as error:
        raise AssertionError(f"source: for {authority.cite!r} it raised {type(error).__name__} ({error})") from error


def _authority(given: Authority | str) -> Authority:
    authority = read_reference(given) if isinstance(given, str) else given
    if not authority.cite:
        raise ValueError(f"{given!r} has no citation, and sources are asked by citation alone")
    return authority


def _require(holds: bool, fault: str) -> None:
    if not holds:
        raise AssertionError(f"source: {fault}")
