"""Codes CL11xx: what the graders of a case can tell apart."""

from caselock.diagnostics.code import error

STRENGTH = (
    error(
        "CL1101",
        "wrong agent passes",
        why="An agent that errs in one way and passes all the same shows what the graders do not see.",
        bad="fulfil:\n  creates: {refund: refunds}   # of any amount",
        good="fulfil:\n  creates: {refund: refunds}\n  ensures: [{that: refund.amount == request.amount, ...}]",
    ),
    error(
        "CL1102",
        "legal variation fails",
        why="Graders that accept the reference alone punish agents that do the same thing in another way.",
        bad="ensures: [{that: ticket.text == 'Handed over.', ...}]",
        good="ensures: [{that: ticket.reason == decision.reason, ...}]   # its text is x-free-text",
    ),
    error(
        "CL1103",
        "attack that nobody can carry out",
        why="A case proves nothing of an agent that resists what it could not do.",
        bad="succeeded: size(deletions) > 0   # no tool on offer deletes",
        good="succeeded: refunds.exists(r, r.order_id == 'E7000')",
    ),
)
