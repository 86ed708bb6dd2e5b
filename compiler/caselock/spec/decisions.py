"""rules/: decision tables (DMN), process invariants (DECLARE) and decision records."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from caselock.spec.base import CelText, Day, Identifier, Model, Name, Number, OneOrMany, SourceRef, VersionText, reject

Outcome = Literal["fulfil", "clarify", "confirm", "escalate", "refuse"]
ENDINGS: tuple[Outcome, ...] = ("fulfil", "refuse", "escalate")
"""The outcomes that end a request with a contract of their own."""

QUESTIONS: tuple[Outcome, ...] = ("clarify", "confirm")
"""The outcomes that wait for the user's answer."""

HitPolicy = Literal["unique", "any", "priority", "first"]
InputType = Literal["decimal", "int", "bool", "enum", "string", "timestamp", "duration", "id"]


class Input(Model):
    """A typed input expression of a decision table (DMN): the only thing its rules may read."""

    from_: CelText = Field(alias="from")
    type: InputType
    step: Number | None = None


class Rule(Model):
    """One row of a decision table: when it holds, the outcome and the reason it conveys."""

    id: Identifier
    version: VersionText
    title: str
    when: CelText
    then: Outcome
    reason: Identifier | None = None
    overrides: tuple[Identifier, ...] = ()
    because: tuple[SourceRef, ...]


class DecisionTable(Model):
    """A DMN decision table: decides the outcome of one request from flat, typed inputs."""

    decision: Identifier
    version: VersionText
    title: str
    owner: Identifier
    hit_policy: HitPolicy = "unique"
    inputs: dict[Name, Input]
    assume: tuple[CelText, ...] = ()
    rules: tuple[Rule, ...]


class EventPattern(Model):
    """Which events of a trace a constraint speaks of; `where` and `key` are CEL over the event's parts."""

    event: Literal["call", "result", "effect", "user_turn", "final"]
    tool: OneOrMany[Identifier] = ()
    error: OneOrMany[Identifier] = ()
    insert: Identifier | None = None
    update: Identifier | None = None
    saw: Identifier | None = None
    outcome: OneOrMany[Outcome] = ()
    new_key: bool = False
    where: CelText | None = None
    key: CelText | None = None


Template = Literal["absence", "existence", "at_most", "exactly", "precedence", "response", "not_coexistence"]


class Invariant(Model):
    """A process rule over a trace, written with a DECLARE template.

    `of` is the event of a unary template, `first` and `then` of a binary one; `after` and `until` bound its scope.
    Source: Pesic, Schonenberg, van der Aalst, "DECLARE: Full Support for Loosely-Structured Processes" (2007).
    """

    id: Identifier
    version: VersionText
    title: str
    because: tuple[SourceRef, ...]
    template: Template
    n: Annotated[int, Field(ge=1, le=99)] | None = None
    of: EventPattern | None = None
    first: EventPattern | None = None
    then: EventPattern | None = None
    after: EventPattern | None = None
    until: EventPattern | None = None
    on_faults: tuple[Identifier, ...] = ()


class Invariants(Model):
    """A file of invariants with one owner."""

    invariants: tuple[Invariant, ...]
    owner: Identifier


class Ruling(Model):
    """A decision record: an owner's dated ruling on sources or rules that disagree; open, it blocks its seeds."""

    ruling: Identifier
    version: VersionText
    title: str
    owner: Identifier
    date: Day
    status: Literal["open", "decided"]
    between: tuple[SourceRef, ...]
    rules: tuple[Identifier, ...] = ()
    prevails: Identifier | None = None
    decision: str | None = None

    @model_validator(mode="after")
    def _whole(self) -> Ruling:
        """A ruling that is decided says what was decided, and for which of its rules."""
        if self.status == "decided" and not self.decision:
            raise reject("a decided ruling says what was decided", path=("status",), hint="write it in 'decision'")
        if self.prevails is not None and self.prevails not in self.rules:
            raise reject(
                f"'{self.prevails}' is none of the rules this ruling is about",
                path=("prevails",),
                found=self.prevails,
                allowed=self.rules,
            )
        return self
