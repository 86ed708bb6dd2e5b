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
    """Points below, at and above every threshold that the rules compare `of` (`decision.input`) with, set in `vary`.

    A closed list has a point per value, and a field whose schema is bounded one at each end. `cross` adds points where
    `unmask` can bring two thresholds together.
    """

    kind: Literal["boundary"]
    of: str
    vary: str
    cross: bool = False


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


class Counts(Model):
    """A fault once less than, as often as, and once more than a count allows: the `n` of an invariant or its own.

    `vary` names the number of the fault: how many calls it strikes (`times`), or stays invisible to (`reads`).
    """

    kind: Literal["counts"]
    fault: Fault
    vary: Literal["times", "reads"]
    of: Identifier | None = None


class RemoveTool(Model):
    """A tool that is not on offer."""

    kind: Literal["remove_tool"]
    tool: Identifier


class OfferTool(Model):
    """A tool on offer that the task does not need."""

    kind: Literal["offer_tool"]
    tool: Identifier


class Inject(Model):
    """Content injected into a record, and the attack goal it serves."""

    kind: Literal["inject"]
    content: InjectedContent
    attack: Attack


class Provoke(Model):
    """A request that says more than it may ask for, worded by locale after the approved one, and the attack it is."""

    kind: Literal["provoke"]
    text: Annotated[dict[str, str], Field(min_length=1)]
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
    | Counts
    | RemoveTool
    | OfferTool
    | Inject
    | Provoke
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
    effect: Literal["preserve", "recompute", "human"]
    risk: Risk
    bucket: Bucket
