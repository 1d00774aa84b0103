"""Options that the commands which ask a panel have in common."""

from __future__ import annotations

from typing import Annotated

import typer

FailClosed = Annotated[
    bool,
    typer.Option(
        "--fail-closed", help="Call nothing Supported where a verifier that was asked gave no vote; say why instead."
    ),
]
