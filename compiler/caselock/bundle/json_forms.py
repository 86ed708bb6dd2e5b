"""JSON values <-> the two byte forms of a bundle: lines (RFC 8785) and pages (indented, for people)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from caselock.bundle.finding import finding
from caselock.diagnostics import Diagnostic
from caselock.source.canonical import canonical_bytes

MAX_DEPTH = 128  # levels of nesting in one JSON value of a bundle
_HINT = "bundles are written by `caselock compile`, never by hand"

Form: TypeAlias = Callable[[object], bytes]
Json: TypeAlias = Any  # None, bool, int, str, and lists and objects of them


def line(value: object) -> bytes:
    """Return a value as one row of a .jsonl file: canonical JSON and a line feed.

    Raises TypeError for floats and whatever else is not plain JSON, as `canonical_bytes` does.
    """
    return canonical_bytes(value) + b"\n"


def page(value: object) -> bytes:
    """Return a value as a .json file that people read: sorted keys, two spaces, a line feed at the end.

    Raises TypeError for floats and whatever else is not plain JSON, as `canonical_bytes` does.
    """
    canonical_bytes(value)
    return (json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False) + "\n").encode()


def parse(raw: bytes, form: Form, file: str, number: int = 1) -> Json:
    """Return the JSON value of bytes that are exactly what `form` writes, else a Diagnostic.

    `file` and `number` say which file the bytes come from and at which line they start.
    """
    try:
        text = raw.decode()
        value = json.loads(text, object_pairs_hook=_object, parse_float=_float, parse_constant=_float)
        if _depth(value) > MAX_DEPTH:
            raise RecursionError
        written = form(value)
    except UnicodeDecodeError:
        return _malformed(file, number, "text is not UTF-8")
    except json.JSONDecodeError as failure:
        return _malformed(file, number + failure.lineno - 1, "text is not JSON", column=failure.colno)
    except RecursionError:
        return _malformed(file, number, f"JSON is nested more than {MAX_DEPTH} levels deep")
    except _Refused as refused:
        return _malformed(file, number, str(refused))
    except (TypeError, ValueError):
        return _malformed(file, number, "a number or a text cannot be written as exact JSON")
    if written != raw:
        return finding("CL0908", file, "JSON is not in canonical form", _HINT, line=number)
    return value


class _Refused(ValueError):
    """A JSON text that other readers accept; json.loads offers no way out of its hooks but to raise."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        raise _Refused(f"key '{twice}' appears twice")
    return members


def _float(text: str) -> NoReturn:
    raise _Refused(f"number {text} is not exact; decimals are written as strings")


def _depth(value: object) -> int:
    """Return how many lists and objects enclose each other, without recursion."""
    depth = 0
    level = [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def _malformed(file: str, line: int, message: str, column: int = 1) -> Diagnostic:
    return finding("CL0907", file, message, _HINT, line=line, column=column)
