"""A strict document -> the typed model of its kind, or a finding for every part that does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from caselock.diagnostics import Diagnostic, nearest, yaml_path
from caselock.source.document import Document, YamlPath
from caselock.source.findings import bounded
from caselock.spec.base import PATTERNS, Model
from caselock.spec.shape import Place, describe, keys, locate, spelt

M = TypeVar("M", bound=Model)
_MISSING = object()


def validate(document: Document, model: type[M]) -> tuple[M | None, tuple[Diagnostic, ...]]:
    """Return the document as `model`, or None and all findings, each at its place in the file."""
    try:
        return model.model_validate(document.data, by_alias=True, by_name=False), ()
    except ValidationError as failure:
        errors = failure.errors(include_url=False, include_input=False)
    schema: Any = model.__pydantic_core_schema__
    wrongs = [_Wrong(document, error, locate(schema, error["loc"])) for error in errors]
    findings = [wrong.finding() for wrong in _without_idle_branches(wrongs)]
    return None, bounded(tuple(findings))


class _Wrong:
    """One pydantic error with its place and the value found there."""

    def __init__(self, document: Document, error: ErrorDetails, place: Place) -> None:
        self.document = document
        self.type: str = error["type"]
        self.message: str = error["msg"]
        self.context: dict[str, Any] = error.get("ctx") or {}
        self.place = place
        self.path = _written_part(document.data, place.path)
        self.value = _at(document.data, self.path)

    @property
    def name(self) -> str:
        """The key that holds the wrong value, for messages; list items go by their list."""
        names = [part for part in self.path if isinstance(part, str)]
        return names[-1] if names else "the file"

    def finding(self) -> Diagnostic:
        if self.type not in _native_types():
            return self._custom()
        if self.place.alternatives is not None and _is_of_another_type(self):
            return _wrong_type(self)
        return _RENDER.get(self.type, _fallback)(self)

    def diagnostic(self, code: str, message: str, *, found: str | None = None, hint: str | None = None) -> Diagnostic:
        span = self.document.span(self.path, key=self.place.is_key)
        return Diagnostic(code=code, span=span, path=yaml_path(self.path), message=message, found=found, hint=hint)

    def _custom(self) -> Diagnostic:
        context = self.context
        path = (*self.path, *context.get("path", ()))
        return Diagnostic(
            code=self.type if self.type.startswith("CL") else "CL0110",
            span=self.document.span(path, key=context.get("key", False)),
            path=yaml_path(path),
            message=context.get("message", self.message),
            found=context.get("found"),
            allowed=tuple(context.get("allowed", ())),
            nearest=context.get("nearest"),
            hint=context.get("hint"),
        )


def _unknown_key(wrong: _Wrong) -> Diagnostic:
    found = str(wrong.place.path[-1])
    allowed = keys(wrong.place.parent)
    return Diagnostic(
        code="CL0101",
        span=wrong.document.span(wrong.path, key=True),
        path=yaml_path(wrong.path),
        message=f"unknown key '{_short(found)}'",
        found=found,
        allowed=allowed,
        nearest=nearest(found, allowed),
    )


def _missing_key(wrong: _Wrong) -> Diagnostic:
    missing = str(wrong.place.path[-1])
    parent = wrong.place.path[:-1]
    return Diagnostic(
        code="CL0102",
        span=wrong.document.first_key_span(_written_part(wrong.document.data, parent)),
        path=yaml_path(parent),
        message=f"missing key '{missing}'",
        hint=f"add '{missing}': {describe(wrong.place.expected)}",
    )


def _missing_tag(wrong: _Wrong) -> Diagnostic:
    if not isinstance(wrong.value, dict):
        return _wrong_type(wrong)
    expected = wrong.place.expected or {}
    discriminator = expected.get("discriminator")
    allowed = tuple(spelt(tag) for tag in expected.get("choices", ()))
    named = isinstance(discriminator, str)
    either = " or ".join(f"'{key}'" for key in allowed)
    return Diagnostic(
        code="CL0102",
        span=wrong.document.first_key_span(wrong.path),
        path=yaml_path(wrong.path),
        message=f"missing key '{discriminator}'" if named else f"missing key {either}",
        allowed=allowed,
    )


def _unknown_tag(wrong: _Wrong) -> Diagnostic:
    expected = wrong.place.expected or {}
    discriminator = expected.get("discriminator")
    path = (*wrong.path, discriminator) if isinstance(discriminator, str) else wrong.path
    return _not_among(wrong, path, tuple(spelt(tag) for tag in expected.get("choices", ())))


def _not_allowed(wrong: _Wrong) -> Diagnostic:
    expected = wrong.place.expected or {}
    allowed = tuple(spelt(value) for value in expected.get("expected", ()))
    return _key_not_among(wrong) if wrong.place.is_key else _not_among(wrong, wrong.path, allowed)


def _key_not_among(wrong: _Wrong) -> Diagnostic:
    found = str(wrong.place.path[-1])
    allowed = tuple(re.findall(r"'([^']+)'", str(wrong.context.get("expected", ""))))
    return Diagnostic(
        code="CL0104",
        span=wrong.document.span(wrong.path, key=True),
        path=yaml_path(wrong.path),
        message=f"'{_short(found)}' is not allowed as a key here",
        found=found,
        allowed=allowed,
        nearest=nearest(found, allowed),
    )


def _not_among(wrong: _Wrong, path: YamlPath, allowed: tuple[str, ...]) -> Diagnostic:
    value = _at(wrong.document.data, path)
    found = wrong.document.written(path)
    name = next((part for part in reversed(path) if isinstance(part, str)), "the file")
    return Diagnostic(
        code="CL0104",
        span=wrong.document.span(path),
        path=yaml_path(path),
        message=f"{_found(value)} is not allowed for '{name}'",
        found=found,
        allowed=allowed,
        nearest=nearest(found, allowed) if isinstance(value, str) and found else None,
    )


def _wrong_type(wrong: _Wrong) -> Diagnostic:
    expected = wrong.place.alternatives or describe(wrong.place.expected)
    where = "in" if wrong.path and isinstance(wrong.path[-1], int) else "for"
    return wrong.diagnostic(
        "CL0103",
        f"expected {expected} {where} '{wrong.name}', found {_found(wrong.value)}",
        found=wrong.document.written(wrong.path),
        hint=_conversion(expected, wrong.value),
    )


def _conversion(expected: str, value: object) -> str | None:
    """Return how to write the value found as what was expected, where that is one small step."""
    if expected == "a text" and isinstance(value, bool | int | Decimal):
        return f'put it in quotes: "{spelt(value)}"'
    if expected in ("a number", "a whole number") and isinstance(value, str) and value.isdecimal():
        return f"remove the quotes: {value}"
    if expected.startswith("a list") and isinstance(value, bool | int | Decimal | str):
        return "write it as a list: [...]"
    return None


def _pattern(wrong: _Wrong) -> Diagnostic:
    pattern = str(wrong.context.get("pattern"))
    words, hint = PATTERNS.get(pattern, ("a text of this form", f"it must match {pattern}"))
    found = str(wrong.place.path[-1]) if wrong.place.is_key else wrong.document.written(wrong.path)
    return wrong.diagnostic("CL0105", f"'{_short(found or '')}' is not {words}", found=found, hint=hint)


def _length(wrong: _Wrong) -> Diagnostic:
    least, most = wrong.context.get("min_length"), wrong.context.get("max_length")
    parts = "characters" if wrong.type.startswith("string") else "entries"
    bound = f"at least {least}" if least is not None else f"at most {most}"
    size = len(wrong.value) if isinstance(wrong.value, str | list | dict) else 1
    what = f"'{wrong.name}' is empty" if size == 0 else f"'{wrong.name}' has {size} {parts}"
    return wrong.diagnostic("CL0107", f"{what}; expected {bound}")


def _bound(wrong: _Wrong) -> Diagnostic:
    (name, bound), *_ = wrong.context.items()
    words = {
        "ge": "at least",
        "gt": "more than",
        "le": "at most",
        "lt": "less than",
        "multiple_of": "a multiple of",
    }
    message = f"{_found(wrong.value)} is out of bounds for '{wrong.name}'; expected {words.get(name, name)} {bound}"
    return wrong.diagnostic("CL0106", message, found=wrong.document.written(wrong.path))


def _refused(wrong: _Wrong) -> Diagnostic:
    return wrong.diagnostic("CL0110", str(wrong.context.get("error", "invalid value")))


def _fallback(wrong: _Wrong) -> Diagnostic:
    return _wrong_type(wrong) if wrong.type.endswith("_type") else wrong.diagnostic("CL0110", "invalid value")


_RENDER: dict[str, Callable[[_Wrong], Diagnostic]] = {
    "extra_forbidden": _unknown_key,
    "missing": _missing_key,
    "union_tag_not_found": _missing_tag,
    "union_tag_invalid": _unknown_tag,
    "literal_error": _not_allowed,
    "is_instance_of": _wrong_type,
    "string_pattern_mismatch": _pattern,
    "string_too_short": _length,
    "string_too_long": _length,
    "too_short": _length,
    "too_long": _length,
    "greater_than": _bound,
    "greater_than_equal": _bound,
    "less_than": _bound,
    "less_than_equal": _bound,
    "multiple_of": _bound,
    "value_error": _refused,
    "assertion_error": _refused,
}


@cache
def _native_types() -> frozenset[str]:
    return frozenset(get_args(ErrorType))


def _without_idle_branches(wrongs: list[_Wrong]) -> list[_Wrong]:
    """Keep, of the errors of one union, those of the branch that the author evidently meant."""
    idle: set[tuple[YamlPath, str]] = set()
    branches: dict[YamlPath, list[str]] = {}
    for wrong in wrongs:
        for union in wrong.place.unions:
            branches.setdefault(union[0], []).append(union[1])
            if wrong.place.path == union[0] and _is_of_another_type(wrong):
                idle.add(union)
    for path, labels in branches.items():
        if all((path, label) in idle for label in labels):
            idle.discard((path, labels[0]))
    return [wrong for wrong in wrongs if not idle.intersection(wrong.place.unions)]


def _is_of_another_type(wrong: _Wrong) -> bool:
    return wrong.type.endswith("_type") or wrong.type in ("literal_error", "is_instance_of")


def _written_part(data: object, path: YamlPath) -> YamlPath:
    """Return the part of a model's path that the file spells out: short forms end it early."""
    for depth, part in enumerate(path):
        data = _child(data, part)
        if data is _MISSING:
            return path[:depth]
    return path


def _at(data: object, path: YamlPath) -> object:
    for part in path:
        data = _child(data, part)
    return data


def _child(data: object, part: str | int) -> object:
    if isinstance(data, dict):
        return data.get(part, _MISSING)
    if isinstance(data, list) and isinstance(part, int) and part < len(data):
        return data[part]
    return _MISSING


def _found(value: object) -> str:
    """Return what a value is, as it stands in the file, in words that follow 'found'."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    return f"'{_short(value)}'" if isinstance(value, str) else spelt(value)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
