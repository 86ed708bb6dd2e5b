import datetime
from decimal import Decimal as Exact

import pytest
from expr_world import FACTS, ORDERS, SCOPE, compiled, outcome

from caselock.expr import runtime
from caselock.expr.types import List, Map, Scope, String, Variable
from caselock.expr.values import EvaluationError, Missing, Undefined, Unknown

ERROR, MISSING, UNKNOWN = "EvaluationError", "Missing", "Unknown"

# (text, value or the way in which there is none), over the shared facts
TABLE = [
    # decimals are exact
    ("0.1 + 0.2 == 0.3", True),
    ("100.00 - 99.99 == 0.01", True),
    ("1.1 * 1.1 == 1.21", True),
    ("1.0 / 4 == 0.25", True),
    ("1.0 / 3 == 0.33", ERROR),
    ("1.0 / 0 == 1.0", ERROR),
    ("0.0 / 0.0 == 1.0", ERROR),
    ("80 == 80.00", True),
    ("amount in [80, 1.5]", True),
    ("amount == 80", True),
    ("-amount + 80", Exact("0.00")),
    ("n + 0.5", Exact("3.5")),
    ("sum(prices) == 0.30", True),
    ("sum(orders.map(o, o.amount))", Exact("180.31")),
    ("sum(prices.filter(p, p > 5))", Exact(0)),
    ("12345678901234567890123456789012.34 + 0.01", Exact("12345678901234567890123456789012.35")),
    ("99999999999999999999999999999999.99 + 0.001 > 1.0", ERROR),
    ("99999999999999999.99 * 99999999999999999.99 > 1.0", ERROR),
    # 64-bit whole numbers
    ("7 / 2", 3),
    ("-7 / 2", -3),
    ("7 / -2", -3),
    ("-7 % 2", -1),
    ("7 % -2", 1),
    ("1 / 0", ERROR),
    ("1 % 0", ERROR),
    ("9223372036854775807 + 0", 2**63 - 1),
    ("9223372036854775807 + 1", ERROR),
    ("-9223372036854775808 - 1", ERROR),
    ("-9223372036854775808 / -1", ERROR),
    ("-9223372036854775808 % -1", ERROR),
    ("-(-9223372036854775808)", ERROR),
    ("9223372036854775807 * 2", ERROR),
    ("sum([9223372036854775807, 1])", ERROR),
    ("sum(numbers)", 6),
    # texts and lists
    ("s.startsWith('hé') && s.endsWith('lo') && s.contains('éll')", True),
    ("size(s)", 5),
    ("'a' < 'é' && 'Z' < 'a'", True),
    ("s + '!'", "héllo!"),
    ("numbers + [4]", [3, 1, 2, 4]),
    ("[1, 2] == [1, 2] && [1] != [2]", True),
    ("numbers == [3, 1, 2]", True),
    ("[[1], [2]] == [[1], [2]]", True),
    ("[1] in [[2], [1]]", True),
    ("[1] in []", False),
    ("{'a': 1.0} == {'a': 1.00}", True),
    ("{'a': 1, 'a': 2}", ERROR),
    ("{'a': [1]}['a'][0]", 1),
    ("numbers[0]", 3),
    ("numbers[3]", MISSING),
    ("numbers[-1]", MISSING),
    ("stock['pen']", 2),
    ("stock['cap']", MISSING),
    ("stock.pen", 2),
    ("has(stock.cap)", False),
    ("min(numbers) == 1 && max(numbers) == 3", True),
    ("min([now, now - window]) == now - window", True),
    ("min([1]) + max([2.5])", Exact("3.5")),
    ("min(numbers.filter(x, x > 5))", MISSING),
    ("max(numbers.filter(x, x > 5))", MISSING),
    ("sum([])", 0),
    ("sum([]) + 1", 1),
    ("only([]) + 1 == 2", MISSING),
    ("[].all(x, size(x) + 1 > -x)", True),
    ("distinct([1, 2, 1, 3, 2])", [1, 2, 3]),
    ("distinct([80, 80.00])", [80]),
    ("distinct([[1], [1], [2]])", [[1], [2]]),
    ("distinct(orders.map(o, o.customer_id))", ["C1", "C9"]),
    # macros
    ("numbers.all(x, x > 0)", True),
    ("numbers.exists(x, x > 2)", True),
    ("numbers.exists_one(x, x > 2)", True),
    ("numbers.filter(x, x > 1)", [3, 2]),
    ("numbers.map(x, x * 2)", [6, 2, 4]),
    ("numbers.map(x, x > 1, x * 2)", [6, 4]),
    ("numbers.all(x, numbers.exists(y, y == x))", True),
    ("numbers.map(n, n + 1)", [4, 2, 3]),
    ("stock.map(k, k)", ["ink", "pen"]),
    ("[].all(x, x == 1)", True),
    ("numbers.exists(x, 1 / (x - 3) == 0)", True),
    ("numbers.exists(x, 1 / (x - 3) == 7)", ERROR),
    ("numbers.all(x, 6 / (x - 3) == -3)", False),
    ("numbers.all(x, numbers[x] > 0)", MISSING),
    ("numbers.all(x, numbers[x] > 0 && 1 / (x - 3) < 1)", ERROR),
    ("numbers.all(x, x == 3 ? numbers[x] > 0 : 1 / (x - 1) >= 1)", ERROR),
    ("numbers.exists(x, 1 / (x - 3) == 7) || true", True),
    ("false && numbers.exists(x, 1 / (x - 3) == 7)", False),
    ("numbers.filter(x, 1 / (x - 3) == 0) == [] || true", True),
    ("numbers.filter(x, x > 1).map(x, numbers[x]) == [] || true", True),
    ("numbers.all(x, numbers.exists(x, x == 1))", True),
    ("numbers.exists_one(x, 1 / (x - 3) == 0)", ERROR),
    ("numbers.filter(x, 1 / (x - 3) == 0)", ERROR),
    # records and collections
    ("orders.filter(o, o.status == 'paid').map(o, o.order_id)", ["A1"]),
    ("orders.map(o, o.order_id)", ["A1", "A2", "A3"]),
    ("only(orders.filter(o, o.status == 'closed')).amount == 0.3", True),
    ("only(orders).amount == 1.0", MISSING),
    ("only(customers).name", "Ada"),
    ("only(customers) == customers['C1']", True),
    ("size(orders)", 3),
    ("'A1' in orders && !(id in orders)", True),
    ("order.note", "x"),
    ("orders['A2'].note", MISSING),
    ("has(order.note) && !has(orders['A2'].note)", True),
    ("has(request.order_id) ? orders[request.order_id].amount : 0.0", Exact("80.00")),
    ("has(orders[id].note)", MISSING),
    # a claimed id that leads nowhere is missing, a declared one is an error
    ("orders[id].amount", MISSING),
    ("known(orders[id])", False),
    ("customers[order.customer_id].name", "Ada"),
    ("customers[orders['A2'].customer_id].name", ERROR),
    ("known(customers[orders['A2'].customer_id])", ERROR),
    ("known(1 / 0)", ERROR),
    ("known(n)", True),
    ("present(amount)", True),
    # absorbing logic, on both sides
    ("false && 1 / 0 == 1", False),
    ("1 / 0 == 1 && false", False),
    ("true || 1 / 0 == 1", True),
    ("1 / 0 == 1 || true", True),
    ("1 / 0 == 1 && true", ERROR),
    ("orders[id].amount > 1 && numbers[9] == 1 && false", False),
    ("orders[id].amount > 1 || numbers[9] == 1 || true", True),
    ("orders[id].amount > 1 && 1 / 0 == 1", ERROR),
    ("1 / 0 == 1 || orders[id].amount > 1", ERROR),
    ("owned ? 1 : 1 / 0", 1),
    ("1 / 0 == 1 ? 1 : 2", ERROR),
    ("!(1 / 0 == 1)", ERROR),
    # time
    ("now == timestamp('2026-08-01T11:00:00+02:00')", True),
    ("now + window > now && window + now > now", True),
    ("(now - timestamp('2026-07-31T09:00:00Z')) == duration('24h')", True),
    ("duration('-1.5h').getMinutes()", -90),
    ("sum([window, window]) == duration('3h')", True),
    ("timestamp('9999-12-31T23:59:59Z') + window", ERROR),
    ("timestamp('0001-01-01T00:00:00Z') - window", ERROR),
    ("duration('87660000h') + duration('1h')", ERROR),
    ("now.getFullYear() * 100 + now.getMonth()", 202607),
    ("now.getDayOfWeek() == 6 && now.getDate() == 1 && now.getDayOfMonth() == 0", True),
    ("now.getDayOfYear()", 212),
    ("timestamp(s)", ERROR),
    ("duration(s)", ERROR),
    ("null == null", True),
]


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[row[0][:50] for row in TABLE])
def test_value(text, expected):
    value = outcome(text)
    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize(("amount", "over"), [("99.99", False), ("100", False), ("100.00", False), ("100.01", True)])
def test_a_limit_is_exact_to_the_cent(amount, over):
    assert outcome("amount > limit", {**FACTS, "amount": Exact(amount)}) is over


ABSENT = {key: value for key, value in FACTS.items() if key not in ("amount", "order")}
UNSEEN = {**FACTS, "amount": Unknown("not seen"), "order": Missing("no such order")}

# (text, with amount and order absent, with amount unseen and order missing)
UNDEFINED = [
    ("amount > limit", MISSING, UNKNOWN),
    ("present(amount)", False, UNKNOWN),
    ("present(order)", False, False),
    ("known(amount)", False, UNKNOWN),
    ("known(order.status)", False, False),
    ("amount > limit && false", False, False),
    ("amount > limit || owned", True, True),
    ("owned && amount > limit", MISSING, UNKNOWN),
    ("amount > limit && order.status == 'paid'", MISSING, UNKNOWN),
    ("order.status == 'paid' || amount > limit", MISSING, UNKNOWN),
    ("order.status == 'paid' && 1 / 0 == 1", ERROR, ERROR),
    ("amount > limit && 1 / 0 == 1", ERROR, UNKNOWN),
    ("numbers.all(x, amount > x)", MISSING, UNKNOWN),
    ("numbers.all(x, amount > x && x > 1)", False, False),
    ("numbers.exists(x, x > 2 || amount > 1)", True, True),
    ("has(order.note)", MISSING, MISSING),
    ("owned ? n : size(order.status)", 3, 3),
    ("!present(amount) || amount > limit", True, UNKNOWN),
    ("owned && !present(order)", True, True),
    ("n", 3, 3),
]


@pytest.mark.parametrize(("text", "absent", "unseen"), UNDEFINED)
def test_undefined_variables(text, absent, unseen):
    assert outcome(text, ABSENT) == absent
    assert outcome(text, UNSEEN) == unseen


def test_an_error_planted_in_the_activation_is_raised():
    facts = {**FACTS, "amount": EvaluationError("broken join")}
    assert outcome("amount > 1", facts) == ERROR
    assert outcome("present(amount)", facts) == ERROR
    assert outcome("amount > 1 || true", facts) is True


def test_a_planted_undefined_is_raised_itself_and_keeps_no_frames():
    planted = Unknown("not seen")
    evaluate = compiled("amount > 1").evaluate
    for _ in range(3):
        with pytest.raises(Unknown) as caught:
            evaluate({**FACTS, "amount": planted})
        assert caught.value is planted
    depth = len(caught.traceback)
    with pytest.raises(Unknown) as caught:
        evaluate({**FACTS, "amount": planted})
    assert len(caught.traceback) == depth


def test_undefined_says_why():
    with pytest.raises(EvaluationError, match=r"^dangling reference 'C9'$"):
        compiled("customers[orders['A2'].customer_id].name").evaluate(FACTS)
    with pytest.raises(Missing, match=r"^expected exactly one, found 3$"):
        compiled("only(orders).amount").evaluate(FACTS)
    with pytest.raises(EvaluationError, match=r"^1 / 3.0 has no exact value of 34 digits$"):
        compiled("1 / 3.0").evaluate(FACTS)


def test_lists_may_be_tuples_and_decimals_whole():
    facts = {**FACTS, "numbers": (3, 1, 2), "amount": 80}
    assert outcome("numbers == [3, 1, 2] && -amount == -80 && amount + 0.5 == 80.5", facts) is True
    assert outcome("numbers + [4] == [3, 1, 2, 4]", facts) is True


def test_facts_are_not_changed():
    before = repr(FACTS)
    outcome("orders.map(o, o.amount) + [1.0] == prices || numbers.filter(x, true) == numbers")
    assert repr(FACTS) == before


def test_the_order_of_a_map_is_that_of_its_keys():
    facts = {**FACTS, "stock": {"b": 1, "a": 2}}
    assert outcome("stock.filter(k, true)", facts) == ["a", "b"]


def test_records_come_in_the_order_of_the_collection():
    facts = {**FACTS, "orders": dict(sorted(ORDERS.items(), reverse=True))}
    assert outcome("orders.map(o, o.order_id)", facts) == ["A3", "A2", "A1"]


# Cost: what a loop over hostile data may take.

_BIG = Scope(
    variables={
        "l": Variable(type=List(item=String())),
        "m": Variable(type=Map(key=String(), value=String())),
        "s": Variable(type=String()),
    }
)


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("l.all(x, x == '')", runtime.MAX_ITERATIONS, True),
        ("l.all(x, x == '')", runtime.MAX_ITERATIONS + 1, ERROR),
        ("l.all(x, l.all(y, x == y))", 300, True),
        ("l.all(x, l.all(y, x == y))", 400, ERROR),
        ("l.all(x, x in l)", 300, True),
        ("l.all(x, x in l)", 400, ERROR),
        ("l.map(x, l) == l.map(x, l)", 300, True),
        ("l.map(x, l) == l.map(x, l)", 400, ERROR),
        ("size(distinct(l.map(x, [x])))", 300, 1),
        ("min(l) == max(l)", 50_001, ERROR),
        ("size(l + l)", runtime.MAX_SIZE // 2, runtime.MAX_SIZE),
        ("size(l + l)", runtime.MAX_SIZE // 2 + 1, ERROR),
        ("size(s + s)", runtime.MAX_SIZE // 2, runtime.MAX_SIZE),
        ("size(s + s)", runtime.MAX_SIZE // 2 + 1, ERROR),
        ("m.all(k, k != '')", 1000, True),
        ("true || l.all(x, x == '')", runtime.MAX_ITERATIONS + 1, True),
    ],
)
def test_cost_is_bounded(text, size, expected):
    facts = {"l": [""] * size, "s": "x" * size, "m": {str(n): "" for n in range(1, size + 1)}}
    assert outcome(text, facts, _BIG) == expected


def test_every_undefined_is_one_of_three_ranks():
    assert [kind("").rank for kind in (Missing, EvaluationError, Unknown)] == [1, 2, 3]
    assert all(issubclass(kind, Undefined) for kind in (Missing, EvaluationError, Unknown))


def test_results_are_plain_values():
    assert isinstance(outcome("now + window"), datetime.datetime)
    assert outcome("orders['A1']") == ORDERS["A1"]
    assert SCOPE.variables.keys() == FACTS.keys()
