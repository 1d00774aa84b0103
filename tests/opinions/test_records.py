"""JSON of CourtListener's API and of static.case.law: which texts a record holds and whose they are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parcel_agents.errors import OpinionError
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

PROSE = (
    "The keeper of the harbor let the gate stand open all night although the county had told him to close it at dusk."
)
OTHER = "I would hold that the keeper owed the county nothing once the lamp at the end of the pier had been put out."


def read(**fields: Any) -> Opinion:
    return parse_opinion(json.dumps(fields), suffix=".json", where="harbor.json")


def parts(opinion: Opinion) -> list[tuple[str, str | None]]:
    return [(part.kind, part.author) for part in opinion.parts if part.footnote is None]


def case(**body: Any) -> Opinion:
    return read(
        name="Ada ARDEN, Appellee, v. Ben BRILL, Appellant",
        name_abbreviation="Arden v. Brill",
        decision_date="2031-05-02",
        citations=[{"type": "parallel", "cite": "88 N.W.2d 5"}, {"type": "official", "cite": "99 Mill 2d 40"}],
        court={"name_abbreviation": "Mill", "id": 9, "name": "Supreme Court of Ohio."},
        casebody=body,
    )


OPINIONS = [
    {"type": "majority", "author": "HALE, C.J.", "text": f"HALE, C.J.\n{PROSE}\nIt fell."},
    {"type": "dissent", "author": "Quist, J., dissenting.", "text": f"Quist, J., dissenting.\n{OTHER}"},
    {"type": "concurrence", "author": None, "text": OTHER},
]


def test_case_of_static_case_law_has_every_opinion_as_a_part() -> None:
    opinion = case(head_matter=f"Arden v. Brill\nSyllabus\n{OTHER}", opinions=OPINIONS, judges=[], attorneys=[])
    assert parts(opinion) == [
        ("front", None),
        ("majority", "HALE, C.J."),
        ("dissent", "Quist, J."),
        ("concurrence", None),
    ]
    assert (opinion.name, opinion.citation) == ("Arden v. Brill", "99 Mill 2d 40")
    assert (opinion.court, opinion.date) == ("Supreme Court of Ohio", "2031-05-02")
    majority = opinion.part("majority")
    assert opinion.text[majority.start : majority.end].split() == f"HALE, C.J. {PROSE} It fell.".split()


def test_older_form_with_the_body_under_data_is_read_alike() -> None:
    assert parts(case(data={"head_matter": "", "opinions": OPINIONS}, status="ok"))[0] == ("majority", "HALE, C.J.")
    markup = f"<casebody><opinion type='dissent'><author>Quist, J.</author><p>{OTHER}</p></opinion></casebody>"
    assert parts(case(data=markup, status="ok")) == [("dissent", "Quist, J.")]


def test_two_opinions_of_one_kind_are_two_parts() -> None:
    opinion = case(opinions=[OPINIONS[0], OPINIONS[1], {"type": "dissent", "author": "Rowley, J.", "text": OTHER}])
    assert parts(opinion)[1:] == [("dissent", "Quist, J."), ("dissent", "Rowley, J.")]


def test_cluster_with_its_opinions_has_each_as_a_part() -> None:
    opinion = read(
        case_name="Arden v. Brill",
        date_filed="2031-05-02",
        citations=[
            {"volume": 2031, "reporter": "WL", "page": "9", "type": 7},
            {"volume": 99, "reporter": "F.3d", "page": "40", "type": 1},
        ],
        sub_opinions=[
            {"type": "010combined", "plain_text": f"{PROSE} {OTHER}"},
            {"type": "020lead", "author_str": "Hale", "html_with_citations": f"<p>{PROSE}</p>"},
            {"type": "040dissent", "author": {"name_full": "Ada Quist"}, "html_anon_2020": f"<p>{OTHER}</p>"},
        ],
    )
    assert parts(opinion) == [("majority", "Hale"), ("dissent", "Ada Quist")]
    assert (opinion.name, opinion.citation, opinion.date) == ("Arden v. Brill", "99 F.3d 40", "2031-05-02")


def test_combined_text_alone_is_read_by_its_headings() -> None:
    opinion = read(sub_opinions=[{"type": "010combined", "html": f"<p>HALE, J.</p><p>{PROSE}</p>"}])
    assert [kind for kind, _ in parts(opinion)] == ["majority"] or parts(opinion) == [("unknown", None)]


def test_cluster_of_links_says_what_to_fetch() -> None:
    with pytest.raises(OpinionError, match=r"harbor\.json: is a cluster that only links .*opinions/9/"):
        read(case_name="Arden v. Brill", sub_opinions=["https://www.example.com/api/rest/v4/opinions/9/"])


def test_list_of_search_results_with_one_record_is_that_record() -> None:
    assert read(count=1, results=[{"text": PROSE, "case_name": "Arden v. Brill"}]).name == "Arden v. Brill"
    with pytest.raises(OpinionError, match="holds 2 records"):
        read(count=2, results=[{"text": PROSE}, {"text": PROSE}])


def test_opinion_within_its_cluster_is_described_by_it() -> None:
    opinion = read(
        plain_text=PROSE,
        cluster={"case_name": "Arden v. Brill", "date_filed": "2031-05-02", "docket": {"court": "https://x.example/"}},
    )
    assert (opinion.name, opinion.date, opinion.court) == ("Arden v. Brill", "2031-05-02", None)


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("050addendum", "unknown"),
        ("060remittitur", "majority"),
        ("070rehearing", "majority"),
        ("080onthemerits", "majority"),
        ("090onmotiontostrike", "majority"),
        ("100trialcourt", "unknown"),
        ("concurring-in-part-and-dissenting-in-part", "mixed"),
    ],
)
def test_rare_types_of_the_api_are_known(type_: str, kind: str) -> None:
    assert read(text=PROSE, type=type_).parts[0].kind == kind


def test_author_in_the_record_of_a_dissent_is_the_dissenter() -> None:
    assert parts(read(text=OTHER, type="040dissent", author_str="Quist")) == [("dissent", "Quist")]


@pytest.mark.parametrize("value", [{"name": "x"}, {"results": [1, 2]}, {"casebody": {"opinions": [{"text": ""}]}}])
def test_record_without_a_text_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(OpinionError, match=r"harbor\.json"):
        read(**value)
