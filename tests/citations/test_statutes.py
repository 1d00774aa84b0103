"""Statutes, rules and constitutions."""

from __future__ import annotations

import pytest

from parcel_agents.citations.read import read_citations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pursuant to CPL 330.30 (1), he moved", [("statute", "CPL 330.30 (1)")]),
        ("(Penal Law § 120.05 [2] [a])", [("statute", "Penal Law § 120.05 [2] [a]")]),
        ("(see Vehicle and Traffic Law § 1192 [3])", [("statute", "Vehicle and Traffic Law § 1192 [3]")]),
        (
            "under 42 USC § 1983 and 18 U.S.C. § 924(c)",
            [("statute", "42 USC § 1983"), ("statute", "18 U.S.C. § 924(c)")],
        ),
        ("22 NYCRR 1250.2; 28 CFR 50.7", [("rule", "22 NYCRR 1250.2"), ("rule", "28 CFR 50.7")]),
        ("Fed. R. Civ. P. 56(a) governs", [("rule", "Fed. R. Civ. P. 56(a)")]),
        ("(NY Const, art I, § 6)", [("constitution", "NY Const, art I, § 6")]),
        (
            "US Const, 4th Amend; U.S. Const. amend. XIV, § 1",
            [
                ("constitution", "US Const, 4th Amend"),
                ("constitution", "U.S. Const. amend. XIV, § 1"),
            ],
        ),
        ("(L 2004, ch 738, § 23)", [("statute", "L 2004, ch 738, § 23")]),
        ("CPL article 440; CPLR 5601 (b)", [("statute", "CPL article 440"), ("statute", "CPLR 5601 (b)")]),
        # Words of the sentence are no part of the law's name.
        ("Indeed, Penal Law § 10.00 defines", [("statute", "Penal Law § 10.00")]),
        ("Under the Executive Law § 63 (12)", [("statute", "Executive Law § 63 (12)")]),
        # Several sections of one law, each named with it.
        (
            "(Penal Law §§ 110.00, 160.10 [2])",
            [("statute", "Penal Law § 110.00"), ("statute", "Penal Law § 160.10 [2]")],
        ),
        ("(CPL 30.20, 30.30 [1])", [("statute", "CPL 30.20"), ("statute", "CPL 30.30 [1]")]),
        # What follows a comma may be a reporter's volume.
        ("(CPL 30.20, 31 NY3d 201)", [("statute", "CPL 30.20"), ("case", "31 NY3d 201")]),
        # A bare section counts where its law is named elsewhere.
        (
            "Penal Law § 10.00 says. Section 10.00 (2)",
            [("statute", "Penal Law § 10.00"), ("statute", "Section 10.00 (2)")],
        ),
        ("Section 4 of the lease", []),
        ("the law of 1990 and Act 3 of the play", []),
    ],
)
def test_provisions(text: str, expected: list[tuple[str, str]]) -> None:
    found = read_citations(text)
    assert [(one.kind, one.cite) for one in found] == expected
    assert all(text[one.start : one.end] == one.text for one in found)


def test_a_provision_is_one_authority_whatever_its_subdivision() -> None:
    found = read_citations("CPL 330.30 (1) differs from CPL 330.30 (2) and from CPL 330.40; section 330.30 (3) too")
    assert [one.authority for one in found] == [0, 0, 2, 0]
    assert [one.pin for one in found] == ["(1)", "(2)", None, "(3)"]
