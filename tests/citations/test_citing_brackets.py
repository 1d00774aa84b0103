from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.citations.citing_brackets import blank_citations


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It was open (see People v Hathersage, 2 NY3d 118, 125 [2009]).", "It was open ."),
        ("It was open (Harbor Law § 12).", "It was open ."),
        ("It was open [dissenting op at 5].", "It was open ."),
        ("It was open (id. at 125).", "It was open ."),
        ("It was open (or so he said).", "It was open (or so he said)."),
        ("[T]he locker (1) was open.", "[T]he locker (1) was open."),
        ("It was open (see People v Hathersage.", "It was open (see People v Hathersage."),
    ],
)
def test_only_brackets_that_cite_are_blanked(text: str, kept: str) -> None:
    assert " ".join(blank_citations(text).split()) == kept


@given(st.text(alphabet="se()[] 12NYd§v.,", max_size=60))
def test_offsets_hold(text: str) -> None:
    blanked = blank_citations(text)
    assert len(blanked) == len(text)
    assert all(new in {old, " "} for old, new in zip(text, blanked, strict=True))
