"""The repository's refund program, scenarios on it, and changed copies of it, as the engine tests share them."""

import dataclasses
import functools
import shutil
import tempfile
from decimal import Decimal
from pathlib import Path

from caselock.cases.build import build_task
from caselock.cases.scenario import Asked, Scenario
from caselock.diagnostics import Severity
from caselock.oracles.grade import grade
from caselock.oracles.task import Task
from caselock.rules.program import build_program
from caselock.solve.steps import Ask, Call, Respond, begin, take
from caselock.spec.load import load_workspace

ROOT = Path(__file__).parents[2]
CENTS = Decimal("80.00")
PLAIN = (
    "get_order",
    "list_orders",
    "list_refunds",
    "get_customer",
    "create_refund",
    "send_refund_notice",
    "create_ticket",
)
TOOLS = (*PLAIN, "add_order_note")
BASE = Scenario(
    seed="s",
    family="f",
    fixture="refund_fixture_v4",
    overlay={},
    requests=(
        Asked(
            goal="refund_order",
            slots={"order_id": "A1024", "amount": CENTS},
            knows={},
            say="Please refund {amount} from order {order_id}.",
        ),
    ),
    locale="en",
    conversation=(),
    tools=TOOLS,
    faults=(),
    attack=None,
)
NOTIFY = {
    "slots": {**BASE.slots, "notify": True},
    "say": "Please refund {amount} from order {order_id} and {notify|send me a notice}.",
}


@functools.cache
def program():
    """The program of the repository's own workspace, whatever its seeds are."""
    with tempfile.TemporaryDirectory() as folder:
        return variant(Path(folder))


class Findings(Exception):
    """A workspace whose specification has findings; the message lists them."""


def compiled(root):
    """The program of a workspace; findings in its specification are raised as such."""
    workspace, found, _ = load_workspace(root)
    if any(item.severity is Severity.ERROR for item in found):
        raise Findings([f"{item.span}: {item.message}" for item in found])
    built, problems = build_program(workspace)
    if any(item.severity is Severity.ERROR for item in problems):
        raise Findings([f"{item.span}: {item.message}" for item in problems])
    return built


def variant(folder, **files):
    """The program of a copy of the repository's workspace with some files rewritten; `/` in a path is written `__`."""
    for part in ("spec", "rules", "capabilities"):
        shutil.copytree(ROOT / part, folder / part)
    for name, change in files.items():
        path = folder / f"{name.replace('__', '/')}.yaml"
        path.write_text(change(path.read_text()) if callable(change) else change)
    return compiled(folder)


def replaced(old, new):
    """A change of a file: one text for another, which must be there."""

    def change(text):
        assert old in text
        return text.replace(old, new)

    return change


def scenario(**changes):
    """The base scenario with some parts of it or of its request changed."""
    own = {name: changes.pop(name) for name in list(changes) if name in Asked.__dataclass_fields__}
    return dataclasses.replace(BASE, **changes).asking(**own)


def task(built=None, **changes):
    """The task of the base scenario with some parts changed."""
    made = build_task(built or program(), scenario(**changes), "salt")
    assert isinstance(made, Task), made
    return made


def played(made, *steps):
    """The run of a task after some steps."""
    run = begin(made)
    for step in steps:
        run = take(made, run, step)
    return run


def call(tool, **args):
    """A tool call."""
    return Call(tool=tool, args=args)


def ask(*slots):
    """A question."""
    return Ask(slots=slots)


def respond(outcome, **says):
    """A final answer."""
    return Respond(outcome=outcome, says=says)


def elements(made, *steps):
    """The oracle elements that a run of these steps fails."""
    return sorted({failure.element for failure in grade(made, played(made, *steps).session)})


LOOK = call("get_order", order_id="A1024")
REFUND = call("create_refund", order_id="A1024", amount=CENTS, idempotency_key="k1")


def refund_id(made, *steps):
    """The id of the refund that a run of these steps made."""
    session = played(made, *steps).session
    return next(key for key in session.state["refunds"] if key not in session.before["refunds"])
