"""What happens in a case, as values: the operation log that monitors and graders read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from caselock.spec.decisions import Outcome
from caselock.world.state import Record, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEvent:
    """The agent called a tool; `call` counts from 1, `new_key` says that its idempotency key is fresh.

    The arguments of a `malformed` call are as written, not typed: nothing but the call's name can be relied on.
    """

    call: int
    tool: str
    args: Mapping[str, Value]
    new_key: bool = True
    malformed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEvent:
    """A committed change of one record; `call` 0 is somebody else's."""

    call: int
    tool: str
    kind: Literal["insert", "update"]
    record: Record
    before: Record | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEvent:
    """What the agent saw of a call: a value or an error code, whether it is only partly done, and how much padding."""

    call: int
    tool: str
    args: Mapping[str, Value]
    value: Value = None
    error: str | None = None
    partial: bool = False
    padding: int = 0
    malformed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEvent:
    """The agent asked the user for slots of one of the requests."""

    slots: tuple[str, ...]
    request: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SayEvent:
    """The agent spoke to the user about one of the requests in prose, and has not finished."""

    text: str
    request: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UserEvent:
    """The user spoke of one of the requests and disclosed slots; `answers` marks a reply to a question.

    `mentions` are values said that do not stand.
    """

    text: str
    slots: Mapping[str, Value]
    mentions: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    answers: bool = False
    request: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalEvent:
    """The answer to one request as structured claims: the outcome, named values such as the reason, cited ids.

    `text` is the answer as it reads, when there is one.
    """

    outcome: Outcome
    says: Mapping[str, Value]
    cites: tuple[str, ...] = ()
    text: str | None = None
    request: int = 0


Event = CallEvent | EffectEvent | ResultEvent | AskEvent | SayEvent | UserEvent | FinalEvent
