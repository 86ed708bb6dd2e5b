"""A gold seed -> its scenario and task, with its facts read as typed values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.cases.attacks import check_predicate
from caselock.cases.overlay import overlay_of
from caselock.cases.paths import CLOCK, BadPath, value_at, world_path
from caselock.cases.scenario import Asked, Scenario, WorldPath
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.rules.goals import Actors, goal_values
from caselock.rules.program import Program
from caselock.spec.faults import ConcurrentModification, Fault, InjectedContent
from caselock.spec.seeds import Seed
from caselock.spec.workspace import Entry
from caselock.world.expressions import Compiler
from caselock.world.faults import Patch, patched
from caselock.world.literals import literal
from caselock.world.state import Value


def seed_scenario(program: Program, entry: Entry[Seed]) -> tuple[Scenario | None, tuple[Diagnostic, ...]]:
    """The scenario of a seed; None when a fact of it cannot be read."""
    seed = entry.value
    compiler = Compiler(diagnostics=[])
    overlay = _overlay(program, entry, compiler)
    requests = tuple(_request(program, entry, index, compiler) for index in range(len(seed.requests)))
    if compiler.diagnostics:
        return None, tuple(compiler.diagnostics)
    values = _values(program, seed, overlay, requests)
    faults = tuple(_fault(program, entry, index, fault, values, compiler) for index, fault in enumerate(seed.faults))
    scenario = Scenario(
        seed=seed.seed,
        family=seed.family,
        fixture=seed.fixture,
        overlay=overlay,
        requests=requests,
        locale=seed.locale,
        conversation=seed.conversation,
        tools=seed.tools,
        faults=faults,
        attack=seed.attack,
    )
    return (None if compiler.diagnostics else scenario), tuple(compiler.diagnostics)


def check_attack(program: Program, entry: Entry[Seed]) -> tuple[Diagnostic, ...]:
    """What is wrong with the attack's predicate, at its characters."""
    compiler = Compiler(diagnostics=[])
    if entry.value.attack is not None:
        goal = program.goals[entry.value.requests[0].goal]
        check_predicate(program, entry, ("attack", "succeeded"), entry.value.attack.succeeded, goal, compiler)
    return tuple(compiler.diagnostics)


def _overlay(program: Program, entry: Entry[Seed], compiler: Compiler) -> dict[WorldPath, Value]:
    overlay: dict[WorldPath, Value] = {}
    fixture = program.world.fixtures[entry.value.fixture]
    for text, written in entry.value.overlay.items():
        try:
            path = world_path(program.world, {}, text)
            overlay |= overlay_of(fixture, overlay, path, value_at(program.world, path, written))
        except BadPath as bad:
            compiler.diagnostics.append(entry.finding("CL0601", str(bad), "overlay", text, found=str(written)))
    return overlay


def _request(program: Program, entry: Entry[Seed], index: int, compiler: Compiler) -> Asked:
    request = entry.value.requests[index]
    slots = _slots(program, entry, index, "slots", request.slots, compiler)
    knows = _slots(program, entry, index, "knows", request.knows, compiler)
    for name in sorted(set(slots) & set(knows)):
        message = f"'{name}' is stated already, so it is not told when asked"
        compiler.diagnostics.append(
            entry.finding("CL0601", message, "requests", index, "knows", name, key=True, found=name)
        )
    if index == 0 and "said" in request.model_fields_set:
        message = "the first request opens the conversation; 'said' is for the later ones"
        compiler.diagnostics.append(entry.finding("CL0660", message, "requests", 0, "said", found=request.said))
    if request.only_if is not None and (index == 0 or request.said == "instead"):
        why = (
            "nothing was asked for before the first request" if index == 0 else "a change of mind waits for no outcome"
        )
        finding = entry.finding("CL0660", f"{why}, so it has no condition", "requests", index, "only_if")
        compiler.diagnostics.append(finding)
    return Asked(
        goal=request.goal, slots=slots, knows=knows, say=request.say, said=request.said, only_if=request.only_if
    )


def _slots(
    program: Program, entry: Entry[Seed], index: int, part: str, written: Mapping[str, Any], compiler: Compiler
) -> dict[str, Value]:
    schemas = program.goals[entry.value.requests[index].goal].spec.slots
    slots: dict[str, Value] = {}
    for name, value in written.items():
        path = ("requests", index, part, name)
        if name in schemas:
            slots[name] = literal(entry, path, schemas[name], value, compiler)
        else:
            known = tuple(sorted(schemas))
            compiler.diagnostics.append(
                entry.finding("CL0601", f"the goal has no slot '{name}'", *path, key=True, found=name, allowed=known)
            )
    return slots


def _values(
    program: Program, seed: Seed, overlay: Mapping[WorldPath, Value], requests: tuple[Asked, ...]
) -> dict[str, Value]:
    """The scope of the goals on the seed's world, for paths that go through a let; the first request comes first."""
    fixture = program.world.fixtures[seed.fixture]
    user = {**fixture.user, **{path[1]: value for path, value in overlay.items() if path[0] == "user"}}
    agent = {**fixture.agent, **{path[1]: value for path, value in overlay.items() if path[0] == "agent"}}
    patch: Patch = {path: value for path, value in overlay.items() if len(path) == 3}
    known = {path: value for path, value in patch.items() if path[1] in fixture.state[path[0]]}
    state, _ = patched(fixture.state, known)
    actors = Actors(user=user, agent=agent, tools=seed.tools, now=overlay.get((CLOCK,), fixture.now))
    values: dict[str, Value] = {}
    for asked in reversed(requests):
        values |= goal_values(program.goals[asked.goal], state, actors, asked.all_slots)
    return values


def _fault(
    program: Program, entry: Entry[Seed], index: int, fault: Fault, values: Mapping[str, Value], compiler: Compiler
) -> Fault:
    try:
        return located(program, fault, values)
    except BadPath as bad:
        compiler.diagnostics.append(entry.finding("CL0601", str(bad), "faults", index))
        return fault


def located(program: Program, fault: Fault, values: Mapping[str, Value]) -> Fault:
    """The fault with its records named by collection and key, so that a later change of the request does not move it.

    Raises:
        BadPath: when a path of it names no field of a record.
    """
    if isinstance(fault, ConcurrentModification):
        patch = {".".join(world_path(program.world, values, path)): value for path, value in fault.patch.items()}
        return fault.model_copy(update={"patch": patch})
    if isinstance(fault, InjectedContent):
        path = world_path(program.world, values, f"{fault.record}.{fault.field}")
        return fault.model_copy(update={"record": ".".join(path[:2])})
    return fault
