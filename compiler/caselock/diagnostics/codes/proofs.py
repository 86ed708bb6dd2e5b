"""Codes CL10xx: what the solver finds in decision tables, each with the facts that show it."""

from caselock.diagnostics.code import error

PROOFS = (
    error(
        "CL1001",
        "rules disagree",
        why="Two rules hold of the same facts and decide differently; whichever came first would decide the label.",
        bad="when: amount >= 100.0   # and another rule: when: amount <= 100.0",
        good="when: amount > 100.0, or overrides: [the.other], or a ruling that names both and which prevails",
    ),
    error(
        "CL1002",
        "no rule covers these facts",
        why="A request can come out like this, and nobody has decided what happens then.",
        bad="status == 'paid' and status == 'closed' have rules, status 'shipped' has none",
        good="a rule for every status",
    ),
    error(
        "CL1003",
        "rule can never hold",
        why="A rule that no possible world satisfies is a mistake in its condition: it promises what never happens.",
        bad="when: amount > 100.0 && amount < 50.0",
        good="when: amount > 50.0 && amount < 100.0",
    ),
    error(
        "CL1004",
        "rule never decides",
        why="Wherever the rule holds, others decide in its place; it looks like policy and is none.",
        bad="when: status == 'closed' && amount > limit   # overridden by a rule for every closed order",
        good="when: status == 'paid' && amount > limit",
    ),
    error(
        "CL1005",
        "not proved",
        why="The solver cannot be asked about this exactly, or gave up; what is not proved does not pass.",
        bad="when: note.startsWith('VIP')",
        good="inputs: {vip: {from: note.startsWith('VIP'), type: bool}}   # and when: vip",
    ),
    error(
        "CL1006",
        "rule can be in error",
        why="On some facts the condition has no value, so that the whole table decides nothing.",
        bad="when: amount / count > 10",
        good="when: count > 0 && amount > 10 * count",
    ),
    error(
        "CL1007",
        "assumptions exclude every value",
        why="From assumptions that nothing satisfies anything can be proved; they would make every check pass.",
        bad="assume: [amount > 100.0, amount < 50.0]",
        good="assume: [amount >= 0.0]",
    ),
    error(
        "CL1008",
        "assumption is not true of a fixture",
        why="The proofs rely on what is assumed; a record that breaks it makes them worthless.",
        bad="assume: [balance >= 0.0]   # and an order with a balance of -5.00",
        good="assume: [balance >= -10.0]",
    ),
)
