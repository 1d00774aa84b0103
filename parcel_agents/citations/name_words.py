"""Words that belong to case names, and words that end or precede them."""

from __future__ import annotations

import re

CONNECTORS = frozenset(
    "of the and ex rel for de del dela di du la le los las van von den der ten y et al ux d/b/a f/k/a a/k/a"
    " n/k/a dba re &c"
    " c behalf a an".split()
)
"""Small words inside names."""

STOPS = frozenset(
    "see cf accord compare with contra but citing quoting e.g eg also id ibid supra in under nom sub on at by that as"
    " from generally hereinafter or to when where whether because since unlike like affd revd affg revg denied"
    " granted"
    " dismissed overruled cert".split()
)
"""Signals and prepositions: whatever is behind them, the name begins there."""

LEADING = frozenset(
    "A An And Accordingly Additionally Adopting After Also Although Applying As At Because Before Both By Citing"
    " Consequently Considering Contrary Conversely Discussing Distinguishing Even Examining Extending Finally First"
    " Following For From Further Furthermore Given Here However If Indeed Interpreting Invoking It Lastly Later Like"
    " Likewise Moreover Nevertheless Next Nor Nonetheless Notably Noting Now Of On Only Or Our Overruling Quoting"
    " Reaffirming Recently Relying Second Similarly Since So Specifically Still Subsequently That The Then"
    " Therefore These"
    " This Those Though Through Thus To Turning Under Unlike Until Upon Using We What When Where Whereas Whether"
    " While With"
    " Yet Again Until Third Rather Most Moreover Unlike Was Were Is Are Did Does Has Have Its His Her Their"
    " Neither Either"
    " Every Each Some Such Respectfully Defendant's Plaintiff's Defendant Plaintiff Defendants Respondent"
    " Petitioner Read"
    " Cases Accord See".split()
)
"""Words that begin a sentence and no name."""

NO_NAME = frozenset(
    "Court Courts Division Department Dept Term County Judge Justice Justices Judges Legislature Congress"
    " Appeals Appellate"
    " Supreme District Circuit Constitution Amendment Law Laws Act CPL CPLR Section Article Code Rule Rules"
    " Const Statute"
    " People Defendant Plaintiff Petitioner Respondent January February March April June July August September"
    " October"
    " November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Part Point Footnote Assembly"
    " Senate Dissent"
    " Majority Commission Report Treatise Restatement Commentary Commentaries State County Id Ct Op No Nos Slip"
    " Misc Governor"
    " Attorney General Family City DNA DVD Brief Evidence Dist Cir Miranda-type".split()
)
"""Words that stand before a cite and are no short name: "the Appellate Division (153 AD3d 860)"."""

_SUFFIX = re.compile(
    r"(?:Inc|Corp|Co|Ltd|LLC|L\.L\.C|LLP|L\.L\.P|L\.?P|P\.?C|P\.?A|N\.?A|S\.?A|A\.?G|PLC|GmbH|Jr|Sr|II|III|IV|FSB"
    r"|FA|&|and|M\.?D"
    r"|Ph\.?D|Esq|et|d/b/a|Etc|as)\b|&"
)
_ABBREVIATION = re.compile(
    r"(?:[A-Z][\w'’]{0,4}|(?:[A-Za-z]\.?)+|Matter|Assoc\w*|Assur\w*|Auth\w*|Casual\w*|Commn|Comm['’]n|Comm['’]r"
    r"|Constr|Consol"
    r"|Contr\w*|Devel\w*|Distrib|Environ\w*|Fedn|Found|Govern\w*|Guar\w*|Hosp|Indem|Indus|Intl|Int['’]l|Invest\w*"
    r"|Labs|Liquid\w*"
    r"|Manag\w*|Mfrs|Nat['’]l|Parcels|Petrol|Pharm\w*|Prods|Prop\w*|Realty|Refin\w*|Rehab|Resour\w*|Retir\w*"
    r"|Servs|Transp\w*"
    r"|Trans\w*|Treas|Utils|Dep['’]t|Gov['’]t|Ass['’]n|Sec['’]y|Cent|Educ|Elec|Equip|Exch|Fed|Fin)\.?\Z"
)
_COMMON_FIRST = frozenset("People Matter State United Commonwealth In Ex".split())


def is_suffix(word: str) -> bool:
    """True if a word goes on with a name behind a comma: `Inc.`, `& Co.`, `Jr.`."""
    return _SUFFIX.match(word) is not None


def starts_sentence(word: str) -> bool:
    """True for words that so often begin a name that what stands before them is none of it: `People`, `Matter`."""
    return word in _COMMON_FIRST


def may_end_sentence(word: str, after: str) -> bool:
    """True if a word with a full stop ends a sentence rather than being abbreviated, given the word behind it."""
    if after in _COMMON_FIRST and not re.fullmatch(r"(?:rel|Atty|Gen)\.", word):
        return True
    return _ABBREVIATION.match(word) is None
