"""Where a detail fits into a sentence, and what kind of detail it is."""

from __future__ import annotations

from dataclasses import dataclass

from parcel_agents.generation.rules.wording import MONTHS

_COURT = (
    r"(?:(?:County|Supreme|Family|City|Criminal|District|Town|[Tt]he (?:trial|suppression|hearing"
    r"|sentencing)) [Cc]ourt)"
)
_ACTS = (
    r"(?=(?:denied|granted|held|found|dismissed|ruled|suppressed|imposed|sentenced|concluded|rejected|ordered|convicted"
    r"|adjudicated|allowed|permitted|instructed|admitted|refused|declined|conducted|determined|directed|vacated)\b)"
)
_PERSON = (
    r"(?=(?:was|had|fled|admitted|told|ran|shot|struck|entered|drove|left|testified|pleaded|agreed|stated|moved|asked"
    r"|approached|denied|went|took|grabbed|stabbed|threatened|walked|returned|lived|worked|fell|sustained)\b)"
)


@dataclass(frozen=True)
class Insertion:
    """Where a detail fits and what kind it is of."""

    place: str
    """A pattern; the detail goes in at the end of the match."""
    words: str
    """The words, with the kind of detail in braces."""
    unless: str = r"(?!)"
    """The opinion tells it, or might, where this is found."""


_DATED = (
    r"(?:{verb})\w*[^.;]{{0,60}}\b(?:"
    + "|".join(MONTHS)
    + r")\b|\b(?:"
    + "|".join(MONTHS)
    + r")\b[^.;]{{0,90}}(?:{verb})"
)
_AGED = r"\b(?:year-old|years old|years of age|aged? \w+)\b"


def _when(verb: str) -> str:
    return _DATED.format(verb=verb)


INSERTIONS: tuple[Insertion, ...] = (
    Insertion(r"\bsentenced(?= (?:to|as)\b)", " on {date}", _when("sentenc")),
    Insertion(r"\bpleaded guilty(?= to\b)", " on {date}", _when("plead")),
    Insertion(r"\bpleaded guilty(?= to\b)", " before Justice {judge}", r"\b(?:Justice|Judge) [A-Z]"),
    Insertion(r"\barrested(?=,| (?:and|for|at|in|after|by|when|while|inside)\b|$)", " on {date}", _when("arrest")),
    Insertion(r"\bindicted(?= (?:for|on)\b)", " on {date}", _when("indict")),
    Insertion(r"\bindicted(?= (?:for|on)\b)", " in {county} County", r"\b[A-Z]\w+ County\b"),
    Insertion(r"\barraigned(?=,| (?:on|and|in)\b|$)", " on {date}", _when("arraign")),
    Insertion(r"\bconvicted(?= (?:of|after|upon)\b)", " on {date}", _when("convict")),
    Insertion(r"\bwas convicted(?= of\b)", " in {county} County", r"\b[A-Z]\w+ County\b"),
    Insertion(
        r"\b(?:[Tt]he|[Aa]) jury(?= (?:convicted|found|acquitted|returned|rendered)\b)",
        ", after {few} hours of deliberation,",
        r"\bhours?\b|deliberat",
    ),
    Insertion(
        rf"\b{_COURT} {_ACTS}", "({judge}, J.) ", r"\b[A-Z][\w.'’-]+, (?:A\.?)?(?:S\.)?J\.|\b(?:Justice|Judge) [A-Z]"
    ),
    Insertion(rf"\b{_COURT}(?= (?:held|conducted)\b)", ", in the spring of {year},", _when("hearing")),
    Insertion(rf"\bdefendant {_PERSON}", "{then}", _AGED),
    Insertion(rf"\b[Pp]laintiff {_PERSON}", "{then}", _AGED),
    Insertion(r"\b[Tt]he (?=(?:victim|complainant|codefendant|passenger)\b(?! or|['’]))", "{age}-year-old ", _AGED),
    Insertion(r"(?<=[a-z] )(?=police officers (?!of|or)[a-z])|(?<=^)(?=police officers (?!of|or)[a-z])", "{few} "),
    Insertion(r"\b[Tt]he (?=(?:officers|detectives|eyewitnesses)\b)", "{few} "),
    Insertion(r"\b(?:the|an) (?=indictment\b)", "{count}-count ", r"[- ]count\b|\bcounts\b"),
    Insertion(
        r"\b(?:a|the) (?=(?:suppression|pretrial|evidentiary|Huntley|Wade|Mapp) hearing\b)",
        "{few}-day ",
        r"\bdays?\b[^.]{0,30}hearing|hearing[^.]{0,40}\bdays?\b",
    ),
    Insertion(
        r"\b(?:after|following|at|of) (?:a|the) (?=(?:jury|bench|nonjury|joint) trial\b)", "{few}-week ", r"\bweeks?\b"
    ),
    Insertion(
        r"\b(?:the|a) search warrant(?! that| was not)\b", " signed by Justice {judge}", r"\b(?:Justice|Judge) [A-Z]"
    ),
    Insertion(r"\bmoved(?= (?:to|for|pursuant)\b)", " on {date}", _when("mov")),
    Insertion(r"\btestified(?= that\b)", " over {few} days", r"\bdays\b"),
    Insertion(r"\bappealed(?=,| (?:to|and|the|from)\b|$)", " on {date}", _when("appeal")),
    Insertion(
        r"\b(?:Appellate Division|Appellate Term)(?= (?:affirmed|reversed|modified|vacated)\b)",
        ", in an order entered {date},",
        _when("(?:affirm|revers|modif|order)"),
    ),
    Insertion(r"\b(?:the|an) action(?= (?:against|to|for|in|seeking)\b)", ", commenced on {date},", _when("commenc")),
    Insertion(
        r"\b(?:the|an) (?:agreement|contract|lease|policy|settlement)(?= (?:between|with|provided|required"
        r"|contained)\b)",
        " dated {date}",
        _when("(?:agreement|contract|lease|policy|settlement)"),
    ),
    Insertion(r"\b(?:stole|took|removed|paid|received|spent)(?= (?:money|cash|funds)\b)", " {amount} in", r"\$"),
    Insertion(
        r"\b(?:the|a) (?:accident|collision|crash|shooting|robbery|burglary|stabbing|fire|murder|killing)"
        r"(?= (?:occurred|took|was|that|in|at)\b)",
        " of {date}",
        _when("(?:accident|collision|crash|shooting|robber|burglar|stabb|fire|murder|kill)"),
    ),
    Insertion(
        r"\b(?:statements?|confession)(?= (?:to|made to) (?:the |a )?(?:police|detectives?|officers?)\b)",
        " of {count} pages",
        r"\bpages?\b",
    ),
    Insertion(
        r"\b[Tt]he Legislature(?= (?:enacted|amended|added|adopted|repealed|passed)\b)",
        ", by a vote of {vote},",
        r"\bvote",
    ),
    Insertion(
        r"\b[Tt]he Court has(?: \w+ly| long)? (?:held|recognized|stated|explained|noted|said|observed|emphasized)",
        " in {count} decisions",
        r"\bdecisions since\b",
    ),
    Insertion(
        r"\b(?:Penal Law §|CPL|Correction Law §|Executive Law §|Vehicle and Traffic Law §) [\d.]+(?: \(\w{1,3}\))*"
        r"(?= (?:provides?|requires?|permits?|states?|authorizes?|defines?|allows?|prohibits?|is|does|must|may|was)\b)",
        ", as amended in {year},",
        r"\bas amended\b",
    ),
    Insertion(r"\b(?:[Tt]he|[Aa]) (?:jury|jurors) deliberated", " for {few} hours", r"\bhours?\b"),
    Insertion(
        r"\b(?:apartment building|apartment|restaurant|store|bodega|parking lot|police station|precinct)(?=,"
        r"| (?:and|where"
        r"|when|after|by)\b|$)",
        " on {street} Street",
        r"\b(?:Street|Avenue|Boulevard|Road)\b",
    ),
    Insertion(
        r"\b(?:a|the) (?=(?:loaded )?(?:handgun|revolver|pistol|firearm)\b)",
        "{caliber} caliber ",
        r"caliber|millimeter|\bmm\b",
    ),
    Insertion(r"\b(?:injuries|wounds|lacerations)(?=,| (?:and|to|in)\b|$)", " requiring {count} stitches", r"\bstitch"),
    Insertion(
        r"\b(?:sold|bought|possessed|purchased|recovered|found|seized)(?= (?:cocaine|heroin|marijuana|crack)\b)",
        " {count} bags of",
        r"\b(?:bags?|glassine|vials?|packets?)\b",
    ),
    Insertion(
        r"\b(?:[Tt]he|[Aa]) (?:psychiatrist|psychologist|physician|medical examiner)(?=,? (?:who|testified|was|had"
        r"|concluded|stated)\b)",
        ", Dr. {judge},",
        r"\bDr\. [A-Z]",
    ),
    Insertion(
        r"\b(?:[Tt]he|[Aa]n?) (?:police |arresting |undercover )?officer(?= (?:testified|was|had|approached"
        r"|observed|saw|stopped|told|asked)\b)",
        ", {judge},",
        r"\b(?:Officer|Sergeant|Detective|Trooper|Deputy|Investigator) [A-Z]",
    ),
    Insertion(r"\b(?:[Tt]he|[Aa]) (?:911|telephone|phone) call", " lasting {count} minutes", r"\bminutes?\b"),
    Insertion(
        r"\b(?:plea|[Tt]he) (?:colloquy|allocution)(?= (?:was|did|is|had|that|in)\b)",
        " of some {count} minutes",
        r"\bminutes?\b",
    ),
    Insertion(
        r"\b(?:[Tt]he|[Aa]) (?=(?:petition|written waiver|plea agreement|presentence report"
        r"|victim impact statement)\b)",
        "{count}-page ",
        r"[- ]pages?\b",
    ),
    Insertion(
        r"(?<=[a-z] )(?=witnesses (?:testified|who|identified)\b)",
        "{count} ",
        r"\b(?:two|three|four|several) (?:\w+ )?witness",
    ),
    Insertion(
        r"\b(?:defense counsel|trial counsel|defendant's attorney|defendant's lawyer)(?= (?:moved|objected"
        r"|requested|argued|stated|asked|told|did|failed|had)\b)",
        ", {judge},",
        r"\bM(?:r|s|rs)\.",
    ),
    Insertion(
        r"\bthe prosecutor(?= (?:moved|objected|requested|argued|stated|asked|told|did|elicited|had|called)\b)",
        ", {judge},",
        r"(?!)",
    ),
    Insertion(
        r"\b(?:[Tt]he|[Aa]) (?:statute|amendment|provision)(?= (?:is|was|does|did|requires|provides|permits"
        r"|applies|must|may)\b)",
        ", enacted in {year},",
        r"\benacted in\b",
    ),
    Insertion(
        r"\b(?:[Tt]he|[Aa]) juror(?= (?:who|was|had|told|stated|said|informed|expressed|sent|wrote)\b)",
        " in seat number {count}",
        r"\b(?:juror|seat) (?:[Nn]umber|[Nn]o\.)",
    ),
    Insertion(
        r"\b(?:his|her|the|a|defendant's) (?:guilty )?plea(?= (?:was|and|is|to|had)\b)", " of {date}", _when("plea")
    ),
    Insertion(
        r"\b(?:his|her|defendant's|petitioner's) (?=(?:prior |felony |murder |robbery )?conviction\b)",
        "{year} ",
        r"\b(?:19|20)\d\d (?:\w+ ){0,2}convict|" + _when("convict"),
    ),
    Insertion(
        r"\b(?:[Tt]he|[Aa]) (?:suppression |Huntley |Wade |evidentiary |SORA )?hearing(?=,| (?:was|on|at|and|the)\b)",
        ", held on {date},",
        _when("hearing"),
    ),
    Insertion(
        r"\b(?:defendant's|the People's|petitioner's|plaintiff's) motion(?= (?:to|for|was)\b)",
        " of {date}",
        _when("mo(?:tion|ved)"),
    ),
    Insertion(
        r"\b(?:[Tt]he|[Aa]|[Tt]wo|[Tt]hose) (?:surveillance )?(?:recordings?|video)(?= (?:was|were|of|made|that)\b)",
        ", {count} minutes long,",
        r"\bminutes?\b",
    ),
    Insertion(r"\bat trial(?=,)", ", which lasted {few} days", r"\bdays? of trial|trial[^.]{0,30}\bdays\b"),
    Insertion(r"\bfollowing (?:a|the) (?=jury trial\b)", "{few}-day ", r"[- ]days? (?:jury )?trial"),
)
