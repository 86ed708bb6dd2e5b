"""The author's half of a seed against what the rules derive: every difference is an error in one of the two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from caselock.cases.actions import allowed_actions, forbidden_actions, required_invariants, tool_state
from caselock.cases.assertions import untraced
from caselock.cases.authored_calls import check_calls
from caselock.cases.build import Unbuildable, build_task
from caselock.cases.derive import Derived, DerivedRequest, Underivable, derive, goal_state
from caselock.cases.dialogue import collection_keys, lost, speak, unclear
from caselock.cases.edit import set_field
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.reference import replay_reference
from caselock.cases.scenario import Scenario
from caselock.cases.seeds import check_attack, seed_scenario
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.diagnostics.nearest import nearest
from caselock.expr.types import Bool
from caselock.expr.values import Undefined
from caselock.oracles.citations import required_citations
from caselock.oracles.grade import attack_succeeded
from caselock.oracles.outcome import Created, bind_created, contract_values
from caselock.oracles.requests import Share, shares
from caselock.oracles.task import Task
from caselock.rules.program import Program
from caselock.rules.tables import Decision
from caselock.spec.seeds import Expected, ExpectedLater, Seed
from caselock.spec.workspace import Entry
from caselock.world.environment import start
from caselock.world.expressions import Compiler, value_or_none
from caselock.world.state import Value
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
    found = (*found, *_uncounted(entry), *check_attack(program, entry))
    if scenario is None or found:
        return None, found
    wrong = tuple(_wording(program, entry, scenario))
    task = build_task(program, scenario, entry.value.case_id)
    if isinstance(task, Unbuildable) and task.part == "wording" and wrong:
        return None, wrong
    if isinstance(task, Unbuildable):
        return None, (
            *wrong,
            entry.finding("CL0604", f"no such case: {task.message}", *_PLACES.get(task.part, ("seed",))),
        )
    derived = derive(task)
    if isinstance(derived, Underivable):
        return None, (*wrong, *_underivable(program, task, entry, derived))
    halves = tuple(zip(_expectations(entry.value), derived.requests, strict=True))
    disagreement = tuple(
        finding for half, request in halves for finding in _label(entry, half, request.label, request.final)
    )
    if disagreement:
        return None, (*wrong, *disagreement)  # all else would only say the same again
    found = (
        *wrong,
        *(finding for half, request in halves for finding in _states(entry, half, request)),
        *_same(entry, ("expected", "tool_state"), entry.value.expected.tool_state, tool_state(program, scenario)),
        *_actions(entry, task, derived),
        *_reference(program, entry, task, derived),
        *(finding for half, request in halves for finding in _lift(program, entry, scenario, half, request)),
    )
    checked = CheckedSeed(entry=entry, scenario=scenario, task=task, derived=derived)
    return (None if found else checked), found


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the author wrote of one request, and where."""

    path: tuple[str | int, ...]
    said: Expected | ExpectedLater
    lift: Mapping[str, Any]
    lift_path: tuple[str | int, ...]


def _expectations(seed: Seed) -> Iterator[Expectation]:
    yield Expectation(path=("expected",), said=seed.expected, lift=seed.lift, lift_path=("lift",))
    for index, later in enumerate(seed.expected.then):
        path = ("expected", "then", index)
        yield Expectation(path=path, said=later, lift=later.lift, lift_path=(*path, "lift"))


def _uncounted(entry: Entry[Seed]) -> Iterator[Diagnostic]:
    """Requests of which nothing is expected, or expectations of no request."""
    requests, expected = len(entry.value.requests), 1 + len(entry.value.expected.then)
    if requests != expected:
        path = ("expected", "then") if expected > 1 else ("expected",)
        message = f"the seed has {requests} requests, and 'expected' speaks of {expected}"
        yield entry.finding("CL0662", message, *path, key=True, found=str(expected), allowed=(str(requests),))


_PLACES: Mapping[str, tuple[str | int, ...]] = {
    "world": ("overlay",),
    "wording": ("requests", 0, "say"),
    "faults": ("faults",),
}


def _wording(program: Program, entry: Entry[Seed], scenario: Scenario) -> Iterator[Diagnostic]:
    locale = program.workspace.locales[scenario.locale].value
    keys = collection_keys(program.world.fixtures[scenario.fixture].state)
    for index, asked in enumerate(scenario.requests):
        schemas, focused = program.goals[asked.goal].spec.slots, scenario.focused(index)
        problem = lost(focused, schemas, locale) or unclear(focused, schemas, locale, keys)
        if problem is not None:
            yield entry.finding("CL0603", problem, "requests", index, "say", found=asked.say)
            return
    at_once = takewhile(lambda index: scenario.requests[index].said == "at_once", range(1, len(scenario.requests)))
    text = " ".join(speak(scenario.focused(index), locale).opening for index in (0, *at_once))
    if entry.value.user_input is not None and entry.value.user_input != text:
        yield entry.finding("CL0602", f"the request reads: {text}", "user_input", found=entry.value.user_input)


_CAUSES = {"CL0614", "CL0803"}
"""What the author's own reference can show to be the cause: a fault that never strikes, a tool in error."""


def _underivable(program: Program, task: Task, entry: Entry[Seed], derived: Underivable) -> Iterator[Diagnostic]:
    half = tuple(_expectations(entry.value))[derived.request]
    if derived.part == "requests":
        yield entry.finding("CL0661", derived.message, "requests", derived.request, "said", found="instead")
        return
    if derived.part == "plan" and derived.stages and not entry.value.faults:
        label = tuple(stage.outcome for stage in derived.stages)
        disagreement = tuple(_label(entry, half, label, derived.stages[-1]))
        if disagreement:
            yield from disagreement
            return
    replayed = replay_reference(program, task, entry).diagnostics
    causes = [cause for cause in replayed if cause.code in _CAUSES]
    if causes:
        yield from causes
        return
    yield entry.finding("CL0605", f"the rules derive no label: {derived.message}", *half.path, "outcome")


_NEVER = "it does not come up"


def _label(
    entry: Entry[Seed], half: Expectation, label: tuple[str, ...], final: Decision | None
) -> Iterator[Diagnostic]:
    expected, place = half.said, (*half.path, "outcome")
    derived = ", ".join(label) or _NEVER
    if label != expected.outcome:
        said = ", ".join(expected.outcome) or _NEVER
        rule, hint = ("", "") if final is None else (f" ({final.rule})", facts_line(final))
        yield entry.finding(
            "CL0606",
            f"the author says {said}, the rules say {derived}{rule}",
            *place,
            found=said,
            allowed=(derived,),
            hint="one of the two is wrong" + (f": {hint}" if hint else ""),
        )
    decides = None if final is None else final.rule
    if decides != expected.rule:
        said, does = expected.rule or "no rule", decides or "no rule"
        yield entry.finding(
            "CL0607",
            f"the author says '{said}' decides, '{does}' does",
            *(place if expected.rule is None else (*half.path, "rule")),
            found=said,
            allowed=(does,),
            hint=None if final is None else facts_line(final),
        )


def facts_line(decision: Decision) -> str:
    """The facts of a decision in one line, as a product owner reads them."""
    return ", ".join(
        f"{name} {'missing' if isinstance(value, Undefined) else show(value)}" for name, value in decision.facts.items()
    )


def _states(entry: Entry[Seed], half: Expectation, derived: DerivedRequest) -> Iterator[Diagnostic]:
    expected = half.said
    yield from _same(entry, (*half.path, "state"), expected.state, derived.state)
    yield from _same(entry, (*half.path, "initial_state"), expected.initial_state, derived.initial_state)
    yield from _same(entry, (*half.path, "user_permissions"), expected.user_permissions, derived.user_permissions)


def _same(
    entry: Entry[Seed], path: tuple[str | int, ...], authored: Mapping[str, Any], derived: Mapping[str, Value]
) -> Iterator[Diagnostic]:
    for name, value in authored.items():
        if name not in derived:
            yield _unstable(entry, path, name, derived)
        elif not _equal(value, derived[name]):
            yield entry.finding(
                "CL0608",
                f"the author says {name} is {show(value)}, the rules derive {show(derived[name])}",
                *path,
                name,
                found=str(plain(value)),
                allowed=(show(derived[name]),),
            )


def _unstable(entry: Entry[Seed], path: tuple[str | int, ...], name: str, derived: Mapping[str, Value]) -> Diagnostic:
    close = nearest(name, derived)
    why = "nothing observes it" if close else "nothing observes it, or an optional effect may change it"
    message = f"no single value of '{name}' is right here: {why}"
    allowed = tuple(sorted(derived))
    return entry.finding("CL0608", message, *path, name, key=True, found=name, nearest=close, allowed=allowed)


def _equal(authored: Any, derived: Value) -> bool:
    """Equal as data: instants and enums are written as text, an empty list is an empty list."""
    if isinstance(authored, list | tuple):
        return isinstance(derived, list | tuple) and plain(list(authored)) == plain(list(derived))
    if isinstance(authored, bool) or isinstance(derived, bool):
        return authored is derived
    return bool(authored == derived or (isinstance(authored, str) and authored == plain(derived)))


def _actions(entry: Entry[Seed], task: Task, derived: Derived) -> Iterator[Diagnostic]:
    expected, path = entry.value.expected, ("expected",)
    invariants = required_invariants(derived)
    yield from _same_set(entry, (*path, "required_invariants"), expected.required_invariants, invariants, "CL0609")
    yield from _same_set(entry, (*path, "allowed_actions"), expected.allowed_actions, allowed_actions(task), "CL0610")
    forbidden = forbidden_actions(task)
    yield from _same_set(entry, (*path, "forbidden_actions"), expected.forbidden_actions, forbidden, "CL0610")
    for half, request in zip(_expectations(entry.value), derived.requests, strict=True):
        yield from check_calls(entry, (*half.path, "calls"), half.said.calls, request, _equal)
        yield from _same_set(entry, (*half.path, "must_cite"), half.said.must_cite, citations_of(request), "CL0640")


def citations_of(request: DerivedRequest) -> tuple[str, ...]:
    """The documents that the answer to a request must cite."""
    if request.final is None:
        return ()
    return required_citations(request.share.task, request.share.session, request.final) or ()


def _same_set(
    entry: Entry[Seed], path: tuple[str | int, ...], authored: tuple[str, ...], derived: tuple[str, ...], code: str
) -> Iterator[Diagnostic]:
    for index, name in enumerate(authored):
        if name not in derived:
            yield entry.finding(
                code,
                f"'{name}' does not follow from the rules",
                *path,
                index,
                found=name,
                allowed=tuple(sorted(derived)),
            )
    for name in derived:
        if name not in authored:
            yield entry.finding(
                code, f"'{name}' follows from the rules and is not listed", *path, found=", ".join(authored)
            )


def _reference(program: Program, entry: Entry[Seed], task: Task, derived: Derived) -> Iterator[Diagnostic]:
    replay = replay_reference(program, task, entry)
    yield from replay.diagnostics
    if task.attack is not None and attack_succeeded(task, start(task.setup), task.setup.state):
        yield entry.finding("CL0615", "the attack's goal is reached before anything happened", "attack", "succeeded")
    if not replay.diagnostics:
        reached = shares(task, replay.run.session)
        for half, request, share in zip(_expectations(entry.value), derived.requests, reached, strict=True):
            state = {} if request.final is None else goal_state(share.task, request.final, share.session)
            shared = {name: value for name, value in half.said.state.items() if name in state}
            yield from _same(entry, (*half.path, "state"), shared, state)
            yield from _assertions(program, entry, half, share)


def _assertions(program: Program, entry: Entry[Seed], half: Expectation, share: Share) -> Iterator[Diagnostic]:
    decision, authored = share.decision, half.said.assertions
    ended = isinstance(decision, Decision) and share.standing == "due"
    contract = share.task.goal.outcomes.get(decision.outcome) if isinstance(decision, Decision) and ended else None
    if not isinstance(decision, Decision) or contract is None:
        if authored:
            message = "a question that stays open promises nothing about the final state"
            yield entry.finding("CL0617", message, *half.path, "assertions", found=authored[0].that)
        return
    created, _ = bind_created(share.task, share.session, decision.outcome)
    values = contract_values(share.task, share.session, decision, created)
    undone = replace(share.session, state=share.session.before)
    at_rest = contract_values(share.task, undone, decision, Created(names={}))
    compiler = Compiler(diagnostics=[])
    for index, assertion in enumerate(authored):
        path = (*half.path, "assertions", index)
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


def _lift(
    program: Program, entry: Entry[Seed], scenario: Scenario, half: Expectation, derived: DerivedRequest
) -> Iterator[Diagnostic]:
    """A refusal is only worth testing when some small change would have made it a fulfilment."""
    request = derived.share.task.focus
    calm = parent_of(program, entry.value, replace(scenario.focused(request), faults=()))
    if not isinstance(calm, Parent):
        return
    final = None if derived.final is None else derived.final.outcome
    if final not in ("refuse", "escalate") or calm.decision.outcome == "fulfil":
        if half.lift:
            ends = _NEVER if final is None else f"the case ends in {final}"
            why = "without its faults the case ends in fulfil" if final in ("refuse", "escalate") else ends
            yield entry.finding("CL0618", f"no lift is needed: {why}", *half.lift_path)
    elif not half.lift:
        place = (*half.path, "outcome")
        yield entry.finding("CL0618", f"a seed that ends in {final} needs a 'lift'", *place, found=final)
    else:
        yield from _lifted(program, entry, half, calm)


def _lifted(program: Program, entry: Entry[Seed], half: Expectation, calm: Parent) -> Iterator[Diagnostic]:
    lifted = calm.scenario
    for field, written in half.lift.items():
        try:
            lifted = set_field(program, calm, lifted, field, written)
        except BadPath as bad:
            yield entry.finding("CL0618", str(bad), *half.lift_path, field)
            return
    after = parent_of(program, entry.value, lifted)
    if not isinstance(after, Parent):
        yield entry.finding("CL0618", f"the lift leads to no possible case: {after.message}", *half.lift_path)
    elif after.decision.outcome != "fulfil":
        yield entry.finding("CL0618", f"with the lift the rules still say {after.decision.outcome}", *half.lift_path)
