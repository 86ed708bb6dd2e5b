"""Tables made in a test, and free inputs for any table."""

import z3

from caselock.expr.compile import compile_expression
from caselock.expr.types import Bool, Scope
from caselock.prove.leaves import Leaves
from caselock.prove.model import table_model
from caselock.rules.tables import CompiledTable
from caselock.spec.decisions import Rule


def table_of(inputs, *rules, assume=(), policy="unique", rulings=()):
    """A table over typed inputs; a rule is (id, when, then, reason, overrides)."""
    scope = Scope(variables=inputs)

    def compiled(text):
        expression, problems = compile_expression(text, scope, Bool())
        assert expression is not None, (text, problems)
        return expression

    made = [
        Rule(id=name, version="1", title=name, when=when, then=then, reason=reason, overrides=beaten, because=("s#1",))
        for name, when, then, reason, beaten in rules
    ]
    losers = {rule.id: set(rule.overrides) for rule in made}
    for winner, loser in rulings:
        losers[winner].add(loser)
    return CompiledTable(
        name="t",
        version="1",
        hit_policy=policy,
        inputs={name: compile_expression(name, scope)[0] for name in inputs},
        input_types=inputs,
        assume=tuple(compiled(text) for text in assume),
        rules=tuple((rule, compiled(rule.when)) for rule in made),
        losers={name: frozenset(beaten) for name, beaten in losers.items()},
    )


def free_model(table):
    """The model of a table whose inputs have nothing to do with each other."""
    leaves = Leaves()
    inputs = {
        name: leaves.scalar(name, variable.type, None, z3.Bool(f"{name} is missing"))
        for name, variable in table.input_types.items()
    }
    return table_model(table, inputs, leaves.texts, leaves.laws, ())
