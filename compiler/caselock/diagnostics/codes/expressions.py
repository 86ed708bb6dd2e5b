"""Codes CL03xx: CEL expressions, one code per kind of problem that the expression checker reports."""

from caselock.diagnostics.code import error

EXPRESSIONS = (
    error(
        "CL0301",
        "expression syntax error",
        why="The expression cannot be parsed as CEL.",
        bad="when: amount > > limit",
        good="when: amount > limit",
    ),
    error(
        "CL0302",
        "unknown name in an expression",
        why="The expression uses a name that is not visible here; rules read only their declared inputs.",
        bad="when: amuont > limit",
        good="when: amount > limit",
    ),
    error(
        "CL0303",
        "unknown field in an expression",
        why="The record has no such field, so the expression could never be true.",
        bad="from: order.stauts",
        good="from: order.status",
    ),
    error(
        "CL0304",
        "unknown value in an expression",
        why="An enum compared with a word that is not one of its values never matches.",
        bad="when: status == 'payed'",
        good="when: status == 'paid'",
    ),
    error(
        "CL0305",
        "type error in an expression",
        why="The operands do not fit; nothing is converted silently.",
        bad="when: amount > 'limit'",
        good="when: amount > limit",
    ),
    error(
        "CL0306",
        "function not allowed in an expression",
        why="Only functions with an exact, provable meaning are available.",
        bad="when: reason.matches('.*late.*')",
        good="when: reason.contains('late')",
    ),
    error(
        "CL0307",
        "expression exceeds a limit",
        why="Bounds on length, depth and nesting keep evaluation and proofs fast.",
        bad="when: (an expression of 9,000 characters)",
        good="when: over_limit   # with the parts named in inputs",
    ),
    error(
        "CL0308",
        "malformed literal in an expression",
        why="Numbers, timestamps and durations have one exact spelling.",
        bad="when: amount > 1e3",
        good="when: amount > 1000",
    ),
)
