"""Codes CL05xx: decision tables, goals and invariants."""

from caselock.diagnostics.code import error

RULES = (
    error(
        "CL0501",
        "input is not of its declared type",
        why="Rules read typed facts; a declaration that is wrong hides what they compare.",
        bad="amount: {from: request.order_id, type: decimal}",
        good="amount: {from: request.amount, type: decimal, step: 0.01}",
    ),
    error(
        "CL0502",
        "frame names no field of a bound record",
        why="What the frame does not name must stay as it was; a misspelt name freezes the very field that changes.",
        bad="may_update: [{record: order, fields: [refundable]}]",
        good="may_update: [{record: order, fields: [refundable_amount]}]",
    ),
    error(
        "CL0503",
        "invariant lacks a part of its template",
        why="A DECLARE template constrains exactly the events it names; without them it constrains nothing.",
        bad="template: precedence\nof: {event: effect}",
        good="template: precedence\nfirst: {event: result}\nthen: {event: effect}",
    ),
    error(
        "CL0504",
        "event has no such property",
        why="A pattern on a property that the event lacks would match everything.",
        bad="of: {event: effect, tool: create_refund}",
        good="of: {event: effect, insert: refunds}",
    ),
    error(
        "CL0505",
        "collection is both required and optional",
        why="When a contract must and may create records of one collection, nobody can say which record is which.",
        bad="creates: {ticket: tickets}\nmay_create: {other: {in: tickets}}",
        good="creates: {ticket: tickets}",
    ),
    error(
        "CL0506",
        "outcome without a contract",
        why="A table that can decide an outcome needs a contract for it, else nothing says when the case is passed.",
        bad="then: escalate   # and no outcomes.escalate in the goal",
        good="outcomes: {escalate: {creates: {ticket: tickets}, says: {reason: decision.reason}}}",
    ),
    error(
        "CL0507",
        "refusal conveys no reason",
        why="Without an obligation to give the reason, an agent that says nothing would pass.",
        bad="refuse: {says: {}}",
        good="refuse: {says: {reason: decision.reason}}",
    ),
    error(
        "CL0508",
        "question names no slot",
        why="A clarify rule must say what is asked for; the goal maps its reason to slots.",
        bad="clarify: {asks: {}}   # and a rule with reason which_order",
        good="clarify: {asks: {which_order: [order_id]}}",
    ),
    error(
        "CL0530",
        "grader does not fit what it grades",
        why="Free text has many right wordings and is graded by what it contains; only values are compared, and an "
        "answer's schema can ask only for what the outcome says.",
        bad="ensures: [{that: note.text == 'Refund refused'}]   # text is x-free-text",
        good='ensures: [{that: "note.text.contains(order.order_id)"}]',
    ),
    error(
        "CL0509",
        "rules override each other in a circle",
        why="When every rule of a circle gives way to the next, none of them decides.",
        bad="refund.closed overrides refund.late, and refund.late overrides refund.closed",
        good="refund.closed overrides refund.late",
    ),
    error(
        "CL0520",
        "citations are no list of document ids",
        why="An answer can only cite what has an id and was shown; anything else could not be checked.",
        bad="must_cite: article.title",
        good='must_cite: "[article.article_id]"   # and documents: true at the collection of articles',
    ),
    error(
        "CL0540",
        "empty contract",
        why="Graders made of a contract that creates, ensures and says nothing pass an agent that does nothing.",
        bad="fulfil:\n  may_create: {notice: notices}",
        good="fulfil:\n  creates: {notice: notices}",
    ),
)
