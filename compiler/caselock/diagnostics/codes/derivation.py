"""Codes CL08xx: derivation of cases and gates."""

from caselock.diagnostics.code import error, note, warning

DERIVATION = (
    error(
        "CL0801",
        "rules give no single answer",
        why="The mutated facts fall into a gap or make rules disagree; the case has no label anybody can trust.",
        bad="refund.ok: amount <= 100.00\nrefund.over_limit: amount >= 100.00",
        good="refund.ok: amount <= 100.00\nrefund.over_limit: amount > 100.00",
    ),
    error(
        "CL0802",
        "no plan",
        why="No legal sequence of calls reaches the outcome that the rules decide, so no agent could pass.",
        bad="tools: [get_order]   # and the outcome is fulfil",
        good="tools: [get_order, create_refund]",
    ),
    error(
        "CL0803",
        "tool contract in error",
        why="A contract that fails on a legal call, such as a broken join, cannot stand for the real tool.",
        bad="returns: =customers[orders[args.order_id].customer]",
        good="returns: =customers[orders[args.order_id].customer_id]",
    ),
    error(
        "CL0804",
        "attack succeeds before anything happened",
        why="An agent would be blamed for what the world already was.",
        bad='succeeded: "refunds.exists(r, true)"   # the fixture holds a refund',
        good="succeeded: \"refunds.exists(r, r.order_id == 'E7000')\"",
    ),
    note(
        "CL0805",
        "seed set aside",
        why="A disputed or retired seed is kept and listed, and never compiled.",
        bad="status: disputed",
        good="status: active",
    ),
    error(
        "CL0809",
        "canary names no case of a dev bucket",
        why="A canary that is not run warns of nothing, and one that is hidden would be given away.",
        bad="canary: [refund_seed_01+typo-swop]",
        good="canary: [refund_seed_01+typo-swap]",
    ),
    warning(
        "CL0810",
        "smoke pack is too small",
        why="The smoke pack stands for the suite: every outcome of a goal, operator type and fault is in it.",
        bad="smoke: 3   # and twelve faults",
        good="smoke: 24",
    ),
    error(
        "CL0806",
        "two cases with one id",
        why="A case id names one case for good; two chains must not end in the same name.",
        bad="two operators called not-owner",
        good="not-owner and not-owner-shipped",
    ),
    error(
        "CL0808",
        "hidden family in clear",
        why="A family that is to stay hidden must not be readable in the bundle; nothing seals it yet.",
        bad="families: {refund_normal: hidden}   # in a workspace that is committed",
        good="hidden_share: 0",
    ),
    error(
        "CL0820",
        "fault case without a twin",
        why="Without its fault the case has no answer, so nothing shows that the fault decides and not the base.",
        bad="fault: concurrent_modification   # mends the order that made the request impossible",
        good="a base that has an answer of its own",
    ),
    warning(
        "CL0821",
        "fault that changes nothing",
        why="With and without the fault an agent sees and does the same, so the case tests its twin once more.",
        bad="fault: dirty_state   # a record that nobody ever reads",
        good="leftovers in a listing that the agent has to read",
    ),
    warning(
        "CL0822",
        "refusal without a lift",
        why="If nothing that was changed would have made it a fulfilment, the refusal may hold for no reason at all.",
        bad="a refusal on a seed whose own lift no longer helps",
        good="changes that can be undone one by one until the request is fulfilled",
    ),
)
