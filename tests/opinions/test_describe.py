"""Name, citation, court and date of files from any American court; the texts are made up, their forms are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.opinions import parse_opinion
from parcel_agents.opinions.captions import case_name, name_of, party
from parcel_agents.opinions.court_names import court_name
from parcel_agents.opinions.decision_dates import decision_date
from parcel_agents.opinions.front_citations import front_citation

PROSE = (
    "The keeper of the harbor let the gate stand open all night although the county had told him to close it at dusk."
)


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["ADA ARDEN,", "Plaintiff-Appellant,", "v.", "BEN BRILL,", "Defendant-Appellee."], "Ada Arden v. Ben Brill"),
        (
            ["ARDEN HARBOR, LLC,", "Appellant", "v.", "BRILL & SONS, INC.,", "Appellee"],
            "Arden Harbor, LLC v. Brill & Sons, Inc.",
        ),
        (["ARDEN ET AL. v. BRILL GATE CO., INC."], "Arden v. Brill Gate Co., Inc."),
        (["S31A0009. ARDEN v. THE STATE."], "Arden v. The State"),
        (["ARDEN, APPELLANT, V. BRILL, APPELLEE."], "Arden v. Brill"),
        (
            ["STATE OF OHIO                :", "Appellee       : C.A. No. 4711", "v.   : Trial Court", "ADA ARDEN  :"],
            "State of Ohio v. Ada Arden",
        ),
        (["ADA ARDEN,  )", ")", "Plaintiff, )", "v.   )", "BEN BRILL, )"], "Ada Arden v. Ben Brill"),
        (["ADA ARDEN, Appellee", "v.", "BEN BRILL, Appellant"], "Ada Arden v. Ben Brill"),
        (["Plaintiffs-Cross Appellants, v.", "BEN BRILL"], None),
        (["ADA ARDEN,", "Plaintiff-Appellee, versus", "BEN BRILL,"], "Ada Arden v. Ben Brill"),
        (["The People &c.,", "Respondent,", "v.", "Ada Arden,", "Appellant."], "The People v. Ada Arden"),
        (
            ["CITY OF DUNHAM HARBOR CHAPTER OF THE", "FERRER SOCIETY v. HALE ET AL."],
            "City of Dunham Harbor Chapter of the Ferrer Society v. Hale",
        ),
        (
            ["In re Ada ARDEN, Debtor.", "United States of America, Appellee,", "v.", "Ada Arden, Appellant."],
            "United States of America v. Ada Arden",
        ),
        (["In re: QUIST HARBOR CORP., et al.,", "Debtors."], "In re Quist Harbor Corp."),
        (["IN THE MATTER OF", "ADA ARDEN"], "In the Matter of Ada Arden"),
        (["EX PARTE ADA ARDEN"], "Ex parte Ada Arden"),
        (
            [
                "United States Court of Appeals",
                "Fifth Circuit",
                "FILED",
                "May 2, 2031",
                "ADA ARDEN,",
                "Plaintiff,",
                "v.",
                "BEN BRILL,",
            ],
            "Ada Arden v. Ben Brill",
        ),
        (["For the First Circuit", "ADA ARDEN,", "Plaintiff,", "v.", "BEN BRILL,"], "Ada Arden v. Ben Brill"),
        (["625 So.2d 1002 (2031)", "Ada ARDEN", "v.", "BRILL CORP., et al."], "Ada Arden v. Brill Corp."),
        # running text and what is cited in it is no caption
        (["See Arden v. Brill, 9 Mill 2d 4"], None),
        (["the court said in the case of Arden v. Brill that nobody else had ever been told about it"], None),
        (["No. 4711", "OPINION"], None),
    ],
)
def test_caption_gives_the_first_party_of_either_side(lines: list[str], name: str | None) -> None:
    assert case_name(lines) == name


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        ("Ada ARDEN, petitioner,\nv.\nBen K. BRILL, Keeper of the Harbor.", "Ada Arden v. Ben K. Brill"),
        ("STATE of Ohio, appellee, v. Ada ARDEN, appellant.", "State of Ohio v. Ada Arden"),
        ("In the Interest of A.B.C. et al., children.", "In the interest of A.B.C."),
        ("IN RE A.B., a Minor. The People, Plaintiff, v. A.B., Defendant.", "The People v. A.B."),
        (
            "NOTICE: Rule 36.2(b)6 states opinions may be cited only in related cases. Ada ARDEN, Plaintiff, v. BRILL.",
            "Ada Arden v. Brill",
        ),
    ],
)
def test_text_of_a_typed_caption_gives_its_name(caption: str, name: str) -> None:
    found = name_of(caption)
    assert found is not None
    assert found.casefold() == name.casefold()


@given(st.text(max_size=120))
def test_party_is_never_longer_than_its_text_and_has_letters(text: str) -> None:
    found = party(text)
    assert found is None or (len(found) <= len(text) and any(char.isalpha() for char in found))


@pytest.mark.parametrize(
    ("lines", "court"),
    [
        (["SUPREME COURT OF THE UNITED STATES"], "Supreme Court of the United States"),
        (
            ["UNITED STATES COURT OF APPEALS", "FOR THE FIRST CIRCUIT"],
            "United States Court of Appeals for the First Circuit",
        ),
        (["United States Court of Appeals, First Circuit."], "United States Court of Appeals, First Circuit"),
        (["FOR THE FIFTH CIRCUIT United States Court of Appeals"], None),
        (
            ["IN THE UNITED STATES BANKRUPTCY COURT", "FOR THE DISTRICT OF DELAWARE"],
            "United States Bankruptcy Court for the District of Delaware",
        ),
        (["UNITED STATES TAX COURT"], "United States Tax Court"),
        (
            ["IN THE COURT OF APPEALS OF OHIO", "SECOND APPELLATE DISTRICT", "STATE OF OHIO"],
            "Court of Appeals of Ohio, Second Appellate District",
        ),
        (["State of New York", "Court of Appeals"], "Court of Appeals, State of New York"),
        (
            ["District Court of Appeal of Florida, Third District."],
            "District Court of Appeal of Florida, Third District",
        ),
        (["Superior Court of New Jersey, Appellate Division."], "Superior Court of New Jersey, Appellate Division"),
        (["In the Supreme Court of Georgia"], "Supreme Court of Georgia"),
        (["Appellate Division, First Department"], "Appellate Division, First Department"),
        (["District of Columbia Court of Appeals"], "District of Columbia Court of Appeals"),
        # the menu of a website
        (["Supreme Court", "Court of Criminal Appeals", "1st Court of Appeals", "2nd Court of Appeals"], None),
        # the court below is not the court
        (["APPEAL FROM THE UNITED STATES DISTRICT COURT"], None),
        (["Certiorari to the", "Supreme Court of Ohio"], None),
        (["On Appeal from the", "Circuit Court of Dunham County"], None),
        (["certiorari to the supreme court of ohio"], None),
        (["The Superior Court denied the motion of Arden."], None),
    ],
)
def test_court_is_the_one_the_head_names_as_its_own(lines: list[str], court: str | None) -> None:
    assert court_name(lines) == court


@pytest.mark.parametrize(
    ("lines", "date"),
    [
        (["No. 31–9. Argued March 1, 2031—Decided May 2, 2031"], "May 2, 2031"),
        (["(No. 31-9—Submitted March 1, 2031—Decided May 2, 2031.)"], "May 2, 2031"),
        (["ORAL ARGUMENT: March 1, 2031", "OPINION FILED: May 2, 2031"], "May 2, 2031"),
        (["FILED", "May 2, 2031"], "May 2, 2031"),
        (["FILED May 2, 2031"], "May 2, 2031"),
        (["Filed: 2031-05-02"], "2031-05-02"),
        (["May 2, 2031, Decided"], "May 2, 2031"),
        (["Rendered on the 25th day of June, 2031."], "June 25, 2031"),
        (["[May 2, 2031]"], "May 2, 2031"),
        (["May 2, 2031 [NOT FOR PUBLICATION]"], "May 2, 2031"),
        (["Decided and Entered: May 02, 2031"], "May 02, 2031"),
        (["Heard Nov. 2, 2030. Decided March 3, 2031."], "March 3, 2031"),
        (["October 18, 2031.", "Rehearing Denied November 18, 2031."], "October 18, 2031"),
        (["Case 2:31-cv-00009 Document 9 Filed 05/02/31 Page 1 of 36"], "05/02/31"),
        (["Case 2:31-cv-00009 Document 9 Filed 06/02/31 Page 1", "Decided: May 2, 2031"], "May 2, 2031"),
        # dates of other events
        (["Argued March 1, 2031"], None),
        (["Submitted on Briefs March 1, 2031."], None),
        (["Rehearing Denied November 18, 2031."], None),
        (["As corrected through Wednesday, May 16, 2031"], None),
        (["The opinion of this Court issued on May 2, 2031, is amended as follows:"], None),
        (["Petition filed May 2, 2031"], None),
    ],
)
def test_date_is_only_that_of_the_decision(lines: list[str], date: str | None) -> None:
    assert decision_date(lines) == date


def test_date_at_the_foot_counts_where_the_head_has_none() -> None:
    assert decision_date(["No. 9"], ["So ordered.", "Dated: May 2, 2031"]) == "May 2, 2031"
    assert decision_date(["Decided May 1, 2031"], ["Dated: May 2, 2031"]) == "May 1, 2031"


@pytest.mark.parametrize(
    ("lines", "cite"),
    [
        (["[Cite as Arden v. Brill, 2031-Ohio-777.]"], "2031-Ohio-777"),
        (["[Cite as Arden v.", "Brill, 2031-Ohio-777.]"], "2031-Ohio-777"),
        (["[This opinion has been published in Ohio Official Reports at 99 Ohio St.3d 415.]"], "99 Ohio St.3d 415"),
        (["2031 IL App (1st) 191234"], "2031 IL App (1st) 191234"),
        (["2031-NMSC-015"], "2031-NMSC-015"),
        (["2031 WI 5"], "2031 WI 5"),
        (["2031 CO 12"], "2031 CO 12"),
        (["T.C. Memo. 2031-26"], "T.C. Memo. 2031-26"),
        (["625 So.2d 1002 (2031)"], "625 So.2d 1002"),
        (["99 F.3d 1356, 89 U.S.P.Q. 2d (BNA) 1535, 2031 WL 5351734"], "99 F.3d 1356"),
        (["315 Ga. 1"], "315 Ga. 1"),
        (["2031 NY Slip Op 00009 [99 NY3d 7]"], "99 NY3d 7"),
        (["Neutral Citation: 2031 UT 3"], "2031 UT 3"),
        # no citations of this decision
        (["Cite as: 999 U. S. ____ (2031)"], None),
        (["99 Mill Street, Dunham"], None),
        (["4 March 2031"], None),
        (["Arden relies on what was reported at 99 F.3d 12 and elsewhere."], None),
        (["No. 31-9"], None),
    ],
)
def test_citation_is_the_decisions_own(lines: list[str], cite: str | None) -> None:
    assert front_citation(lines) == cite


def test_dump_of_a_slip_opinion_is_described_by_its_columns() -> None:
    text = f"""
                 NOT RECOMMENDED FOR PUBLICATION
                          Case No. 31-4103                       FILED
                                                             May 2, 2031
                  UNITED STATES COURT OF APPEALS          DEBORAH QUIST, Clerk
                       FOR THE SIXTH CIRCUIT

ARDEN MACHINERY COMPANY, LLC,             )
                                          )
       Plaintiff-Appellant,               )   ON APPEAL FROM THE
                                          )   UNITED STATES DISTRICT
v.                                        )   COURT FOR THE SOUTHERN
                                          )   DISTRICT OF OHIO
BRILL PRECISION GATES, et al.,            )
                                          )   OPINION
       Defendants-Appellees.              )

       ADA HALE, Circuit Judge. {PROSE}
"""
    read = parse_opinion(text)
    assert read.name == "Arden Machinery Company, LLC v. Brill Precision Gates"
    assert (read.court, read.date) == ("United States Court of Appeals for the Sixth Circuit", "May 2, 2031")
    assert read.citation is None


@pytest.mark.parametrize(
    "title",
    ["Arden v Brill (2031 NY Slip Op 50009(U))", "Arden v Brill - 2031 NY Slip Op 00009", "Arden v Brill (Mill 2031)"],
)
def test_title_of_a_page_is_the_name_without_what_follows(title: str) -> None:
    read = parse_opinion(f"<html><head><title>{title}</title></head><body><p>{PROSE}</p></body></html>", suffix=".html")
    assert read.name == "Arden v Brill"


def test_file_without_a_head_is_described_by_nothing() -> None:
    text = f"HALE, Circuit Judge: {PROSE} See Arden v. Brill, 99 F.3d 4 (6th Cir. 2001), decided May 2, 2001. {PROSE}"
    read = parse_opinion(text)
    assert (read.name, read.citation, read.court, read.date) == (None, None, None, None)


def test_running_head_above_the_caption_does_not_hide_it() -> None:
    head = ["Cite as: 999 U. S. ____ (2031)", "Per Curiam", "ADA ARDEN v. BEN BRILL, KEEPER", "Decided May 2, 2031"]
    read = parse_opinion("\n\n".join([*head, PROSE]))
    assert (read.name, read.date, read.citation) == ("Ada Arden v. Ben Brill", "May 2, 2031", None)


def test_decision_below_in_a_syllabus_is_not_the_citation() -> None:
    assert front_citation(["ARDEN v. BRILL", "99 Mich. 1, 88 N. W. 2d 5, reversed."]) is None


def test_heading_about_a_court_within_a_typed_opinion_is_not_its_court() -> None:
    body = f"<author>HALE, J.</author><p>{PROSE}</p><p>B. District Court</p><p>{PROSE}</p>"
    assert parse_opinion(f"<opinion type='majority'>{body}</opinion>", suffix=".html").court is None
