"""spec/operators/*.yaml: approved, versioned mutations; what each may change and how the label is obtained."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from caselock.spec.base import CelText, Identifier, Model, OneOrMany, VersionText
from caselock.spec.faults import Attack, Fault, InjectedContent

MutationType = Literal["language", "dialogue", "boundary", "state", "failure", "permission", "adversarial"]
Risk = Literal["low", "medium", "high"]
Bucket = Literal["gold", "coverage", "challenge", "regression"]


class Boundary(Model):
    """Points below, at and above every threshold that the rules compare `of` (`decision.input`) with, set in `vary`."""

    kind: Literal["boundary"]
    of: str
    vary: str


class SetFields(Model):
    """Fields set to literals or, with a leading `=`, to CEL over the parent's facts."""

    kind: Literal["set"]
    set: dict[str, Any]


class Choose(Model):
    """A field pointed at another record: the first in key order that satisfies `where`."""

    kind: Literal["choose"]
    field: str
    among: Identifier
    where: CelText


class AddFault(Model):
    """A fault added to the case."""

    kind: Literal["fault"]
    fault: Fault


class Inject(Model):
    """Content injected into a record, and the attack goal it serves."""

    kind: Literal["inject"]
    content: InjectedContent
    attack: Attack


class Phrase(Model):
    """The request worded with each approved phrasing that carries the tag."""

    kind: Literal["phrase"]
    tag: Identifier


class Typo(Model):
    """One deterministic slip in the words between the protected slots."""

    kind: Literal["typo"]
    slip: Literal["swap", "drop", "double"]


class Omit(Model):
    """A slot left unsaid: the user knows it and tells it when asked; worded with phrasings tagged `omission`."""

    kind: Literal["omit"]
    slot: Identifier


class Abbreviate(Model):
    """Every word that the locale has an abbreviation for, abbreviated; slots stay as they are."""

    kind: Literal["abbreviate"]


class SlowReveal(Model):
    """Slots told one at a time and only when asked; phrasings tagged `slow_reveal` leave them out."""

    kind: Literal["slow_reveal"]


class Correct(Model):
    """A slot first said with another value and corrected before any work; phrasings tagged `changed_requirement`."""

    kind: Literal["correct"]
    slot: Identifier
    first: Any


class Contradict(Model):
    """A slot said with two values, neither taken back: missing until the user settles it; tagged `contradiction`."""

    kind: Literal["contradict"]
    slot: Identifier
    other: Any


class History(Model):
    """A conversation of so many turns before the request: small talk, after the earlier turns of a tagged phrasing."""

    kind: Literal["history"]
    turns: Annotated[int, Field(ge=2, le=100)]
    tag: Identifier | None = None


Mutation = Annotated[
    Boundary
    | SetFields
    | Choose
    | AddFault
    | Inject
    | Phrase
    | Typo
    | Abbreviate
    | Omit
    | SlowReveal
    | Correct
    | Contradict
    | History,
    Field(discriminator="kind"),
]


class AppliesTo(Model):
    """Which parents an operator takes: their goals, and CEL over their facts, outcome, tools and faults."""

    goal: OneOrMany[Identifier]
    when: CelText | None = None


class Operator(Model):
    """An approved mutation: anything that differs outside `changes` and `unmask` is an error."""

    operator: Identifier
    version: VersionText
    title: str
    status: Literal["draft", "approved", "retired"]
    approved_by: Identifier | None = None
    type: MutationType
    applies_to: AppliesTo
    aims_at: tuple[Identifier, ...] = ()
    unmask: tuple[str, ...] = ()
    changes: tuple[str, ...]
    keeps: tuple[Identifier, ...] = ()
    mutation: Mutation
    effect: Literal["preserve", "recompute"]
    risk: Risk
    bucket: Bucket
