"""A made-up decision with a dissent, and another that cites cases which it does not name."""

from __future__ import annotations

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

COURT = (
    "Defendant Marlowe was indicted for burglary in the second degree after officers boarded a moored boat.",
    "On May 4, 2011, Officer Hathersage opened the stern locker of the boat and found a lamp.",
    "County Court denied the motion to suppress, and the Appellate Division affirmed.",
    "The jury convicted defendant of burglary in the third degree.",
    "We hold that an officer may not open a locker unless the owner of the boat has been asked.",
    "A warrant is required for the search of a moored boat (see People v Ferris, 192 NY3d 118 [2009]).",
    "However, defendant failed to object to the admission of the lamp at trial.",
    "The search of the stern locker by the officers was unlawful.",
    "The officers asked for leave only after the locker had been opened.",
    "We need not decide whether the owner of the pier had given leave to the officers.",
    "Defendant's remaining contentions are without merit.",
    "The evidence of the lamp was sufficient to support the conviction of burglary in the third degree.",
    "Accordingly, the order of the Appellate Division should be reversed.",
)
DISSENT = (
    "A moored boat is not a home, and no warrant is needed for the search of its lockers.",
    "The officers acted lawfully when they opened the locker of an abandoned boat.",
    "I would affirm the order of the Appellate Division in every respect.",
)
OTHER = (
    "The search of a barge without a warrant is unlawful (see People v Dunmarrow, 193 NY3d 7 [2012]).",
    "A moored boat may be a home (People v Ellerby, 194 NY3d 11 [2013]), and its locker may not be opened by officers.",
    "Consent to the search of a boat must be given by its owner (People v Marlowe, 195 NY3d 200 [2014] [a search of the"
    " stern locker of a moored boat by the officers was unlawful without the owner's leave]).",
)


def harbor() -> Opinion:
    """People v Marlowe, with a dissent by Quist."""
    return parse_opinion(
        "# *People v Marlowe*\n\nOPINION OF THE COURT\n\n**Wren, J.**\n\n"
        + "\n\n".join(COURT)
        + "\n\n**Quist, J.** (dissenting).\n\n"
        + "\n\n".join(DISSENT)
        + "\n",
        suffix=".md",
    ).model_copy(update={"citation": "195 NY3d 200"})


def barge() -> Opinion:
    """People v Tallow, which cites cases that People v Marlowe does not name, and that case itself."""
    words = "\n\n".join(OTHER)
    return parse_opinion(f"# *People v Tallow*\n\nOPINION OF THE COURT\n\n**Pell, J.**\n\n{words}\n", suffix=".md")
