"""Two JSON documents -> the RFC 6902 patch from one to the other, lists replaced whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from caselock.source.canonical import canonical_bytes


def patch_between(old: Any, new: Any) -> list[dict[str, Any]]:
    """The operations that turn `old` into `new`, in path order. Source: RFC 6902."""
    return list(_operations("", old, new))


def _operations(path: str, old: Any, new: Any) -> Iterator[dict[str, Any]]:
    if not (isinstance(old, dict) and isinstance(new, dict)):
        if canonical_bytes(old) != canonical_bytes(new):  # in Python 1 == True
            yield {"op": "replace", "path": path, "value": new}
        return
    for name in sorted({*old, *new}):
        where = f"{path}/{_escaped(name)}"
        if name not in new:
            yield {"op": "remove", "path": where}
        elif name not in old:
            yield {"op": "add", "path": where, "value": new[name]}
        else:
            yield from _operations(where, old[name], new[name])


def _escaped(name: str) -> str:
    """A key as a part of a JSON Pointer. Source: RFC 6901."""
    return name.replace("~", "~0").replace("/", "~1")


def leaves(operation: dict[str, Any]) -> Iterator[str]:
    """The pointers of every scalar or list that an operation touches."""
    yield from _leaves(operation["path"], operation.get("value"))


def _leaves(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from _leaves(f"{path}/{_escaped(name)}", item)
    else:
        yield path
