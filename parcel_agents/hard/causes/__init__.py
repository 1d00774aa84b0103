"""Why a claim is hard, one cause a file. A cause is a pure function of a `HardClaim`; it gives None where it does not
apply. `leakage` alone asks models.
"""

from collections.abc import Callable

from parcel_agents.hard.causes.cause import CAUSES, IN_WORDS, Cause, CauseName
from parcel_agents.hard.causes.likely_mislabelled import likely_mislabelled
from parcel_agents.hard.causes.retrieval_miss import read_in_part, retrieval_miss
from parcel_agents.hard.causes.subtle_edit import subtle_edit
from parcel_agents.hard.causes.terms_absent import terms_absent
from parcel_agents.hard.causes.voice_disagreement import voice_disagreement
from parcel_agents.hard.claim import HardClaim

OFFLINE: dict[CauseName, Callable[[HardClaim], Cause | None]] = {
    "terms_absent": terms_absent,
    "subtle_edit": subtle_edit,
    "retrieval_miss": retrieval_miss,
    "voice_disagreement": voice_disagreement,
    "likely_mislabelled": likely_mislabelled,
}
"""The causes that recorded votes and the opinion are enough for."""


def untold(hard: HardClaim) -> list[CauseName]:
    """The causes that cannot be told of a claim, for want of its opinion, of gold evidence or of what votes read."""
    if hard.opinion is None:
        return [name for name in OFFLINE if name != "likely_mislabelled"]
    return [] if hard.gold_evidence is not None and read_in_part(hard) else ["retrieval_miss"]


__all__ = ["CAUSES", "IN_WORDS", "OFFLINE", "Cause", "CauseName", "untold"]
