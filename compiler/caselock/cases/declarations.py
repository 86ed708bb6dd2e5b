"""What an operator declares - the fields it changes, sets and varies - against what a case of its goal has."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.cases.counts import allowed
from caselock.cases.paths import BadPath, world_path
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.diagnostics.nearest import nearest
from caselock.expr.types import Record
from caselock.rules.goals import CompiledGoal
from caselock.rules.program import Program
from caselock.spec.operators import Boundary, Choose, Counts, Operator, SetFields
from caselock.spec.workspace import Entry

Path = tuple[str | int, ...]


def check_declaration(program: Program, entry: Entry[Operator], goal: CompiledGoal) -> Iterator[Diagnostic]:
    """A finding for every name in an operator that no case of its goal could have."""
    known = changeable(program, goal)
    for part in ("changes", "unmask"):
        for index, name in enumerate(getattr(entry.value, part)):
            unread = name.startswith("faults.") and "tool" in program.workspace.incomplete
            if name not in known and not unread:
                yield _unknown(entry, (part, index), name, known, "is nothing that a case has")
    fields = settable(program, goal)
    match entry.value.mutation:
        case SetFields(set=written):
            for name in written:
                if not is_settable(program, goal, name):
                    yield _unknown(
                        entry, ("mutation", "set", name), name, fields, "is no field that can be set", key=True
                    )
        case Choose(field=name) if not is_settable(program, goal, name):
            yield _unknown(entry, ("mutation", "field"), name, fields, "is no field that can be set")
        case Counts() as counts if counts.of is None or counts.of in program.workspace.invariants:
            try:
                allowed(program, counts)
            except BadPath as bad:
                where = "vary" if getattr(counts.fault, counts.vary, None) is None else "of"
                yield entry.finding("CL0703", str(bad), "mutation", where, found=getattr(counts, where))
        case Boundary(of=of, vary=vary):
            inputs = {f"{goal.table.name}.{name}" for name in goal.table.input_types}
            if of not in inputs:
                yield _unknown(entry, ("mutation", "of"), of, inputs, "is no input of the goal's decision table")
            if not is_settable(program, goal, vary):
                yield _unknown(entry, ("mutation", "vary"), vary, fields, "is no field that can be set")


def _unknown(
    entry: Entry[Operator], path: Path, name: str, known: set[str], why: str, *, key: bool = False
) -> Diagnostic:
    close = nearest(name, known)
    allowed = tuple(sorted(known))
    return entry.finding("CL0703", f"'{name}' {why}", *path, key=key, found=name, nearest=close, allowed=allowed)


def is_settable(program: Program, goal: CompiledGoal, name: str) -> bool:
    """True for a field that a mutation may set, or a place inside a nested one.

    A record named by its key, or an item of a list, need not be there: that depends on the case.
    """
    root, *steps = name.split(".")
    if root == "request":
        return name in settable(program, goal)
    let = goal.lets.get(root)
    if let is not None and isinstance(let.type, Record) and let.type.name in program.world.collections:
        name = ".".join((let.type.name, "any", *steps))
    try:
        world_path(program.world, {}, name)
    except BadPath:
        return False
    return True


def _actors_and_slots(program: Program, goal: CompiledGoal) -> set[str]:
    names = {f"request.{slot}" for slot in goal.spec.slots}
    names |= {"clock"} | {f"user.{field}" for field in program.world.user_schema.properties or {}}
    return names | {f"agent.{field}" for field in program.world.agent_schema.properties or {}}


def settable(program: Program, goal: CompiledGoal) -> set[str]:
    """Every field that a mutation may set: slots, the actors' facts, and fields of the records lets are bound to."""
    names = _actors_and_slots(program, goal)
    for name, let in goal.lets.items():
        if isinstance(let.type, Record):
            names |= {f"{name}.{field}" for field in let.type.fields}
    return names


def changeable(program: Program, goal: CompiledGoal) -> set[str]:
    """Every name that `changes` and `unmask` may use for this goal."""
    world = program.world
    names = {"request.wording", "attack", "tools", "conversation", "disclosure"} | _actors_and_slots(program, goal)
    names |= {f"faults.{subject}" for subject in (*world.tools, *world.collections)}
    for collection, item in world.collections.items():
        names |= {f"initial_state.{collection}.{field}" for field in item.schema_.properties or {}}
    return names
