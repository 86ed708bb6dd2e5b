"""Changes of the library workspace that are in order: not one finding may come of them."""

from planting import (
    DECIDED_RULING,
    GET,
    GOAL,
    HANDED,
    OPEN_RULING,
    PLAIN_1,
    PLAIN_2,
    PREVAILING_RULING,
    RULING,
    TABLE,
    TAXONOMY,
    change,
    op,
)

# fmt: off
BAD_DAYS = """\
  - id: renewal.bad_days
    version: "1"
    title: A loan is extended by a day or more
    when: owned && days < 1.0
    then: refuse
    reason: bad_days
    overrides: [renewal.late, renewal.fees, renewal.too_often]
    because: [lending_rules_2026#extending]
"""
OVERRIDES_OF_FEES = "    overrides: [renewal.too_often, renewal.too_long, renewal.how_long]\n"
OWES_AND_RENEWED = "overlay: {user.fees_owed: 12.50, loans.L-101.renewals: 3}"

SLIPS_TOO = 'returns: {loan: "=loans[args.loan_id]", slips: "=slips.filter(s, s.loan_id == args.loan_id)"}'
ONE_RULE = (TABLE, "when: 'owned && days > longest'", "when: owned && (days < 1.0 || days > longest)")

SOUND = (
    change("the library as it is"),
    change("decided ruling", (RULING, None, DECIDED_RULING)),
    change("open ruling that no seed depends on",
          (RULING, None, OPEN_RULING.replace("lending_rules_2026#declining, lending_rules_2026#whose",
           "desk_api_1#notes").replace("renewal.fees", "renewal.unknown_loan"))),
    change("overlap settled by a ruling", (RULING, None, PREVAILING_RULING), (TABLE, OVERRIDES_OF_FEES, ""),
          (HANDED, "overlay: {user.fees_owed: 12.50}", OWES_AND_RENEWED),
          (HANDED, "lift: {user.fees_owed: 10.00}", "lift: {user.fees_owed: 10.00, loans.L-101.renewals: 2}")),
    change("overlap settled by an override", (HANDED, "overlay: {user.fees_owed: 12.50}", OWES_AND_RENEWED),
          (HANDED, "lift: {user.fees_owed: 10.00}", "lift: {user.fees_owed: 10.00, loans.L-101.renewals: 2}")),
    change("rules that agree under hit policy any", (TABLE, "hit_policy: unique", "hit_policy: any"),
          (TABLE, "when: owned && fees > ceiling\n", "when: owned && fees > ceiling && fees <= ceiling + 5.0\n"),
          (TABLE, "[renewal.held, renewal.bad_days,", "[renewal.owing, renewal.held, renewal.bad_days,"),
          (TABLE, "[renewal.bad_days, ", "[renewal.owing, renewal.bad_days, "),
          (TABLE, "[renewal.late, ", "[renewal.owing, renewal.late, "),
          (TABLE, "[renewal.fees, ", "[renewal.owing, renewal.fees, "),
          (TABLE, "  - id: renewal.too_often\n",
           '  - id: renewal.owing\n    version: "1"\n    title: Owing is owing\n'
           "    when: owned && fees > ceiling + 1.0\n    then: escalate\n    reason: fees_owed\n"
           "    overrides: [renewal.too_often, renewal.too_long, renewal.how_long]\n"
           "    because: [lending_rules_2026#fees]\n  - id: renewal.too_often\n")),
    change("error that belongs to the case",
          (PLAIN_2, "fault: committed_response_lost", "fault: timeout_before_execution"),
          (PLAIN_2, "extend_loan: committed_response_lost}", "extend_loan: timeout_before_execution}")),
    change("hand-over without the note tool",
          (HANDED, "tools: [get_loan, list_holds, extend_loan, file_note]\nlift",
           "tools: [get_loan, list_holds, extend_loan]\nlift"),
          (HANDED, "allowed_actions: [get_loan, list_holds, extend_loan, file_note]",
           "allowed_actions: [get_loan, list_holds, extend_loan]"),
          (HANDED, "  - {call: file_note, args: {kind: handed_over, reason: fees_owed}}\n", ""),
          (HANDED, "notes: 1}", "notes: 0}"),
          (HANDED, "  assertions:\n    - {that: \"note.kind == 'handed_over'\"}\n", "")),
    change("seed that is disputed for a reason",
          (PLAIN_1, "locale: en\n", "locale: en\nstatus: disputed\nstatus_reason: Unclear.\n"), allows=("CL0805",)),
    change("seed that is retired for a reason",
          (PLAIN_2, "locale: en\n", "locale: en\nstatus: retired\nstatus_reason: Old.\n"), allows=("CL0805",)),
    change("assertion as the contract words it",
          (PLAIN_1, "that: slip.days == 14.0", "that: slip.days == request.days")),
    change("more reads than needed",
          (PLAIN_1, "reference:\n", "reference:\n  - {call: list_loans, args: {reader_id: P100}}\n")),
    change("fees exactly at the ceiling",
          (PLAIN_1, "fixture: desk\n", "fixture: desk\noverlay: {user.fees_owed: 10.00}\n")),
    change("decimal written as text", (HANDED, "user.fees_owed: 12.50", 'user.fees_owed: "12.50"')),
    change("words of another script around the slots", (PLAIN_2, "say: Could you extend", "say: Könnten Sie 请")),
    change("whole number as a slot", (GOAL, "days: {type: number, multipleOf: 1,", "days: {type: integer,"),
           (TABLE, "{from: request.days, type: decimal, step: 1}", "{from: request.days, type: int}")),
    change("evidence that a regression seed cites",
          (PLAIN_2, "provenance: {kind: authored}",
           'provenance: {kind: regression, tag: double_slip, evidence: desk_api_1#retries, first_fixed: "2"}'),
           (TAXONOMY, None, "taxonomy:\n  - {tag: double_slip, title: One wish made two slips.}\n")),
    change("lost answer that only a repeat recovers", (GET, SLIPS_TOO, "returns: =loans[args.loan_id]"),
           needs=("lost-answer",), compiles=True),
    change("one rule with two thresholds of an input", ONE_RULE, (TABLE, BAD_DAYS, ""),
           (TABLE, "[renewal.held, renewal.bad_days,", "[renewal.held,"), (TABLE, "[renewal.bad_days, ", "["),
           (op("days-boundary"), "aims_at: [renewal.too_long, renewal.bad_days]", "aims_at: [renewal.too_long]"),
           compiles=True),
)
