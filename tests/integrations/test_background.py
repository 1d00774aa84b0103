"""The event loop that the package keeps."""

from __future__ import annotations

import asyncio
import os

import pytest

from parcel_agents.background import arun, run


async def _one() -> int:
    await asyncio.sleep(0)
    return 1


def test_it_works_inside_of_a_running_loop_and_from_itself() -> None:
    async def inside() -> int:
        return run(_one()) + await arun(_one())

    async def from_itself() -> int:
        return await arun(_one())

    assert asyncio.run(inside()) == 2
    assert run(from_itself()) == 1


def test_waiting_for_itself_is_an_error_and_no_hang() -> None:
    async def hangs() -> int:
        return run(_one())

    with pytest.raises(RuntimeError, match="await the asynchronous form"):
        run(hangs())
    assert run(_one()) == 1


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_a_loop_of_its_own() -> None:
    assert run(_one()) == 1
    child = os.fork()
    if child == 0:
        os._exit(0 if run(_one()) == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
