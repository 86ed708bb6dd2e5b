"""Every DECLARE template: a log that keeps it and a log that breaks it, with keys, scopes and finality."""

import functools
import tempfile
from pathlib import Path

import pytest
from refund_world import task, variant

from caselock.rules.invariants import violations
from caselock.world.events import CallEvent, EffectEvent, FinalEvent, ResultEvent, UserEvent
from caselock.world.state import Record

LOOKED = "{event: result, tool: get_order, saw: orders, key: record.order_id}"
REFUNDED = "{event: effect, insert: refunds, key: record.order_id}"
UPDATED = "{event: effect, update: orders, key: record.order_id}"
TIMED_OUT = "{event: result, tool: create_refund, error: timeout, key: args.order_id}"
CALLED = "{event: call, tool: create_refund, key: args.order_id}"
SPOKE = "{event: user_turn}"

INVARIANTS = {
    "absence": f"template: absence\n    of: {REFUNDED}",
    "existence": f"template: existence\n    of: {REFUNDED}",
    "at_most": f"template: at_most\n    n: 1\n    of: {REFUNDED}",
    "exactly": f"template: exactly\n    n: 2\n    of: {REFUNDED}",
    "precedence": f"template: precedence\n    first: {LOOKED}\n    then: {REFUNDED}",
    "response": f"template: response\n    first: {REFUNDED}\n    then: {LOOKED}",
    "not_coexistence": f"template: not_coexistence\n    first: {REFUNDED}\n    then: {UPDATED}",
    "large": "template: absence\n    of: {event: effect, insert: refunds, where: record.amount > agent.refund_limit}",
    "fresh": "template: absence\n    of: {event: call, tool: create_refund, new_key: true}",
    "promised": "template: absence\n    of: {event: final, outcome: fulfil}",
    "reasoned": "template: absence\n    of: {event: final, where: \"reason == 'bad_amount'\"}",
    "spoken": "template: absence\n    of: {event: user_turn}",
    "scoped": f"template: absence\n    of: {CALLED}\n    after: {TIMED_OUT}\n    until: {LOOKED}",
    "scoped_at_most": f"template: at_most\n    n: 1\n    of: {CALLED}\n    after: {TIMED_OUT}",
    "scoped_existence": f"template: existence\n    of: {REFUNDED}\n    after: {TIMED_OUT}",
    "scoped_precedence": f"template: precedence\n    first: {LOOKED}\n    then: {CALLED}\n    after: {TIMED_OUT}",
    "scoped_response": f"template: response\n    first: {REFUNDED}\n    then: {LOOKED}\n    after: {TIMED_OUT}",
    "scoped_not_coexistence": (
        f"template: not_coexistence\n    first: {LOOKED}\n    then: {REFUNDED}\n    after: {TIMED_OUT}"
    ),
    "calls": f"template: at_most\n    n: 1\n    of: {CALLED}",
    "large_calls": "template: absence\n    of: {event: call, tool: create_refund, where: args.amount > 9.0}",
    "until_only": f"template: absence\n    of: {REFUNDED}\n    until: {LOOKED}",
    "unkeyed_scope": f"template: absence\n    of: {REFUNDED}\n    after: {SPOKE}",
}


@functools.cache
def program():
    rows = [
        f'  - id: {name}\n    version: "1"\n    title: {name}\n    because: [refund_sop_v3.2#section-3]\n    {body}'
        for name, body in INVARIANTS.items()
    ]
    with tempfile.TemporaryDirectory() as folder:
        return variant(Path(folder), rules__more="invariants:\n" + "\n".join(rows) + "\nowner: operations\n")


def order(key):
    return Record("orders", key, {"order_id": key, "customer_id": "C009"})


def looked(key="A"):
    return ResultEvent(call=1, tool="get_order", args={"order_id": key}, value=order(key))


def refunded(key="A", amount=1, by=2):
    record = Record("refunds", f"R-{key}", {"refund_id": f"R-{key}", "order_id": key, "amount": amount})
    return EffectEvent(call=by, tool="create_refund", kind="insert", record=record, before=None)


def updated(key="A"):
    return EffectEvent(call=2, tool="create_refund", kind="update", record=order(key), before=order(key))


def timed_out(key="A"):
    return ResultEvent(call=2, tool="create_refund", args={"order_id": key}, error="timeout")


def called(key="A", new_key=True):
    return CallEvent(call=3, tool="create_refund", args={"order_id": key}, new_key=new_key)


def final(outcome="fulfil", **says):
    return FinalEvent(outcome=outcome, says=says)


SPOKEN = UserEvent(text="hello", slots={})

TABLE = [
    ("absence", [], []),
    ("absence", [refunded("A"), refunded("B")], ["A", "B"]),
    ("absence", [looked("A"), updated("A"), called("A")], []),
    ("existence", [refunded("A")], []),
    ("existence", [looked("A")], [None]),
    ("at_most", [refunded("A"), refunded("B")], []),
    ("at_most", [refunded("A"), refunded("B"), refunded("A")], ["A"]),
    ("exactly", [refunded("A"), refunded("A")], []),
    ("exactly", [refunded("A"), refunded("A"), refunded("A")], ["A"]),
    ("exactly", [], [None]),
    ("precedence", [looked("A"), refunded("A")], []),
    ("precedence", [looked("B"), refunded("A")], ["A"]),
    ("precedence", [refunded("A"), looked("A")], ["A"]),
    ("response", [refunded("A"), looked("A")], []),
    ("response", [looked("A"), refunded("A")], ["A"]),
    ("response", [refunded("A"), looked("B")], ["A"]),
    ("response", [], []),
    ("not_coexistence", [refunded("A"), updated("B")], []),
    ("not_coexistence", [updated("A"), refunded("A")], ["A"]),
    ("not_coexistence", [refunded("A"), updated("A")], ["A"]),
    ("large", [refunded("A", 100)], []),
    ("large", [refunded("A", 101)], [None]),
    ("fresh", [called("A", new_key=False)], []),
    ("fresh", [called("A")], [None]),
    ("promised", [final("refuse", reason="bad_amount")], []),
    ("promised", [final()], [None]),
    ("reasoned", [final("refuse")], []),
    ("reasoned", [final("refuse", reason="bad_amount")], [None]),
    ("spoken", [looked()], []),
    ("spoken", [SPOKEN], [None]),
    ("scoped", [called("A"), timed_out("A")], []),
    ("scoped", [timed_out("A"), called("A")], ["A"]),
    ("scoped", [timed_out("A"), called("B")], []),
    ("scoped", [timed_out("A"), looked("A"), called("A")], []),
    ("scoped", [timed_out("A"), looked("B"), called("A")], ["A"]),
    ("scoped", [timed_out("A"), looked("A"), timed_out("A"), called("A")], ["A"]),
    ("scoped_at_most", [called("A"), timed_out("A"), called("A")], []),
    ("scoped_at_most", [timed_out("A"), called("A"), called("A")], ["A"]),
    ("scoped_existence", [timed_out("A"), refunded("A")], []),
    ("scoped_precedence", [called("A")], []),
    ("scoped_precedence", [timed_out("A"), looked("A"), called("A")], []),
    ("scoped_precedence", [timed_out("A"), called("A")], ["A"]),
    ("scoped_response", [timed_out("A"), refunded("A"), looked("A")], []),
    ("scoped_response", [timed_out("A"), refunded("A")], ["A"]),
    ("scoped_not_coexistence", [looked("A"), refunded("A")], []),
    ("scoped_not_coexistence", [timed_out("A"), looked("A"), refunded("A")], ["A"]),
    ("unkeyed_scope", [refunded("A")], []),
]


def broken(name, log, *, final=True):
    made = task(program())
    values = made.values(made.setup.state, {})
    return [item.key for item in violations(program().monitors[name], tuple(log), values, final=final)]


@pytest.mark.parametrize(("name", "log", "keys"), TABLE)
def test_a_template_names_exactly_the_keys_that_break_it(name, log, keys):
    assert broken(name, log) == keys


def test_every_template_has_a_log_that_keeps_it_and_one_that_breaks_it():
    judged = {(name, bool(keys)) for name, _, keys in TABLE}
    templates = {"absence", "existence", "at_most", "exactly", "precedence", "response", "not_coexistence"}
    assert {(name, bad) for name in templates for bad in (True, False)} <= judged


@pytest.mark.parametrize("name", ["absence", "at_most", "precedence", "not_coexistence", "large"])
def test_what_somebody_else_does_breaks_nothing(name):
    assert broken(name, [refunded("A", 500, by=0), refunded("A", 500, by=0)]) == []


@pytest.mark.parametrize("name", ["existence", "exactly"])
def test_what_somebody_else_does_keeps_nothing(name):
    assert broken(name, [refunded("A", by=0), refunded("A", by=0)]) == [None]


def test_obligations_count_only_at_the_end():
    for name, log in [("existence", []), ("exactly", []), ("response", [refunded("A")])]:
        assert broken(name, log, final=False) == []
        assert broken(name, log, final=True) != []


def test_what_cannot_be_mended_counts_at_once():
    broken_now = {
        "absence": [refunded()],
        "at_most": [refunded(), refunded()],
        "precedence": [refunded()],
        "not_coexistence": [refunded(), updated()],
        "exactly": [refunded(), refunded(), refunded()],
    }
    assert all(broken(name, log, final=False) == ["A"] for name, log in broken_now.items())


def test_a_violation_says_where():
    made = task(program())
    values = made.values(made.setup.state, {})
    log = (looked("B"), refunded("A"))
    assert [item.at for item in violations(program().monitors["precedence"], log, values, final=True)] == [1]


DOUBTS = [
    (
        "exactly",
        [refunded("A"), refunded("B")],
        ["A", "B"],
        "`exactly` counts too few over all keys and too many per key",
    ),
    ("scoped_existence", [looked("A")], [], "`existence` after something that never happened is broken, not vacuous"),
    (
        "scoped_existence",
        [timed_out("A"), timed_out("B"), refunded("A")],
        ["B"],
        "`existence` after a keyed event is met by any other key",
    ),
    (
        "scoped_precedence",
        [looked("A"), timed_out("A"), called("A")],
        ["A"],
        "the `first` of a scoped precedence may lie before the scope",
    ),
    ("scoped_response", [refunded("A")], [], "the `first` of a scoped response obliges outside of the scope"),
    (
        "scoped_response",
        [refunded("A"), looked("A"), timed_out("A")],
        [],
        "a response given before the scope opens does not count, the obligation does",
    ),
    (
        "scoped_not_coexistence",
        [looked("A"), timed_out("A"), refunded("A")],
        [],
        "the `first` of a scoped not_coexistence counts outside of the scope",
    ),
    ("until_only", [looked("A"), refunded("A")], [], "`until` without `after` is ignored"),
    ("unkeyed_scope", [SPOKEN, refunded("A")], ["A"], "a scope without a key never opens for an event with one"),
]


@pytest.mark.parametrize(
    ("name", "log", "keys"),
    [pytest.param(name, log, keys, id=f"{name}-{index}") for index, (name, log, keys, reason) in enumerate(DOUBTS)],
)
def test_scopes_hold_for_every_part_and_every_key(name, log, keys):
    assert broken(name, log) == keys


def test_an_existence_before_its_scope_does_not_count():
    assert len(broken("scoped_existence", [refunded("A"), timed_out("A")])) == 1


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("calls", {}),
        ("calls", {"order_id": None}),
        pytest.param("calls", {"order_id": ["A1024"]}),
        ("large_calls", {}),
        pytest.param("large_calls", {"amount": "lots"}),
        pytest.param("large_calls", {"amount": None}),
    ],
    ids=str,
)
def test_a_malformed_call_is_judged_without_a_traceback(name, args):
    """An agent may write anything; the call is in the log before it is refused."""
    broken(name, [CallEvent(call=1, tool="create_refund", args=args, malformed=True)] * 2)
