"""Inputs that make no sense: each must be refused with an error, whatever its code, and never end in an exception."""

from planting import (
    DESK,
    EXTEND,
    GOAL,
    HANDED,
    OPEN_RULING,
    PLAIN_1,
    PREVAILING_RULING,
    PROCESS,
    RECORDS,
    RULING,
    SOURCES,
    TABLE,
    UNNAMED,
    change,
    op,
)

# fmt: off

SPLITS = "spec/policies/splits.yaml"
FEES = "fees_owed: {type: number, multipleOf: 0.10, minimum: 0}\n  loans"
RESULT = "=made.slip.slip_id"
LISTED = (UNNAMED, "args: {reader_id: P100}}", "args: {reader_id: P100}, as: all}")
LIST_HOLDS = "list_holds, args: {loan_id: L-101}"


def computed(text):
    """The reference of a seed with its answer computed from an earlier result."""
    return (PLAIN_1, RESULT, f'"={text}"')


def faulty(fault):
    """A seed with one more fault."""
    return (PLAIN_1, "expected:\n", f"faults:\n  - {fault}\nexpected:\n")


SCHEMAS = (
    change("step of zero", (RECORDS, FEES, FEES.replace("0.10", "0"))),
    change("negative step", (RECORDS, FEES, FEES.replace("0.10", "-0.10"))),
    change("pattern that is no pattern", (RECORDS, '"^P[0-9]{3}$"', '"^P[0-9"')),
    change("pattern that could run for ever", (RECORDS, '"^P[0-9]{3}$"', '"^(P+)+$"')),
    change("duration that is none", (RECORDS, "remark: {type: string}", "remark: {type: string, format: duration}"),
          (DESK, "renewals: 1, extra_days: 0}", "renewals: 1, extra_days: 0, remark: soon}")),
    change("reference in a list that dangles",
          (RECORDS, "remark: {type: string}", "remark: {type: array, items: {type: string, x-ref: readers}}"),
          (DESK, "renewals: 1, extra_days: 0}", "renewals: 1, extra_days: 0, remark: [P999]}")),
    change("bookkeeping of no field", (RECORDS, "bookkeeping: [remark]", "bookkeeping: [remarc]")),
    change("agent without a role", (RECORDS, "    role: {type: string}\n", ""), (RECORDS, "[role, longest", "[longest"),
          (DESK, "role: desk_assistant, ", "")),
    change("fixture's user that is no reader", (DESK, "user: {reader_id: P100", "user: {reader_id: P999")),
    change("clock before the first year", (DESK, '"2026-03-10T10:00:00Z"', '"0001-01-01T00:00:00+23:59"')),
    change("clock after the last year", (DESK, '"2026-03-10T10:00:00Z"', '"9999-12-31T23:59:59-23:59"')),
    change("number beyond all bounds",
           (PLAIN_1, "L-101, days: 14}\n    say", "L-101, days: 99999999999999999999999999}\n    say")),
    change("let that cannot be named", (GOAL, "  mine:", '  not.a-name: "1"\n  mine:')),
    change("input that is a word of the language",
           (TABLE, "  named:", "  in: {from: size(mine), type: int}\n  named:")),
    change("observation in error", (GOAL, "renewals: loan.renewals", "renewals: loan.renewals / 0")),
)

RULES = (
    change("rule that overrides itself", (TABLE, "then: fulfil\n", "then: fulfil\n    overrides: [renewal.ok]\n")),
    change("ruling in favour of a rule it is not about",
          (RULING, None, PREVAILING_RULING.replace("prevails: renewal.fees", "prevails: renewal.returned"))),
    change("ruling decided without a decision",
          (RULING, None, OPEN_RULING.replace("status: open", "status: decided"))),
    change("source superseded by none", (SOURCES, "title: Rules of lending\n",
          "title: Rules of lending\n    superseded_by: nowhere\n")),
    change("invariant keyed by a list", (PROCESS, "insert: slips, key: record.loan_id}\n  - id: nothing",
          'insert: slips, key: "[record.loan_id]"}\n  - id: nothing')),
    change("invariant keyed by a record", (PROCESS, "insert: slips, key: record.loan_id}\n  - id: nothing",
          "insert: slips, key: record}\n  - id: nothing")),
)

SEEDS = (
    change("answer that is a list", (PLAIN_1, RESULT, "[a]")),
    change("answer that is a mapping", (PLAIN_1, RESULT, "{a: b}")),
    change("answer computed to a list", computed("made.slip.slip_id.filter(x, x)")),
    change("text and number compared", computed("made.slip.days < made.slip.slip_id")),
    change("largest of text and number", computed("max([made.slip.days, made.slip.slip_id])")),
    change("member of a number", computed("'a' in made.slip.days")),
    change("field of a list", LISTED, (UNNAMED, LIST_HOLDS, "list_holds, args: {loan_id: =all.loan_id}")),
    change("item beyond the list", LISTED, (UNNAMED, LIST_HOLDS, 'list_holds, args: {loan_id: "=all[99].loan_id"}')),
    change("argument that is a list",
          (PLAIN_1, "get_loan, args: {loan_id: L-101}", "get_loan, args: {loan_id: [L-101]}")),
    change("reference without an answer",
          (PLAIN_1, "  - {respond: fulfil, says: {slip_id: =made.slip.slip_id}}\n", "")),
    change("reference that answers twice", (PLAIN_1, "reference:\n", "reference:\n  - {respond: refuse}\n")),
    change("tool offered twice", (PLAIN_1, "tools: [get_loan,", "tools: [get_loan, get_loan,")),
    change("slot both stated and known",
          (PLAIN_1, "    say: Please", "    knows: {days: 7}\n    say: Please")),
    change("record with its key overlaid",
           (HANDED, "overlay: {", "overlay: {loans.L-103.loan_id: L-104, ")),
    change("negative number of trials", (PLAIN_1, "ordinary_trials: 3", "ordinary_trials: -3")),
    change("misspelt assertion of a question that stays open",
          (UNNAMED, "    knows: {loan_id: L-101}\n", ""), (UNNAMED, "[clarify, fulfil]", "[clarify]"),
          (UNNAMED, "rule: renewal.ok", "rule: renewal.which_loan"), (UNNAMED, "state: {extra_days: 10, slips: 1}",
          "state: {}"), (UNNAMED, "slip.days == 10.0", "slip.dayz == 99.0"),
          (UNNAMED, "  - {call: list_holds, args: {loan_id: L-101}}\n", ""),
          (UNNAMED, "  - {call: extend_loan, args: {loan_id: L-101, days: 10, key: k1}, as: made}\n", ""),
          (UNNAMED, "{respond: fulfil, says: {slip_id: =made.slip.slip_id}}", "{respond: clarify}")),
    change("somebody changes a record that is not there",
          faulty("{fault: concurrent_modification, tool: extend_loan, patch: {loans.L-999.status: out}}")),
    change("injection into a record that is not there",
          faulty("{fault: injected_content, record: loans.L-999, field: remark, payload: x}")),
    change("injection that breaks a schema",
          faulty("{fault: injected_content, record: loan, field: status, payload: x}")),
    change("fault of a tool that is not offered", faulty("{fault: timeout_before_execution, tool: file_note}")),
)

CASES = (
    change("change of nothing there is", (op("fees-boundary"), "changes: [user.fees_owed]",
          "changes: [user.fees_owed, nonsense.x]"), compiles=True),
    change("operator sets a time before the first year",
          (op("already-returned"), "loan.status: returned", "loan.due_at: '0001-01-01T00:00:00+23:59'"), compiles=True),
    change("operator injects into a record that is not there",
          (op("remark-with-orders"), "record: loan,", "record: loans.L-999,"), compiles=True),
    change("operator in error on a tool",
          (EXTEND, "+ args.days,", "+ args.days * (28.0 - args.days) / (28.0 - args.days),"),
          needs=("days-boundary",), compiles=True),
    change("fault that strikes too late", (op("lost-answer"), "tool: extend_loan}", "tool: extend_loan, nth: 9}"),
           compiles=True),
)

NONSENSE = (*SCHEMAS, *RULES, *SEEDS, *CASES)
