"""Requests made at random from the API's own description, right and wrong ones: none breaks it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fakes.checks import BRIEF, FILES, MARLOWE, Server, serving
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

ADDRESS = "http://localhost:8765"
EXAMPLES = 45


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("fuzzed")
    (folder / "opinions").mkdir()
    (folder / "opinions" / "marlowe.md").write_text(MARLOWE)
    with serving(folder / "jobs", opinions=folder / "opinions", max_waiting=10_000) as server:
        yield server


@pytest.fixture(scope="module")
def api(server: Server) -> Any:
    files = [("brief", ("brief.txt", BRIEF)), *(("opinions", each) for each in FILES)]
    run = server.client.post("/v1/briefs", files=files).json()
    record = server.jobs.get(run["id"])
    assert record is not None
    server.wait(record, "done")
    described = server.client.get("/v1/openapi.json").json()
    # Else nearly all ids would be of no run. What is deleted stays away, so that is asked of others.
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", []):
                if parameter["name"] == "id" and method != "delete" and not path.endswith("cancel"):
                    parameter["schema"] = {"anyOf": [{"const": run["id"]}, parameter["schema"]]}
    schema = schemathesis.openapi.from_dict(described)
    schema.app = server.app
    return schema


def test_no_request_breaks_the_api(api: Any) -> None:
    sent: Counter[int] = Counter()
    for found in api.get_all_operations():
        operation = found.ok()
        for mode in GenerationMode:

            @settings(
                max_examples=EXAMPLES,
                derandomize=True,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                database=None,
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def try_all(case: schemathesis.Case) -> None:
                answer = case.call_and_validate(base_url=ADDRESS, excluded_checks=[positive_data_acceptance])
                sent[answer.status_code] += 1
                assert "Traceback" not in answer.text
                if answer.status_code >= 400:
                    assert answer.headers["content-type"] == ["application/problem+json"]

            # What takes no parameter cannot be asked wrongly.
            with contextlib.suppress(Unsatisfiable):
                try_all()
    assert sent.total() > 700
    assert sent[200] > 50
    assert not any(status >= 500 for status in sent)
