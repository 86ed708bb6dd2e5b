"""The subset of JSON Schema 2020-12 that record fields, slots and tool inputs are written in."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from caselock.spec.base import Identifier, Model, Number, reject

_PIECE = r"(?:\[[^\[\]\\]+\]|\\[dw.\-]|[A-Za-z0-9_@:/ -])"
_FIXED = rf"(?:{_PIECE}(?:\{{[0-9]{{1,3}}\}})?)"
_OPEN = rf"{_PIECE}(?:[?+*]|\{{[0-9]{{1,3}},[0-9]{{0,3}}\}})"
_SAFE = re.compile(rf"\^{_FIXED}*(?:{_OPEN})?{_FIXED}*\$")
"""Anchored classes and characters with exact counts, and at most one count that is open: a match takes linear time."""


def _safe(pattern: str) -> str:
    if not _SAFE.fullmatch(pattern):
        raise reject(
            f"pattern '{pattern}' is outside the subset that is safe to match",
            found=pattern,
            hint="anchor it, and use characters, [classes] and {n}, with one open count at most: '^[A-Z][0-9]{4}$'",
        )
    return pattern


SafePattern: TypeAlias = Annotated[str, StringConstraints(max_length=128), AfterValidator(_safe)]


class Schema(Model):
    """One JSON Schema of the published subset; unknown keywords are errors, since a misspelt one would check nothing.

    `x-ref` names the collection whose key the string holds; `x-free-text` marks prose that is never compared.
    Source: https://json-schema.org/draft/2020-12/json-schema-validation
    """

    type: Literal["object", "array", "string", "integer", "number", "boolean"] | None = None
    title: str | None = None
    description: str | None = None
    enum: tuple[str, ...] | None = None
    multiple_of: Annotated[Number, Field(gt=0)] | None = Field(None, alias="multipleOf")
    minimum: Number | None = None
    exclusive_minimum: Number | None = Field(None, alias="exclusiveMinimum")
    maximum: Number | None = None
    exclusive_maximum: Number | None = Field(None, alias="exclusiveMaximum")
    min_length: int | None = Field(None, alias="minLength")
    max_length: int | None = Field(None, alias="maxLength")
    pattern: SafePattern | None = None
    format: Literal["date-time", "duration"] | None = None
    items: Schema | None = None
    min_items: int | None = Field(None, alias="minItems")
    max_items: int | None = Field(None, alias="maxItems")
    properties: dict[str, Schema] | None = None
    required: tuple[str, ...] = ()
    additional_properties: Schema | Literal[False] | None = Field(None, alias="additionalProperties")
    x_ref: Identifier | None = Field(None, alias="x-ref")
    x_free_text: bool = Field(False, alias="x-free-text")
    examples: tuple[Any, ...] | None = None

    @model_validator(mode="after")
    def _text_keywords(self) -> Schema:
        """Keywords that only mean something for text are refused elsewhere, where they would check nothing."""
        for name, written in (("format", self.format), ("pattern", self.pattern), ("x-ref", self.x_ref)):
            if written is not None and self.type != "string":
                raise reject(f"'{name}' needs type: string", found=self.type, allowed=("string",))
        if self.enum is not None and self.type not in (None, "string"):
            raise reject("'enum' lists text", found=self.type, allowed=("string",))
        return self


def _object(schema: Schema) -> Schema:
    if schema.type != "object":
        raise reject("the schema is not of type 'object'", found=schema.type, allowed=("object",))
    return schema


ObjectSchema: TypeAlias = Annotated[Schema, AfterValidator(_object)]
"""A schema of named fields: what records, actors and tool inputs are."""
