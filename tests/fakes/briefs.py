"""A folder of one opinion and a brief about it, of a made-up court."""

from __future__ import annotations

from pathlib import Path

OPINION = """# *People v Marlowe*
**47 NY3d 910**\x20\x20
**June 11, 2024**\x20\x20

Fictional; no such case exists.

OPINION OF THE COURT

Ferris, J.

The People bear the burden of proving that each limit was observed, and a silent record counts against them. A harbor
officer may open a locker only after the owner has been asked for the missing extinguisher and has failed to show it.
"""
CLAIM = "(the People bear the burden of proving that each limit was observed, and a silent record counts against them)"
BRIEF = f"""BRIEF FOR APPELLANT (fictional)

A search of a moored vessel is unreasonable where nobody asked the owner (see People v Marlowe, 47 NY3d 910, 914 [2024]
[{CLAIM[1:-1]}]). Other authority agrees
(People v Hathersage, 46 NY3d 118, 125 [2019] [holding that a locker is no less private than a trunk]), and so does a
case whose cite is wrong (People v Marlowe, 49 NY3d 300 [2024] [holding that the owner must be asked first]).
"""


def make_folders(parent: Path) -> tuple[Path, Path]:
    """The folder of opinions and that of briefs."""
    opinions, briefs = parent / "opinions", parent / "briefs"
    opinions.mkdir()
    briefs.mkdir()
    (opinions / "people_v_marlowe.md").write_text(OPINION)
    (briefs / "brief.txt").write_text(BRIEF)
    return opinions, briefs
