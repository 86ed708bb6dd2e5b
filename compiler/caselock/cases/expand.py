"""Seeds and approved operators -> candidate cases, with every wrong declaration named by seed, operator and field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from caselock.cases.build import Unbuildable
from caselock.cases.derive import Underivable
from caselock.cases.dialogue import collection_keys, lost, unclear
from caselock.cases.json_patch import leaves, patch_between
from caselock.cases.mutations import Child, CompiledOperator, applies, mutate
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Scenario
from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.expr.values import EvaluationError
from caselock.rules.program import Program
from caselock.spec.operators import Operator
from caselock.spec.seeds import Seed
from caselock.spec.workspace import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStep:
    """One operator applied: its version, its symbolic parameter, and the JSON Patch it made."""

    operator: Operator
    param: str
    patch: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A scenario that may become a case; a gold seed has no steps."""

    case_id: str
    seed: Entry[Seed]
    scenario: Scenario
    steps: tuple[ChainStep, ...]


@dataclass(slots=True)
class Expansion:
    """Candidates and findings of one expansion, and which operators did what they declare."""

    candidates: list[Candidate]
    diagnostics: list[Diagnostic]
    applied: set[str]


def expand(
    program: Program, operators: Mapping[str, CompiledOperator], seeds: Mapping[str, tuple[Entry[Seed], Scenario]]
) -> tuple[tuple[Candidate, ...], tuple[Diagnostic, ...]]:
    """Apply every operator to every seed it takes, and the compositions that the policy names."""
    run = Expansion(candidates=[], diagnostics=[], applied=set())
    chains = [(name,) for name in operators] + [tuple(sorted(set(chain))) for chain in _chains(program, operators, run)]
    for entry, scenario in seeds.values():
        parent = parent_of(program, entry.value, scenario)
        if isinstance(parent, Parent):
            for chain in chains:
                _expand_chain(program, run, entry, parent, [operators[name] for name in chain])
    run.diagnostics += _idle(program, operators, run)
    return tuple(run.candidates), tuple(run.diagnostics)


def _chains(program: Program, operators: Mapping[str, CompiledOperator], run: Expansion) -> Iterator[tuple[str, ...]]:
    policy = program.workspace.expansion
    for index, chain in enumerate(policy.value.chains):
        if len(chain) > policy.value.max_depth or len(chain) < 2:
            run.diagnostics.append(
                policy.finding(
                    "CL0708",
                    f"a chain of {len(chain)} is outside 2 to {policy.value.max_depth} (max_depth)",
                    "chains",
                    index,
                )
            )
        elif all(name in operators for name in chain):
            yield chain
        for name in chain:
            place = program.workspace.operators.get(name)
            if place is not None and place.value.effect == "human":
                message = f"'{name}' makes drafts for people, never a case"
                run.diagnostics.append(policy.finding("CL0708", message, "chains", index, found=name))


def _expand_chain(
    program: Program, run: Expansion, entry: Entry[Seed], seed: Parent, chain: list[CompiledOperator]
) -> None:
    grown: list[tuple[Parent, tuple[ChainStep, ...]]] = [(seed, ())]
    for operator in chain:
        grown = [
            (after, (*steps, step))
            for parent, steps in grown
            for after, step in _children(program, run, entry, parent, operator)
            if not _collides(steps, step)
        ]
    for parent, steps in grown:
        names = [step.operator.operator + (f"@{step.param}" if step.param else "") for step in steps]
        run.candidates.append(
            Candidate(
                case_id="+".join([seed.scenario.seed, *names]),
                seed=entry,
                scenario=parent.scenario.focused(0),
                steps=steps,
            )
        )


def aimed(program: Program, parent: Parent, operator: CompiledOperator) -> Parent | None:
    """The parent seen from the first request whose goal the operator takes; one that is taken back has no mutations."""
    scenario = parent.scenario
    taken_back = {index - 1 for index, asked in enumerate(scenario.requests) if asked.said == "instead"}
    for index, asked in enumerate(scenario.requests):
        if asked.goal in operator.goals and index not in taken_back:
            seen = parent_of(program, parent.seed, scenario.focused(index)) if index != scenario.focus else parent
            return seen if isinstance(seen, Parent) else None
    return None


def _collides(steps: tuple[ChainStep, ...], step: ChainStep) -> bool:
    """Operators that change the same field do not compose."""
    taken = {pointer for earlier in steps for operation in earlier.patch for pointer in leaves(dict(operation))}
    return any(pointer in taken for operation in step.patch for pointer in leaves(dict(operation)))


def _children(
    program: Program, run: Expansion, entry: Entry[Seed], parent: Parent, operator: CompiledOperator
) -> Iterator[tuple[Parent, ChainStep]]:
    place = program.workspace.operators[operator.spec.operator]
    at = aimed(program, parent, operator)
    if at is None:
        return
    parent = at
    try:
        children = list(mutate(program, operator, parent)) if applies(operator, parent) else []
    except BadPath as bad:
        run.diagnostics.append(_finding(place, entry, "CL0703", str(bad), "mutation"))
        return
    except EvaluationError as error:
        run.diagnostics.append(_finding(place, entry, "CL0703", error.reason, "applies_to", "when"))
        return
    for child in children:
        run.applied.add(operator.spec.operator)
        after = _checked(program, run, place, entry, parent, child)
        if after is not None:
            yield after


def _checked(
    program: Program, run: Expansion, place: Entry[Operator], entry: Entry[Seed], parent: Parent, child: Child
) -> tuple[Parent, ChainStep] | None:
    """The child as a parent of its own when its declaration, wording and world are in order."""
    operator = place.value
    patch = patch_between(parent.scenario.document(), child.scenario.document())
    if not patch:
        run.diagnostics.append(_finding(place, entry, "CL0702", "changes nothing", "mutation"))
        return None
    outside = _outside(operator, patch, child.scenario.place(child.scenario.focus))
    for pointer in outside:
        message = f"changes '{pointer}', which is not in 'changes'"
        run.diagnostics.append(_finding(place, entry, "CL0701", message, "changes"))
    lost = _lost_slots(program, child.scenario)
    if lost is not None:
        run.diagnostics.append(_finding(place, entry, "CL0712", lost, "mutation"))
    if outside or lost is not None:
        return None
    after = parent_of(program, parent.seed, child.scenario)
    if isinstance(after, Unbuildable):
        run.diagnostics.append(
            _finding(place, entry, "CL0706", f"makes an impossible case: {after.message}", "mutation")
        )
        return None
    if isinstance(after, Underivable):
        run.diagnostics.append(
            _finding(place, entry, "CL0801", f"leads to facts without a single answer: {after.message}", "mutation")
        )
        return None
    vague = _unclear(program, after)
    if vague is not None:
        run.diagnostics.append(_finding(place, entry, "CL0713", vague, "mutation"))
        return None
    return after, ChainStep(operator=operator, param=child.param, patch=tuple(patch))


def _finding(place: Entry[Operator], seed: Entry[Seed], code: str, message: str, *path: str | int) -> Diagnostic:
    related = (Related(span=seed.span("seed"), message=f"on seed '{seed.value.seed}'"),)
    name = place.value.operator
    return place.finding(code, f"operator '{name}' on seed '{seed.value.seed}': {message}", *path, related=related)


def _lost_slots(program: Program, scenario: Scenario) -> str | None:
    """Why the slots that come back from the text are not the slots that went in, or None."""
    schemas, locale = program.goals[scenario.goal].spec.slots, program.workspace.locales[scenario.locale].value
    return lost(scenario, schemas, locale)


def _unclear(program: Program, parent: Parent) -> str | None:
    scenario = parent.scenario
    schemas, locale = program.goals[scenario.goal].spec.slots, program.workspace.locales[scenario.locale].value
    return unclear(scenario, schemas, locale, collection_keys(parent.stage.state))


def _outside(operator: Operator, patch: list[dict[str, Any]], request: str) -> list[str]:
    allowed = [prefix for name in (*operator.changes, *operator.unmask) for prefix in pointers(name, request)]
    touched = [pointer for operation in patch for pointer in leaves(operation)]
    return [pointer for pointer in touched if not any(_under(pointer, prefix) for prefix in allowed)]


def _under(pointer: str, prefix: tuple[str, ...]) -> bool:
    parts = tuple(pointer.strip("/").split("/"))
    return len(parts) >= len(prefix) and all(want in ("*", part) for want, part in zip(prefix, parts, strict=False))


def pointers(name: str, request: str = "request") -> tuple[tuple[str, ...], ...]:
    """The parts of a scenario that a name in `changes` stands for; `*` is any key, `request` the request it is about.

    `request.slot`, `request.wording`, `user.field`, `agent.field`, `initial_state.collection.field`, `faults.subject`,
    `attack`, `tools`, `conversation`, `disclosure`.
    """
    root, _, rest = name.partition(".")
    if name == "request.wording":
        return ((request, "say"), (request, "phrasing"), (request, "locale"))
    if root == "request":
        return ((request, "slots", rest), (request, "knows", rest), (request, "first", rest))
    if root == "initial_state":
        collection, _, field = rest.partition(".")
        return (("world", collection, "*", field),)
    return (tuple(name.split(".")),)


def _idle(program: Program, operators: Mapping[str, CompiledOperator], run: Expansion) -> Iterator[Diagnostic]:
    """Operators and chains that took no seed."""
    for name in operators:
        if name not in run.applied:
            place = program.workspace.operators[name]
            yield place.finding("CL0707", f"operator '{name}' takes no seed", "applies_to", found=name)
    made = {tuple(step.operator.operator for step in candidate.steps) for candidate in run.candidates}
    policy = program.workspace.expansion
    for index, chain in enumerate(policy.value.chains):
        if len(chain) > 1 and tuple(sorted(set(chain))) not in made and all(name in operators for name in chain):
            message = "this chain makes no case: its operators never meet on a seed, or change the same field"
            yield policy.finding("CL0707", message, "chains", index)
