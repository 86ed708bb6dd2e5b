"""The scope and the facts that the expression tests share."""

import datetime
from decimal import Decimal as Exact

from caselock.expr.compile import Expression, compile_expression
from caselock.expr.types import (
    Bool,
    Collection,
    Decimal,
    Duration,
    Enum,
    Field,
    Id,
    Int,
    List,
    Map,
    Record,
    Scope,
    String,
    Timestamp,
    Type,
    Variable,
)
from caselock.expr.values import Undefined

CENTS = Decimal(step=Exact("0.01"))
STATUS = Enum(name="orders.status", values=("paid", "shipped", "closed"))

CUSTOMER = Record(name="customers", fields={"name": Field(type=String())})
ORDER = Record(
    name="orders",
    fields={
        "order_id": Field(type=String()),
        "customer_id": Field(type=Id(collection="customers", declared=True)),
        "status": Field(type=STATUS),
        "amount": Field(type=CENTS),
        "note": Field(type=String(), optional=True),
    },
)
REQUEST = Record(
    name="request",
    fields={
        "order_id": Field(type=Id(collection="orders"), optional=True),
        "amount": Field(type=CENTS, optional=True),
    },
)

SCOPE = Scope(
    variables={
        "orders": Variable(type=Collection(record=ORDER, key_type=String())),
        "customers": Variable(type=Collection(record=CUSTOMER, key_type=String())),
        "order": Variable(type=ORDER, optional=True),
        "request": Variable(type=REQUEST),
        "amount": Variable(type=CENTS, optional=True),
        "limit": Variable(type=CENTS),
        "rate": Variable(type=Decimal()),
        "n": Variable(type=Int()),
        "owned": Variable(type=Bool()),
        "s": Variable(type=String()),
        "id": Variable(type=Id(collection="orders")),
        "status": Variable(type=STATUS),
        "numbers": Variable(type=List(item=Int())),
        "prices": Variable(type=List(item=CENTS)),
        "stock": Variable(type=Map(key=String(), value=Int())),
        "now": Variable(type=Timestamp()),
        "window": Variable(type=Duration()),
    }
)

ORDERS = {
    "A1": {"order_id": "A1", "customer_id": "C1", "status": "paid", "amount": Exact("80.00"), "note": "x"},
    "A2": {"order_id": "A2", "customer_id": "C9", "status": "closed", "amount": Exact("0.30")},
    "A3": {"order_id": "A3", "customer_id": "C1", "status": "shipped", "amount": Exact("100.01")},
}
FACTS = {
    "orders": ORDERS,
    "customers": {"C1": {"name": "Ada"}},
    "order": ORDERS["A1"],
    "request": {"order_id": "A1"},
    "amount": Exact("80.00"),
    "limit": Exact("100.00"),
    "rate": Exact("0.015"),
    "n": 3,
    "owned": True,
    "s": "héllo",
    "id": "A9",
    "status": "paid",
    "numbers": [3, 1, 2],
    "prices": [Exact("0.10"), Exact("0.20")],
    "stock": {"pen": 2, "ink": 0},
    "now": datetime.datetime(2026, 8, 1, 9, 0, tzinfo=datetime.UTC),
    "window": datetime.timedelta(hours=1, minutes=30),
}


def compiled(text: str, scope: Scope = SCOPE, expected: Type | None = None) -> Expression:
    expression, problems = compile_expression(text, scope, expected)
    assert problems == ()
    assert expression is not None
    return expression


def outcome(text: str, facts: dict | None = None, scope: Scope = SCOPE) -> object:
    """Return the value, or the name of the way in which there is none."""
    try:
        return compiled(text, scope).evaluate(FACTS if facts is None else facts)
    except Undefined as undefined:
        return type(undefined).__name__
