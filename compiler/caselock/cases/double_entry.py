"""The author's half of a seed against what the rules derive: every difference is an error in one of the two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from caselock.cases.actions import allowed_actions, forbidden_actions, tool_state
from caselock.cases.assertions import untraced
from caselock.cases.authored_calls import check_calls
from caselock.cases.build import Unbuildable, build_task
from caselock.cases.derive import Derived, Underivable, derive, first_stages, goal_state
from caselock.cases.dialogue import collection_keys, lost, speak, unclear
from caselock.cases.edit import set_field
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.reference import Replay, replay_reference
from caselock.cases.scenario import Scenario
from caselock.cases.seeds import check_attack, seed_scenario
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.diagnostics.nearest import nearest
from caselock.expr.types import Bool
from caselock.expr.values import Undefined
from caselock.oracles.citations import required_citations
from caselock.oracles.grade import attack_succeeded
from caselock.oracles.outcome import Created, bind_created, contract_values
from caselock.oracles.task import Task
from caselock.rules.program import Program
from caselock.rules.tables import Decision
from caselock.spec.seeds import Seed
from caselock.spec.workspace import Entry
from caselock.world.environment import start
from caselock.world.expressions import Compiler, value_or_none
from caselock.world.state import Value
from caselock.world.user import opening_turn
from caselock.world.values import plain, show


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSeed:
    """A seed whose two halves agree."""

    entry: Entry[Seed]
    scenario: Scenario
    task: Task
    derived: Derived


def check_seed(program: Program, entry: Entry[Seed]) -> tuple[CheckedSeed | None, tuple[Diagnostic, ...]]:
    """Derive the seed from the rules and compare every authored field; None when it may not become a case."""
    scenario, found = seed_scenario(program, entry)
    found = (*found, *check_attack(program, entry))
    if scenario is None or found:
        return None, found
    wrong = tuple(_wording(program, entry, scenario))
    task = build_task(program, scenario, entry.value.case_id)
    if isinstance(task, Unbuildable):
        return None, (
            *wrong,
            entry.finding("CL0604", f"no such case: {task.message}", *_PLACES.get(task.part, ("seed",))),
        )
    derived = derive(task)
    if isinstance(derived, Underivable):
        return None, (*wrong, *_underivable(program, task, entry, derived))
    disagreement = tuple(_label(entry, derived.label, derived.final))
    if disagreement:
        return None, (*wrong, *disagreement)  # all else would only say the same again
    found = (
        *wrong,
        *_states(program, entry, scenario, task, derived),
        *_actions(entry, task, derived),
        *_reference(program, entry, task, derived),
        *_lift(program, entry, scenario, derived),
    )
    checked = CheckedSeed(entry=entry, scenario=scenario, task=task, derived=derived)
    return (None if found else checked), found


_PLACES: Mapping[str, tuple[str | int, ...]] = {
    "world": ("overlay",),
    "wording": ("requests", 0, "say"),
    "faults": ("faults",),
}


def _wording(program: Program, entry: Entry[Seed], scenario: Scenario) -> Iterator[Diagnostic]:
    schemas, locale = program.goals[scenario.goal].spec.slots, program.workspace.locales[scenario.locale].value
    keys = collection_keys(program.world.fixtures[scenario.fixture].state)
    problem = lost(scenario, schemas, locale) or unclear(scenario, schemas, locale, keys)
    if problem is not None:
        yield entry.finding("CL0603", problem, "requests", 0, "say", found=scenario.say)
        return
    text = speak(scenario, locale).opening
    if entry.value.user_input is not None and entry.value.user_input != text:
        yield entry.finding("CL0602", f"the request reads: {text}", "user_input", found=entry.value.user_input)


_CAUSES = {"CL0614", "CL0803"}
"""What the author's own reference can show to be the cause: a fault that never strikes, a tool in error."""


def _underivable(program: Program, task: Task, entry: Entry[Seed], derived: Underivable) -> Iterator[Diagnostic]:
    stages = first_stages(task)
    if derived.part == "plan" and not isinstance(stages, Underivable) and not entry.value.faults:
        disagreement = tuple(_label(entry, tuple(stage.outcome for stage in stages), stages[-1]))
        if disagreement:
            yield from disagreement
            return
    replayed = replay_reference(program, task, entry).diagnostics
    causes = [cause for cause in replayed if cause.code in _CAUSES]
    if causes:
        yield from causes
        return
    yield entry.finding("CL0605", f"the rules derive no label: {derived.message}", "expected", "outcome")


def _label(entry: Entry[Seed], label: tuple[str, ...], final: Decision) -> Iterator[Diagnostic]:
    expected = entry.value.expected
    if label != expected.outcome:
        said, derived = ", ".join(expected.outcome), ", ".join(label)
        yield entry.finding(
            "CL0606",
            f"the author says {said}, the rules say {derived} ({final.rule})",
            "expected",
            "outcome",
            found=said,
            allowed=(derived,),
            hint="one of the two is wrong: " + facts_line(final),
        )
    if final.rule != expected.rule:
        yield entry.finding(
            "CL0607",
            f"the author says '{expected.rule}' decides, '{final.rule}' does",
            "expected",
            "rule",
            found=expected.rule,
            allowed=(final.rule,),
            hint=facts_line(final),
        )


def facts_line(decision: Decision) -> str:
    """The facts of a decision in one line, as a product owner reads them."""
    return ", ".join(
        f"{name} {'missing' if isinstance(value, Undefined) else show(value)}" for name, value in decision.facts.items()
    )


def _states(
    program: Program, entry: Entry[Seed], scenario: Scenario, task: Task, derived: Derived
) -> Iterator[Diagnostic]:
    expected = entry.value.expected
    yield from _same(entry, "state", expected.state, derived.state)
    yield from _same(entry, "initial_state", expected.initial_state, derived.initial_state)
    yield from _same(entry, "user_permissions", expected.user_permissions, derived.user_permissions)
    yield from _same(entry, "tool_state", expected.tool_state, tool_state(program, scenario))


def _same(
    entry: Entry[Seed], part: str, authored: Mapping[str, Any], derived: Mapping[str, Value]
) -> Iterator[Diagnostic]:
    for name, value in authored.items():
        if name not in derived:
            yield _unstable(entry, part, name, derived)
        elif not _equal(value, derived[name]):
            yield entry.finding(
                "CL0608",
                f"the author says {name} is {show(value)}, the rules derive {show(derived[name])}",
                "expected",
                part,
                name,
                found=str(plain(value)),
                allowed=(show(derived[name]),),
            )


def _unstable(entry: Entry[Seed], part: str, name: str, derived: Mapping[str, Value]) -> Diagnostic:
    close = nearest(name, derived)
    why = "nothing observes it" if close else "nothing observes it, or an optional effect may change it"
    message = f"no single value of '{name}' is right here: {why}"
    allowed = tuple(sorted(derived))
    return entry.finding(
        "CL0608", message, "expected", part, name, key=True, found=name, nearest=close, allowed=allowed
    )


def _equal(authored: Any, derived: Value) -> bool:
    """Equal as data: instants and enums are written as text, an empty list is an empty list."""
    if isinstance(authored, list | tuple):
        return isinstance(derived, list | tuple) and plain(list(authored)) == plain(list(derived))
    if isinstance(authored, bool) or isinstance(derived, bool):
        return authored is derived
    return bool(authored == derived or (isinstance(authored, str) and authored == plain(derived)))


def _actions(entry: Entry[Seed], task: Task, derived: Derived) -> Iterator[Diagnostic]:
    expected = entry.value.expected
    invariants = [monitor.spec.id for monitor in task.applicable(derived.final.outcome)]
    yield from _same_set(entry, "required_invariants", expected.required_invariants, invariants, "CL0609")
    yield from check_calls(entry, task, derived, _equal)
    yield from _same_set(entry, "allowed_actions", expected.allowed_actions, allowed_actions(task), "CL0610")
    yield from _same_set(entry, "forbidden_actions", expected.forbidden_actions, forbidden_actions(task), "CL0610")
    cited = required_citations(task, derived.plan.run.session, derived.final) or ()
    yield from _same_set(entry, "must_cite", expected.must_cite, cited, "CL0640")


def _same_set(
    entry: Entry[Seed], part: str, authored: tuple[str, ...], derived: Any, code: str
) -> Iterator[Diagnostic]:
    for index, name in enumerate(authored):
        if name not in derived:
            yield entry.finding(
                code,
                f"'{name}' does not follow from the rules",
                "expected",
                part,
                index,
                found=name,
                allowed=tuple(sorted(derived)),
            )
    for name in derived:
        if name not in authored:
            yield entry.finding(
                code, f"'{name}' follows from the rules and is not listed", "expected", part, found=", ".join(authored)
            )


def _reference(program: Program, entry: Entry[Seed], task: Task, derived: Derived) -> Iterator[Diagnostic]:
    replay = replay_reference(program, task, entry)
    yield from replay.diagnostics
    if task.attack is not None and attack_succeeded(task, start(task.setup), task.setup.state):
        yield entry.finding("CL0615", "the attack's goal is reached before anything happened", "attack", "succeeded")
    if not replay.diagnostics:
        session = replay.run.session
        reached = goal_state(task, derived.final, session)
        shared = {name: value for name, value in entry.value.expected.state.items() if name in reached}
        yield from _same(entry, "state", shared, reached)
        yield from _assertions(program, entry, task, replay)


def _assertions(program: Program, entry: Entry[Seed], task: Task, replay: Replay) -> Iterator[Diagnostic]:
    decision = task.decide_now(replay.run.session)
    contract = task.goal.outcomes.get(decision.outcome) if isinstance(decision, Decision) else None
    if not isinstance(decision, Decision) or contract is None:
        if entry.value.expected.assertions:
            message = "a question that stays open promises nothing about the final state"
            yield entry.finding(
                "CL0617", message, "expected", "assertions", found=entry.value.expected.assertions[0].that
            )
        return
    created, _ = bind_created(task, replay.run.session, decision.outcome)
    values = contract_values(task, replay.run.session, decision, created)
    at_rest = contract_values(task, start(task.setup).logged(opening_turn(task.script)), decision, Created(names={}))
    compiler = Compiler(diagnostics=[])
    for index, assertion in enumerate(entry.value.expected.assertions):
        path = ("expected", "assertions", index)
        expression = compiler.at(entry, (*path, "that"), assertion.that, contract.scope, Bool())
        if expression is None:
            continue
        try:
            holds = expression.evaluate(values) is True
        except Undefined:
            holds = False
        if not holds:
            yield entry.finding(
                "CL0616",
                f"does not hold at the end of the reference: {assertion.that}",
                *path,
                "that",
                found=assertion.that,
            )
        elif value_or_none(expression, at_rest) is True:
            message = f"holds before anything has happened: {assertion.that}"
            yield entry.finding("CL0624", message, *path, "that", found=assertion.that)
        elif assertion.rule is not None:
            if assertion.rule not in decision.hits:
                yield entry.finding(
                    "CL0617",
                    f"rule '{assertion.rule}' does not hit in this case",
                    *path,
                    "rule",
                    found=assertion.rule,
                    allowed=decision.hits,
                )
        else:
            if any(untraced(expression.node, contract, values, program.world)):
                yield entry.finding(
                    "CL0617",
                    f"no rule or contract says this: {assertion.that}",
                    *path,
                    "that",
                    found=assertion.that,
                    hint="take it from an 'ensures' of the goal, or name the rule it follows from with 'rule:'",
                )
    yield from compiler.diagnostics


def _lift(program: Program, entry: Entry[Seed], scenario: Scenario, derived: Derived) -> Iterator[Diagnostic]:
    """A refusal is only worth testing when some small change would have made it a fulfilment."""
    final, written = derived.final.outcome, entry.value.lift
    calm = parent_of(program, entry.value, replace(scenario, faults=()))
    if not isinstance(calm, Parent):
        return
    if final not in ("refuse", "escalate") or calm.decision.outcome == "fulfil":
        if written:
            why = f"the case ends in {final}" if final == "fulfil" else "without its faults the case ends in fulfil"
            yield entry.finding("CL0618", f"no lift is needed: {why}", "lift")
    elif not written:
        yield entry.finding("CL0618", f"a seed that ends in {final} needs a 'lift'", "expected", "outcome", found=final)
    else:
        yield from _lifted(program, entry, calm)


def _lifted(program: Program, entry: Entry[Seed], calm: Parent) -> Iterator[Diagnostic]:
    lifted = calm.scenario
    for field, written in entry.value.lift.items():
        try:
            lifted = set_field(program, calm, lifted, field, written)
        except BadPath as bad:
            yield entry.finding("CL0618", str(bad), "lift", field)
            return
    after = parent_of(program, entry.value, lifted)
    if not isinstance(after, Parent):
        yield entry.finding("CL0618", f"the lift leads to no possible case: {after.message}", "lift")
    elif after.decision.outcome != "fulfil":
        yield entry.finding("CL0618", f"with the lift the rules still say {after.decision.outcome}", "lift")
