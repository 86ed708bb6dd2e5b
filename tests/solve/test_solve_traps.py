"""Tool contracts and tables that tempt a belief to know more than was shown; each is a copy of the refund workspace."""

from refund_world import CENTS, LOOK, call, played, replaced, task, variant

from caselock.rules.tables import Decision
from caselock.solve.judge import judge

TABLE = """\
decision: refund
version: "3"
title: A small table
owner: operations
inputs:
{inputs}
rules:
{rules}
"""


def rule(name, when, then, reason=None):
    return (
        f'  - id: refund.{name}\n    version: "1"\n    title: {name}\n    when: "{when}"\n    then: {then}\n'
        + (f"    reason: {reason}\n" if reason else "")
        + "    because: [refund_sop_v3.2#section-4]\n"
    )


def table(inputs, *rules):
    return TABLE.format(inputs="\n".join(f"  {line}" for line in inputs), rules="".join(rules))


CHECK = """\
tool: check_order
version: "1"
description: Check an order.
effect: read
because: [refund_api_3.2#orders]
input:
  type: object
  required: [order_id]
  additionalProperties: false
  properties:
    order_id: {{type: string, x-ref: orders}}
let: {{order: "orders[args.order_id]"}}
errors:
  - {{code: order_not_found, when: "!known(order)"}}
  - {{code: bad_order, when: "{when}"}}
returns: {{}}
"""


def checked(folder, when, decision):
    """A workspace with a tool that answers `bad_order` when a condition holds, and another decision table."""
    return variant(
        folder,
        spec__tools__check_order=CHECK.format(when=when),
        spec__permissions=replaced("read: {", "read: {check_order: allow, "),
        rules__refund=decision,
    )


def assert_sound(made, *steps):
    run = played(made, *steps)
    concluded, truth = judge(made, run), made.decide_now(run.session)
    assert isinstance(truth, Decision)
    assert concluded is None or (concluded.outcome, concluded.reason) == (truth.outcome, truth.reason)
    return concluded


def look(order):
    return call("check_order", order_id=order)


TOOLS = ("get_order", "check_order", "create_refund")
FLAGGED = table(
    ["flagged: {from: order.note == 'hold', type: bool}"],
    rule("absent", "!present(flagged)", "refuse", "bad_amount"),
    rule("flagged", "flagged", "escalate", "account_hold"),
    rule("ok", "!flagged", "fulfil"),
)


def test_a_condition_that_held_is_a_fact(tmp_path):
    built = checked(tmp_path, "order.note == 'hold'", FLAGGED)
    made = task(built, tools=TOOLS, overlay={("orders", "A1024", "note"): "hold"})
    assert assert_sound(made, look("A1024")).reason == "account_hold"


def test_a_condition_that_did_not_hold_may_have_been_missing(tmp_path):
    assert_sound(task(checked(tmp_path, "order.note == 'hold'", FLAGGED), tools=TOOLS), look("A1024"))


REFUNDED = table(
    ["prior: {from: 'size(refunds.filter(r, r.order_id == order.order_id)) > 0', type: bool}"],
    rule("again", "prior", "refuse", "refund_in_progress"),
    rule("ok", "!prior", "fulfil"),
)
PRIOR = "size(refunds.filter(r, r.order_id == order.order_id)) > 0"


def test_a_fact_of_one_order_is_no_fact_of_another(tmp_path):
    made = task(checked(tmp_path, PRIOR, REFUNDED), tools=TOOLS, slots={"order_id": "A4096", "amount": CENTS})
    assert_sound(made, look("A1024"))


def test_the_same_check_of_two_orders_teaches_two_facts(tmp_path):
    made = task(checked(tmp_path, PRIOR, REFUNDED), tools=TOOLS)
    assert_sound(made, look("A4096"), look("A1024"))


CHOSEN = table(
    ["big: {from: '(order.disputed ? order.total : order.refundable_amount) > 100.0', type: bool}"],
    rule("big", "big", "escalate", "over_role_limit"),
    rule("ok", "!big", "fulfil"),
)


def test_a_choice_about_one_order_is_no_fact_of_another(tmp_path):
    built = checked(tmp_path, "(order.disputed ? order.total : order.refundable_amount) > 100.0", CHOSEN)
    assert_sound(task(built, tools=TOOLS, slots={"order_id": "A2048", "amount": CENTS}), look("A1024"))


def test_an_error_code_with_two_causes_says_only_that_one_of_them_holds(tmp_path):
    """A tool that hides other customers' orders answers the same code for a foreign order and for none."""
    same = variant(
        tmp_path,
        spec__tools__get_order=lambda text: text.replace("order_not_found", "gone").replace("not_your_order", "gone"),
    )
    assert_sound(task(same, slots={"order_id": "E7000", "amount": CENTS}), call("get_order", order_id="E7000"))


AGREEING = table(
    ["hold: {from: user.on_hold, type: bool}", "disputed: {from: order.disputed, type: bool}"],
    rule("hold", "hold", "escalate", "account_hold"),
    rule("disputed", "disputed", "escalate", "account_hold"),
    rule("ok", "!hold && !disputed", "fulfil"),
)


def test_a_rule_that_may_also_hit_matters_under_unique(tmp_path):
    built = variant(tmp_path, rules__refund=AGREEING)
    made = task(built, overlay={("user", "on_hold"): True, ("orders", "A1024", "disputed"): True})
    run = played(made)
    assert not isinstance(made.decide_now(run.session), Decision)
    assert judge(made, run) is None


def test_an_answer_with_a_part_of_a_record_leaves_the_rest_unknown(tmp_path):
    narrow = variant(
        tmp_path,
        spec__tools__get_order=replaced(
            "returns: =orders[args.order_id]", "returns: {status: '=orders[args.order_id].status'}"
        ),
    )
    made = task(narrow)
    assert played(made, LOOK).knowledge.records == {}
    assert judge(made, played(made, LOOK)) is None


def test_a_listing_of_some_is_no_listing_of_all(tmp_path):
    some = variant(
        tmp_path,
        spec__tools__list_orders=replaced(
            "o.customer_id == args.customer_id)", "o.customer_id == args.customer_id && o.status == 'closed')"
        ),
    )
    made = task(some, slots={"amount": CENTS}, say="Please refund {amount}.")
    assert judge(made, played(made, call("list_orders", customer_id="C009"))) is None


def test_a_listing_of_more_is_a_listing_of_some(tmp_path):
    more = variant(
        tmp_path,
        spec__tools__list_orders=replaced(
            "=orders.filter(o, o.customer_id == args.customer_id)", "=orders.filter(o, true)"
        ),
    )
    made = task(more, slots={"amount": CENTS}, say="Please refund {amount}.")
    assert judge(made, played(made, call("list_orders", customer_id="C009"))).reason == "which_order"
