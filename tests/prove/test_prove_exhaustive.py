"""Small tables whose every fact can be tried: the solver finds exactly what trying all of them finds."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from made_tables import free_model, table_of

from caselock.expr.types import Bool, Enum, Int, Variable
from caselock.expr.values import Missing
from caselock.prove.terms import all_of, any_of, negate
from caselock.prove.witness import witness
from caselock.rules.tables import Decision, Undecided, decide

TYPES = {"p": Bool(), "e": Enum(name="e", values=("x", "y", "z")), "i": Int()}
INPUTS = {name: Variable(type=type_, optional=True) for name, type_ in TYPES.items()}
DOMAINS = {"p": (False, True), "e": ("x", "y", "z"), "i": (0, 1, 2, 3)}
EVERY = [
    {name: Missing(name) if value is None else value for name, value in zip(DOMAINS, values, strict=True)}
    for values in product(*((None, *domain) for domain in DOMAINS.values()))
]
ATOMS = ["p", "e == 'x'", "e != 'y'", "i > 1", "i == 2", "i <= 2", "present(i)", "present(e)", "6 / i > 2"]
ATOM = st.sampled_from(ATOMS)
CONDITION = ATOM | st.tuples(ATOM, st.sampled_from(["&&", "||", "&& !"]), ATOM).map(lambda p: f"{p[0]} {p[1]}({p[2]})")
NAMES = ("a", "b", "c", "d")


@st.composite
def small_tables(draw):
    """Tables of up to four rules; a rule overrides later ones only, so that there are no circles."""
    rows = []
    for index, name in enumerate(NAMES[: draw(st.integers(1, 4))]):
        beaten = tuple(other for other in NAMES[index + 1 :] if draw(st.booleans()))
        then = draw(st.sampled_from(["fulfil", "refuse", "escalate"]))
        rows.append((name, draw(CONDITION), then, None, beaten))
    policy = draw(st.sampled_from(["unique", "any"]))
    return table_of(INPUTS, *rows, assume=("i >= 0 && i <= 3",), policy=policy)


def kinds(table):
    return [decide(table, facts) for facts in EVERY]


@settings(max_examples=200)
@given(small_tables())
def test_the_solver_finds_exactly_what_trying_everything_finds(table):
    model, tried = free_model(table), kinds(table)
    solver = model.solver()
    found = {kind: [each for each in tried if isinstance(each, Undecided) and each.kind == kind] for kind in KINDS}
    errors = any_of(*(term.error for term in model.conditions.values()))
    assert (witness(model, solver, errors) is not None) == bool(found["error"])
    solver.add(model.sound)
    open_ = negate(any_of(*map(model.hits, model.conditions)))
    gap = witness(model, solver, open_)
    assert (gap is not None) == bool(found["gap"])
    if gap is not None:
        assert decide(table, gap).kind == "gap"
    for first, second in [(a, b) for a in model.conditions for b in model.conditions if a < b]:
        facts = witness(model, solver, all_of(model.stands[first], model.stands[second]))
        both = [each for each in tried if {first, second} <= standing(each)]
        if facts is not None and (table.hit_policy == "unique" or differ(table, first, second)):
            assert {first, second} <= standing(decide(table, facts))
            assert both
        if facts is None:
            assert not both
    for rule in model.conditions:
        decides = any(isinstance(each, Decision) and each.rule == rule for each in tried)
        if decides:
            assert witness(model, solver, model.stands[rule]) is not None


KINDS = ("gap", "conflict", "error")


def differ(table, first, second):
    said = {rule.id: (rule.then, rule.reason) for rule, _ in table.rules}
    return said[first] != said[second]


def standing(found):
    """The rules that a conflict is between."""
    return set(found.rules) if isinstance(found, Undecided) and found.kind == "conflict" else set()
