"""The vocabulary of all file models: the strict base class and the types that values of YAML files have."""

from __future__ import annotations

import datetime
import os
from decimal import Decimal
from typing import Annotated, TypeAlias, TypeVar

# A plugin that happens to be installed must not change what a file means; looking for one also costs start-up time.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

T = TypeVar("T")


class Model(BaseModel):
    """A frozen part of a spec file: unknown keys are errors and no value is converted silently.

    A key that is no Python name gets an alias (`from_: ... = Field(alias="from")`); code may use either name.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, defer_build=True, populate_by_name=True, allow_inf_nan=False
    )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let a YAML list be a tuple; everything else stays strict."""
        schema = handler(source)
        _accept_lists(schema)
        return schema


def _accept_lists(schema: object) -> None:
    if isinstance(schema, dict):
        if schema.get("type") == "tuple":
            schema["strict"] = False
        for part in schema.values():
            _accept_lists(part)
    elif isinstance(schema, list):
        for part in schema:
            _accept_lists(part)


def reject(
    message: str,
    *,
    code: str = "CL0110",
    found: str | None = None,
    allowed: tuple[str, ...] = (),
    nearest: str | None = None,
    hint: str | None = None,
    path: tuple[str | int, ...] = (),
    key: bool = False,
) -> PydanticCustomError:
    """Return the error a validator raises to refuse a value with our own words.

    `path` leads from the validated value to the part at fault, and `key` points at that part's key.
    """
    details = {
        "message": message, "found": found, "allowed": allowed, "nearest": nearest, "hint": hint,
        "path": path, "key": key,
    }  # fmt: skip
    return PydanticCustomError(code, "{message}", details)


def _version(value: object) -> object:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        raise reject(
            f"version {value} is not quoted",
            code="CL0108",
            found=str(value),
            hint=f'write it in quotes: "{value}"',
        )
    return value


def _exact(value: object) -> object:
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _cel(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | Decimal) else value


def _day(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        day = datetime.date.fromisoformat(value)
    except ValueError:
        day = None
    if day is None or day.isoformat() != value:
        raise reject(f"'{value}' is not a date", found=value, hint="write a day of the calendar as YYYY-MM-DD")
    return day


def _instant(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        moment = datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        raise reject(
            f"'{value}' is not a point in time", found=value, hint="write it in UTC as YYYY-MM-DDTHH:MM:SSZ"
        ) from None
    return moment.replace(tzinfo=datetime.UTC)


class _OneOrMany:
    """Turns a single value into a list of one, and says so in the JSON Schema."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(_listed, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        several = handler(schema)
        return {"anyOf": [several["items"], several]}


def _listed(value: object) -> object:
    return value if isinstance(value, list | tuple) else [value]


def keyed(*keys: str) -> Discriminator:
    """Return the discriminator of a union that tells its branches by which of these keys is present."""

    def present(value: object) -> str | None:
        written = value if isinstance(value, dict) else vars(value) if isinstance(value, Model) else ()
        return next((key for key in keys if key in written), None)

    return Discriminator(present)


# cel.dev/spec, "Syntax": words that cannot name anything.
RESERVED = frozenset(
    (
        *("as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let"),
        *("loop", "namespace", "null", "package", "return", "true", "var", "void", "while"),
    )
)


def _unreserved(name: str) -> str:
    if name in RESERVED:
        raise reject(f"'{name}' is a word of the expression language", found=name, hint="choose another name")
    return name


def _no_repeats(values: tuple[T, ...]) -> tuple[T, ...]:
    seen: set[T] = set()
    for index, value in enumerate(values):
        if value in seen:
            raise reject(f"'{value}' is listed twice", found=str(value), path=(index,))
        seen.add(value)
    return values


IDENTIFIER = r"^[a-z][a-z0-9_.-]*$"
NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
CASE_ID = r"^[a-z][a-z0-9_.@+-]*$"
VERSION = r"^[0-9A-Za-z][0-9A-Za-z._-]*$"
SOURCE_ID = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"
SOURCE_REF = r"^[A-Za-z0-9][A-Za-z0-9_.-]*#[A-Za-z0-9][A-Za-z0-9_.-]*$"
LOOP = r"^[A-Za-z_][A-Za-z0-9_]* in .+$"
SHA256 = r"^[0-9a-f]{64}$"

# What a pattern demands, in words: (what the text should be, how to get there).
PATTERNS = {
    IDENTIFIER: ("an identifier", "start with a-z and continue with a-z 0-9 _ . -"),
    NAME: ("a name for expressions", "start with a letter or _ and continue with letters, digits and _"),
    CASE_ID: ("a case id", "write it as the compiler does: refund_seed_01+typo-swap"),
    VERSION: ("a version", 'use letters, digits and . _ - as in "3" or "2026-08"'),
    SOURCE_ID: ("a source id", "use letters, digits and . _ - as in refund_sop_v3.2"),
    SOURCE_REF: ("a source reference", "write id#section, as in refund_sop_v3.2#section-4"),
    LOOP: ("a loop", "write a name, 'in' and a list, as in: p in booking.payments"),
    SHA256: ("a sha256 digest", "write 64 lower-case hexadecimal digits"),
}

Text: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=65_536)]
Identifier: TypeAlias = Annotated[str, StringConstraints(pattern=IDENTIFIER, max_length=128)]
CaseId: TypeAlias = Annotated[str, StringConstraints(pattern=CASE_ID, max_length=512)]
Name: TypeAlias = Annotated[str, StringConstraints(pattern=NAME, max_length=128), AfterValidator(_unreserved)]
VersionText: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=VERSION, max_length=64),
    BeforeValidator(_version, json_schema_input_type=str),
]
SourceId: TypeAlias = Annotated[str, StringConstraints(pattern=SOURCE_ID, max_length=128)]
SourceRef: TypeAlias = Annotated[str, StringConstraints(pattern=SOURCE_REF, max_length=256)]
LoopText: TypeAlias = Annotated[str, StringConstraints(pattern=LOOP, max_length=8_192)]
Sha256: TypeAlias = Annotated[str, StringConstraints(pattern=SHA256)]
Number: TypeAlias = Annotated[Decimal, BeforeValidator(_exact), WithJsonSchema({"type": "number"})]
CelText: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=8_192),
    BeforeValidator(_cel),
    WithJsonSchema({"type": ["string", "boolean", "number"], "description": "a CEL expression"}),
]
Day: TypeAlias = Annotated[datetime.date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Instant: TypeAlias = Annotated[
    datetime.datetime, BeforeValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})
]
OneOrMany: TypeAlias = Annotated[tuple[T, ...], _OneOrMany()]
Distinct: TypeAlias = Annotated[tuple[T, ...], AfterValidator(_no_repeats)]
