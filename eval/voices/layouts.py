"""The fictional case as courts, reporters and publishers set it: one function a layout."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from parcel_agents.eval.voices import case

_FEEDS = "\f"
_WIDTH = 78


@dataclass(frozen=True)
class Page:
    """A file of the case in one layout."""

    name: str
    suffix: str
    text: str
    reserved: bool = False
    """True where the head of the Court's opinion leaves its Part II to a plurality."""
    without: frozenset[str] = field(default_factory=frozenset)
    """Voices that the layout does not hold."""


def _paragraphs(sentences: Sequence[str], size: int = 2) -> list[str]:
    return [" ".join(sentences[place : place + size]) for place in range(0, len(sentences), size)]


def _reasons() -> list[str]:
    reported = [*case.PARTY, *case.COURT_BELOW, *case.OTHER_DECISION]
    return [*_paragraphs(case.FACTS, 3), *_paragraphs(reported), *_paragraphs(case.COURT)]


def _markdown(lines: Sequence[str]) -> str:
    return "\n\n".join(lines)


def _wrapped(lines: Sequence[str], *, indent: int = 0, gap: int = 1) -> str:
    """Paragraphs broken into lines of a page, `gap` empty lines between them."""
    pages = []
    for line in lines:
        row, rows = " " * indent, []
        for word in line.split():
            if len(row) + len(word) + 1 > _WIDTH and row.strip():
                rows.append(row.rstrip())
                row = ""
            row += word + " "
        pages.append("\n".join([*rows, row.rstrip()]))
    return ("\n" * (gap + 1)).join(pages)


def _tags(tag: str, lines: Sequence[str]) -> str:
    return "".join(f"<{tag}>{html.escape(line, quote=False)}</{tag}>\n" for line in lines)


def new_york_official() -> Page:
    """The Law Reporting Bureau's text, as Markdown dumps have it."""
    front = [
        "# Quist v Harbor Bd. (2031 NY Slip Op 00517)",
        "99 NY3d 214\n\nMay 19, 2031\n\nArden, J.\n\nCourt of Appeals",
        "SUMMARY",
        *_paragraphs(case.SYLLABUS),
        *case.COUNSEL,
    ]
    court = ["OPINION OF THE COURT", "Arden, J.", *_reasons(), case.ORDER]
    others = [
        "Brill, J. (concurring).",
        *_paragraphs(case.CONCURRENCE),
        "Cole, J. (dissenting).",
        *_paragraphs(case.DISSENT),
    ]
    closing = ["Judges Denham and Ferrer concur; Judge Brill concurs in an opinion; Judge Cole dissents in another."]
    return Page(
        "New York, official reports (md)", ".md", _markdown([*front, *court, *others, *closing, "Order reversed."])
    )


def supreme_court_slip() -> Page:
    """A slip opinion of the Supreme Court as a text dump, with running heads and a section for a plurality."""

    def sheet(kind: str, body: Sequence[str], number: int) -> str:
        head = f"{number:>4}                    QUIST v. HARBOR BOARD"
        set_apart = "\n\n".join(
            f"{line:^{_WIDTH}}" if len(line) < 5 else _wrapped([line], indent=3, gap=0) for line in body
        )
        return f"{head}\n\n{kind:^{_WIDTH}}\n\n{set_apart}"

    caption = [f"{'SUPREME COURT OF THE UNITED STATES':^{_WIDTH}}", f"{'No. 30-217':^{_WIDTH}}"]
    head = "JUSTICE ARDEN delivered the opinion of the Court, except as to Part II."
    pages = [
        sheet(
            "Syllabus",
            [
                *_paragraphs(case.SYLLABUS),
                "ARDEN, J., delivered the opinion of the Court, except as to Part "
                "II. BRILL, J., filed an opinion concurring in the judgment. COLE, J., filed a dissenting opinion.",
            ],
            1,
        ),
        sheet(
            "Opinion of the Court",
            [*caption, head, "I", *_reasons(), "II", *_paragraphs(case.PLURALITY), "III", case.ORDER],
            1,
        ),
        sheet(
            "BRILL, J., concurring in judgment",
            [*caption, "JUSTICE BRILL, concurring in the judgment.", *_paragraphs(case.CONCURRENCE)],
            1,
        ),
        sheet(
            "COLE, J., dissenting",
            [*caption, "JUSTICE COLE, with whom JUSTICE FERRER joins, dissenting.", *_paragraphs(case.DISSENT)],
            1,
        ),
    ]
    return Page("Supreme Court, slip opinion (txt)", ".txt", _FEEDS.join(pages), reserved=True)


def circuit_double_spaced() -> Page:
    """A circuit's slip opinion as a text dump: every line apart."""
    lines = [
        "United States Court of Appeals",
        "For the First Circuit",
        "No. 30-217",
        "ADA QUIST, Plaintiff, Appellant,",
        "v.",
        "HARBOR BOARD, Defendant, Appellee.",
        "Before Arden, Brill and Cole, Circuit Judges.",
        *case.COUNSEL,
        case.DATE,
        "ARDEN, Circuit Judge.",
        *_reasons(),
        case.ORDER,
        "- Concurring and dissenting opinions follow -",
        "BRILL, Circuit Judge, concurring in the judgment.",
        *case.CONCURRENCE,
        "COLE, Circuit Judge (Dissenting).",
        *case.DISSENT,
    ]
    body = "\n\n".join("\n\n".join(_wrapped([line], indent=5).split("\n")) for line in lines)
    return Page("First Circuit, double-spaced (txt)", ".txt", body, without=frozenset({"syllabus"}))


def illinois_numbered() -> Page:
    """Numbered paragraphs, with the judgment line of the Illinois courts."""
    numbered = [f"¶ {place} {line}" for place, line in enumerate([*_reasons(), case.ORDER], start=1)]
    later = [f"¶ {place} {line}" for place, line in enumerate(_paragraphs(case.DISSENT), start=21)]
    lines = [
        "2031 IL App (1st) 300217",
        "IN THE APPELLATE COURT OF ILLINOIS",
        "ADA QUIST, Plaintiff-Appellant, v. HARBOR BOARD",
        "JUSTICE ARDEN delivered the judgment of the court, with opinion.",
        *numbered,
        "¶ 20 JUSTICE COLE, dissenting:",
        *later,
        "¶ 30 PRESIDING JUSTICE BRILL, specially concurring:",
        *_paragraphs(case.CONCURRENCE),
    ]
    return Page("Illinois, numbered paragraphs (md)", ".md", _markdown(lines), without=frozenset({"syllabus"}))


def michigan_html() -> Page:
    """A page of Fastcase: bare paragraphs; the separate statements are headed as in Michigan."""
    lines = [
        case.NAME,
        "Docket No. 300217.",
        "Supreme Court of Michigan.",
        case.DATE,
        *case.COUNSEL,
        "ARDEN, J.",
        *_reasons(),
        case.ORDER,
        "BRILL, J., concurs and states as follows:",
        *_paragraphs(case.CONCURRENCE),
        "COLE, J., dissents and states as follows:",
        *_paragraphs(case.DISSENT),
    ]
    return Page(
        "Michigan, Fastcase page (html)",
        ".html",
        f"<html><body>{_tags('p', lines)}</body></html>",
        without=frozenset({"syllabus"}),
    )


def washington_dash() -> Page:
    """Washington sets the author's line and the first words in one paragraph."""
    dissent, concurrence = _paragraphs(case.DISSENT), _paragraphs(case.CONCURRENCE)
    lines = [
        "IN THE SUPREME COURT OF THE STATE OF WASHINGTON",
        "QUIST v. HARBOR BOARD",
        "No. 103217-4",
        f"ARDEN, J.—{_reasons()[0]}",
        *_reasons()[1:],
        case.ORDER,
        f"BRILL, J. (concurring)—{concurrence[0]}",
        *concurrence[1:],
        f"COLE, J.P.T.* (dissenting)—{dissent[0]}",
        *dissent[1:],
    ]
    return Page("Washington (txt)", ".txt", _wrapped(lines, indent=4), without=frozenset({"syllabus"}))


def pennsylvania_titles() -> Page:
    """Titles over each opinion, the author and the date on the line below."""
    lines = [
        "IN THE SUPREME COURT OF PENNSYLVANIA",
        "QUIST v. HARBOR BOARD",
        "No. 12 MAP 2030",
        "OPINION",
        "JUSTICE ARDEN DECIDED: MAY 19, 2031",
        *_reasons(),
        case.ORDER,
        "CONCURRING OPINION",
        "JUSTICE BRILL DECIDED: MAY 19, 2031",
        *_paragraphs(case.CONCURRENCE),
        "DISSENTING OPINION",
        "JUSTICE COLE DECIDED: MAY 19, 2031",
        *_paragraphs(case.DISSENT),
    ]
    return Page("Pennsylvania, titles (md)", ".md", _markdown(lines), without=frozenset({"syllabus"}))


def louisiana() -> Page:
    """Votes with reasons: the line that reports the vote is the heading."""
    lines = [
        "SUPREME COURT OF LOUISIANA",
        "No. 2030-C-00217",
        "QUIST v. HARBOR BOARD",
        "ARDEN, Justice.",
        *_reasons(),
        case.ORDER,
        "Brill, J., additionally concurs and assigns reasons.",
        *_paragraphs(case.CONCURRENCE),
        "COLE, J., dissenting with written reasons.",
        *_paragraphs(case.DISSENT),
    ]
    return Page("Louisiana (txt)", ".txt", _wrapped(lines), without=frozenset({"syllabus"}))


def lexis_export() -> Page:
    """A Lexis export: summary and headnotes of the publisher, then the opinions under its headings."""
    lines = [
        "Quist v. Harbor Bd.",
        "Supreme Court of Hale",
        "May 19, 2031, Decided",
        "No. 30-217",
        "Core Terms",
        "mooring, fee, notice, harbor",
        "Case Summary",
        "Overview",
        *_paragraphs(case.SYLLABUS[:2]),
        "LexisNexis® Headnotes",
        *_paragraphs(case.SYLLABUS[2:]),
        "Opinion by: Arden",
        "Opinion",
        "ARDEN, J.",
        *_reasons(),
        case.ORDER,
        "Concur by: Brill",
        "Concur",
        "BRILL, J., concurring.",
        *_paragraphs(case.CONCURRENCE),
        "Dissent by: Ruth R. Cole",
        "Dissent",
        *_paragraphs(case.DISSENT),
        "End of Document",
    ]
    return Page("Lexis export (txt)", ".txt", _wrapped(lines))


def caselaw_html() -> Page:
    """The HTML of the Caselaw Access Project: an article an opinion."""

    def article(kind: str, author: str, lines: Sequence[str]) -> str:
        split = "".join(f"<span>{word} </span>" for word in author.split())
        return f'<article class="opinion" data-type="{kind}"><p class="author">{split}</p>{_tags("p", lines)}</article>'

    head = (
        '<section class="head-matter"><h4 class="parties">Ada QUIST v. HARBOR BOARD.</h4>'
        f'<p class="docketnumber">No. 30-217.</p><p class="court">Supreme Court of Hale.</p>'
        f'<p class="decisiondate">{case.DATE}.</p>{_tags("p", [*_paragraphs(case.SYLLABUS), *case.COUNSEL])}</section>'
    )
    body = (
        article("majority", "ARDEN, Justice.", [*_reasons(), case.ORDER])
        + article("concurrence", "BRILL, Justice,", _paragraphs(case.CONCURRENCE))
        + article("dissent", "COLE, Justice,", _paragraphs(case.DISSENT))
    )
    return Page("Caselaw Access Project (html)", ".html", f'<section class="casebody">{head}{body}</section>')


def caselaw_json() -> Page:
    """The JSON of the Caselaw Access Project: typed opinions in a `casebody`."""

    def opinion(kind: str, author: str, lines: Sequence[str]) -> dict[str, str]:
        return {"type": kind, "author": author, "text": "\n".join([author, *lines])}

    record = {
        "name": case.NAME,
        "name_abbreviation": case.NAME,
        "decision_date": "2031-05-19",
        "citations": [{"type": "official", "cite": "99 Hale 214"}],
        "court": {"name": "Supreme Court of Hale", "name_abbreviation": "Hale"},
        "casebody": {
            "head_matter": "\n".join([case.NAME, *case.SYLLABUS, *case.COUNSEL]),
            "opinions": [
                opinion("majority", "ARDEN, Justice.", [*_reasons(), case.ORDER]),
                opinion("concurrence", "BRILL, Justice.", _paragraphs(case.CONCURRENCE)),
                opinion("dissent", "COLE, Justice.", _paragraphs(case.DISSENT)),
            ],
        },
    }
    return Page("Caselaw Access Project (json)", ".json", json.dumps(record))


def courtlistener_html() -> Page:
    """CourtListener's page of a Harvard text: `<opinion type=...>` with footnotes apart."""

    def opinion(kind: str, author: str, lines: Sequence[str]) -> str:
        return f'<opinion type="{kind}"><author id="b1">{author}</author>{_tags("p", lines)}</opinion>'

    head = _tags("p", [case.NAME, *_paragraphs(case.SYLLABUS)]) + f"<attorneys>{' '.join(case.COUNSEL)}</attorneys>"
    body = (
        opinion("majority", "Arden, J.", [*_reasons(), case.ORDER])
        + opinion("concurrence", "Brill, J.", _paragraphs(case.CONCURRENCE))
        + opinion("dissent", "Cole, J.", _paragraphs(case.DISSENT))
    )
    return Page("CourtListener, Harvard text (html)", ".html", f"<html><body><div>{head}{body}</div></body></html>")


def courtlistener_combined() -> Page:
    """CourtListener's API: one `010combined` opinion of plain text, which says nothing of whose it is."""
    lines = [
        "SUPREME COURT OF HALE",
        "QUIST v. HARBOR BOARD",
        "No. 30-217",
        case.DATE,
        "ARDEN, J., delivered the opinion of the Court, in which "
        "DENHAM, J., joined. COLE, J., filed a dissenting opinion.",
        "JUSTICE ARDEN delivered the opinion of the Court.",
        *_reasons(),
        case.ORDER,
        "JUSTICE BRILL, concurring in part and concurring in the judgment.",
        *_paragraphs(case.CONCURRENCE),
        "JUSTICE COLE, dissenting.",
        *_paragraphs(case.DISSENT),
    ]
    record = {"id": 7, "type": "010combined", "author_str": "", "plain_text": _wrapped(lines, indent=4)}
    return Page("CourtListener API, combined text (json)", ".json", json.dumps(record), without=frozenset({"syllabus"}))


def california() -> Page:
    """The Official Reports of California: the author's name, the side, a dash."""
    dissent, concurrence = _paragraphs(case.DISSENT), _paragraphs(case.CONCURRENCE)
    lines = [
        "COURT OF APPEAL OF CALIFORNIA",
        "QUIST v. HARBOR BOARD",
        "No. B300217",
        "OPINION",
        f"ARDEN, Acting P. J.—{_reasons()[0]}",
        *_reasons()[1:],
        case.ORDER,
        f"BRILL, J., Concurring.—{concurrence[0]}",
        *concurrence[1:],
        f"COLE, J., Dissenting.—{dissent[0]}",
        *dissent[1:],
    ]
    return Page(
        "California (html)", ".html", f"<html><body>{_tags('p', lines)}</body></html>", without=frozenset({"syllabus"})
    )


def one_paragraph() -> Page:
    """A dump that has run the whole page together in one paragraph."""
    lines = [
        "JUSTICE ARDEN delivered the opinion of the Court.",
        *_reasons(),
        case.ORDER,
        "JUSTICE BRILL, concurring in the judgment.",
        *_paragraphs(case.CONCURRENCE),
        "JUSTICE COLE, with whom JUSTICE FERRER joins, dissenting.",
        *_paragraphs(case.DISSENT),
    ]
    return Page("All in one paragraph (txt)", ".txt", " ".join(lines), without=frozenset({"syllabus"}))


def damaged_headings() -> Page:
    """A scan whose headings no reader of forms can know."""
    lines = [
        "SUPREME COURT OF HALE",
        "QUIST v. HARBOR BOARD",
        "OPINION OF THE COURT",
        "ARDEN, J.",
        *_reasons(),
        case.ORDER,
        "BR1LL, J , conc urring spec ially.",
        *_paragraphs(case.CONCURRENCE),
        "C0LE, Justice, dis senting in all respects save one.",
        *_paragraphs(case.DISSENT),
    ]
    return Page("Scan with damaged headings (txt)", ".txt", _wrapped(lines), without=frozenset({"syllabus"}))


def no_opening() -> Page:
    """A dissent saved alone, without a line that says so."""
    return Page(
        "A dissent alone, unmarked (txt)",
        ".txt",
        _wrapped(_paragraphs(case.DISSENT)),
        without=frozenset({"syllabus", "party", "court_below", "other_decision", "concurrence", "court"}),
    )


def dissent_file() -> Page:
    """A separate writing that is a file by itself."""
    lines = [
        "[J-12-2030]",
        "IN THE SUPREME COURT OF PENNSYLVANIA",
        "QUIST v. HARBOR BOARD",
        "DISSENTING OPINION",
        "JUSTICE COLE",
        *case.DISSENT,
    ]
    return Page(
        "A dissent alone, titled (md)",
        ".md",
        _markdown(lines),
        without=frozenset({"syllabus", "party", "court_below", "other_decision", "concurrence", "court"}),
    )


LAYOUTS: tuple[Callable[[], Page], ...] = (
    new_york_official,
    supreme_court_slip,
    circuit_double_spaced,
    illinois_numbered,
    michigan_html,
    washington_dash,
    pennsylvania_titles,
    louisiana,
    lexis_export,
    caselaw_html,
    caselaw_json,
    courtlistener_html,
    courtlistener_combined,
    california,
    one_paragraph,
    damaged_headings,
    no_opening,
    dissent_file,
)
