"""Three evaluators on random facts: ours, the CEL library's runtime, and the solver's model of the table."""

import datetime
from decimal import Decimal as Exact
from functools import cache
from pathlib import Path

import pytest
from cel_expr_python import cel
from hypothesis import given, settings
from hypothesis import strategies as st
from made_tables import free_model, table_of

from caselock.expr.types import Bool, Decimal, Duration, Enum, Int, String, Timestamp, Variable
from caselock.expr.values import EvaluationError, Missing
from caselock.prove.encode import EPOCH, MICROSECOND
from caselock.prove.solver import Solver
from caselock.rules.program import build_program
from caselock.rules.tables import decide
from caselock.spec.load import load_workspace

ROOT = Path(__file__).parents[2]
NUMBERS = [-1, 0, 1, 2, 3, 7, 13, 14, 15, 21, 22, 99, 100, 101]
DAYS = [0, 1, 13, 14, 15, 29, 30, 31]


@cache
def tables():
    """Every table of the sample and of the library, by name."""
    found = {}
    for root in (ROOT, ROOT / "tests" / "workspaces" / "library"):
        workspace, _, _ = load_workspace(root)
        program, problems = build_program(workspace)
        assert problems == ()
        found |= {goal.table.name: goal.table for goal in program.goals.values()}
    return found


def values(type_):
    """Values of a type, near the thresholds that tables use."""
    match type_:
        case Bool():
            return st.booleans()
        case Int():
            return st.sampled_from(NUMBERS)
        case Decimal(step=step):
            cents = step or Exact("0.001")
            near = st.sampled_from(NUMBERS).flatmap(lambda n: st.sampled_from([-1, 0, 1]).map(lambda k: n + k * cents))
            return near.map(lambda number: number.quantize(cents) if isinstance(number, Exact) else Exact(number))
        case Enum(values=options):
            return st.sampled_from(options)
        case String():
            return st.sampled_from(["", "a", "b", "elsewhere"])
        case Duration():
            near = st.sampled_from(DAYS).map(lambda days: datetime.timedelta(days=days))
            return st.tuples(near, st.sampled_from([-1, 0, 1])).map(
                lambda p: p[0] + p[1] * datetime.timedelta(seconds=1)
            )
        case Timestamp():
            return values(Duration()).map(lambda length: datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC) + length)
        case _:
            raise TypeError(type_)


def facts(table):
    """Facts of a table, some of them missing."""
    return st.fixed_dictionaries(
        {
            name: st.one_of(st.just(Missing(name)), *[values(variable.type)] * 5)
            for name, variable in table.input_types.items()
        }
    )


@cache
def modelled(name):
    return free_model(tables()[name])


def solved(model, given):
    """What each rule does on the facts, and whether the assumptions hold, as the solver sees it."""
    fixed = []
    for name, value in given.items():
        term = model.inputs[name]
        fixed.append(term.missing if isinstance(value, Missing) else all_known(term, unit(model, term, value)))
    answer = Solver(*model.laws).possible(*fixed)
    assert answer is not None, "the facts are possible"
    rules = {}
    for rule, term in model.conditions.items():
        rules[rule] = "error" if true(answer, term.error) else true(answer, term.true)
    return rules, all(true(answer, each) for each in model.assumed)


def all_known(term, value):
    import z3

    return z3.And(z3.Not(term.missing), term.value == value)


def true(answer, formula):
    return formula if isinstance(formula, bool) else str(answer.eval(formula, model_completion=True)) == "True"


def unit(model, term, value):
    match value:
        case bool():
            return value
        case str():
            return model.texts.number(value)
        case datetime.datetime():
            return (value - EPOCH) // MICROSECOND
        case datetime.timedelta():
            return value // MICROSECOND
        case _:
            return int(Exact(value).scaleb(term.scale))


def ours(table, given):
    rules = {}
    for rule, condition in table.rules:
        try:
            rules[rule.id] = condition.evaluate(given) is True
        except Missing:
            rules[rule.id] = False
        except EvaluationError:
            rules[rule.id] = "error"
    undecided = decide(table, given)
    return rules, getattr(undecided, "kind", None) != "assumption"


def theirs(table, given):
    kinds = {
        Bool: cel.Type.BOOL,
        Int: cel.Type.INT,
        Decimal: cel.Type.DOUBLE,
        Duration: cel.Type.DURATION,
        Timestamp: cel.Type.TIMESTAMP,
    }
    env = cel.NewEnv(variables={n: kinds.get(type(v.type), cel.Type.STRING) for n, v in table.input_types.items()})
    known = {n: float(v) if isinstance(v, Exact) else v for n, v in given.items() if not isinstance(v, Missing)}
    return {rule.id: env.compile(rule.when).eval(data=known).plain_value() is True for rule, _ in table.rules}


@pytest.mark.parametrize("name", ["refund", "renewal"])
@settings(max_examples=150)
@given(data=st.data())
def test_three_evaluators_agree_on_the_tables(name, data):
    table = tables()[name]
    given = data.draw(facts(table))
    rules, assumed = ours(table, given)
    assert (rules, assumed) == solved(modelled(name), given)
    assert rules == theirs(table, given)


INPUTS = {
    "a": Decimal(step=Exact("0.01")),
    "b": Decimal(step=Exact("0.25")),
    "c": Decimal(),
    "i": Int(),
    "j": Int(),
    "p": Bool(),
    "q": Bool(),
    "e": Enum(name="e", values=("paid", "closed", "lost")),
    "s": String(),
    "t": Timestamp(),
    "d": Duration(),
}
TYPED = {name: Variable(type=type_, optional=True) for name, type_ in INPUTS.items()}


def conditions(depth):
    """Conditions over INPUTS, at most so many operators deep."""
    number = st.sampled_from(["a", "b", "c", "i", "j", "1.0", "0.5", "3"])
    whole = st.sampled_from(["i", "j", "0", "2", "7"])
    for _ in range(depth):
        sign = st.sampled_from(["+", "-", "*"])
        number = number | st.tuples(number, sign, number).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
        number = number | number.map(lambda text: f"({text} + 0.0) / 4.0")
        ops = st.sampled_from(["+", "-", "*", "/", "%"])
        whole = whole | st.tuples(whole, ops, whole).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
    order = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
    atom = st.one_of(
        st.sampled_from(
            ["p", "q", "e == 'paid'", "e in ['closed', 'lost']", "s == 'a'", "s != 'b'", "p == q", "p < q"]
        ),
        st.sampled_from(["t > timestamp('2026-01-15T00:00:00Z')", "t + d >= t", "t - t == d", "d > duration('336h')"]),
        st.sampled_from(["d.getHours() > 335", "t.getHours() == 23", "i in [1, j]", "s in ['', 'a']", "d - d < d"]),
        st.sampled_from(["present(a)", "!present(e)", "known(i / j)", "known(a + b)", "e == s"]),
        st.tuples(number, st.sampled_from(["<", "<=", ">", ">="]), number).map(lambda p: f"{p[0]} {p[1]} {p[2]}"),
        st.tuples(whole, order, whole).map(lambda p: f"{p[0]} {p[1]} {p[2]}"),
    )
    for _ in range(depth):
        logic = st.sampled_from(["({} && {})", "({} || {})", "(!({}) && {})", "({} ? {} : q)"])
        atom = atom | st.tuples(logic, atom, atom).map(lambda p: p[0].format(p[1], p[2]))
    return atom


@settings(max_examples=400)
@given(text=conditions(2), data=st.data())
def test_the_model_agrees_with_our_evaluator_on_any_condition(text, data):
    table = table_of(TYPED, ("r", text, "refuse", None, ()), assume=(text,))
    given = data.draw(facts(table))
    model = free_model(table)
    assert model.unknown == {}
    rules, assumed = ours(table, given)
    # Our evaluator reports a rule in error before it looks at anything else.
    assert solved(model, given) == (rules, assumed)
