"""What an agent may conclude: never more than the truth, and no negative fact without an error or a listing."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refund_world import CENTS, LOOK, REFUND, ask, call, played, program, task

from caselock.expr.compile import compile_expression
from caselock.expr.types import Scope
from caselock.expr.values import Missing
from caselock.rules.tables import Decision
from caselock.solve.interpret import Interpreter
from caselock.solve.judge import judge
from caselock.solve.knowledge import Knowledge
from caselock.solve.terms import Hidden
from caselock.spec.faults import ConcurrentModification, TimeoutBeforeExecution

ORDERS = ("A1024", "A2048", "A3072", "E7000")
MONEY = st.sampled_from(["0.00", "0.01", "79.99", "80.00", "80.01", "100.00", "100.01", "250.00"]).map(Decimal)
PAID = st.sampled_from([1, 2, 3, 31]).map(lambda day: datetime(2026, 7, day, 9, tzinfo=UTC))


@st.composite
def worlds(draw):
    """An overlay that keeps every world constraint, the slots of a request, and the words for it."""
    overlay = {("user", "on_hold"): draw(st.booleans()), ("agent", "refund_limit"): draw(MONEY)}
    for order in ORDERS:
        status = draw(st.sampled_from(["paid", "shipped", "refund_pending", "closed"]))
        balance = Decimal("0.00") if status == "closed" else draw(MONEY)
        overlay |= {
            ("orders", order, "status"): status,
            ("orders", order, "total"): Decimal("500.00"),
            ("orders", order, "refundable_amount"): balance,
            ("orders", order, "disputed"): draw(st.booleans()),
            ("orders", order, "paid_at"): draw(PAID),
        }
    values = {"order_id": draw(st.sampled_from([*ORDERS, "Z0000"])), "amount": draw(MONEY)}
    told = draw(st.sets(st.sampled_from(sorted(values))))
    slots = {name: values[name] for name in sorted(told)}
    knows = {name: values[name] for name in sorted(values) if name not in told}
    return {
        "overlay": overlay,
        "slots": slots,
        "knows": knows,
        "say": " ".join(f"{{{name}}}" for name in slots) or "hi",
    }


READS = st.one_of(
    st.builds(lambda key: call("get_order", order_id=key), st.sampled_from([*ORDERS, "Z0000"])),
    st.builds(lambda key: call("list_refunds", order_id=key), st.sampled_from([*ORDERS, "Z0000"])),
    st.builds(lambda key: call("list_orders", customer_id=key), st.sampled_from(["C009", "C777"])),
    st.builds(lambda key: call("get_customer", customer_id=key), st.sampled_from(["C009", "C777"])),
    st.builds(lambda slot: ask(slot), st.sampled_from(["order_id", "amount"])),
)
WRITES = st.builds(
    lambda key, amount: call("create_refund", order_id=key, amount=amount, idempotency_key=f"{key}{amount}"),
    st.sampled_from([*ORDERS, "Z0000"]),
    MONEY,
)


def assert_sound(made, run):
    concluded, truth = judge(made, run), made.decide_now(run.session)
    if concluded is not None:
        assert isinstance(truth, Decision), truth
        assert (concluded.outcome, concluded.reason) == (truth.outcome, truth.reason)


@settings(max_examples=250)
@given(worlds(), st.lists(READS, max_size=4))
def test_what_reads_let_an_agent_conclude_is_true(world, steps):
    made = task(**world)
    assert_sound(made, played(made, *steps))


@settings(max_examples=250)
@given(worlds(), st.lists(st.one_of(READS, WRITES), max_size=5))
def test_what_writes_teach_is_true_too(world, steps):
    made = task(**world)
    assert_sound(made, played(made, *steps))


@settings(max_examples=100)
@given(worlds(), st.lists(st.one_of(READS, WRITES), max_size=4), st.sampled_from(["get_order", "create_refund"]))
def test_a_timeout_teaches_nothing_false(world, steps, tool):
    made = task(faults=(TimeoutBeforeExecution(fault="timeout_before_execution", tool=tool),), **world)
    assert_sound(made, played(made, *steps))


@settings(max_examples=100)
@given(worlds())
def test_reading_everything_is_enough(world):
    """With every question answered and every permitted read made, the agent knows what the rules say."""
    made = task(**world)
    everything = ask("order_id", "amount"), call("list_orders", customer_id="C009")
    looks = tuple(call("get_order", order_id=order) for order in [*ORDERS, "Z0000"])
    run = played(made, *everything, *looks)
    truth = made.decide_now(run.session)
    concluded = judge(made, run)
    assert concluded is not None
    assert (concluded.outcome, concluded.reason) == (truth.outcome, truth.reason)


def concluded(made, *steps):
    found = judge(made, played(made, *steps))
    return None if found is None else (found.outcome, found.reason)


LIST = call("list_orders", customer_id="C009")


def test_before_any_read_nothing_is_concluded():
    assert concluded(task()) is None


def test_an_unknown_order_is_concluded_from_the_error_alone():
    made = task(slots={"order_id": "Z0000", "amount": CENTS})
    assert concluded(made) is None
    assert concluded(made, LIST) is None
    assert concluded(made, call("get_order", order_id="Z0000")) == ("refuse", "unknown_order")


def test_somebody_elses_order_is_concluded_from_the_error_without_its_details():
    made = task(slots={"order_id": "E7000", "amount": CENTS})
    run = played(made, call("get_order", order_id="E7000"))
    assert judge(made, run).rule == "refund.not_owner"
    assert run.knowledge.records == {}


def test_a_listing_without_the_order_says_nothing_of_who_owns_it():
    """It may be another customer's or not there at all; the reasons differ."""
    made = task(slots={"order_id": "E7000", "amount": CENTS})
    assert concluded(made, LIST) is None


def test_that_there_is_nothing_to_refund_needs_the_listing():
    empty = {("orders", order, "refundable_amount"): Decimal("0.00") for order in ("A1024", "A2048")}
    made = task(overlay=empty, slots={"amount": CENTS}, say="Please refund {amount}.")
    looks = tuple(call("get_order", order_id=order) for order in ("A1024", "A2048", "A3072", "A4096"))
    assert concluded(made, *looks) is None
    assert concluded(made, LIST) == ("refuse", "nothing_refundable")


def test_that_an_order_is_the_only_one_needs_the_listing():
    made = task(
        overlay={("orders", "A2048", "refundable_amount"): Decimal("0.00")},
        slots={"amount": CENTS},
        say="Please refund {amount}.",
    )
    assert concluded(made, LOOK) is None
    assert concluded(made, LIST) == ("fulfil", None)


def test_a_rejected_write_teaches_that_the_order_is_there_and_no_more():
    made = task()
    bounced = call("create_refund", order_id="A1024", amount="999.00", idempotency_key="k")
    run = played(made, bounced)
    assert run.last_result.error == "exceeds_balance"
    assert judge(made, run) is None
    assert run.knowledge.records == {}


def test_the_agents_own_effect_does_not_change_what_it_knows_of_the_start():
    assert concluded(task(), LOOK, REFUND, LOOK) == ("fulfil", None)


def test_a_refused_answer_teaches_nothing():
    assert played(task(), call("get_order"), call("no_such_tool")).knowledge == played(task()).knowledge


def test_after_a_concurrent_change_another_look_brings_knowledge_up_to_date():
    fault = ConcurrentModification(
        fault="concurrent_modification", tool="create_refund", patch={"order.disputed": True}
    )
    made = task(faults=(fault,))
    bounced = call("create_refund", order_id="A1024", amount="999.00", idempotency_key="k")
    assert concluded(made, LOOK, bounced, LOOK) == ("escalate", "chargeback_open")


EXPRESSIONS = [
    "orders['A1024'].status == 'paid'",
    "has(orders['A1024'].note)",
    "orders['A1024'].note == 'x'",
    "!(orders['A1024'].note == 'x')",
    "known(orders['Z0000'])",
    "known(orders['A1024'].note)",
    "orders['A1024'].refundable_amount + 1.00 > orders['A2048'].refundable_amount",
    "orders.exists(o, o.disputed)",
    "orders.all(o, o.refundable_amount >= 0.0)",
    "size(orders.filter(o, o.customer_id == user.customer_id))",
    "size(orders.filter(o, has(o.note) && o.note == 'x'))",
    "size(orders.filter(o, o.note == 'x'))",
    "orders.exists_one(o, o.disputed)",
    "only(orders.filter(o, o.disputed)).order_id",
    "known(only(orders.filter(o, o.disputed)))",
    "orders.filter(o, o.disputed).map(o, o.order_id)",
    "orders['A1024'].disputed ? orders['A1024'].total : orders['A2048'].total",
    "orders['A1024'].note == 'x' || orders['A1024'].disputed",
    "orders['A1024'].disputed || orders['A1024'].note == 'x'",
    "orders['A1024'].note == 'x' && orders['A1024'].disputed",
    "!(orders['A1024'].note == 'x' && orders['A1024'].disputed)",
    "orders['A1024'].disputed ? orders['A1024'].note == 'x' : true",
    "refunds.exists(r, orders[r.order_id].disputed)",
    "size(refunds.filter(r, r.order_id == 'A4096')) > 0",
    "orders['A1024'].status in ['paid', 'closed']",
]
MACROS = [
    "orders.exists(o, o.note == 'x')",
    "orders.all(o, o.note == 'x')",
    "orders.filter(o, o.customer_id == user.customer_id).exists(o, o.note == 'x')",
    "orders.filter(o, o.customer_id == user.customer_id).all(o, o.note == 'x')",
]


@st.composite
def noted(draw):
    """Orders with a note or without, disputed or not."""
    overlay = {}
    for order in ("A1024", "A2048", "A3072", "A4096"):
        overlay[("orders", order, "disputed")] = draw(st.booleans())
        note = draw(st.sampled_from([None, "x", "y"]))
        if note is not None:
            overlay[("orders", order, "note")] = note
    return overlay


def outcome_of(evaluate):
    try:
        found = evaluate()
    except Missing:
        return "missing"
    if isinstance(found, tuple | list):
        return list(found)
    return "missing" if isinstance(found, Missing) else found


def compared(text, overlay, known):
    """What knowledge of some records (and complete listings of all known collections) makes of an expression."""
    made = task(overlay=overlay)
    state = made.setup.state
    expression, problems = compile_expression(text, Scope(variables=program().world.variables))
    assert not problems, problems
    records = {
        (name, key): record
        for name, rows in state.items()
        for key, record in rows.items()
        if known is None or key in known
    }
    listings = frozenset((name, frozenset()) for name in state) if known is None else frozenset()
    names = {"user": made.setup.user, "agent": made.setup.agent, "now": made.setup.now}
    knowledge = Knowledge(collections=frozenset(state), records=records, listings=listings)
    believed = Interpreter(knowledge, names).evaluate(expression.node)
    return believed, outcome_of(lambda: expression.evaluate({**state, **names}))


@pytest.mark.parametrize("text", [*EXPRESSIONS, *(pytest.param(text) for text in MACROS)])
def test_with_full_knowledge_belief_is_evaluation(text):
    @settings(max_examples=25)
    @given(noted())
    def check(overlay):
        believed, truth = compared(text, overlay, None)
        if not isinstance(believed, Hidden):
            assert outcome_of(lambda: believed) == truth

    check()


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_with_some_records_belief_is_evaluation_or_hidden(text):
    @settings(max_examples=25)
    @given(noted(), st.sets(st.sampled_from(["A1024", "A2048", "R-00000001"])))
    def check(overlay, known):
        believed, truth = compared(text, overlay, known)
        if not isinstance(believed, Hidden):
            assert outcome_of(lambda: believed) == truth

    check()


@given(noted())
def test_unseen_records_stay_hidden(overlay):
    for text in EXPRESSIONS[:8]:
        believed, _ = compared(text, overlay, {"B1500"})
        assert isinstance(believed, Hidden)


def test_a_field_of_an_unseen_record_stays_hidden_beside_a_seen_one():
    believed, _ = compared("orders['A2048'].total", {}, {"A1024"})
    assert isinstance(believed, Hidden)


ATOMS = [
    *EXPRESSIONS[:6],
    "known(orders['Z0000'].note)",
    "user.on_hold",
    "orders.exists(o, o.customer_id == user.customer_id && o.disputed)",
    "size(orders.filter(o, o.customer_id == user.customer_id && o.disputed)) > 1",
    "orders.filter(o, o.customer_id == 'C009').all(o, o.disputed)",
    "known(only(orders.filter(o, user.customer_id == o.customer_id && has(o.note))))",
    "only(orders.filter(o, o.customer_id == user.customer_id && has(o.note))).disputed",
    "size(orders.filter(o, !(o.customer_id != user.customer_id) && o.disputed)) == 0",
    "orders.exists(o, o.disputed)",
]
COMPOSED = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("!({})".format, inner),
        st.builds("known({})".format, inner),
    ),
    max_leaves=5,
)


@settings(max_examples=400)
@given(COMPOSED, noted(), st.lists(READS, max_size=4))
def test_what_reads_make_of_any_condition_is_true_or_hidden(text, overlay, steps):
    made = task(overlay=overlay)
    run = played(made, *steps)
    expression, problems = compile_expression(text, Scope(variables=program().world.variables))
    assert not problems, problems
    names = {"user": made.setup.user, "agent": made.setup.agent, "now": made.setup.now}
    believed = Interpreter(run.knowledge, names).evaluate(expression.node)
    if not isinstance(believed, Hidden):
        assert outcome_of(lambda: believed) == outcome_of(lambda: expression.evaluate({**made.setup.state, **names}))
