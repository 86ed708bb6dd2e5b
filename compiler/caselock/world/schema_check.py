"""Typed values against their JSON Schema, with exact decimals; the only module that imports jsonschema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache
from typing import Any

from caselock.spec.schemas import Schema
from caselock.world.identity import ByIdentity
from caselock.world.values import plain, show


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaProblem:
    """One way a value breaks its schema: where, what was found, what is allowed."""

    path: tuple[str | int, ...]
    message: str
    found: str
    allowed: tuple[str, ...] = ()


def json_schema(schema: Schema) -> dict[str, Any]:
    """The schema as a JSON Schema document, decimals kept exact."""
    return schema.model_dump(by_alias=True, exclude_defaults=True, mode="python")


def published(schema: Schema) -> dict[str, Any]:
    """The schema as tools and datasets see it: a decimal is a number or a patterned string, our keywords gone."""
    out = {key: value for key, value in json_schema(schema).items() if not key.startswith("x-")}
    if schema.type == "number":
        places = -schema.multiple_of.as_tuple().exponent if isinstance(schema.multiple_of, Decimal) else None  # type: ignore[operator]
        fraction = r"(\.[0-9]+)?" if places is None else rf"(\.[0-9]{{1,{places}}})?" if places else ""
        out = {key: plain(value) for key, value in out.items() if key in ("title", "description")}
        out |= {"type": ["number", "string"], "pattern": f"^-?[0-9]+{fraction}$"}
    if schema.properties is not None:
        out["properties"] = {name: published(inner) for name, inner in schema.properties.items()}
    if schema.items is not None:
        out["items"] = published(schema.items)
    if isinstance(schema.additional_properties, Schema):
        out["additionalProperties"] = published(schema.additional_properties)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in out.items()}


def problems(schema: Schema, value: Any) -> tuple[SchemaProblem, ...]:
    """Every way a typed value breaks the schema, in document order."""
    found = sorted(
        _validator(ByIdentity(schema)).iter_errors(_jsonable(value)),
        key=lambda error: [str(p) for p in error.absolute_path],
    )
    return tuple(part for error in found for part in _describe(error))


@cache
def _validator(key: ByIdentity[Schema]) -> Any:
    return _validator_class()(json_schema(key.value))


@cache
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator, validators

    def is_number(_: Any, value: object) -> bool:
        return isinstance(value, int | Decimal) and not isinstance(value, bool)

    def is_integer(_: Any, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    types = Draft202012Validator.TYPE_CHECKER.redefine("number", is_number).redefine("integer", is_integer)
    extend: Any = validators.extend
    return extend(Draft202012Validator, {"multipleOf": _multiple_of}, type_checker=types)


_WIDE = Context(prec=64)
"""Wide enough for every number that the strict reader lets in."""


def _multiple_of(_: Any, step: Any, value: Any, __: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if (
        isinstance(value, int | Decimal)
        and not isinstance(value, bool)
        and _WIDE.remainder(Decimal(value), Decimal(step))
    ):
        yield ValidationError("step")


def _jsonable(value: Any) -> Any:
    """Instants back as strings and tuples as lists; decimals stay exact."""
    if isinstance(value, Mapping):
        return {key: _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    return value if isinstance(value, Decimal | int | str | None) else plain(value)


def _describe(error: Any) -> Iterator[SchemaProblem]:
    path = tuple(error.absolute_path)
    found = show(error.instance)
    limit = error.validator_value
    match error.validator:
        case "required":
            for name in limit:
                if name not in error.instance:
                    yield SchemaProblem(path=path, message=f"'{name}' is missing", found=found)
        case "additionalProperties":
            known = tuple(sorted(error.schema.get("properties", {})))
            for name in error.instance:
                if name not in known:
                    yield SchemaProblem(
                        path=(*path, name), message=f"unknown field '{name}'", found=name, allowed=known
                    )
        case "enum":
            yield SchemaProblem(
                path=path, message=f"{found} is not one of the values", found=found, allowed=tuple(limit)
            )
        case keyword:
            yield SchemaProblem(
                path=path, message=f"{found} {_PHRASES.get(keyword, 'breaks ' + keyword)} {show(limit)}", found=found
            )


_PHRASES = {
    "type": "is not of type",
    "multipleOf": "is not a multiple of",
    "minimum": "is below",
    "exclusiveMinimum": "is not above",
    "maximum": "is above",
    "exclusiveMaximum": "is not below",
    "pattern": "does not match the pattern",
    "minLength": "is shorter than",
    "maxLength": "is longer than",
    "minItems": "has fewer items than",
    "maxItems": "has more items than",
}
