"""spec/goals/*.yaml: what users want, the facts that decide it, and the contract each outcome must meet."""

from __future__ import annotations

from pydantic import Field

from caselock.spec.base import CelText, Identifier, Model, Name, SourceRef
from caselock.spec.decisions import Outcome
from caselock.spec.schemas import ObjectSchema, Schema


class Assertion(Model):
    """A predicate over the final state, and the source it comes from."""

    that: CelText
    because: tuple[SourceRef, ...]


class MayCreate(Model):
    """Records that may appear besides the required ones."""

    in_: Identifier = Field(alias="in")
    at_most: int = 1


class MayUpdate(Model):
    """Fields of one record, or of each of a list (a let of the goal), or places inside them, that may change."""

    record: Identifier
    fields: tuple[str, ...]


class OutcomeContract(Model):
    """What holds when a request ends with one outcome: the frame, the predicates, what is said and cited.

    `must_cite` is CEL for the list of ids of the documents that the final answer has to cite.
    """

    creates: dict[Name, Identifier] = {}
    may_create: dict[Name, MayCreate] = {}
    may_update: tuple[MayUpdate, ...] = ()
    ensures: tuple[Assertion, ...] = ()
    says: dict[Identifier, CelText] = {}
    must_cite: CelText | None = None
    response_schema: ObjectSchema | None = None
    arguments: dict[str, CelText] = {}
    invariants: tuple[Identifier, ...] = ()
    rubric: tuple[Identifier, ...] = ()


class Question(Model):
    """A question to the user: which slots are asked for, by the reason that the deciding rule names."""

    asks: dict[Identifier, tuple[Identifier, ...]]
    rubric: tuple[Identifier, ...] = ()


class Outcomes(Model):
    """The contracts of a goal, by outcome."""

    fulfil: OutcomeContract
    refuse: OutcomeContract | None = None
    escalate: OutcomeContract | None = None
    clarify: Question | None = None
    confirm: Question | None = None

    def question(self, outcome: Outcome) -> Question | None:
        """The question of an outcome that waits for the user, if the goal has one."""
        return {"clarify": self.clarify, "confirm": self.confirm}.get(outcome)

    def contract(self, outcome: Outcome) -> OutcomeContract | None:
        """The contract of an outcome that ends a request, if the goal has one."""
        return {"fulfil": self.fulfil, "refuse": self.refuse, "escalate": self.escalate}.get(outcome)


class Goal(Model):
    """What a user wants: typed slots, the facts that decide, and a contract per outcome."""

    goal: Identifier
    title: str
    owner: Identifier
    slots: dict[Name, Schema]
    let: dict[Name, CelText] = {}
    decision: Identifier
    guarded: tuple[Identifier, ...]
    arguments: dict[str, CelText] = {}
    observe: dict[Identifier, CelText]
    grants: dict[Identifier, CelText] = {}
    outcomes: Outcomes
    forbidden_tools: tuple[Identifier, ...] = ()
    invariants: tuple[Identifier, ...] = ()
