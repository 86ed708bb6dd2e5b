"""What a tool does to the world, as written -> changes that can be applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.compile import Expression
from caselock.expr.evaluate import evaluator
from caselock.expr.types import UNTYPED, List, Record, Variable
from caselock.spec.schemas import Schema
from caselock.spec.tools import Append, Insert, Tool, Update
from caselock.spec.workspace import Entry, Workspace
from caselock.spec.world import Collection
from caselock.world.expressions import Compiler, Tree
from caselock.world.literals import literal
from caselock.world.model import Assignment, CompiledChange, Loop
from caselock.world.nested import schema_inside
from caselock.world.places import Place, compile_place, schema_of, split
from caselock.world.types import collection_types, type_of

Variables = Mapping[str, Variable]
Path = tuple[str | int, ...]


def build_changes(
    entry: Entry[Tool], workspace: Workspace, scope: Variables, compiler: Compiler
) -> tuple[tuple[CompiledChange, ...], Variables]:
    """The changes of a tool, and the names that its answer may use besides; findings go to the compiler."""
    builder = _Builder(entry, workspace, scope, compiler)
    return tuple(change for change in builder.each() if change is not None), builder.names


class _Builder:
    """Compiles the changes of one tool in order: each may use the names of the ones before it."""

    def __init__(self, entry: Entry[Tool], workspace: Workspace, scope: Variables, compiler: Compiler) -> None:
        self._entry = entry
        self._collections = workspace.records.value.records
        self._types = collection_types(workspace.records.value)
        self._compiler = compiler
        self.names = dict(scope)

    def each(self) -> list[CompiledChange | None]:
        """Every change; None for one with findings."""
        made: list[CompiledChange | None] = []
        for index, change in enumerate(self._entry.value.changes):
            path = ("changes", index)
            match change:
                case Insert():
                    made.append(self._insert(path, change))
                case Update():
                    made.append(self._update(path, change))
                case Append():
                    made.append(self._append(path, change))
        return made

    def _insert(self, path: Path, change: Insert) -> CompiledChange | None:
        collection = self._collection((*path, "insert"), change.insert)
        made = None
        if collection is not None:
            self._check_new(path, change, collection)
            assignments = self._assignments(path, change.insert, change.set, self.names, nested=False)
            made = CompiledChange(collection=change.insert, name=change.as_, key=None, set=assignments)
        record = UNTYPED if collection is None else self._types[change.insert].record
        self.names[change.as_] = Variable(type=record, optional=False)
        return made

    def _update(self, path: Path, change: Update) -> CompiledChange | None:
        if self._collection((*path, "update"), change.update) is None:
            return None
        loop, names = self._loop(path, change.for_)
        offset = 1 if change.key.startswith("=") else 0
        key = self._compiler.at(self._entry, (*path, "key"), change.key, names, offset=offset)
        assignments = self._assignments(path, change.update, change.set, names, nested=True)
        if key is None:
            return None
        return CompiledChange(collection=change.update, name=None, key=key, set=assignments, over=loop)

    def _append(self, path: Path, change: Append) -> CompiledChange | None:
        loop, names = self._loop(path, change.for_)
        place = (*path, "append")
        target = self._compiler.at(self._entry, place, change.append, names, List(item=UNTYPED))
        if target is None:
            return None
        parts = split(target.node, self._collections)
        if parts is None or not isinstance(parts[0].type, Record):
            message = f"'{change.append}' is no list inside a record"
            self._compiler.diagnostics.append(self._entry.finding("CL0422", message, *place, found=change.append))
            return None
        node, inside = parts
        record, name = Expression(text="", node=node, type=node.type, evaluate=evaluator(node)), parts[0].type.name
        items = schema_of(self._collections[name].schema_, inside).items or Schema()
        value = self._value((*path, "item"), items, f"{change.append}[]", change.item, names)
        written = (Assignment(place=inside, value=value, appends=True),)
        return CompiledChange(collection=name, name=None, key=record, set=written, over=loop)

    def _loop(self, path: Path, text: str | None) -> tuple[Loop | None, Variables]:
        if text is None:
            return None, self.names
        place = (*path, "for")
        name, _, items = text.partition(" in ")
        if name in self.names:
            message = f"'{name}' hides a name that is already there"
            self._compiler.diagnostics.append(self._entry.finding("CL0411", message, *place, found=name))
        offset = len(text) - len(items)
        over = self._compiler.at(self._entry, place, text, self.names, List(item=UNTYPED), offset=offset)
        item = over.type.item if over is not None and isinstance(over.type, List) else UNTYPED
        return (None if over is None else Loop(name=name, items=over)), {**self.names, name: Variable(type=item)}

    def _collection(self, path: Path, name: str) -> Collection | None:
        if name not in self._collections:
            known = tuple(sorted(self._collections))
            message = f"unknown collection '{name}'"
            self._compiler.diagnostics.append(self._entry.finding("CL0201", message, *path, found=name, allowed=known))
        return self._collections.get(name)

    def _check_new(self, path: Path, change: Insert, collection: Collection) -> None:
        if collection.id is None:
            message = f"'{change.insert}' has no prefix for generated ids, so nothing can be inserted"
            hint = "give the collection an 'id' prefix, such as id: R-"
            self._compiler.diagnostics.append(
                self._entry.finding("CL0412", message, *path, "insert", found=change.insert, hint=hint)
            )
        for name in sorted(set(collection.schema_.required) - set(change.set) - {collection.key}):
            message = f"a new record of '{change.insert}' needs '{name}'"
            self._compiler.diagnostics.append(self._entry.finding("CL0406", message, *path, "set", found=change.insert))

    def _assignments(
        self, path: Path, target: str, written: Mapping[str, Any], names: Variables, *, nested: bool
    ) -> tuple[Assignment, ...]:
        made: list[Assignment] = []
        for text, value in written.items():
            where = (*path, "set", text)
            place = self._place(where, target, text, names, nested=nested)
            if place is not None:
                schema = schema_of(self._collections[target].schema_, place)
                made.append(Assignment(place=place, value=self._value(where, schema, f"{target}.{text}", value, names)))
        return tuple(made)

    def _place(self, path: Path, target: str, text: str, names: Variables, *, nested: bool) -> Place | None:
        known = self._collections[target].schema_.properties or {}
        if text in known:
            return Place(steps=(text,))
        if nested and not text.isidentifier():
            record = self._types[target].record
            return compile_place(self._entry, path, text, record, names, self._compiler, code="CL0406", key=True)
        allowed = tuple(sorted(known))
        message = f"'{target}' has no field '{text}'"
        self._compiler.diagnostics.append(
            self._entry.finding("CL0406", message, *path, key=True, found=text, allowed=allowed)
        )
        return None

    def _value(self, path: Path, schema: Schema, name: str, value: Any, names: Variables) -> Tree:
        """A value position of the schema: CEL, a literal, or a nested value with CEL inside."""
        if isinstance(value, str) and value.startswith("="):
            expected = type_of(schema, name, declared=True)
            return self._compiler.at(self._entry, path, value, names, expected, offset=1)
        if not _computes(value):
            return literal(self._entry, path, schema, value, self._compiler)
        if isinstance(value, dict):
            return self._object(path, schema, name, value, names)
        items = schema.items or Schema()
        return tuple(self._value((*path, i), items, f"{name}[]", item, names) for i, item in enumerate(value))

    def _object(self, path: Path, schema: Schema, name: str, value: dict[str, Any], names: Variables) -> Tree:
        for missing in sorted(set(schema.required) - set(value)):
            self._compiler.diagnostics.append(self._entry.finding("CL0406", f"{name} needs '{missing}'", *path))
        made: dict[str, Tree] = {}
        for field, item in value.items():
            inner = schema_inside(schema, (field,))
            if inner is None:
                self._compiler.diagnostics.append(self._no_field((*path, field), schema, name, field))
            else:
                made[field] = self._value((*path, field), inner, f"{name}.{field}", item, names)
        return made

    def _no_field(self, path: Path, schema: Schema, name: str, field: str) -> Diagnostic:
        allowed = tuple(sorted(schema.properties or {}))
        message = f"{name} has no field '{field}'"
        return self._entry.finding("CL0406", message, *path, key=True, found=field, allowed=allowed)


def _computes(value: Any) -> bool:
    """True when CEL stands somewhere inside a value."""
    if isinstance(value, dict):
        return any(_computes(item) for item in value.values())
    if isinstance(value, list | tuple):
        return any(_computes(item) for item in value)
    return isinstance(value, str) and value.startswith("=")
