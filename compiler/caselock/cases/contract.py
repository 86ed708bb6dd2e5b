"""A case -> its contract in the parts that never share a file: agent, environment, user, grader, proof, lineage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.cases.actions import allowed_actions, forbidden_actions, required_invariants, tool_state
from caselock.cases.assertions import ground, in_full
from caselock.cases.authored_calls import calls_of
from caselock.cases.case import Case, Twin
from caselock.cases.derive import DerivedRequest
from caselock.cases.double_entry import citations_of
from caselock.cases.scenario import overlay_document
from caselock.expr.ast import Literal, free_variables, unparse
from caselock.expr.values import Undefined
from caselock.oracles.outcome import asks_of, bind_created, contract_values
from caselock.rules.goals import CompiledGoal, CompiledOutcome
from caselock.rules.program import Program
from caselock.rules.tables import Decision
from caselock.solve.steps import Ask, Call, Respond, Step
from caselock.spec.decisions import Outcome
from caselock.world.events import EffectEvent, Event, FinalEvent, ResultEvent, UserEvent
from caselock.world.schema_check import published
from caselock.world.user import opening_turn
from caselock.world.values import plain

Json = dict[str, Any]


def agent_part(case: Case) -> Json:
    """What the agent sees: the conversation so far, the opening turn, the tools on offer, and who is who."""
    return {
        "conversation": [turn.model_dump() for turn in case.task.script.conversation],
        "opening": case.task.script.opening,
        "tools": list(case.scenario.tools),
        "user": plain(case.task.setup.user),
        "agent": plain(case.task.setup.agent),
        "now": plain(case.task.setup.now),
        "locale": case.scenario.locale,
        "answer_forms": _forms(case.task.goals),
        "documents": [],
    }


def world_part(case: Case) -> Json:
    """What the environment needs: the fixture, what differs from it, the faults, and the salt of generated ids."""
    return {
        "fixture": case.scenario.fixture,
        "overlay": overlay_document(case.scenario.overlay),
        "tools": list(case.scenario.tools),
        "faults": [plain(fault.model_dump(mode="python")) for fault in case.scenario.faults],
        "salt": case.task.setup.salt,
    }


def simulator_part(case: Case) -> Json:
    """What the simulated user knows and when it tells it; nothing of the oracle."""
    script = case.task.script
    return {
        "role": script.role,
        "locale": script.locale.locale,
        "conversation": [turn.model_dump() for turn in script.conversation],
        "requests": [
            {
                "text": wish.text,
                "said": wish.said if index else "at_once",
                "only_if": wish.only_if,
                "states": plain(wish.states),
                "mentions": plain(wish.mentions),
                "knows": plain(wish.knows),
                "confirms": list(wish.confirms),
                "labels": dict(wish.labels),
                "shown": dict(wish.shown),
                "disclosure": dict.fromkeys(wish.knows, "on_ask_one_by_one" if wish.one_by_one else "on_ask"),
            }
            for index, wish in enumerate(script.requests)
        ],
    }


def oracle_part(program: Program, case: Case) -> Json:
    """The reference contract of the case: what graders check and reports slice by."""
    seed, setup = case.seed.value, case.task.setup
    first, *later = (_request(program, case, index) for index in range(len(case.derived.requests)))
    protocol = seed.trial_protocol or program.workspace.trials.value
    return {
        "capability_id": seed.capability,
        "seed_id": seed.seed,
        "family": seed.family,
        "title": "; ".join((seed.title, *(step.operator.title for step in case.steps))),
        "source": list(seed.source),
        "mutation_type": case.mutation_type,
        "split": f"{case.bucket}_{case.partition}" if case.partition == "dev" else "hidden",
        "risk_level": case.risk,
        "severity": seed.severity,
        "tier": case.tier,
        "tags": list(seed.tags),
        "locale": case.scenario.locale,
        "owner": seed.owner,
        "notes": None if case.steps else seed.notes,
        **first,
        "then": later,
        "user_input": case.task.script.opening,
        "conversation": [turn.model_dump() for turn in case.task.script.conversation],
        "available_tools": list(setup.tools),
        "tool_state": tool_state(program, case.scenario),
        "reset_fixture": case.scenario.fixture,
        "required_invariants": list(required_invariants(case.derived)),
        "allowed_actions": list(allowed_actions(case.task)),
        "forbidden_actions": list(forbidden_actions(case.task)),
        "attack": None if case.scenario.attack is None else case.scenario.attack.model_dump(),
        "response_rubric": list(_rubric(program, case)),
        "trial_protocol": {
            "ordinary_trials": protocol.ordinary_trials,
            "high_risk_trials": protocol.high_risk_trials,
        },
        "version_bundle": program.workspace.project.value.version_bundle.model_dump(exclude_none=True),
    }


def _request(program: Program, case: Case, index: int) -> Json:
    """What is expected of one request; `standing` says whether it wants an answer, was replaced or never came up."""
    derived = case.derived.requests[index]
    task = derived.share.task
    contract = _contract(derived)
    return {
        "user_goal": task.goal.spec.goal,
        "standing": derived.share.standing,
        "initial_state": plain(derived.initial_state),
        "user_permissions": plain(derived.user_permissions),
        "expected_outcome": list(derived.label),
        "decisions": [_decision(program, decision) for decision in derived.stages],
        "asks": [slot for decision in derived.stages for slot in asks_of(task, decision)],
        "says": [] if contract is None else sorted(contract.says),
        "must_cite": list(citations_of(derived)),
        "expected_state": plain(derived.state),
        "expected_calls": _expected_calls(derived),
        "response_schema": None if derived.final is None else _form(task.goal, derived.final.outcome),
        "outcome_assertions": list(_assertions(program, case, index)),
    }


def _contract(derived: DerivedRequest) -> CompiledOutcome | None:
    """The contract that the answer to a request is held to; None when it wants none, or leaves a question open."""
    due = derived.final is not None and derived.share.standing == "due"
    return derived.share.task.goal.outcomes.get(derived.final.outcome) if due and derived.final is not None else None


def _decision(program: Program, decision: Decision) -> Json:
    return {
        "outcome": decision.outcome,
        "reason": decision.reason,
        "rule": decision.rule,
        "hits": [
            {
                "rule": name,
                "version": program.workspace.rules[name].value.version,
                "because": list(program.workspace.rules[name].value.because),
            }
            for name in decision.hits
        ],
        "facts": {name: plain(value) for name, value in decision.facts.items() if not isinstance(value, Undefined)},
        "missing": [name for name, value in decision.facts.items() if isinstance(value, Undefined)],
    }


def _expected_calls(derived: DerivedRequest) -> list[Json]:
    """The calls that no passing run can do without; `after` names the calls that come first."""
    calls = calls_of(derived)
    return [
        {
            "id": f"c{number}",
            "any_of": list(call.tools),
            "args": plain(call.args),
            "contains": {name: list(texts) for name, texts in call.contains.items()},
            "after": [f"c{place + 1}" for place in call.after],
        }
        for number, call in enumerate(calls, 1)
    ]


def _forms(goals: tuple[CompiledGoal, ...]) -> list[Json]:
    """The forms that an answer may have: all that the goals declare, unnamed, so that none gives the label away."""
    forms: list[Json] = []
    for goal in goals:
        for outcome in goal.outcomes:
            form = _form(goal, outcome)
            if form is not None and form not in forms:
                forms.append(form)
    return forms


def _form(goal: CompiledGoal, outcome: Outcome) -> Json | None:
    """The JSON Schema of the structured answer, when the outcome declares one."""
    contract = goal.outcomes.get(outcome)
    schema = None if contract is None else contract.spec.response_schema
    return None if schema is None else published(schema)


def _assertions(program: Program, case: Case, index: int) -> tuple[str, ...]:
    """The author's assertions of a gold case, else what the contract ensures with the case's values written in."""
    expected = case.seed.value.expected
    authored = expected.assertions if index == 0 else expected.then[index - 1].assertions
    if not case.steps and authored:
        return tuple(assertion.that for assertion in authored)
    derived = case.derived.requests[index]
    contract = _contract(derived)
    if contract is None or derived.final is None:
        return ()
    task, session = derived.share.task, derived.share.session
    created, _ = bind_created(task, session, derived.final.outcome)
    values = contract_values(task, session, derived.final, created)
    grounded = (
        ground(expression.node, values, program.world, in_full)
        for _, expression in contract.ensures
        if not free_variables(expression.node) & created.excused
    )
    return tuple(unparse(node) for node in grounded if not isinstance(node, Literal))


def _rubric(program: Program, case: Case) -> tuple[str, ...]:
    own = [name for derived in case.derived.requests if derived.final for name in _own_rubric(derived, derived.final)]
    extra = case.seed.value.rubric if not case.steps else ()
    return tuple(dict.fromkeys((*own, *extra, *program.workspace.shared_criteria)))


def _own_rubric(derived: DerivedRequest, final: Decision) -> tuple[str, ...]:
    goal = derived.share.task.goal
    contract, question = goal.outcomes.get(final.outcome), goal.questions.get(final.outcome)
    return contract.spec.rubric if contract is not None else question.rubric if question is not None else ()


def proof_part(case: Case) -> Json:
    """The reference execution: the plan, and what each step of it led to."""
    run = case.derived.plan.run
    turn = len(opening_turn(case.task.script))
    return {
        "verdict": "solvable",
        "plan": [step_document(step) for step in run.steps],
        "log": [document for event in run.session.log[turn:-1] if (document := _event(event)) is not None],
        "twin": None if case.twin is None else _twin(case.twin),
    }


def _twin(twin: Twin) -> Json:
    """What the case is without its faults."""
    return {
        "case_id": twin.case_id,
        "expected_outcome": list(twin.derived.label),
        "rule": twin.derived.final.rule,
        "plan": [step_document(step) for step in twin.derived.plan.steps],
    }


def step_document(step: Step) -> Json:
    """One step as JSON data."""
    match step:
        case Call():
            return {"call": step.tool, "args": plain(step.args)}
        case Ask():
            return {"ask": list(step.slots)}
        case Respond():
            cites = {"cites": list(step.cites)} if step.cites else {}
            return {"respond": step.outcome, "says": plain(step.says), **cites}


def _event(event: Event) -> Json | None:
    match event:
        case ResultEvent(error=None):
            return {"result": event.tool, "value": plain(event.value)} | ({"partial": True} if event.partial else {})
        case ResultEvent():
            return {"result": event.tool, "error": event.error}
        case EffectEvent():
            by = {"tool": event.tool} if event.call else {"by": "somebody else"}
            return {
                "effect": event.kind,
                "record": f"{event.record.collection}.{event.record.key}",
                "changes": plain(_changes(event)),
                **by,
            }
        case UserEvent():
            return {"user": event.text} | ({} if event.answers else {"request": event.request + 1})
        case FinalEvent():
            return {"answer": event.outcome, "request": event.request + 1}
        case _:
            return None


def _changes(event: EffectEvent) -> dict[str, Any]:
    before: Mapping[str, Any] = event.before or {}
    return {name: value for name, value in event.record.items() if before.get(name) != value}


def lineage_part(program: Program, case: Case) -> Json:
    """Where the case comes from: seed, chain with versions and patches, and the rules and sources it rests on."""
    rules = sorted({name for decision in case.derived.stages for name in decision.hits})
    cited = {ref for name in rules for ref in program.workspace.rules[name].value.because}
    return {
        "seed": {"id": case.seed.value.seed, "version": case.seed.value.version, "family": case.seed.value.family},
        "provenance": case.seed.value.provenance.model_dump(),
        "chain": [
            {
                "operator": step.operator.operator,
                "version": step.operator.version,
                "type": step.operator.type,
                "param": step.param,
                "effect": step.operator.effect,
                "patch": [dict(operation) for operation in step.patch],
            }
            for step in case.steps
        ],
        "phrasing": next((asked.phrasing for asked in case.scenario.requests if asked.phrasing), None),
        "twin": None if case.twin is None else case.twin.case_id,
        "lift": None if case.lift is None else {"undo": list(case.lift.undo), "seed": case.lift.seed},
        "rules": [{"rule": name, "version": program.workspace.rules[name].value.version} for name in rules],
        "sources": sorted({*case.seed.value.source, *cited}),
    }
