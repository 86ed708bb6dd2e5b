"""The state of the business as an immutable value: collections of records that share structure between versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

Value = Any
"""A typed value: bool, int, Decimal, str, datetime, timedelta, tuple, or a mapping of them."""


class Frozen(dict[str, Value]):
    """A mapping that nobody can change, so that sessions may share it."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the state of the world is immutable")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def frozen(value: Value) -> Value:
    """The value with every mapping inside it immutable and every list a tuple."""
    if isinstance(value, Record):
        return value
    if isinstance(value, Mapping):
        return Frozen({name: frozen(item) for name, item in value.items()})
    return tuple(frozen(item) for item in value) if isinstance(value, list | tuple) else value


class Record(Frozen):
    """One record; it knows its collection and key wherever it travels."""

    __slots__ = ("_collection", "_key")

    def __init__(self, collection: str, key: str, fields: Mapping[str, Value]) -> None:
        super().__init__((name, frozen(value)) for name, value in fields.items())
        self._collection = collection
        self._key = key

    @property
    def collection(self) -> str:
        """The collection the record belongs to."""
        return self._collection

    @property
    def key(self) -> str:
        """The key the record stands under."""
        return self._key

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
