"""spec/tools/*.yaml: tool contracts, declarative enough to be run, searched and replayed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Tag

from caselock.spec.base import CelText, Identifier, LoopText, Model, Name, SourceRef, VersionText, keyed
from caselock.spec.schemas import ObjectSchema

EffectClass = Literal["read", "reversible", "irreversible"]


ENVIRONMENT_ERRORS = frozenset(
    {"timeout", "rate_limited", "permission_denied", "invalid_arguments", "unknown_tool", "idempotency_conflict"}
)
"""Errors the environment answers for any tool; they say nothing of the facts that a contract's conditions read."""


RETRYABLE_ERRORS = frozenset({"timeout", "rate_limited"})
"""Those of them after which the same call may work."""


class ToolError(Model):
    """An error code, when it is answered, and whether trying again or another way can help.

    A code with `when: false` is decided by no fact: only a fault answers it.
    """

    code: Identifier
    when: CelText
    retryable: bool = False
    recoverable: bool = True


class Insert(Model):
    """A new record; its key is generated. Scalars that start with `=` are CEL."""

    insert: Identifier
    as_: Name = Field(alias="as")
    set: dict[str, Any]


class Update(Model):
    """A change to fields of the record with the given key, or to places inside them: `dates[args.date].seats`.

    With `for: "p in <list>"` it is made once for each item of the list, `p` being the item.
    """

    update: Identifier
    key: CelText
    set: dict[str, Any]
    for_: LoopText | None = Field(None, alias="for")


class Append(Model):
    """A new item at the end of a list inside a record, `booking.payments`; with `for` one for each item of a list."""

    append: CelText
    item: Any
    for_: LoopText | None = Field(None, alias="for")


Change = Annotated[
    Annotated[Insert, Tag("insert")] | Annotated[Update, Tag("update")] | Annotated[Append, Tag("append")],
    keyed("insert", "update", "append"),
]


class Tool(Model):
    """One tool contract: what it takes, how it fails, what it changes, what it answers."""

    tool: Name
    version: VersionText
    description: str
    effect: EffectClass
    because: tuple[SourceRef, ...]
    input: ObjectSchema
    idempotency_key: Identifier | None = None
    let: dict[Name, CelText] = {}
    errors: tuple[ToolError, ...] = ()
    changes: tuple[Change, ...] = ()
    returns: Any = None
