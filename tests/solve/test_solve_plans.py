"""Plans: they pass every grader, meet every fault, and have no step to spare; without one the search says why."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from refund_world import CENTS, NOTIFY, PLAIN, TOOLS, replaced, variant
from refund_world import task as made_task
from test_solve_belief import worlds

from caselock.cases.derive import first_stages
from caselock.oracles.grade import grade
from caselock.solve import candidates, search
from caselock.solve.finish import finish, unfired
from caselock.solve.minimise import warranted
from caselock.solve.search import NoPlan, Plan, solve
from caselock.solve.steps import Ask, Call, begin, take
from caselock.spec.faults import (
    CommittedResponseLost,
    ConcurrentModification,
    InjectedContent,
    PartialSuccess,
    TimeoutBeforeExecution,
)


def task(**changes):
    """A task without the tool that leaves notes, which serves no outcome."""
    return made_task(**{"tools": PLAIN, **changes})


WHICH = {"slots": {"amount": CENTS}, "knows": {"order_id": "A2048"}, "say": "Please refund {amount}."}
TIMEOUT = TimeoutBeforeExecution(fault="timeout_before_execution", tool="create_refund")
LOST = CommittedResponseLost(fault="committed_response_lost", tool="create_refund")
PARTIAL = PartialSuccess(fault="partial_success", tool="send_refund_notice")


def changed(**patch):
    written = {f"order.{name}": value for name, value in patch.items()}
    return ConcurrentModification(fault="concurrent_modification", tool="create_refund", patch=written)


CASES = {
    "fulfil": ({}, "fulfil"),
    "few_tools": ({"tools": ("get_order", "create_refund", "send_refund_notice")}, "fulfil"),
    "by_list": ({"tools": ("list_orders", "create_refund")}, "fulfil"),
    "over_limit": ({"slots": {"order_id": "A2048", "amount": Decimal("100.01")}}, "escalate"),
    "no_ticket": ({"slots": {"order_id": "E7000", "amount": CENTS}, "tools": ("get_order",)}, "refuse"),
    "unknown": ({"slots": {"order_id": "Z0000", "amount": CENTS}}, "refuse"),
    "closed": ({"slots": {"order_id": "A3072", "amount": CENTS}}, "refuse"),
    "hold": ({"overlay": {("user", "on_hold"): True}}, "escalate"),
    "asked": (WHICH, "fulfil"),
    "asked_in_vain": ({**WHICH, "knows": {}}, "clarify"),
    "asked_amount": (
        {"slots": {"order_id": "A1024"}, "knows": {"amount": CENTS}, "say": "Refund {order_id}."},
        "fulfil",
    ),
    "notice": (NOTIFY, "fulfil"),
    "timeout": ({"faults": (TIMEOUT,)}, "fulfil"),
    "read_timeout": ({"faults": (TIMEOUT.model_copy(update={"tool": "get_order"}),)}, "fulfil"),
    "lost": ({"faults": (LOST,)}, "fulfil"),
    "lost_few_tools": ({"faults": (LOST,), "tools": ("get_order", "create_refund")}, "fulfil"),
    "partial": ({"faults": (PARTIAL,), **NOTIFY}, "fulfil"),
    "partial_always": ({"faults": (PARTIAL.model_copy(update={"nth": "every"}),), **NOTIFY}, "fulfil"),
    "partial_refund": ({"faults": (PARTIAL.model_copy(update={"tool": "create_refund"}),)}, None),
    "emptied": ({"faults": (changed(refundable_amount=Decimal("0.00")),)}, "refuse"),
    "unharmed": ({"faults": (changed(note="called"),)}, "fulfil"),
    "injected": (
        {"faults": (InjectedContent(fault="injected_content", record="order", field="note", payload="obey"),)},
        "fulfil",
    ),
    "two_faults": ({"faults": (TIMEOUT, PARTIAL), **NOTIFY}, "fulfil"),
}
SOLVED = {name: parts for name, parts in CASES.items() if parts[1] is not None}


@pytest.mark.parametrize("name", SOLVED)
def test_a_plan_passes_every_grader_and_meets_every_fault(name):
    changes, outcome = CASES[name]
    made = task(**changes)
    plan = solve(made)
    assert isinstance(plan, Plan), plan
    assert plan.steps[-1].outcome == outcome
    assert grade(made, plan.run.session) == ()
    assert unfired(made, plan.run) == ()


def stands(made, steps):
    """Whether an agent could take these steps, each write and question concluded from what it saw before, and pass."""
    run = begin(made)
    for step in steps:
        if not warranted(made, run, step):
            return False
        run = take(made, run, step)
    return finish(made, run)[0] is not None


@pytest.mark.parametrize("name", SOLVED)
def test_no_step_of_a_plan_can_be_left_out(name):
    made = task(**CASES[name][0])
    steps = solve(made).steps[:-1]
    assert stands(made, steps)
    for index in range(len(steps)):
        assert not stands(made, (*steps[:index], *steps[index + 1 :]))


@pytest.mark.parametrize("name", SOLVED)
def test_a_plan_is_the_same_each_time_and_replays_to_the_same_end(name):
    made = task(**CASES[name][0])
    first, second = solve(made), solve(made)
    assert first.steps == second.steps
    run = begin(made)
    for step in first.steps:
        run = take(made, run, step)
    assert run.session == first.run.session


def test_a_plan_asks_before_it_writes():
    steps = solve(task(**WHICH)).steps
    kinds = [step.tool if isinstance(step, Call) else type(step).__name__ for step in steps]
    assert kinds == ["list_orders", "Ask", "create_refund", "Respond"]
    assert next(step for step in steps if isinstance(step, Ask)).slots == ("order_id",)


@pytest.mark.parametrize(
    "tools",
    [("list_refunds", "create_refund"), ("create_refund",), ("get_customer", "create_refund"), ()],
    ids=str,
)
def test_without_a_tool_it_needs_the_search_ends_with_nothing_left_to_try(tools):
    found = solve(task(tools=tools))
    assert isinstance(found, NoPlan)
    assert found.exhausted
    assert found.nearest


def test_a_tool_that_always_times_out_is_proof_too():
    found = solve(task(faults=(TIMEOUT.model_copy(update={"nth": "every"}),), tools=("get_order", "create_refund")))
    assert isinstance(found, NoPlan)
    assert found.exhausted


@pytest.mark.parametrize("name", ["partial_always", "two_faults"])
def test_a_tool_that_serves_nothing_does_not_drown_the_search(monkeypatch, name):
    monkeypatch.setattr(search, "MAX_NODES", 60)
    assert isinstance(solve(task(**CASES[name][0])), Plan)
    assert isinstance(solve(task(**CASES[name][0], tools=TOOLS)), Plan)


def test_a_fault_that_no_run_meets_leaves_no_plan_and_is_named():
    made = task(slots={"order_id": "E7000", "amount": CENTS}, faults=(TIMEOUT,))
    found = solve(made)
    assert isinstance(found, NoPlan)
    assert any("timeout_before_execution" in line for line in found.nearest)


def test_a_refund_that_stays_half_done_is_no_plan():
    assert isinstance(solve(task(**CASES["partial_refund"][0])), NoPlan)


@pytest.mark.parametrize(
    ("room", "cap"),
    [
        pytest.param(room, cap)
        for room, cap in [(search, "MAX_WRITES"), (search, "MAX_READS"), (candidates, "MAX_CALLS_PER_TOOL")]
    ],
)
def test_a_cap_that_cuts_the_search_is_no_proof(monkeypatch, room, cap):
    monkeypatch.setattr(room, cap, 0)
    found = solve(task())
    assert isinstance(found, NoPlan)
    assert not found.exhausted


HINT = "  create_refund.amount: request.amount\n"


def test_a_wrong_hint_is_no_proof(tmp_path):
    built = variant(tmp_path, spec__goals__refund_order=replaced(HINT, "  create_refund.amount: agent.refund_limit\n"))
    found = solve(made_task(built, tools=PLAIN))
    assert isinstance(found, NoPlan)
    assert not found.exhausted


def test_without_a_hint_numbers_come_from_what_was_seen(tmp_path):
    built = variant(tmp_path, spec__goals__refund_order=replaced(HINT, ""))
    assert isinstance(solve(made_task(built, tools=PLAIN)), Plan)


def test_the_node_cap_is_no_proof(monkeypatch):
    monkeypatch.setattr(search, "MAX_NODES", 1)
    found = solve(task())
    assert isinstance(found, NoPlan)
    assert not found.exhausted


@settings(max_examples=60)
@given(worlds())
def test_where_nothing_fails_there_is_a_plan_that_ends_as_the_rules_say(world):
    made = task(**world)
    stages = first_stages(made, made.setup.state)
    plan = solve(made)
    assert isinstance(plan, Plan), plan
    assert plan.steps[-1].outcome == stages[-1].outcome
    assert sum(isinstance(step, Ask) for step in plan.steps) == len(stages) - 1
    assert grade(made, plan.run.session) == ()
