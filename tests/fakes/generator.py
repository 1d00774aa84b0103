"""Made-up decisions, and a model on the wire that writes, rates and labels claims about them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fakes.replies import calls, says
from fakes.server import Reply, Request, Script

THINGS = (
    "anchor chain", "bilge pump", "compass card", "deck lantern", "engine hatch", "fog signal", "galley stove",
    "harbor chart", "iron cleat", "jib halyard", "keel bolt", "log book", "mooring line", "net winch", "oar lock",
    "port hole", "quarter bell", "rudder post", "signal flag", "tiller arm",
)  # fmt: skip
STATES = (
    "rusted through", "hidden under canvas", "sold before dawn", "painted over", "left unlocked", "out of order",
    "borrowed from Wren", "torn in half", "loose on its base", "cut with a knife", "replaced in spring", "kept dry",
    "wet with brine", "bent by the gale", "taken ashore", "cracked along the rim", "rung at noon", "split by frost",
    "folded away", "tied with twine",
)  # fmt: skip
OWNERS = ("Marlowe", "Quist", "Ferris", "Hathersage", "Dunmarrow", "Abara", "Lund", "Vole")


def decision(owner: str, *, dissent: bool = True) -> str:
    """A decision of some three thousand characters about somebody's boat."""
    found = "\n\n".join(
        f"We find that the {thing} of the boat of {owner} was {state}, as Officer Tamsin told the trial court."
        for thing, state in zip(THINGS, STATES, strict=True)
    )
    separate = f"Quill, J. (dissenting). I would hold that the boat of {owner} was a dwelling.\n\n" if dissent else ""
    return (
        f"# People v {owner}\n\nOPINION OF THE COURT\n\nTrent, J.\n\n{found}\n\n"
        f"We hold that the search of the boat was lawful only if Officer Tamsin had leave to step aboard. We rely on "
        f"Matter of Ashby (12 NY3d 34 [2009] [holding that leave to board reaches the open deck and nothing else]).\n\n"
        f"{separate}Judges Orme and Pell concur.\n\nOrder affirmed.\n"
    )


def write_decisions(folder: Path, number: int) -> Path:
    """So many decisions as files; every other one has a dissent."""
    folder.mkdir(parents=True)
    for place, owner in enumerate(OWNERS[:number]):
        (folder / f"{owner.lower()}.md").write_text(decision(owner, dissent=place % 2 == 0))
    return folder


_KINDS = {
    "supported": "Spread them over these uses",
    "logic_reversal": "turning the legal outcome",
    "distractor_swap": "putting one named thing",
    "scope_contradiction": "changing how far it reaches",
    "authority_swap": "giving to the Court what only",
    "phantom_citation": "that it nowhere names",
    "unaddressed_argument": "nobody raised here",
    "missing_detail": "add one plausible detail",
    "contrast": "in the wording that false claims often have",
}
_LABELS = {"supported": "supported", "contrast": "supported"} | {
    kind: "not_found" if kind in ("phantom_citation", "unaddressed_argument", "missing_detail") else "refuted"
    for kind in _KINDS
    if kind not in ("supported", "contrast")
}
_TYPES = ("holding", "reasoning", "procedural", "application", "background")
_MIRRORS = ("phantom_citation", "missing_detail", "scope_contradiction")
PHANTOMS = ("Rowell v Stane", "Matter of Corvin", "Birch v Holloway", "Tarn v Eddery", "Matter of Sedge", "Pike v Lorn")

Answer = Callable[["FakeAuthor", Request], Reply | None]


@dataclass
class FakeAuthor:
    """A model that does what it is asked for, unless `answer` replies in its place."""

    answer: Answer = lambda author, request: None
    meant: dict[str, str] = field(default_factory=dict)
    """The label that each claim was written for."""
    written: dict[str, int] = field(default_factory=dict)
    """Claims by kind."""

    def __call__(self, request: Request) -> Reply:
        """A `Script` for the fake server."""
        return self.answer(self, request) or self.reply(request)

    def reply(self, request: Request) -> Reply:
        """What a good model says."""
        kind = kind_of(request)
        if kind == "rate":
            numbers = re.findall(r"(?m)^(\d+)\. \(", request.user)
            return _send(request, "ratings", {"ratings": [{"number": one, "density": "5"} for one in numbers]})
        if kind == "check":
            claim = claim_of(request)
            label = self.meant.get(claim, "not_found")
            passages = [] if label == "not_found" else ["p1"]
            return _send(request, "verdict", {"passages": passages, "reason": "It says so.", "label": label})
        entries = list(self.entries(kind, request))
        return _send(request, "claims", {"claims": entries})

    def entries(self, kind: str, request: Request) -> Iterator[dict[str, Any]]:
        """As many claims as are asked for, other than those that were written before."""
        match = re.search(r"Write (\d+) claims", request.user)
        assert match is not None
        first = request.user.count("\n- (") if "You have already written" in request.user else 0
        for number in range(first, first + int(match[1])):
            entry = _entry(kind, number, self._owner(request))
            self.meant[entry["claim"]] = _LABELS[kind]
            self.written[kind] = self.written.get(kind, 0) + 1
            yield entry

    @staticmethod
    def _owner(request: Request) -> str:
        return next(one for one in OWNERS if f"of the boat of {one} was" in request.user)


def kind_of(request: Request) -> str:
    """What is asked for: a kind of claim, `rate` or `check`."""
    if request.system.startswith("You rate"):
        return "rate"
    if request.system.startswith("You check"):
        return "check"
    return next(kind for kind, words in _KINDS.items() if words in request.user)


def claim_of(request: Request) -> str:
    """The claim that is to be labelled."""
    match = re.search(r"<claim \w+>\n(.*)\n</claim", request.user)
    assert match is not None
    return match[1]


def for_kind(kind: str, script: Script) -> Answer:
    """This script for requests of one kind."""
    return lambda author, request: script(request) if kind_of(request) == kind else None


def send(entries: list[Any]) -> Script:
    """These entries as claims."""
    return lambda request: _send(request, "claims", {"claims": entries})


def _send(request: Request, name: str, fields: Mapping[str, Any]) -> Reply:
    if request.rung == "function_calling":
        return calls((name, dict(fields)))(request)
    return says(request, json.dumps(fields))


def _entry(kind: str, number: int, owner: str) -> dict[str, Any]:
    thing, state = THINGS[number % len(THINGS)], STATES[number % len(STATES)]
    other = STATES[(number + 1) % len(STATES)]
    true = f"(crediting testimony that the {thing} on the vessel of {owner} had been {state})"
    passages = [f"p{1 + number % 5}"]
    entry = {"claim": true, "type": "", "true_claim": true, "from": "", "to": "", "passages": passages}
    if kind == "supported":
        return {**entry, "type": _TYPES[number % len(_TYPES)], "true_claim": ""}
    if kind == "logic_reversal":
        return {**entry, "claim": true.replace("crediting", "rejecting"), "from": "crediting", "to": "rejecting"}
    if kind == "distractor_swap":
        claim = f"(relying on what Ashby said of the {thing}, which had been {state})"
        true = f"(relying on what Officer Tamsin said of the {thing}, which had been {state})"
        return {**entry, "claim": claim, "true_claim": true, "from": "Tamsin", "to": "Ashby"}
    if kind == "scope_contradiction":
        claim = f"(holding that a {thing} may be searched regardless of leave when it is {state})"
        return {**entry, "claim": claim, "from": "only if", "to": "regardless of"}
    if kind == "authority_swap":
        claim = f"(Quill, J., dissenting, finding that the {thing} was {state} at the time)"
        return {**entry, "claim": claim, "from": "the Court", "to": "Quill, J., dissenting"}
    if kind == "phantom_citation":
        case = PHANTOMS[number % len(PHANTOMS)]
        claim = f"(citing {case} for the weight of testimony that a {thing} was {state})"
        return {**entry, "claim": claim, "to": case, "passages": []}
    if kind == "unaddressed_argument":
        argument = f"limitations barred a count about the {thing}"
        return {**entry, "claim": f"(declining to reach whether {argument} that was {state})", "to": argument}
    if kind == "missing_detail":
        detail = f"{number + 31} minutes"
        return {**entry, "claim": f"(noting that the {thing} was {state} for {detail} in all)", "to": detail}
    mirror = _MIRRORS[number % len(_MIRRORS)]
    claim = f"(accepting from Officer Tamsin that {owner} had a {thing} that was {state} and not {other})"
    return {**entry, "claim": claim, "type": mirror, "true_claim": ""}
