"""A made-up opinion, verdicts on it, and traces in which every text is hostile."""

from __future__ import annotations

from parcel_agents.opinions import parse_opinion
from parcel_agents.traces import TraceBook
from parcel_agents.traces.building import make_book, trace_of
from parcel_agents.traces.model import Asked, BriefPlace, Trace
from parcel_agents.types import Certificate, Evidence, Label, Nearest, Opinion, Verdict, Vote

COURT = "We hold that an officer may not open the stern locker of a moored boat before the owner has been asked."
DISSENT = "A locker is no more private than the deck on which it stands, and nobody is owed a word before it is opened."
OPINION = f"""# People v Marlowe

**97 NY3d 210**

**June 11, 2024**

{{**97 NY3d at 211}} Fictional; no such case exists.

OPINION OF THE COURT

Ferris, J.

{COURT}

The tide was low, and gulls walked about on the mud as they do there in spring, whatever anybody might say of it. 𝔐

{{**97 NY3d at 212}} The People bear the burden of proving that each limit was observed, and a silent record counts
against them.

Quist, J. (dissenting). {DISSENT}

Judges Abara and Lund concur with Judge Ferris.

Order affirmed.
"""
HOSTILE = (
    "<script>window.hit = 1</script>",
    "<img src=x onerror=window.hit=1>",
    "</script><script>window.hit=1</script>",
    '"><svg onload=window.hit=1>',
    "' onmouseover='window.hit=1",
    '<a href="javascript:window.hit=1">cite</a>',
    "<style>body{display:none}</style>",
    "</style><style>*{visibility:hidden}</style>",
    "<!--<script>",
    "{{ 7 * 7 }}{% raw %}",
    "]]>&lt;b&gt;\u2028\u202egnidaer\u0000",
    "<iframe srcdoc='<script>parent.hit=1</script>'>",
    "<base href='http://127.0.0.1:9/'><meta http-equiv=refresh content='0;url=data:text/html,gone'>",
)


def opinion(text: str = OPINION) -> Opinion:
    return parse_opinion(text, suffix=".md")


def evidence(read: Opinion, words: str, relation: str) -> Evidence:
    """The passage that has these words, as evidence of them."""
    start = read.text.index(words)
    passage = next(one for one in read.passages if one.start <= start < one.end)
    part = read.part(passage.part)
    return Evidence.model_validate(
        {
            "passage": passage.id,
            "start": start,
            "end": start + len(words),
            "relation": relation,
            "text": words,
            "part": part.id,
            "voice": part.voice,
            "page": read.page_at(start),
        }
    )


def verdict(
    read: Opinion,
    claim: str,
    label: Label | None,
    *,
    id: str = "c",
    words: str = COURT,
    relation: str = "supports",
    error: str | None = None,
    reason: str = "the claim repeats a sentence of the opinion",
) -> Verdict:
    found = evidence(read, words, relation if label in ("supported", "refuted") else "nearest")
    votes = (
        Vote(
            verifier="checks",
            outcome="ok",
            label=label if label != "supported" else None,
            reason=reason,
            read=tuple(passage.id for passage in read.passages),
        ),
        Vote(verifier="a-model", outcome="timeout" if error else "ok", label=None if error else label, reason=reason),
    )
    near = (Nearest(evidence=found, shortfall="says nothing of: cabin"),)
    return Verdict(
        claim_id=id,
        claim=claim,
        opinion_id=read.id,
        label=label,
        status="decided" if label else "abstained",
        confidence=0.9 if label else None,
        policy="majority",
        reason="2 of 2 answered: majority",
        error=error,
        evidence=(found,),
        votes=votes,
        certificate=Certificate(read_by={"checks": votes[0].read}, coverage=1.0, nearest=near)
        if label == "not_found"
        else None,
    )


def authority(text: str = "", **fields: object) -> BriefPlace:
    about: dict[str, object] = {
        "name": "People v Marlowe",
        "cite": "97 NY3d 210",
        "year": 2024,
        "parenthetical": text or "(holding that the owner must be asked)",
        "before": "A search without a word is unlawful",
        "start": 10,
        "end": 40,
        "why": "by cite",
        "file": "people_v_marlowe.md",
    }
    return BriefPlace.model_validate({**about, **fields})


def every_status() -> TraceBook:
    """A trace of each status about one opinion."""
    read = opinion()
    swapped = "(holding that an officer may open the stern locker of a moored boat before the owner has been asked)"
    given: list[tuple[str, Label | None, str | None]] = [
        (f"({COURT[8:-1]})", "supported", None),
        (swapped, "refuted", None),
        ("(holding that a cabin is a dwelling under 640 pounds of oysters)", "not_found", None),
        ("(holding that the record was not silent about the cabin)", None, None),
        ("(holding that gulls are witnesses of the People)", None, "no vote from a-model"),
    ]
    traces: list[Trace] = []
    for number, (claim, label, error) in enumerate(given, 1):
        relation = "contradicts" if label == "refuted" else "supports"
        said = verdict(read, claim, label, id=f"c{number}", relation=relation, error=error)
        traces.append(trace_of(number, said, read, authority=authority()))
    for status in ("not_at_hand", "not_matched"):
        number = len(traces) + 1
        place = authority(file=None, why="no file has its cite or name", candidates=("quist_v_ferris.md",))
        claim = "(holding that a trunk is no less private than a locker)"
        traces.append(
            Trace.model_validate(
                {
                    "number": number,
                    "claim_id": f"c{number}",
                    "claim": claim,
                    "status": status,
                    "why": place.why,
                    "authority": place.model_dump(),
                }
            )
        )
    return make_book("brief.txt", "brief", tuple(traces), {read.id: read}, asked=Asked(panel="embedded"))


def hostile() -> TraceBook:
    """A book in which every text that comes from a file or a model is hostile."""
    every = " ".join(HOSTILE)
    read = opinion(OPINION.replace("Fictional;", "Fictional.").replace(COURT, f"{COURT} {every.replace(chr(10), ' ')}"))
    bad = dict.fromkeys(("name", "citation", "court", "date", "source"), every)
    read = read.model_copy(
        update={**bad, "parts": tuple(part.model_copy(update={"author": every}) for part in read.parts)}
    )
    traces = []
    for number, text in enumerate(HOSTILE, 1):
        said = verdict(read, f"(holding {text})", "supported", id=text, reason=text)
        names = {"verifier": text}
        said = said.model_copy(update={"votes": tuple(vote.model_copy(update=names) for vote in said.votes)})
        said = said.model_copy(update={"evidence": tuple(e.model_copy(update={"page": text}) for e in said.evidence)})
        fields = dict.fromkeys(("name", "cite", "court", "pin", "signal", "why", "file", "before", "page"), text)
        place = authority(text, **fields, candidates=(text,))
        traces.append(trace_of(number, said, read, authority=place))
    asked = Asked(panel=every, policy=every, dataset=every, versions={every: every}, created=every)
    return make_book(every, "brief", tuple(traces), {read.id: read}, asked=asked, notes=(every,))


def long_opinions(opinions: int, paragraphs: int) -> list[Opinion]:
    """So many opinions, each of so many paragraphs beside the usual ones."""
    filler = "It was a long afternoon in the harbor of Hathersage, and the record is as long as the afternoon was. "
    reads = []
    for number in range(opinions):
        more = "\n\n".join(f"{place}. {filler * 2}{number}" for place in range(paragraphs))
        reads.append(opinion(OPINION.replace("The tide was low", f"{more}\n\nThe tide was low")))
    return reads


def many(*, claims: int, opinions: int, paragraphs: int = 3, words: str = COURT) -> TraceBook:
    """So many claims about so many opinions, each of so many paragraphs beside the usual ones."""
    filler = "It was a long afternoon in the harbor of Hathersage, and the record is as long as the afternoon was. "
    reads = long_opinions(opinions, paragraphs)
    traces = []
    for number in range(1, claims + 1):
        read = reads[number % opinions]
        claim = f"(holding in matter {number} that a cabin is a dwelling under 640 pounds of oysters)"
        said = verdict(read, claim, "not_found" if number % 2 else "supported", id=f"c{number}", words=words)
        place = authority(before=filler * 3)
        made = trace_of(1, said, read, authority=place) if number < 3 else traces[(number - 1) % 2]
        traces.append(made.model_copy(update={"number": number, "opinion_id": read.id, "verdict": said}))
    return make_book("A long brief", "brief", tuple(traces), {read.id: read for read in reads})
