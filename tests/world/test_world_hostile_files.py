"""Workspace files that try to break the engine: each ends in a finding or a label, never in a traceback."""

import pytest
from refund_world import PLAIN, Findings, replaced, scenario, variant

from caselock.cases.build import Unbuildable, build_task
from caselock.cases.derive import Derived, Underivable, derive

PAID = 'paid_at: "2026-07-20T10:00:00Z"'
CLOCK = 'clock: "2026-08-01T09:00:00Z"'
BALANCE = "refundable_amount: {type: number, multipleOf: 0.01"
WINDOW = {
    "spec__world__records": replaced(
        "        note: {type: string, x-free-text: true}\n",
        "        note: {type: string, x-free-text: true}\n        window: {type: string, format: duration}\n",
    ),
    "spec__world__refund_fixture_v4": replaced("disputed: false,", "disputed: false, window: 1h,"),
    "rules__refund": lambda text: text.replace("age > duration('720h')", "age > span", 1).replace(
        "  hold: {from", "  span: {from: order.window, type: duration}\n  hold: {from"
    ),
}
FILES = {
    "a pattern that is none": {"spec__world__records": replaced('pattern: "^C[0-9]{3}$"', 'pattern: "(("')},
    "a code of the environment": {"spec__tools__get_order": replaced("not_your_order", "timeout")},
    "one code twice": {"spec__tools__get_order": replaced("not_your_order", "order_not_found")},
    "rules that override each other": {
        "rules__refund": replaced(
            "    reason: not_your_order\n", "    reason: not_your_order\n    overrides: [refund.unknown_order]\n"
        )
    },
    "a read without an answer": {"spec__tools__get_order": replaced("returns: =orders[args.order_id]\n", "")},
    "a loose reference": {
        "spec__world__refund_fixture_v4": replaced("A1024: {customer_id: C009", "A1024: {customer_id: C8")
    },
    "an empty world": {"spec__world__refund_fixture_v4": lambda text: text[: text.index("world:")] + "world: {}\n"},
}
BROKEN = {
    "a step of zero": {"spec__world__records": replaced(BALANCE, BALANCE.replace("0.01", "0.00"))},
    "a clock beyond the calendar": {
        "spec__world__refund_fixture_v4": replaced(CLOCK, 'clock: "9999-12-31T23:59:59-01:00"')
    },
    "an instant before the calendar": {
        "spec__world__refund_fixture_v4": replaced(PAID, 'paid_at: "0001-01-01T00:00:00+01:00"')
    },
    "a duration in a record": WINDOW,
    "a date-time without a type": {
        "spec__world__records": replaced("paid_at: {type: string, format: date-time}", "paid_at: {format: date-time}"),
        "spec__world__refund_fixture_v4": replaced(PAID, "paid_at: 5"),
    },
}


ENDS = Findings | Unbuildable | Underivable | Derived


def end_of(folder, files):
    try:
        built = variant(folder, **files)
    except Findings as found:
        return found
    made = build_task(built, scenario(tools=PLAIN), "salt")
    return made if isinstance(made, Unbuildable) else derive(made)


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_ends_in_a_finding_or_a_label(tmp_path, name):
    assert isinstance(end_of(tmp_path, FILES[name]), ENDS)


@pytest.mark.parametrize("name", BROKEN)
def test_a_hostile_file_is_no_traceback(tmp_path, name):
    assert isinstance(end_of(tmp_path, BROKEN[name]), ENDS)


def test_a_negative_step_is_a_finding(tmp_path):
    assert isinstance(
        end_of(tmp_path, {"spec__world__records": replaced(BALANCE, BALANCE.replace("0.01", "-0.01"))}), Findings
    )
