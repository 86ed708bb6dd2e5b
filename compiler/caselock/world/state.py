"""The state of the business as an immutable value: collections of records that share structure between versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

Value = Any
"""A typed value: bool, int, Decimal, str, datetime, timedelta, tuple, or a mapping of them."""


class Record(dict[str, Value]):
    """One record; read-only, and it knows its collection and key wherever it travels."""

    __slots__ = ("collection", "key")

    def __init__(self, collection: str, key: str, fields: Mapping[str, Value]) -> None:
        super().__init__(fields)
        self.collection = collection
        self.key = key

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a record is immutable; use with_fields")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def with_fields(self, changes: Mapping[str, Value]) -> Record:
        """A copy with some fields changed."""
        return Record(self.collection, self.key, {**self, **changes})


State = Mapping[str, Mapping[str, Record]]
"""Collection name -> key -> record, keys in ascending order; every update copies only the path it changes."""


def put(state: State, record: Record) -> State:
    """The state with one record added or replaced, keys kept in order."""
    collection = state[record.collection]
    changed = {**collection, record.key: record}
    if record.key not in collection:
        changed = dict(sorted(changed.items()))
    return {**state, record.collection: changed}


def find(state: State, collection: str, key: object) -> Record | None:
    """The record with a key, or None."""
    return state[collection].get(key) if isinstance(key, str) else None


def changed_records(before: State, after: State) -> list[tuple[str, str]]:
    """(collection, key) of every record that differs, in order; unchanged collections are skipped by identity."""
    changed: list[tuple[str, str]] = []
    for name, collection in after.items():
        old = before[name]
        if old is collection:
            continue
        changed += [
            (name, key)
            for key in sorted({*old, *collection})
            if old.get(key) is not collection.get(key) and old.get(key) != collection.get(key)
        ]
    return changed
