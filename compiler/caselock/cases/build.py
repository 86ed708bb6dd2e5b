"""A scenario -> a task that can be run: overlay applied, faults armed, script written, attack compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from caselock.cases.dialogue import speak
from caselock.cases.paths import CLOCK, BadPath, value_at, world_path
from caselock.cases.scenario import Asked, Scenario, WorldPath
from caselock.cases.wording import BadWording
from caselock.expr.compile import compile_expression
from caselock.expr.types import Bool, Scope
from caselock.expr.values import EvaluationError
from caselock.oracles.grade import ATTACK_SCOPE
from caselock.oracles.task import CompiledAttack, Task
from caselock.rules.goals import Actors, CompiledGoal, goal_values
from caselock.rules.program import Program
from caselock.spec.faults import (
    Attack,
    ConcurrentModification,
    DelayedVisibility,
    DirtyState,
    ErrorCode,
    Fault,
    HugeResult,
    InjectedContent,
    PartialSuccess,
)
from caselock.spec.locales import Locale
from caselock.spec.schemas import Schema
from caselock.world.environment import Setup
from caselock.world.faults import AT_START, ActiveFault, Patch, patched
from caselock.world.fixtures import record_problems, references
from caselock.world.localized import shown
from caselock.world.nested import NoPlace
from caselock.world.schema_check import problems
from caselock.world.state import State, Value
from caselock.world.user import Script, Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class Unbuildable:
    """A scenario that describes no possible case: where it is wrong (`world`, `wording`, `faults`, `rules`) and how."""

    part: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The starting world of a scenario before faults: state and actors with the overlay applied."""

    state: State
    user: Mapping[str, Value]
    agent: Mapping[str, Value]
    now: Value

    def values(self, program: Program, scenario: Scenario) -> dict[str, Value]:
        """The goal's scope once every slot is known.

        Raises:
            EvaluationError: when a let is in error.
        """
        actors = Actors(user=self.user, agent=self.agent, tools=scenario.tools, now=self.now)
        return goal_values(program.goals[scenario.goal], self.state, actors, scenario.all_slots)


def set_stage(program: Program, scenario: Scenario) -> Stage | Unbuildable:
    """Apply the overlay to the fixture and check that the world it makes is possible."""
    fixture = program.world.fixtures[scenario.fixture]
    user, agent = dict(fixture.user), dict(fixture.agent)
    patch: dict[tuple[str, ...], Value] = {}
    for path, value in scenario.overlay.items():
        if path == (CLOCK,):
            continue
        if path[0] == "user":
            user[path[1]] = value
        elif path[0] == "agent":
            agent[path[1]] = value
        else:
            patch[path] = value
    for collection, key, field in patch:
        if key not in fixture.state[collection]:
            return Unbuildable(part="world", message=f"{collection} has no '{key}' to change")
        if field == program.world.collections[collection].key:
            return Unbuildable(part="world", message=f"{collection} '{key}' keeps its key")
    state, _ = patched(fixture.state, patch)
    problem = next(_impossible(program, state, patch), None)
    if problem is not None:
        return Unbuildable(part="world", message=problem)
    for place, target, named in references(program.world.user_schema, user):
        if named not in state[target]:
            name = ".".join(map(str, place))
            return Unbuildable(part="world", message=f"the user's {name} names no record of {target}")
    return Stage(state=state, user=user, agent=agent, now=scenario.overlay.get((CLOCK,), fixture.now))


def _impossible(program: Program, state: State, patch: Patch) -> Iterator[str]:
    """Why a patched world cannot be: a record that breaks its schema, a reference or a constraint."""
    world = program.world
    for collection, key in sorted({(path[0], path[1]) for path in patch}):
        record = state[collection][key]
        for problem in problems(world.collections[collection].schema_, record):
            yield f"{collection} '{key}': {problem.message}"
        for broken in record_problems(world, state, collection, record):
            yield broken.message


def build_task(program: Program, scenario: Scenario, salt: str) -> Task | Unbuildable:
    """The task of a scenario; `salt` makes its generated ids its own."""
    stage = set_stage(program, scenario)
    if isinstance(stage, Unbuildable):
        return stage
    try:
        values = stage.values(program, scenario)
        faults = tuple(_arm(program, index, fault, values) for index, fault in enumerate(scenario.faults))
        script = _script(program, scenario)
        attack = None if scenario.attack is None else _attack(program, scenario, scenario.attack)
    except EvaluationError as error:
        return Unbuildable(part="rules", message=error.reason)
    except BadPath as bad:
        return Unbuildable(part="faults", message=str(bad))
    except BadWording as bad:
        return Unbuildable(part="wording", message=str(bad))
    state = stage.state
    for fault in faults:
        try:
            later, _ = patched(state, fault.patch)
        except NoPlace as missing:
            return Unbuildable(part="faults", message=f"{fault.mode} changes what is not there: {missing}")
        problem = next(_impossible(program, later, fault.patch or {}), None)
        if problem is not None:
            return Unbuildable(part="faults", message=f"{fault.mode} leads to an impossible world: {problem}")
        if fault.mode in AT_START:
            state = later
    if stage.agent["role"] not in program.world.roles:
        return Unbuildable(part="world", message=f"unknown role '{stage.agent['role']}'")
    setup = Setup(
        user=stage.user, agent=stage.agent, now=stage.now, state=state,
        tools=scenario.tools, faults=faults, salt=salt,
    )  # fmt: skip
    goals = tuple(program.goals[asked.goal] for asked in scenario.requests)
    return Task(
        world=program.world,
        setup=setup,
        goals=goals,
        script=script,
        monitors=program.monitors,
        forbidden=tuple(dict.fromkeys(name for goal in goals for name in goal.spec.forbidden_tools)),
        attack=attack,
        focus=scenario.focus,
    )


def _arm(program: Program, index: int, fault: Fault, values: Mapping[str, Value]) -> ActiveFault:
    nth = getattr(fault, "nth", None)
    active = ActiveFault(
        index=index,
        mode=fault.fault,
        tool=getattr(fault, "tool", None),
        nth=nth if isinstance(nth, int) else None,
        times=getattr(fault, "times", 1),
        error=_ERRORS.get(fault.fault),
    )
    match fault:
        case InjectedContent():
            path = world_path(program.world, values, f"{fault.record}.{fault.field}")
            return replace(active, patch=_patch(program, {path: fault.payload}))
        case ConcurrentModification():
            written = {world_path(program.world, values, path): value for path, value in fault.patch.items()}
            return replace(active, patch=_patch(program, written))
        case DirtyState():
            return replace(active, patch=_leftovers(program, fault))
        case PartialSuccess():
            tool = program.world.tools.get(fault.tool)
            if tool is not None and fault.keeps >= len(tool.changes):
                raise BadPath(
                    f"'{fault.tool}' makes {len(tool.changes)} changes; keeping {fault.keeps} is no part of them"
                )
            return replace(active, keeps=fault.keeps)
        case ErrorCode():
            _check_code(program, fault)
            return replace(active, error=fault.code)
        case DelayedVisibility():
            return replace(active, reads=fault.reads)
        case HugeResult():
            return replace(active, padding=fault.characters)
        case _:
            return active


_ERRORS = {
    "timeout_before_execution": "timeout",
    "committed_response_lost": "timeout",
    "rate_limit": "rate_limited",
}


def _check_code(program: Program, fault: ErrorCode) -> None:
    """Only a code that no fact decides can be answered by chance; any other would lie about the facts."""
    tool = program.world.tools.get(fault.tool)
    free = [error.code for error in tool.spec.errors if error.when == "false"] if tool is not None else []
    if fault.code not in free:
        known = ", ".join(f"'{code}'" for code in free) or "none"
        raise BadPath(f"'{fault.tool}' has no error '{fault.code}' with 'when: false' (it has {known})")


def _leftovers(program: Program, fault: DirtyState) -> Patch:
    patch: dict[tuple[str, ...], Value] = {}
    for collection, records in fault.leftovers.items():
        if collection not in program.world.collections:
            raise BadPath(f"unknown collection '{collection}'")
        key_field = program.world.collections[collection].key
        for key, fields in records.items():
            for field, written in {key_field: key, **fields}.items():
                patch[(collection, key, field)] = value_at(program.world, (collection, key, field), written)
    return patch


def _patch(program: Program, written: Mapping[WorldPath, Any]) -> Patch:
    patch: dict[tuple[str, ...], Value] = {}
    for path, value in written.items():
        if path[0] not in program.world.collections:
            raise BadPath(f"'{'.'.join(path)}' is not a field of a record")
        patch[path] = value_at(program.world, path, value)
    return patch


def _script(program: Program, scenario: Scenario) -> Script:
    locale = program.workspace.locales[scenario.locale].value
    return Script(
        role="user",
        conversation=speak(scenario.focused(0), locale).conversation,
        requests=tuple(_wish(program, scenario.focused(index), locale) for index in range(len(scenario.requests))),
        locale=locale,
    )


def _wish(program: Program, scenario: Scenario, locale: Locale) -> Wish:
    goal, asked = program.goals[scenario.goal], scenario.asked
    return Wish(
        text=speak(scenario, locale).opening,
        states=asked.slots,
        mentions=_mentions(asked),
        knows=asked.knows,
        one_by_one=scenario.one_by_one,
        confirms=_confirms(goal),
        labels={name: _label(locale, name, schema) for name, schema in goal.spec.slots.items()},
        shown={name: shown(value, locale) for name, value in asked.all_slots.items()},
        said=asked.said,
        only_if=asked.only_if,
    )


def _confirms(goal: CompiledGoal) -> tuple[str, ...]:
    """The slots that a question to confirm asks for."""
    question = goal.questions.get("confirm")
    return () if question is None else tuple(dict.fromkeys(slot for slots in question.asks.values() for slot in slots))


def _mentions(asked: Asked) -> dict[str, tuple[Value, ...]]:
    """What was said of a slot and does not stand: the value taken back, or both when the user left it open."""
    open_ = {slot: (value, asked.knows[slot]) for slot, value in asked.first.items() if slot in asked.knows}
    return {slot: open_.get(slot, (value,)) for slot, value in asked.first.items()}


def _label(locale: Locale, slot: str, schema: Schema) -> str:
    return locale.slots[slot].label if slot in locale.slots else schema.title or slot


def _attack(program: Program, scenario: Scenario, attack: Attack) -> CompiledAttack:
    """The attack, in the scope of the first request whose goal has the names that its predicate reads."""
    problem = ""
    for request, asked in enumerate(scenario.requests):
        scope = Scope(variables={**program.goals[asked.goal].scope, **ATTACK_SCOPE})
        expression, found = compile_expression(attack.succeeded, scope, Bool())
        if expression is not None:
            return CompiledAttack(
                wants=attack.wants,
                succeeded=expression,
                conflicts_with_task=attack.conflicts_with_task,
                request=request,
            )
        problem = problem or found[0].message
    raise BadPath(f"the attack's predicate: {problem}")
