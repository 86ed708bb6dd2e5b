"""Codes CL02xx: references between files, and ids."""

from caselock.diagnostics.code import error, warning

REFERENCES = (
    error(
        "CL0201",
        "unknown reference",
        why="Nothing can follow from a name that is not defined: a tool, fixture, goal, decision, invariant, "
        "record, role, operator, rubric or capability.",
        bad="guarded: [create_refnud]",
        good="guarded: [create_refund]",
    ),
    error(
        "CL0203",
        "unknown source",
        why="A rule rests on evidence that can be looked up; spec/sources.yaml has no such id or section.",
        bad="because: [refund_sop_v3.1#section-4]",
        good="because: [refund_sop_v3.2#section-4]",
    ),
    warning(
        "CL0204",
        "unused definition",
        why="A definition that nothing uses is dead weight or a sign of a missing reference.",
        bad="spec/tools/close_account.yaml, named by no goal, capability or seed",
        good="forbidden_tools: [close_account]",
    ),
    error(
        "CL0205",
        "duplicate id",
        why="An id that is defined twice does not say which definition counts.",
        bad="rules:\n  - {id: refund.ok, then: fulfil}\n  - {id: refund.ok, then: refuse}",
        good="rules:\n  - {id: refund.ok, then: fulfil}\n  - {id: refund.closed, then: refuse}",
    ),
    error(
        "CL0206",
        "superseded source cited",
        why="A newer version replaces the cited source; the rule may rest on a policy that no longer holds.",
        bad="because: [refund_sop_v3.1#section-4]   # superseded by refund_sop_v3.2",
        good="because: [refund_sop_v3.2#section-4]",
    ),
    error(
        "CL0207",
        "leaf capability cannot be tested",
        why="A promise without tools, states and observable evidence is a wish; no case can show whether it is kept.",
        bad="capability: refund.standard\nevidence: []",
        good="capability: refund.standard\nevidence: [one new refund record of the amount]",
    ),
    error(
        "CL0208",
        "seed names a branch of the capability map",
        why="Coverage is counted at the leaves; a seed of a branch counts nowhere.",
        bad="capability: refund",
        good="capability: refund.standard",
    ),
    warning(
        "CL0211",
        "rubric is not of 3 to 5 criteria",
        why="Too few criteria leave open language unjudged; too many blur what a failure means.",
        bad="rubric: [give_the_reason]   # and one that is shared",
        good="rubric: [give_the_reason, offer_a_next_step]   # and one that is shared",
    ),
    error(
        "CL0209",
        "ids differ only by case",
        why="People, file systems and models read the two as one; a case must not turn on a capital letter.",
        bad="orders: {A1024: {}, a1024: {}}",
        good="orders: {A1024: {}, A2048: {}}",
    ),
    error(
        "CL0210",
        "id is not ASCII",
        why="Letters of other scripts can look like Latin ones, so that two ids read alike and compare different.",
        bad="orders: {\u0410-1024: {}}   # a Cyrillic letter",
        good="orders: {A-1024: {}}",
    ),
    error(
        "CL0220",
        "role has no grant for a tool on offer",
        why="What the matrix does not name is denied; whether that is meant must be written, not guessed.",
        bad="tools: [get_order, create_refund]   # a seed's; its role grants get_order only",
        good="write: {create_refund: deny}",
    ),
)
