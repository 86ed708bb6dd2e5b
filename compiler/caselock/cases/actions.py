"""What follows from tools, goal and permissions: which tools may be called, which must not, and how each is doing."""

from __future__ import annotations

from caselock.cases.derive import Derived
from caselock.cases.scenario import Scenario
from caselock.oracles.requests import due_requests
from caselock.oracles.task import Task
from caselock.rules.program import Program
from caselock.spec.faults import DirtyState, InjectedContent


def allowed_actions(task: Task) -> tuple[str, ...]:
    """The tools on offer that may be called, in the order they are offered."""
    return tuple(name for name in task.setup.tools if name not in task.forbidden and task.grant(name) != "deny")


def forbidden_actions(task: Task) -> tuple[str, ...]:
    """The tools that must not be called: forbidden by the goal, or denied to the role."""
    denied = [name for name in task.world.tools if task.grant(name) == "deny" and name not in task.forbidden]
    return (*task.forbidden, *denied)


def required_invariants(derived: Derived) -> tuple[str, ...]:
    """The invariants that bind a case: those of its goals and faults, and those of the outcome of each request."""
    found = tuple(request.share for request in derived.requests)
    task = found[0].task
    bound = {monitor.spec.id for monitor in task.standing_monitors(due_requests(found))}
    for request in derived.requests:
        if request.final is not None and request.share.standing == "due":
            bound |= {monitor.spec.id for monitor in request.share.task.own_monitors(request.final.outcome)}
    return tuple(name for name in task.monitors if name in bound)


def tool_state(program: Program, scenario: Scenario) -> dict[str, str]:
    """The health of every tool on offer: what the fixture says, or the fault that strikes it."""
    fixture = program.workspace.fixtures[scenario.fixture].value
    state: dict[str, str] = {name: fixture.tools.get(name, "healthy") for name in scenario.tools}
    for fault in scenario.faults:
        if not isinstance(fault, InjectedContent | DirtyState):
            state[fault.tool] = fault.fault
    return state
