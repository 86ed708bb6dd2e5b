"""A model's core schema and the place of an error -> the YAML path, and what the model expects there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]

_TRANSPARENT = frozenset(
    ("default", "nullable", "function-before", "function-after", "function-wrap", "model", "definitions")
)
_WORDS = {
    "str": "a text", "int": "a whole number", "decimal": "a number", "bool": "true or false",
    "date": "a date", "datetime": "a point in time",
    "dict": "a mapping", "model-fields": "a mapping", "tagged-union": "a mapping",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an error is: its YAML path, what is expected there, the model around it, and the unions passed.

    `is_key` says that the key at `path` is wrong, not its value. A union is its path and the branch taken;
    `alternatives` describes the union that stands at the very `path`, if one does.
    """

    path: tuple[str | int, ...]
    expected: Schema | None
    parent: Schema | None
    is_key: bool
    unions: tuple[tuple[tuple[str | int, ...], str], ...]
    alternatives: str | None


def locate(schema: Schema, loc: tuple[str | int, ...]) -> Place:
    """Follow a pydantic error location; tags and union branches in it are no part of the YAML path."""
    walk = _Walk(schema)
    for part in loc:
        walk.step(part)
    return Place(
        path=tuple(walk.path),
        expected=walk.node,
        parent=walk.parent,
        is_key=walk.is_key,
        unions=tuple(walk.unions),
        alternatives=walk.alternatives,
    )


def describe(schema: Schema | None) -> str:
    """Return what a schema expects, in words that follow 'expected'."""
    if schema is None:
        return "another value"
    kind = schema["type"]
    if kind == "literal":
        words = [spelt(value) for value in schema["expected"]]
        return words[0] if len(words) == 1 else "one of " + ", ".join(words)
    if kind in ("tuple", "list"):
        return f"a list of {_plural(describe(_unwrapped(_items(schema), {})))}"
    return _WORDS.get(kind, "another value")


def keys(schema: Schema | None) -> tuple[str, ...]:
    """Return the keys that a model allows, as they are written in YAML and in the model's order."""
    if schema is None or schema["type"] != "model-fields":
        return ()
    return tuple(_alias(name, field) for name, field in schema["fields"].items())


def spelt(value: object) -> str:
    """Return a literal as YAML spells it."""
    if value is None:
        return "null"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


class _Walk:
    """The state of following one location: the schema reached and the YAML path so far."""

    def __init__(self, schema: Schema) -> None:
        self._definitions: dict[str, Schema] = {}
        self.node = self._enter(schema)
        self.parent: Schema | None = None
        self.path: list[str | int] = []
        self.is_key = False
        self.unions: list[tuple[tuple[str | int, ...], str]] = []
        self.alternatives: str | None = None

    def step(self, part: str | int) -> None:
        node = self.node
        kind = node["type"] if node is not None else "any"
        if node is not None and kind == "tagged-union" and part in node["choices"]:
            self.node = self._enter(node["choices"][part])
        elif node is not None and kind == "union":
            self.unions.append((tuple(self.path), str(part)))
            self.alternatives = _either(node, self._definitions)
            self.node = self._branch(node, str(part))
        elif part == "[key]" and self.parent is not None and self.parent["type"] == "dict":
            self.is_key = True
        else:
            self.parent, self.node, self.alternatives = node, self._child(node, part), None
            self.path.append(part)

    def _child(self, node: Schema | None, part: str | int) -> Schema | None:
        if node is None:
            return None
        if node["type"] == "model-fields":
            fields = node["fields"].items()
            return next((self._enter(field["schema"]) for name, field in fields if _alias(name, field) == part), None)
        if node["type"] == "dict":
            return self._enter(node.get("values_schema"))
        return self._enter(_items(node))

    def _branch(self, node: Schema, label: str) -> Schema | None:
        choices = (self._enter(choice) for choice in _choices(node))
        return next((choice for choice in choices if choice is not None and _is_labelled(choice, label)), None)

    def _enter(self, schema: Schema | None) -> Schema | None:
        return _unwrapped(schema, self._definitions)


def _unwrapped(schema: Schema | None, definitions: dict[str, Schema]) -> Schema | None:
    while schema is not None:
        if schema["type"] == "definitions":
            definitions.update((part["ref"], part) for part in schema["definitions"])
        if schema["type"] == "definition-ref":
            schema = definitions.get(schema["schema_ref"])
        elif schema["type"] in _TRANSPARENT:
            schema = schema["schema"]
        else:
            return schema
    return None


def _choices(union: Schema) -> list[Schema]:
    return [choice[0] if isinstance(choice, tuple) else choice for choice in union["choices"]]


def _either(union: Schema, definitions: dict[str, Schema]) -> str:
    branches = (describe(_unwrapped(choice, definitions)) for choice in _choices(union))
    return " or ".join(dict.fromkeys(branches))


def _is_labelled(choice: Schema, label: str) -> bool:
    return label == choice.get("model_name") or label.startswith(choice["type"])


def _alias(name: str, field: Schema) -> str:
    alias = field.get("validation_alias", name)
    return alias if isinstance(alias, str) else name


def _items(schema: Schema) -> Schema | None:
    items = schema.get("items_schema")
    return items[0] if isinstance(items, list) else items


def _plural(words: str) -> str:
    singular = words.removeprefix("a ")
    if singular == words or words.startswith(("a list", "a point")):
        return "values"
    return f"{singular}s"
