"""Codes CL07xx: operators, phrasings and expansion."""

from caselock.diagnostics.code import error, warning

EXPANSION = (
    error(
        "CL0701",
        "operator changes more than it declares",
        why="A mutation is approved for what it says it changes; anything else that moves may move the label.",
        bad="changes: [request.amount]   # and the mutation sets user.customer_id",
        good="changes: [user.customer_id]",
    ),
    error(
        "CL0702",
        "operator changes nothing",
        why="A case equal to its seed counts twice and tests nothing new.",
        bad="set: {request.amount: 80.00}   # it is 80.00 already",
        good="set: {request.amount: 100.01}",
    ),
    error(
        "CL0703",
        "operator cannot be applied",
        why="The field it names is not there, or the value it sets does not fit.",
        bad="set: {order.state: closed}",
        good="set: {order.status: closed}",
    ),
    error(
        "CL0704",
        "phrasing loses or adds a slot",
        why="A wording that says less or more than the request is another request.",
        bad='text: "refund my order {order_id}"   # the amount is gone',
        good='text: "refund {amount} on {order_id}"',
    ),
    error(
        "CL0705",
        "kept invariant is not bound",
        why="The operator promises that an invariant stays in force; in one of its cases it is not.",
        bad="keeps: [no_refund_above_limit]   # a fulfil case",
        good="keeps: [at_most_one_refund_write]",
    ),
    error(
        "CL0706",
        "operator makes an impossible case",
        why="The mutated world breaks a schema, a reference or a constraint, so it can have no label.",
        bad="set: {order.status: closed}   # with a balance left",
        good="set: {order.status: closed, order.refundable_amount: 0.00}",
    ),
    warning(
        "CL0707",
        "operator takes no seed",
        why="An operator that never applies adds no coverage; its condition may be misspelt.",
        bad="when: outcome == 'refuse' && outcome == 'fulfil'",
        good="when: outcome == 'fulfil'",
    ),
    error(
        "CL0708",
        "chain outside the policy",
        why="Compositions are named on purpose and bounded, so that the suite stays explainable.",
        bad="chains: [[not-owner]]",
        good="chains: [[not-owner, commit-then-timeout]]",
    ),
    error(
        "CL0709",
        "operator approved by nobody",
        why="Only an approved mutation may make cases; somebody stands for it.",
        bad="status: approved",
        good="status: approved\napproved_by: product_owner",
    ),
    error(
        "CL0710",
        "preserve flips the outcome",
        why="The operator promises that the outcome stays; the rules derive another one.",
        bad="effect: preserve   # the balance is gone",
        good="effect: recompute",
    ),
    error(
        "CL0711",
        "aim never hit",
        why="The operator was written to make a rule decide, and in none of its cases does it.",
        bad="aims_at: [refund.over_limit]   # every seed is over its balance first",
        good="aims_at: [refund.over_limit]\nunmask: [initial_state.orders.refundable_amount]",
    ),
    error(
        "CL0712",
        "wording cannot be read back",
        why="The slots that come back from the text must be the slots that went in.",
        bad='text: "refund {amout} on {order_id}"',
        good='text: "refund {amount} on {order_id}"',
    ),
    error(
        "CL0713",
        "referred-to slot is not clear",
        why="What the request only refers to must be found exactly once in the conversation before it, "
        "or nobody could say which is meant.",
        bad='conversation: [{role: user, text: "A1024 or A2048 ..."}]\ntext: "refund {amount} for that order"',
        good='conversation: [{role: user, text: "I have order {order_id}."}]\ntext: "refund {amount} for that order"',
    ),
)
