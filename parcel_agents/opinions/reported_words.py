"""The words by which a judge hands a statement over to somebody else: who speaks, and the verbs of saying.

Everything here is grammar and office. A speaker is a role (defendant, the People, the trial court), a party of the
caption or a witness; a bare name never counts.
"""

from __future__ import annotations

import re

_ADVERB = (
    r"(?:\w+ly|also|further|next|now|then|again|thus|first|finally|therefore|however|alternatively|instead|still"
    r"|nonetheless|nevertheless|rather|even|simply)"
)
ADVERBS = (
    rf"(?:,? (?:{_ADVERB}|in (?:effect|essence|turn|part|substance|the alternative|response|reply|addition)),?){{0,2}}"
)
"""What may stand between a speaker and the verb: `now argues`, `also, in the alternative, contends`."""
ASIDE = (
    r"(?:,? (?:at trial|at the hearing|on appeal|below|here)\b,?|, (?!who\b|which\b|that\b|and\b"
    r"|but\b)[^,;:.]{1,80},| \([^()]*\))?"
)
"""An aside behind a speaker: `defendant, for the first time on appeal, argues`."""

_ROLES = (
    r"(?:defendants?|plaintiffs?|petitioners?|appellants?|respondents?|claimants?|defense counsel|appellate counsel"
    r"|trial counsel|counsel for (?:defendant|the People)|co-?defendants?)"
)
_BODIES = (
    r"(?:People|prosecution|prosecutors?|State|Government|government|District Attorney|Attorney General|defense"
    r"|City|County|Commonwealth|defendants?|plaintiffs?|petitioners?|appellants?|respondents?|amic(?:i|us(?: curiae)?)"
    r"|parties|Board of Parole|Board of Examiners of Sex Offenders|claimants?)"
)
PARTY = (
    rf"(?:(?:(?:{_ROLES}|Defendants?|Plaintiffs?|Petitioners?|Appellants?|Respondents?|Claimants?)"
    r"(?: (?:[A-Z][\w'’-]+|[A-Z]\.)){0,3}|[Dd]efense counsel"
    rf"|Appellate counsel|Trial counsel|Counsel|Amic(?:i|us(?: curiae)?)|[Tt]he {_BODIES}|[Bb]oth (?:parties"
    r"|defendants|sides)"
    r"|(?:[Tt]hese|[Bb]oth|[Tt]he two) (?:defendants|appellants|petitioners|plaintiffs))(?!['’]))"
)
ARGUES = (
    r"(?:argu(?:es?|ed)|contend(?:s|ed)?|maintain(?:s|ed)?|assert(?:s|ed)?|claim(?:s|ed)?|urge[sd]?|posit(?:s|ed)?"
    r"|submit(?:s|ted)?|insist(?:s|ed)?|suggest(?:s|ed)?|allege[sd]?|aver(?:s|red)?|complain(?:s|ed)?|counter(?:s|ed)?"
    r"|(?:respond(?:s|ed)?|repl(?:y|ies|ied))(?= that\b|,? _|:)|protest(?:s|ed)?|object(?:s|ed)?|hypothesize[sd]?"
    r"|theorize[sd]?"
    r"|(?:told|informed|advised) the (?:court|jury)(?= that\b)|take[s]? the position|took the position|reason(?:s"
    r"|ed)?|believe[s])"
)
ARGUING = (
    r"(?:arguing|contending|maintaining|asserting|claiming|urging|alleging|positing|insisting|complaining|averring)"
)
ARGUMENT = (
    r"(?:arguments?|contentions?|claims?|assertions?|positions?|theor(?:y|ies)|views?|submissions?|allegations?"
    r"|suggestions?|complaints?|insistence)"
)

_TRIAL = (
    r"(?:[Tt]rial|[Ss]uppression|[Hh]earing|[Mm]otion|[Ss]entencing|[Ll]ower|[Pp]lea|[Rr]esentencing|[Hh]abeas"
    r"|[Nn]isi prius|CPL 440)"
)
COURT_BELOW = (
    r"(?:(?<![Tt]he )(?<!States )Supreme Court|(?:[Tt]he |[Aa] (?:divided |unanimous )?)?"
    r"(?:Appellate (?:Division|Term)(?: (?:majority|panel|dissent(?:ers?)?))?|County Court|City Court"
    r"|Criminal Court|Family Court"
    r"|Town Court|Justice Court|Village Court|Youth Court|SORA court)"
    rf"|(?:(?:[Tt]he )?{_TRIAL} court|[Tt]he (?:{_TRIAL} (?:court|judge|justice)|courts? below|[Ll]ower courts"
    r"|District Court|district court"
    r"|Magistrate Judge|Judicial Hearing Officer|SORA court|intermediate appellate court|County Judge)))(?!['’])"
)
BARE_COURT = r"(?:[Tt]he court|[Tt]he judge|[Tt]he Justice)(?!['’])"
"""A court with a small letter: the one spoken of last, and only where that was a court below."""
RULED = (
    r"(?:held|found|concluded|determined|ruled|reasoned|agreed|stated|noted|observed|explained|opined|credited"
    r"|rejected|decided|recognized|acknowledged|remarked|emphasized|reiterated|considered|deemed|disagreed|declared"
    r"|believed|added|indicated|clarified|responded|instructed|granted|denied|affirmed|reversed|modified|vacated"
    r"|dismissed"
    r"|declined|refused|ordered|directed|sentenced|adjudicated|assigned|adhered|suppressed|precluded)"
)
RULING = (
    r"(?:holding|finding|concluding|reasoning|ruling|determining|stating|noting|explaining|observing|opining"
    r"|agreeing|rejecting)"
)

SEPARATE = (
    r"(?:(?:[Tt]he|[Oo]ur|[Tt]wo|[Bb]oth) (?P<manner>dissent|concurr|majorit)(?:ers?|ing (?:colleagues?|opinions?"
    r"|[Jj]udges?)|ents?"
    r"|ence|y(?: opinion)?)?(?!['’]))"
)
SEPARATE_SAYS = (
    rf"(?:{ARGUES}|would (?:hold|find|conclude|have us|reverse|affirm|have (?:held|found|concluded)|require|reject"
    r"|adopt|read)"
    r"|h(?:old|olds|eld)|conclude[sd]?|find[s]?|found|opine[sd]?|say[s]?|said|state[sd]?|view[s]|read[s]|assume[sd]?"
    r"|determine[sd]?|agree[sd]?|speculate[sd]?|accuse[sd]?|proclaim(?:s|ed)?|see[s]|think[s]|charge[sd]?|decide[sd]?"
    r"|write[s]|criticize[sd]?|observe[sd]?|note[sd]|explain(?:s|ed)?|describe[sd]?)"
)

WITNESS = (
    r"(?:(?:[Tt]he|[Aa]n?|[Oo]ne|[Aa]nother|[Tt]hat|[Tt]his|[Hh]er|[Hh]is|[Ee]ach|[Bb]oth|[Tt]wo|[Tt]hree"
    r"|[Ss]everal|[Tt]hese|[Ss]ome"
    r"|[Dd]efendant['’]s|[Dd]efendant|[Tt]he People['’]s|[Dd]efense)\b(?: (?!would\b|have\b|not\b|as\b|was\b"
    r"|described\b)[\w'’-]+){0,5}"
    r"|(?:[A-Z][\w.'’-]*)(?: [A-Z][\w.'’-]*){0,4}|[Hh]e|[Ss]he|[Tt]hey|[A-Z]\.)"
)
ACTED = re.compile(
    r"(?:granted|denied|affirmed|reversed|modified|vacated|dismissed|declined|refused|ordered|directed|sentenced"
    r"|adjudicated|assigned|adhered|suppressed|precluded|decided|rejected|credited)"
)
"""Verbs that tell what a court did rather than what it said; they govern their own clause alone."""
TESTIFIED = (
    r"(?:(?:had )?testified(?: before the grand jury| at (?:trial|the [\w ]{3,30}?hearing)| (?:on|during) (?:cross"
    r"|direct|redirect)[- ]examination)?|recounted|(?:conceded|acknowledged|admitted|explained|stated) on (?:cross"
    r"|direct|redirect)-?\w*(?: examination)?)"
)
