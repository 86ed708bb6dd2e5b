"""spec/tools/*.yaml: tool contracts, declarative enough to be run, searched and replayed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from caselock.spec.base import CelText, Identifier, Model, SourceRef, VersionText, reject
from caselock.spec.schemas import Schema

EffectClass = Literal["read", "reversible", "irreversible"]


class ToolError(Model):
    """An error code, when it is answered, and whether trying again or another way can help."""

    code: Identifier
    when: CelText
    retryable: bool = False
    recoverable: bool = True


class Insert(Model):
    """A new record; its key is generated. Scalars that start with `=` are CEL."""

    insert: Identifier
    as_: Identifier = Field(alias="as")
    set: dict[str, Any]


class Update(Model):
    """A change to fields of the record with the given key."""

    update: Identifier
    key: CelText
    set: dict[str, Any]


def _change_kind(value: Any) -> str:
    keys = value.keys() if isinstance(value, dict) else vars(value).keys() if value else ()
    for kind in ("insert", "update"):
        if kind in keys:
            return kind
    raise reject("a change needs one of its keys", allowed=("insert", "update"))


Change = Annotated[
    Annotated[Insert, Tag("insert")] | Annotated[Update, Tag("update")], Discriminator(_change_kind)
]


class Tool(Model):
    """One tool contract: what it takes, how it fails, what it changes, what it answers."""

    tool: Identifier
    version: VersionText
    description: str
    effect: EffectClass
    because: tuple[SourceRef, ...]
    input: Schema
    idempotency_key: Identifier | None = None
    let: dict[Identifier, CelText] = {}
    errors: tuple[ToolError, ...] = ()
    changes: tuple[Change, ...] = ()
    returns: Any = None
