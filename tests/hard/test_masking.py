from __future__ import annotations

from fakes.llm import make_opinion
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.hard.masking import UNAVAILABLE, WITHHELD, without_passages, without_text
from parcel_agents.opinions.passages import sentences
from parcel_agents.types import Opinion

LONG = make_opinion(
    " ".join(f"The oyster barge number {n} lay at its berth in Hathersage all night." for n in range(60))
)


def test_without_its_text_nothing_of_an_opinion_is_left() -> None:
    blank = without_text(make_opinion().model_copy(update={"name": "Quist v Marlowe"}))
    assert blank.text == UNAVAILABLE
    assert [passage.text for passage in blank.passages] == [UNAVAILABLE]
    assert blank.name is None
    assert sentences(blank.text, blank.passages[0])


def test_a_masked_passage_is_gone_and_the_others_are_what_they_were() -> None:
    opinion = make_opinion()
    masked = without_passages(opinion, ["p1"])
    assert masked.text == f"{WITHHELD}\n\n{opinion.passage('p2').text}"
    assert masked.passage("p2").text == opinion.passage("p2").text
    assert masked.id != opinion.id


@given(st.sets(st.sampled_from([passage.id for passage in LONG.passages])))
def test_offsets_of_a_masked_opinion_are_right(masked: set[str]) -> None:
    found = without_passages(LONG, masked)
    Opinion.model_validate(found.model_dump())
    for old, new in zip(LONG.passages, found.passages, strict=True):
        assert new.id == old.id
        assert new.text == (WITHHELD if old.id in masked else old.text) == found.text[new.start : new.end]
        part = found.part(new.part)
        assert part.start <= new.start
        assert new.end <= part.end
    assert [part.start for part in found.parts] == [0, *(part.end for part in found.parts[:-1])]
    assert found.parts[-1].end == len(found.text)
