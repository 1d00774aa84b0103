"""LangChain tools that check claims, for `bind_tools`, `ToolNode`, `create_agent` or any loop of one's own."""

from __future__ import annotations

from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from parcel_agents.config import Config
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.integrations.checking import MAX_CLAIM, Checked, Checker, Opinions
from parcel_agents.integrations.library import MAX_REFERENCE
from parcel_agents.integrations.wording import in_words, summary
from parcel_agents.tools.answers import Answer, Arguments, RefusedCall, check_text, make_tool
from parcel_agents.types import SCHEMA_VERSION

MAX_CLAIMS = 20

_CLAIM = (
    "one complete statement of what the opinion says or holds, as the draft words it, such as"
    " '(holding that a waiver signed without counsel is invalid)'; name the dissent where the dissent says it"
)
_OPINION = "the cited opinion: its citation, case name, file name or id, such as 'People v Marlowe, 97 NY3d 210 (2024)'"
_RULE = (
    " Answers SUPPORTED, REFUTED, NOT FOUND, UNDECIDED or COULD NOT CHECK, with quotations, whose voice they are, page"
    " and what to do. Cite only what is SUPPORTED."
)


class ClaimArguments(Arguments):
    """Arguments of `verify_claim`."""

    claim: Annotated[str, Field(description=_CLAIM)]
    opinion: Annotated[str, Field(description=_OPINION)]


class ClaimsArguments(Arguments):
    """Arguments of `verify_claims`."""

    claims: Annotated[list[str], Field(description=f"1 to {MAX_CLAIMS} claims about one opinion; each {_CLAIM}")]
    opinion: Annotated[str, Field(description=_OPINION)]


def verify_claim_tool(
    opinions: Opinions | Checker,
    *,
    panel: str | None = None,
    config: Config | None = None,
    context: VerifyContext | None = None,
) -> BaseTool:
    """The tool `verify_claim`: does the opinion that a claim cites say what the claim says of it?

    The message's content is for the model; its artifact is the `Verdict` as JSON: an opinion that is not at hand, or a
    panel that failed, is a verdict without a label whose `error` says why. A call that makes no sense (no claim, or one
    of thousands of letters) is answered by a message without one.

    Args:
        opinions: the opinions that may be asked about, the folder that holds them, or a checker shared by tools.
        panel: the panel's name; None for the one the configuration names.
        config: the configuration; None for the one in force.
        context: a panel at work to use instead of making one.

    Raises:
        ConfigError: the panel or something it names is unknown.
        InputError: the folder is none.
    """
    checker = _checker(opinions, panel, config, context)

    def run(claim: str, opinion: str) -> Answer:
        return _one(checker.check([_claim(claim)], _reference(opinion)))

    async def arun(claim: str, opinion: str) -> Answer:
        return _one(await checker.acheck([_claim(claim)], _reference(opinion)))

    return make_tool(
        run,
        ClaimArguments,
        name="verify_claim",
        description=f"Check whether a judicial opinion says what a citation to it claims.{_RULE}",
        arun=arun,
    )


def verify_claims_tool(
    opinions: Opinions | Checker,
    *,
    panel: str | None = None,
    config: Config | None = None,
    context: VerifyContext | None = None,
) -> BaseTool:
    """The tool `verify_claims`: the same for several claims about one opinion, which is read once.

    Its artifact is `{"schema_version": ..., "verdicts": [...]}`, in the order of the claims.

    Args:
        opinions: see `verify_claim_tool`.
        panel: see `verify_claim_tool`.
        config: see `verify_claim_tool`.
        context: see `verify_claim_tool`.
    """
    checker = _checker(opinions, panel, config, context)

    def run(claims: list[str], opinion: str) -> Answer:
        return _several(checker.check(_claims(claims), _reference(opinion)))

    async def arun(claims: list[str], opinion: str) -> Answer:
        return _several(await checker.acheck(_claims(claims), _reference(opinion)))

    return make_tool(
        run,
        ClaimsArguments,
        name="verify_claims",
        description=f"Check whether a judicial opinion says what several claims about it say.{_RULE}",
        arun=arun,
    )


def _checker(
    opinions: Opinions | Checker, panel: str | None, config: Config | None, context: VerifyContext | None
) -> Checker:
    if isinstance(opinions, Checker):
        return opinions
    return Checker(opinions, panel=panel, config=config, context=context)


def _claim(claim: str) -> str:
    return check_text("claim", claim, MAX_CLAIM)


def _claims(claims: list[str]) -> list[str]:
    if not 1 <= len(claims) <= MAX_CLAIMS:
        raise RefusedCall(f"claims has {len(claims)} entries; give 1 to {MAX_CLAIMS}.")
    return [check_text(f"claim {number}", claim, MAX_CLAIM) for number, claim in enumerate(claims, 1)]


def _reference(opinion: str) -> str:
    return check_text("opinion", opinion, MAX_REFERENCE)


def _one(checked: list[Checked]) -> Answer:
    (one,) = checked
    return Answer(in_words(one), one.verdict.model_dump(mode="json"))


def _several(checked: list[Checked]) -> Answer:
    verdicts: list[Any] = [one.verdict.model_dump(mode="json") for one in checked]
    return Answer(summary(checked), {"schema_version": SCHEMA_VERSION, "verdicts": verdicts})
