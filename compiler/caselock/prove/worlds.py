"""A goal's scope as the solver sees it: every possible request, record and actor, and what must be true of them."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from caselock.expr import ast
from caselock.expr.ast import Node
from caselock.expr.types import Collection, Id, Int, List, Map, Record, Type
from caselock.prove.encode import COMPARISONS, Encoder
from caselock.prove.leaves import Leaves
from caselock.prove.terms import (
    Formula,
    RecordTerm,
    Term,
    Thing,
    Unencodable,
    all_of,
    any_of,
    negate,
)
from caselock.rules.goals import CompiledGoal
from caselock.rules.program import Program
from caselock.spec.schemas import Schema


class Worlds(Encoder):
    """Encodes the expressions of a goal; what has no exact formula is a value of its own, free within its type.

    The leaves hold what is true in every possible world. One presence bit stands for each slot, optional field and
    look-up, so that inputs which come from the same absent let are missing together.
    """

    def __init__(self, program: Program, goal: CompiledGoal) -> None:
        self.leaves = Leaves()
        super().__init__({}, self.leaves.texts)
        self._program = program
        self._goal = goal
        self._made: dict[str, Thing] = {}
        self._exact = False
        world = program.world
        slots = Schema(type="object", properties=dict(goal.spec.slots))
        schemas = {"user": world.user_schema, "agent": world.agent_schema, "request": slots}
        self.things = things = dict[str, Thing]()
        for name, variable in goal.scope.items():
            if name not in goal.lets and not isinstance(variable.type, Collection):
                things[name] = self.leaves.thing(name, variable.type, schemas.get(name), False)
        for name, expression in goal.lets.items():
            # A list has no term; what is asked of it (its size, its only item) stands for itself.
            if not isinstance(expression.type, List | Map | Collection):
                things[name] = self.thing(expression.node)

    def thing(self, node: Node) -> Thing:
        """The symbolic value of any node, a free one where there is no exact formula."""
        match node:
            case ast.Select(operand=operand, field=name) if isinstance(operand.type, Record):
                record = self.thing(operand)
                assert isinstance(record, RecordTerm)
                return record.field(name)
            case ast.Has(operand=operand, field=name) if isinstance(operand.type, Record):
                return self._has(operand, name)
            case _ if self._exact:
                return super().thing(node)
            case ast.Index(operand=operand, key=key) if isinstance(operand.type, Collection):
                return self._looked_up(node, operand.type, self.scalar(key))
            case ast.Call(function="only", args=(items,)) if isinstance(node.type, Record):
                return self._only(node, items)
            case ast.Call(function="known") if isinstance(node.args[0].type, List | Map | Collection):
                return self._opaque(node)
        try:
            return super().thing(node)
        except Unencodable:
            return self._opaque(node)

    def _has(self, operand: Node, name: str) -> Term:
        record = self.thing(operand)
        assert isinstance(record, RecordTerm)
        present = all_of(negate(record.missing), negate(record.field(name).missing))
        return Term(value=z3.BoolVal(present) if isinstance(present, bool) else present, missing=record.missing)

    def _looked_up(self, node: Node, collection: Collection, key: Term) -> Thing:
        """The record under a key; a declared reference always leads to one."""
        declared = isinstance(node, ast.Index) and isinstance(node.key.type, Id) and node.key.type.declared
        text = ast.unparse(node)
        found = True if declared else z3.Bool(f"{text} is there")
        missing = any_of(key.missing, negate(found))
        return self._record_of(text, collection.record.name, node.type, missing)

    def _only(self, node: ast.Call, items: Node) -> Thing:
        """The single item of a list: there when the list has one, and as the list's filter wants it."""
        size = self.scalar(ast.Call(function="size", args=(items,), type=Int()))
        text = ast.unparse(node)
        known = text in self._made
        missing = any_of(size.missing, size.value != 1)
        record = self._record_of(text, node.type.name if isinstance(node.type, Record) else "", node.type, missing)
        source = self._goal.lets[items.name].node if isinstance(items, ast.Variable) else items
        if not known and isinstance(source, ast.Macro) and source.kind == "filter" and source.condition is not None:
            self._law(source.condition, missing, {**self.things, source.variable: record})
        return record

    def _record_of(self, text: str, collection: str, type_: Type, missing: Formula) -> Thing:
        """A record of a collection, which keeps the collection's schema and constraints."""
        made = self._made.get(text)
        if made is not None:
            return made
        known = self._program.world.collections.get(collection)
        record = self.leaves.thing(text, type_, None if known is None else known.schema_, missing)
        self._made[text] = record
        for _, must in self._program.world.constraints.get(collection, ()):
            self._law(must.node, missing, {"record": record})
        return record

    def _law(self, condition: Node, missing: Formula, things: Mapping[str, Thing]) -> None:
        """Add what must be true of a record that is there; a condition without an exact formula is left open."""
        outer, self.things, self._exact = self.things, things, True
        try:
            self.leaves.laws.append(any_of(missing, self.scalar(condition).true))
        except Unencodable:
            pass
        finally:
            self.things, self._exact = outer, False

    def _opaque(self, node: Node) -> Thing:
        """A value of its own; when what it reads is there, so is it, unless it looks something up itself."""
        text = ast.unparse(node)
        made = self._made.get(text)
        if made is not None:
            return made
        needs = self._needs(node)
        missing: Formula = False
        if self._looks_up(node):
            missing = z3.Bool(f"{text} is missing")
        elif needs is not False:
            missing = all_of(needs, z3.Bool(f"{text} is missing"))
        made = self.leaves.thing(text, node.type, None, missing)
        self._made[text] = made
        if isinstance(node, ast.Call) and node.function == "size" and isinstance(made, Term):
            self.leaves.laws.append(made.value >= 0)
        if isinstance(node, ast.Macro) and node.kind == "exists" and node.condition is not None:
            assert isinstance(made, Term)
            # No item satisfies a comparison with something that is missing.
            compared = [
                part
                for part in ast.chain(node.condition, "_&&_")
                if isinstance(part, ast.Call) and part.function in COMPARISONS
            ]
            self.leaves.laws.append(negate(all_of(any_of(*map(self._needs, compared)), made.true)))
        return made

    def _needs(self, node: Node) -> Formula:
        """Something that the node reads from the scope is missing."""
        return any_of(*(self._absent(path) for path in sorted(ast.reads(node))))

    def _absent(self, path: tuple[str, ...]) -> Formula:
        name, *fields = path
        thing = self.things.get(name)
        if thing is None:
            return self._needs(self._goal.lets[name].node) if name in self._goal.lets else False
        for field in fields:
            if isinstance(thing, RecordTerm):
                thing = thing.field(field)
        return thing.missing

    def _looks_up(self, node: Node) -> bool:
        """The value may be missing although everything that it reads from the scope is there."""
        return any(
            isinstance(part, ast.Index)
            or (isinstance(part, ast.Call) and part.function in ("only", "min", "max"))
            or (isinstance(part, ast.Select) and not _always_there(part) and not self._from_scope(part))
            or (isinstance(part, ast.Variable) and part.name not in self.things and self._list_looks_up(part.name))
            for part in ast.walk(node)
        )

    def _from_scope(self, node: Node) -> bool:
        while isinstance(node, ast.Select):
            node = node.operand
        return isinstance(node, ast.Variable) and node.name in self.things

    def _list_looks_up(self, name: str) -> bool:
        return name in self._goal.lets and self._looks_up(self._goal.lets[name].node)


def _always_there(node: ast.Select) -> bool:
    fields = node.operand.type.fields if isinstance(node.operand.type, Record) else {}
    return node.field in fields and not fields[node.field].optional


def input_terms(program: Program, goal: CompiledGoal) -> tuple[Mapping[str, Term], Worlds]:
    """The symbolic value of every input of a goal's table, and the worlds they come from."""
    worlds = Worlds(program, goal)
    terms: dict[str, Term] = {}
    for name, expression in goal.table.inputs.items():
        terms[name] = worlds.scalar(expression.node)
    return terms, worlds
