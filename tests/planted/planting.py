"""The words that the table of planted faults is written in: edits, places, and the files of the library workspace."""

from dataclasses import dataclass

MARK = "«"
"""Stands just before the reported character; it is removed before the text is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """`old` (occurring once) becomes `new`; without `old` the file is written, without `new` it is removed."""

    file: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """One planted fault.

    The place is where `MARK` stands in an edit, or in `at`: (file, text that occurs once in it). `spot` gives the place
    in numbers instead. Codes in `allows` may be reported besides, as consequences; `bug` says why a row
    does not pass yet. What `compiles` is found only with the cases; for speed, only the operators that are edited or in
    `needs` are then left.
    """

    id: str
    code: str
    edits: tuple[Edit, ...]
    at: tuple[str, str] | None
    spot: str | None
    allows: tuple[str, ...]
    bug: str | None
    needs: tuple[str, ...]
    compiles: bool


def plant(id, code, file, old, new, *, at=None, spot=None, also=(), allows=(), bug=None, needs=()):
    """A fault that must be found at its place."""
    edits = (Edit(file=file, old=old, new=new), *(Edit(file=name, old=a, new=b) for name, a, b in also))
    late = code.startswith(("CL07", "CL08", "CL11", "CL12"))
    return Plant(id=id, code=code, edits=edits, at=at, spot=spot, allows=allows, bug=bug, needs=needs, compiles=late)


def change(id, *edits, allows=(), bug=None, needs=(), compiles=False):
    """A change without one place: sound, or nonsense."""
    made = tuple(Edit(file=name, old=old, new=new) for name, old, new in edits)
    return Plant(id=id, code="", edits=made, at=None, spot=None, allows=allows, bug=bug, needs=needs, compiles=compiles)


PROJECT, SOURCES, ROLES = "spec/project.yaml", "spec/sources.yaml", "spec/permissions.yaml"
RECORDS, DESK = "spec/world/records.yaml", "spec/world/desk.yaml"
GET, EXTEND, NOTE, WAIVE = (f"spec/tools/{n}.yaml" for n in ("get_loan", "extend_loan", "file_note", "waive_fees"))
GOAL, RUBRIC, EXPANSION = "spec/goals/renew_loan.yaml", "spec/rubrics/desk.yaml", "spec/policies/expansion.yaml"
TABLE, PROCESS, MAP = "rules/renewal.yaml", "rules/invariants.yaml", "capabilities/desk.yaml"
RULING, ENGLISH = "rules/ruling.yaml", "spec/locales/en.yaml"
TAXONOMY, PACKS = "spec/taxonomy.yaml", "spec/policies/packs.yaml"
PLAIN_1, PLAIN_2, WORDS = (f"seeds/plain/{n}.yaml" for n in ("plain_01", "plain_02", "phrasings"))
UNNAMED = "seeds/unnamed/unnamed_01.yaml"
DECLINED_1, DECLINED_2 = "seeds/declined/declined_01.yaml", "seeds/declined/declined_02.yaml"
HANDED = "seeds/handed_over/handed_over_01.yaml"
ONE_OR_OTHER, ONE_AND_OTHER, OTHER_INSTEAD = (f"seeds/several/several_0{n}.yaml" for n in (1, 2, 3))


def op(name):
    return f"spec/operators/{name}.yaml"


OPEN_RULING = """\
ruling: fee_ceiling
version: "1"
title: Which ceiling counts
owner: lending
date: 2026-03-01
status: open
between: [lending_rules_2026#declining, lending_rules_2026#whose]
rules: [renewal.fees]
"""
DECIDED_RULING = OPEN_RULING.replace("status: open", "status: decided\ndecision: the rules of lending prevail")
PREVAILING_RULING = """\
ruling: fees_or_times
version: "1"
title: Fees are looked at before renewals
owner: lending
date: 2026-03-01
status: decided
between: [lending_rules_2026#fees, lending_rules_2026#extending]
rules: [renewal.fees, renewal.too_often, renewal.too_long, renewal.how_long]
prevails: renewal.fees
decision: Who owes too much sees the librarian first.
"""

CANARY = "\ncanary: [{first}, " + ", ".join(f"desk_gold_9{number:02}" for number in range(29)) + "]"
SPARE_SOURCE = """\
sources:
  - id: lending_rules_2025
    kind: sop
    version: "2025"
    owner: lending
    title: Old rules
    superseded_by: lending_rules_2026
    sections: [{id: extending, title: Extending}]
"""

OWN_OPERATOR = """\
operator: {name}
version: "1"
title: An operator
status: approved
approved_by: lead_librarian
type: state
applies_to: {{goal: renew_loan, when: "{when}"}}
changes: [{changes}]
mutation: {mutation}
effect: {effect}
risk: low
bucket: coverage
"""


def own_operator(name, changes, mutation, *, when="outcome == 'fulfil' && size(faults) == 0", effect="recompute"):
    """The file of an operator that is not in the library."""
    return OWN_OPERATOR.format(name=name, when=when, changes=changes, mutation=mutation, effect=effect)
