"""Arguments that are often made, each with words without which an opinion cannot speak of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Field = Literal["criminal", "civil"]


@dataclass(frozen=True)
class Argument:
    """An argument, as a clause that can stand behind `that` and behind `whether`."""

    field: Field
    clause: str
    terms: tuple[str, ...]
    """Beginnings of words, in small letters; if the opinion has one of them it may speak of the argument."""


def _of(field: Field, table: str) -> tuple[Argument, ...]:
    rows = [row.split("|") for row in table.strip().splitlines()]
    return tuple(Argument(field, row[0].strip(), tuple(term.strip() for term in row[1].split(";"))) for row in rows)


ARGUMENTS: tuple[Argument, ...] = (
    *_of(
        "criminal",
        """
the lineup was unduly suggestive because of the fillers' appearance | lineup; filler; suggestive
the verdict was against the weight of the evidence | weight of the evidence
trial counsel was ineffective for failing to call an alibi witness | alibi
the prosecutor struck prospective jurors on account of their race | batson; peremptor; racial; race
the delay between arrest and trial denied defendant a speedy trial | speedy; 30.30
the indictment should have been dismissed for want of legally sufficient evidence before the grand jury | grand jur
the search of the vehicle exceeded the scope of consent | consent; vehicle; automobile
the accomplice's testimony was not corroborated | accomplice; corroborat
the jury should have been instructed on a lesser included offense | lesser included; lesser-included
the court improperly closed the courtroom during an undercover officer's testimony | closure; courtroom; undercover
the sentence was a cruel and unusual punishment | cruel; unusual punishment; eighth amendment
the admission of the autopsy report violated the right of confrontation | confront; autops; crawford
the prosecutor's summation deprived defendant of a fair trial | summation; closing argument
the court should have appointed an interpreter for the entire trial | interpret
the failure to preserve the surveillance video warranted an adverse inference charge | adverse inference; video
the People failed to disclose a promise of leniency to a witness | brady; exculpatory; impeachment; disclos
the court erred in denying a severance from the codefendant | sever; codefendant; co-defendant
the conviction was barred by double jeopardy | jeopardy
the statute of limitations had run before the indictment was filed | limitations
the expert should not have been allowed to testify on eyewitness reliability | eyewitness; expert
defendant lacked the mental capacity to stand trial | competen; capacity; 730; incompeten
the justification defense should have been submitted to the jury | justif; self-defense; deadly
proof of uncharged crimes was admitted without a limiting instruction | uncharged; limiting; molineux; propensity
the wiretap evidence was obtained without a proper sealing of the recordings | wiretap; eavesdrop; sealing; intercept
defendant was denied the right to represent himself | pro se; self-represent; represent himself
the restitution award exceeded the victim's actual loss | restitution
the statement to police was the product of sleep deprivation | sleep; depriv
a juror who slept through testimony should have been discharged | juror; sworn juror
the entrapment defense was established as a matter of law | entrap
the intoxication charge should have been given | intoxic; alcohol; drunk
the warrant lacked probable cause because the informant's reliability was not shown | informant; warrant; reliab
the chain of custody of the narcotics was not established | chain of custody; narcotic; drug; cocaine; heroin
the rape shield law barred cross-examination about the complainant | rape shield; complainant; 60.42
defendant should have been sentenced as a youthful offender | youthful
venue in the county of the trial was not proved | venue; county
the orders of protection exceeded the duration allowed by statute | protection
immigration consequences should have been explained before the plea was entered | immigra; deport
the court delegated to a clerk the supervision of deliberations | clerk; deliberat
the persistent offender statute violates the right to a jury trial | persistent
the fingerprint comparison lacked a reliable foundation | fingerprint
""",
    ),
    *_of(
        "civil",
        """
the claim was barred by the statute of limitations | limitations; time-barred; accru; untimely
plaintiff's comparative negligence should reduce the award | comparative; contributory; culpable conduct
the arbitration clause required dismissal of the action | arbitra
the award of punitive damages was excessive | punitive
the class should not have been certified | class action; class cert; certif
the contract was unenforceable for want of consideration | consideration
the expert's opinion on causation was speculative | expert; causation; speculat
the agreement was procured by duress | duress; coerc
the defense of laches barred equitable relief | laches
the forum was inconvenient and the action should have been tried elsewhere | forum; inconvenien
the oral agreement was void under the statute of frauds | frauds; oral agreement
the insurer's disclaimer of coverage was untimely | insur; disclaim; coverage
the motion to renew should have been granted on new evidence | renew; reargu
attorneys' fees should have been awarded to the prevailing party | attorney; counsel fees
the notice of claim was served late | notice of claim
interest should have run from the date of breach | prejudgment; interest
the corporate veil should have been pierced | veil; alter ego
service of process was defective | service of process; process server; personal jurisdiction
the plaintiff lacked standing to sue | standing
the prior judgment precluded relitigation of the issue | estoppel; res judicata; preclus
the employee was acting outside the scope of employment | employ; respondeat; vicarious
the assumption of risk doctrine barred recovery | assumption of risk; assumed the risk
spoliation of evidence warranted the striking of the answer | spoliat
the merger clause barred proof of earlier promises | merger clause; parol; integration
""",
    ),
)
FORMS = (
    "declining to reach the argument that",
    "declining to address the contention that",
    "declining to consider whether",
    "finding it unnecessary to decide whether",
    "finding it unnecessary to reach the claim that",
    "rejecting as unpreserved the contention that",
    "rejecting as without merit the argument that",
    "leaving open whether",
)
"""How a lawyer tells that a court did not take up an argument, or did not take it."""

JOINED = (
    "without reaching the argument that",
    "without deciding whether",
    "while leaving open whether",
    "and finding it unnecessary to decide whether",
    "and rejecting as without merit the contention that",
    "and rejecting as unpreserved the claim that",
)
"""The same behind what the Court did decide."""
