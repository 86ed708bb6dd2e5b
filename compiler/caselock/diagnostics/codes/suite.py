"""Codes CL12xx: the suite as a whole - duplicates, distribution, coverage."""

from caselock.diagnostics.code import error, note, warning

SUITE = (
    error(
        "CL1201",
        "one situation, two answers",
        why="The same words in the same world cannot call for two behaviours; no agent can pass both cases.",
        bad='goal: refund_order, say: "Cancel {order_id}"   # and the same words under goal: cancel_order',
        good='say: "Cancel {order_id} and refund me"',
    ),
    note(
        "CL1202",
        "duplicates left out",
        why="Cases of one signature test one thing; more of them than the policy's cap only make it count double.",
        bad="cap: 1   # and two seeds with one signature, each with its typo",
        good="cap: 2",
    ),
    error(
        "CL1203",
        "target that no case can meet",
        why="A target for a value that does not exist would be missed for ever, and hide the one that was meant.",
        bad="shares: {stratum: {hapy: 0.4}}",
        good="shares: {stratum: {happy: 0.4}}",
    ),
    warning(
        "CL1204",
        "distribution missed",
        why="A suite that is too small or one-sided says little of what it leaves out, whatever its score.",
        bad="shares: {stratum: {adversarial: 0.2}}   # and 3 of 200 cases are",
        good="seeds and operators that add adversarial cases",
    ),
    error(
        "CL1205",
        "distribution missed in a release",
        why="The profile release says that this suite is what decides, so its targets must be met.",
        bad="profile: release   # with 12 cases",
        good="profile: starter",
    ),
    error(
        "CL1206",
        "waiver of what needs none",
        why="A waiver for values that do not exist, or that meet in a case, hides that nothing is missing.",
        bad="values: {goal: refund_order, risk: low}   # and cases have both",
        good="waivers: []",
    ),
    warning(
        "CL1207",
        "waiver that is over",
        why="Nobody answers for the hole any longer: it counts as unreached.",
        bad="until: 2026-01-31   # and the fixtures are at 2026-03-02",
        good="until: 2026-06-30",
    ),
)
