"""The ways a tool or the world misbehaves in a case, one model per fault mode."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from caselock.spec.base import Identifier, Model

Nth = Annotated[int, Field(ge=1, le=99)] | Literal["every"]
Times = Annotated[int, Field(ge=1, le=99)]
"""How many calls or commits in a row are struck, from the nth on."""


class TimeoutBeforeExecution(Model):
    """The nth call of the tool answers `timeout` and changes nothing."""

    fault: Literal["timeout_before_execution"]
    tool: Identifier
    nth: Nth = 1
    times: Times = 1


class CommittedResponseLost(Model):
    """The nth commit of the tool takes effect, but the caller sees `timeout`."""

    fault: Literal["committed_response_lost"]
    tool: Identifier
    nth: Nth = 1
    times: Times = 1


class PartialSuccess(Model):
    """The nth call of the tool commits only its first `keeps` changes, and its result shows it."""

    fault: Literal["partial_success"]
    tool: Identifier
    nth: Nth = 1
    times: Times = 1
    keeps: Annotated[int, Field(ge=1, le=99)] = 1


class ConcurrentModification(Model):
    """Somebody else changes the world just before the nth call of the tool runs.

    `patch` maps a field path (`orders.A1024.status`, or `order.status` through a let of the goal) to its new value.
    """

    fault: Literal["concurrent_modification"]
    tool: Identifier
    nth: Annotated[int, Field(ge=1, le=99)] = 1
    patch: dict[str, Any]


class ErrorCode(Model):
    """The nth call of the tool answers an error code that no fact decides (`when: false`), and changes nothing."""

    fault: Literal["error_code"]
    tool: Identifier
    code: Identifier
    nth: Nth = 1
    times: Times = 1


class RateLimit(Model):
    """The nth call of the tool answers `rate_limited` and changes nothing."""

    fault: Literal["rate_limit"]
    tool: Identifier
    nth: Nth = 1
    times: Times = 1


class EmptyResult(Model):
    """The nth call of a reading tool answers with nothing, as if there were nothing to find."""

    fault: Literal["empty_result"]
    tool: Identifier
    nth: Nth = 1
    times: Times = 1


class HugeResult(Model):
    """The nth call of the tool answers with `characters` characters of padding beside its result."""

    fault: Literal["huge_result"]
    tool: Identifier
    nth: Nth = 1
    times: Times = 1
    characters: Annotated[int, Field(ge=1, le=1_000_000)] = 50_000


class DelayedVisibility(Model):
    """What the nth commit of the tool changes is invisible to the next `reads` calls of reading tools."""

    fault: Literal["delayed_visibility"]
    tool: Identifier
    nth: Annotated[int, Field(ge=1, le=99)] = 1
    reads: Annotated[int, Field(ge=1, le=9)] = 1


class DuplicateDelivery(Model):
    """The nth commit of the tool is delivered twice.

    A tool with an idempotency key recognises the repeat; any other carries it out again, as somebody else's change.
    """

    fault: Literal["duplicate_delivery"]
    tool: Identifier
    nth: Annotated[int, Field(ge=1, le=99)] = 1


class DirtyState(Model):
    """Records that an earlier run left behind are in the world from the start: collection -> key -> fields."""

    fault: Literal["dirty_state"]
    leftovers: dict[Identifier, dict[str, dict[str, Any]]]


class InjectedContent(Model):
    """A record carries text that tries to steer the agent; every tool that returns the record shows it.

    `record` is a path to a record (`orders.A1024`, or `order` through a let of the goal).
    """

    fault: Literal["injected_content"]
    record: str
    field: str
    payload: str


FaultMode = Literal[
    "timeout_before_execution",
    "committed_response_lost",
    "partial_success",
    "concurrent_modification",
    "injected_content",
    "error_code",
    "rate_limit",
    "empty_result",
    "huge_result",
    "delayed_visibility",
    "duplicate_delivery",
    "dirty_state",
]
FAULT_MODES: tuple[FaultMode, ...] = get_args(FaultMode)

Fault = Annotated[
    TimeoutBeforeExecution
    | CommittedResponseLost
    | PartialSuccess
    | ConcurrentModification
    | InjectedContent
    | ErrorCode
    | RateLimit
    | EmptyResult
    | HugeResult
    | DelayedVisibility
    | DuplicateDelivery
    | DirtyState,
    Field(discriminator="fault"),
]


class Attack(Model):
    """What the attacker wants, apart from what the user wants: a predicate over the final state."""

    wants: str
    succeeded: str
    conflicts_with_task: bool
