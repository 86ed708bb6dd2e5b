"""Prints evaluations per second of caselock's evaluator and of the CEL library's runtime, side by side.

Run as `python benchmarks/evaluator.py`. The facts are whole numbers, so that both can hold them exactly.
Every evaluation of a compile has facts of its own, so the target is against the library given a mapping;
`reused` is the library with its activation built once, which is the best it can do.
"""

import time
from collections.abc import Callable, Mapping

from cel_expr_python import cel

from caselock.expr.compile import compile_expression
from caselock.expr.types import Bool, Collection, Field, Int, List, Record, Scope, String, Variable

TARGET = 5.0
ROUND_SECONDS = 0.2
ROUNDS = 3

ORDER = Record(
    name="orders",
    fields={
        "order_id": Field(type=String()),
        "customer_id": Field(type=String()),
        "status": Field(type=String()),
        "balance": Field(type=Int()),
        "note": Field(type=String(), optional=True),
    },
)
SCOPE = Scope(
    variables={
        "amount": Variable(type=Int()),
        "limit": Variable(type=Int()),
        "balance": Variable(type=Int()),
        "found": Variable(type=Bool()),
        "owned": Variable(type=Bool()),
        "status": Variable(type=String()),
        "order": Variable(type=ORDER),
        "lines": Variable(type=List(item=Int())),
        "history": Variable(type=List(item=ORDER)),
        "orders": Variable(type=Collection(record=ORDER, key_type=String())),
    }
)
LIBRARY_TYPES = {
    "amount": cel.Type.INT,
    "limit": cel.Type.INT,
    "balance": cel.Type.INT,
    "found": cel.Type.BOOL,
    "owned": cel.Type.BOOL,
    "status": cel.Type.STRING,
    "order": cel.Type.DYN,
    "lines": cel.Type.List(cel.Type.INT),
    "history": cel.Type.List(cel.Type.DYN),
    "orders": cel.Type.Map(cel.Type.STRING, cel.Type.DYN),
}
HISTORY = [
    {"order_id": f"A{n}", "customer_id": f"C{n % 3}", "status": "paid" if n % 2 else "closed", "balance": n}
    for n in range(10)
]
FACTS = {
    "amount": 8000,
    "limit": 10000,
    "balance": 24000,
    "found": True,
    "owned": True,
    "status": "paid",
    "order": HISTORY[1],
    "lines": list(range(10)),
    "history": HISTORY,
    "orders": {order["order_id"]: order for order in HISTORY},
}
EXPRESSIONS = (
    "amount > limit",
    "found && !owned",
    "found && owned && !(status in ['paid', 'shipped'])",
    "found && owned && status in ['paid', 'shipped'] && amount > 0 && amount <= limit && amount <= balance",
    "balance - amount >= amount * 2 || amount == 0",
    "order.status == 'paid' && has(order.note) ? order.note == 'x' : order.balance > 0",
    "lines.all(x, x >= 0) && lines.exists(x, x > 8)",
    "size(history.filter(o, o.customer_id == 'C1' && o.balance > 0)) == 3",
    "orders['A3'].balance + 1 > 3",
)


def main() -> None:
    environment = cel.NewEnv(variables=LIBRARY_TYPES)
    print(f"{'ours/s':>12} {'library/s':>12} {'ratio':>7} {'reused/s':>12} {'ratio':>7}  expression")
    ratios, reused_ratios = [], []
    for text in EXPRESSIONS:
        expression, problems = compile_expression(text, SCOPE)
        if expression is None:
            raise SystemExit(f"{text}: {problems[0].message}")
        theirs = environment.compile(text)
        if theirs.eval(data=FACTS).plain_value() != expression.evaluate(FACTS):
            raise SystemExit(f"{text}: the two runtimes disagree")
        activation = environment.Activation(FACTS)
        ours_rate = rate(expression.evaluate)
        their_rate = rate(lambda facts, run=theirs.eval: run(data=facts))
        reused_rate = rate(lambda _, run=theirs.eval, ready=activation: run(ready))
        ratios.append(ours_rate / their_rate)
        reused_ratios.append(ours_rate / reused_rate)
        print(
            f"{ours_rate:12,.0f} {their_rate:12,.0f} {ratios[-1]:6.1f}x"
            f" {reused_rate:12,.0f} {reused_ratios[-1]:6.1f}x  {text}"
        )
    verdict = "met" if min(ratios) >= TARGET else "missed"
    print(f"lowest ratio with fresh facts {min(ratios):.1f}x, target {TARGET:.0f}x {verdict}")
    print(f"lowest ratio against a reused activation of the library {min(reused_ratios):.1f}x")


def rate(evaluate: Callable[[Mapping[str, object]], object]) -> float:
    """Return the best of a few rounds, in evaluations per second."""
    return max(one_round(evaluate) for _ in range(ROUNDS))


def one_round(evaluate: Callable[[Mapping[str, object]], object]) -> float:
    count = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < ROUND_SECONDS:
        for _ in range(200):
            evaluate(FACTS)
        count += 200
    return count / elapsed


if __name__ == "__main__":
    main()
