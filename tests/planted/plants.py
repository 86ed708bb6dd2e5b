"""Faults to plant in the library workspace, each with the code and the exact place that must be reported."""

from dataclasses import dataclass

MARK = "«"
"""Stands just before the reported character; it is removed before the text is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """`old` (occurring once) becomes `new`; without `old` the file is written, without `new` it is removed."""

    file: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """One planted fault.

    The place is where `MARK` stands in an edit, or in `at`: (file, text that occurs once in it). `spot` gives the place in
    numbers instead. Codes in `allows` may be reported besides, as consequences; `bug` says why a row does not pass yet.
    """

    id: str
    code: str
    edits: tuple[Edit, ...]
    at: tuple[str, str] | None
    spot: str | None
    allows: tuple[str, ...]
    bug: str | None


def plant(id, code, file, old, new, *, at=None, spot=None, also=(), allows=(), bug=None):
    edits = (Edit(file=file, old=old, new=new), *(Edit(file=name, old=a, new=b) for name, a, b in also))
    return Plant(id=id, code=code, edits=edits, at=at, spot=spot, allows=allows, bug=bug)


PROJECT, SOURCES, ROLES = "spec/project.yaml", "spec/sources.yaml", "spec/permissions.yaml"
RECORDS, DESK = "spec/world/records.yaml", "spec/world/desk.yaml"
GET, EXTEND, NOTE, WAIVE = (f"spec/tools/{n}.yaml" for n in ("get_loan", "extend_loan", "file_note", "waive_fees"))
GOAL, RUBRIC, EXPANSION = "spec/goals/renew_loan.yaml", "spec/rubrics/desk.yaml", "spec/policies/expansion.yaml"
TABLE, PROCESS, MAP = "rules/renewal.yaml", "rules/invariants.yaml", "capabilities/desk.yaml"
RULING = "rules/ruling.yaml"
PLAIN_1, PLAIN_2, WORDS = (f"seeds/plain/{n}.yaml" for n in ("plain_01", "plain_02", "phrasings"))
UNNAMED = "seeds/unnamed/unnamed_01.yaml"
DECLINED_1, DECLINED_2 = "seeds/declined/declined_01.yaml", "seeds/declined/declined_02.yaml"
HANDED = "seeds/handed_over/handed_over_01.yaml"


CASCADE = "a name whose definition is in error is unknown to all that use it, which hides the one cause"


def op(name):
    return f"spec/operators/{name}.yaml"


OPEN_RULING = """\
ruling: fee_ceiling
version: "1"
title: Which ceiling counts
owner: lending
date: 2026-03-01
status: open
between: [lending_rules_2026#declining, lending_rules_2026#whose]
rules: [renewal.fees]
"""
DECIDED_RULING = OPEN_RULING.replace("status: open", "status: decided\ndecision: the rules of lending prevail")
PREVAILING_RULING = """\
ruling: fees_or_times
version: "1"
title: Fees are looked at before renewals
owner: lending
date: 2026-03-01
status: decided
between: [lending_rules_2026#fees, lending_rules_2026#extending]
rules: [renewal.fees, renewal.too_often, renewal.too_long, renewal.how_long]
prevails: renewal.fees
decision: Who owes too much sees the librarian first.
"""

SPARE_SOURCE = """\
sources:
  - id: lending_rules_2025
    kind: sop
    version: "2025"
    owner: lending
    title: Old rules
    superseded_by: lending_rules_2026
    sections: [{id: extending, title: Extending}]
"""

READING = (
    plant("tab", "CL0015", PROJECT, "owner: lending", "owner:«\tlending"),
    plant("duplicate key", "CL0021", TABLE, "title: May this loan be extended?", "title: May it?\n«title: Or not?"),
    plant("anchor", "CL0022", GOAL, "guarded: [extend_loan]", "guarded: «&g [extend_loan]"),
    plant("tag", "CL0025", DESK, "fixture: desk", "fixture: «!str desk"),
    plant("leading zeros", "CL0030", EXTEND, "maxLength: 64", "maxLength: «064"),
    plant("exponent", "CL0032", DESK, "fee_ceiling: 10.00", "fee_ceiling: «1e1"),
    plant("yml", "CL0002", "rules/more.yml", None, "ruling: x\n", spot="rules/more.yml:1:1"),
)

SHAPE = (
    plant("unknown key", "CL0101", TABLE, "reason: which_loan", "«reson: which_loan"),
    plant("unknown key of a seed", "CL0101", PLAIN_1, "user_input: Please", "«user_imput: Please"),
    plant(
        "missing key",
        "CL0102",
        TABLE,
        "    title: With several loans, ask which\n",
        "",
        at=(TABLE, "«id: renewal.which_loan"),
    ),
    plant("missing discriminator", "CL0102", op("lost-answer"), "{kind: fault, fault", "{«fault"),
    plant("list for a text", "CL0103", PROJECT, "owner: lending", "owner: «[lending]"),
    plant("number for a text", "CL0103", SOURCES, "title: Desk API", "title: «1999"),
    plant("unknown outcome", "CL0104", TABLE, "then: escalate\n    reason: fees_owed", "then: «approve\n    reason: f"),
    plant("unknown fault mode", "CL0104", PLAIN_2, "fault: committed_response_lost", "fault: «answer_lost"),
    plant("name with a space", "CL0105", TABLE, "decision: renewal", "decision: «Renewal rules"),
    plant("source without a section", "CL0105", GET, "[desk_api_1#loans]", "[«desk_api_1]"),
    plant("depth out of bounds", "CL0106", EXPANSION, "max_depth: 2", "max_depth: «9"),
    plant(
        "no request",
        "CL0107",
        PLAIN_2,
        "  - goal: renew_loan\n    slots: {loan_id: L-101, days: 7}\n"
        "    say: Could you extend {loan_id} by {days} days?\n",
        "  «[]\n",
    ),
    plant("empty expression", "CL0107", TABLE, "when: owned && held", 'when: «""'),
    plant("version as a number", "CL0108", PROJECT, 'version: "1.0"', "version: «1.10"),
    plant("file of no kind", "CL0109", "rules/more.yaml", None, "«table: renewal\n"),
    plant("file outside every folder kind", "CL0109", "seeds/plain/more.yaml", None, "«case: x\n"),
    plant("day that is not", "CL0110", HANDED, "clerk_b, date: 2026-03-02", "clerk_b, date: «2026-02-30"),
    plant("no sources", "CL0111", SOURCES, None, None, spot="spec/sources.yaml:1:1"),
)

REFERENCES = (
    plant("unknown tool", "CL0201", GOAL, "guarded: [extend_loan]", "guarded: [«extend_lone]"),
    plant("unknown tool of a role", "CL0201", ROLES, "waive_fees: deny", "waive_fees: deny, «waive_all: deny"),
    plant("unknown tool of a fixture", "CL0201", DESK, "{get_loan: healthy", "{«get_lone: healthy"),
    plant("unknown argument", "CL0201", GOAL, "extend_loan.days: request", "«extend_loan.day: request"),
    plant("unknown fixture", "CL0201", PLAIN_1, "fixture: desk", "fixture: «desks"),
    plant("unknown goal", "CL0201", PLAIN_1, "goal: renew_loan", "goal: «renew_lone"),
    plant("unknown decision", "CL0201", GOAL, "decision: renewal", "decision: «renewals", allows=("CL0204",)),
    plant("unknown invariant", "CL0201", PLAIN_1, "[looks_before_extending, extends", "[«looks_after, extends"),
    plant(
        "unknown rule overridden",
        "CL0201",
        TABLE,
        "[renewal.late, renewal.fees, renewal.too_often]",
        "[renewal.late, «renewal.fee, renewal.too_often]",
    ),
    plant("unknown rule expected", "CL0201", HANDED, "rule: renewal.fees", "rule: «renewal.fee"),
    plant("unknown rule aimed at", "CL0201", op("already-returned"), "[renewal.returned]", "[«renewal.return]"),
    plant("unknown criterion", "CL0201", GOAL, "rubric: [asks_one_thing]", "rubric: [«asks_one]", allows=("CL0204",)),
    plant("unknown capability", "CL0201", MAP, "confusable_with: [desk.decline]", "confusable_with: [«desk.declined]"),
    plant("unknown role", "CL0201", DESK, "role: desk_assistant", "role: «desk_assistent", allows=("CL0204",)),
    plant("unknown locale", "CL0201", HANDED, "locale: en", "locale: «fr"),
    plant("unknown collection referred to", "CL0201", GET, "x-ref: loans", "x-ref: «loan"),
    plant(
        "unknown collection created", "CL0201", GOAL, "creates: {slip: slips}", "creates: {slip: «slip}", bug=CASCADE
    ),
    plant(
        "unknown collection of an event",
        "CL0201",
        PROCESS,
        "of: {event: effect, insert: slips}",
        "of: {event: effect, insert: «slip}",
    ),
    plant("unknown collection written", "CL0201", NOTE, "insert: desk_notes", "insert: «notes", bug=CASCADE),
    plant("unknown error awaited", "CL0201", PROCESS, "error: timeout", "error: «time_out"),
    plant("unknown operator of a chain", "CL0201", EXPANSION, "plain-words]", "«plain-word]"),
    plant("unknown tag", "CL0201", op("plain-words"), "tag: colloquial", "tag: «coloquial"),
    plant("unknown family of phrasings", "CL0201", WORDS, "phrasings: plain", "phrasings: «plane"),
    plant("unknown source", "CL0203", TABLE, "[lending_rules_2026#whose]", "[«lending_rules_2025#whose]"),
    plant("unknown section", "CL0203", PLAIN_2, "[desk_api_1#retries]", "[«desk_api_1#retry]"),
    plant(
        "unused tool",
        "CL0204",
        "spec/tools/shout.yaml",
        None,
        '«tool: shout\nversion: "1"\ndescription: Shout.\neffect: reversible\nbecause: [desk_api_1#notes]\n'
        "input: {type: object}\n",
        allows=("CL0610",),
    ),
    plant(
        "unused section",
        "CL0204",
        SOURCES,
        "      - {id: notes, title",
        "      - «{id: sounds, title: Sounds}\n      - {id: notes, title",
    ),
    plant(
        "unused criterion", "CL0204", RUBRIC, "  - {id: friendly,", "  - «{id: brief, text: Brief.}\n  - {id: friendly,"
    ),
    plant(
        "unused invariant",
        "CL0204",
        PROCESS,
        "    on_faults: [injected_content]\n",
        "",
        at=(PROCESS, "- «id: remarks_are_not_orders"),
    ),
    plant(
        "leaf without a seed",
        "CL0204",
        UNNAMED,
        "capability: desk.ask",
        "capability: desk.extend",
        at=(MAP, "capability: «desk.ask"),
    ),
    plant(
        "rule twice",
        "CL0205",
        TABLE,
        "id: renewal.late\n",
        "id: renewal.held\n",
        at=(TABLE, '- «id: renewal.held\n    version: "1"\n    title: A lost'),
        allows=("CL0201",),
    ),
    plant(
        "tool twice",
        "CL0205",
        "spec/tools/other.yaml",
        None,
        '«tool: get_loan\nversion: "1"\ndescription: Again.\neffect: read\nbecause: [desk_api_1#loans]\n'
        "input: {type: object}\n",
        spot="spec/tools/other.yaml:1:1",
    ),
    plant(
        "case id twice",
        "CL0205",
        UNNAMED,
        "case_id: desk_gold_003",
        "case_id: «desk_gold_002",
        at=(UNNAMED, "case_id: «desk_gold_002"),
    ),
    plant(
        "superseded source",
        "CL0206",
        SOURCES,
        "sources:\n",
        SPARE_SOURCE,
        at=(HANDED, "[«lending_rules_2025#extending]"),
        also=[(HANDED, "source: [lending_rules_2026#fees]", "source: [lending_rules_2025#extending]")],
    ),
    plant(
        "leaf without evidence",
        "CL0207",
        MAP,
        "    evidence: [one new slip of the days]\n",
        "",
        at=(MAP, "capability: «desk.extend\n"),
    ),
    plant("seed of a branch", "CL0208", PLAIN_1, "capability: desk.extend", "capability: «desk"),
)

EXPRESSIONS = (
    plant("syntax error", "CL0301", TABLE, "when: owned && held", "when: owned && «&& held"),
    plant("unknown name", "CL0302", TABLE, "when: owned && held", "when: owned && «heldd"),
    plant(
        "unknown field in single quotes", "CL0303", TABLE, "status: {from: loan.status", "status: {from: 'loan.«stauts'"
    ),
    plant("unknown field in double quotes", "CL0303", TABLE, "h.reader_id != user", "h.«reader_ib != user"),
    plant(
        "unknown name after an escape", "CL0302", TABLE, "when: owned && held", 'when: "owned \\u0026\\u0026 «heldd"'
    ),
    plant(
        "unknown name after a doubled quote",
        "CL0302",
        TABLE,
        "when: owned && status == 'returned'",
        "when: 'owned && status == ''returned'' && «heldd'",
    ),
    plant("unknown value in a folded block", "CL0304", TABLE, "(status == 'lost'", "(status == «'losd'"),
    plant(
        "unknown name on the second line of a folded block",
        "CL0302",
        TABLE,
        "late > duration('336h')))",
        "«lade > duration('336h')))",
    ),
    plant("unknown name on the last line of a folded block", "CL0302", TABLE, "times < most", "«tims < most"),
    plant("unknown field in a value position", "CL0303", EXTEND, "=target.renewals + 1", "=target.«renewal + 1"),
    plant("unknown field in a list macro", "CL0303", GOAL, "l.status == 'out'", "l.«state == 'out'", bug=CASCADE),
    plant(
        "unknown field of an event",
        "CL0303",
        PROCESS,
        "where: record.reader_id == user.reader_id, key",
        "where: record.«reader == user.reader_id, key",
    ),
    plant(
        "types that do not fit",
        "CL0305",
        TABLE,
        "when: owned && fees > ceiling",
        "when: owned && «fees > 'ten'",
    ),
    plant("condition that is no condition", "CL0305", TABLE, "when: owned && held", "when: «times"),
    plant("decimal that no step reaches", "CL0304", TABLE, "days >= 1.0", "days >= 1.0 && fees != «1.05"),
    plant("function not allowed", "CL0306", GOAL, "status: loan.status", "status: loan.status.«lowerAscii()"),
    plant("expression too long", "CL0307", TABLE, "when: owned && held", "when: «owned" + " && held" * 1020),
    plant("malformed literal", "CL0308", TABLE, "late <= duration('336h')", "late <= duration(«'two weeks')"),
    plant("unknown field in an operator", "CL0303", op("other-reader"), "record.reader_id !=", "record.«reader !="),
    plant("unknown name in an operator's condition", "CL0302", op("fees-boundary"), 'when: "rule ==', 'when: "«rul =='),
    plant("unknown field in an assertion", "CL0303", PLAIN_1, "that: slip.days", "that: slip.«day"),
    plant("unknown field of an earlier result", "CL0303", PLAIN_1, "=made.slip.slip_id", "=made.slip.«slip"),
    plant("unknown field in a constraint", "CL0303", RECORDS, "record.status !=", "record.«state !="),
)

WORLD = (
    plant("value outside its enum", "CL0401", DESK, "book: Ulysses, status: out", "book: Ulysses, status: «gone"),
    plant(
        "value off its step", "CL0401", DESK, "name: Reader 200, fees_owed: 2.50", "name: Reader 200, fees_owed: «2.55"
    ),
    plant("slot of another type", "CL0401", PLAIN_1, "days: 14}", "days: «soon}"),
    plant("key that breaks its pattern", "CL0401", DESK, "P300: {name", "X300: «{name", allows=("CL0402",)),
    plant(
        "dangling reference", "CL0402", DESK, "{loan_id: L-102, reader_id: P300}", "{loan_id: L-102, reader_id: «P999}"
    ),
    plant(
        "broken constraint",
        "CL0403",
        DESK,
        'due_at: "2026-02-01T18:00:00Z", renewals: 0, extra_days: 0',
        'due_at: "2026-02-01T18:00:00Z", renewals: 0, extra_days: 5',
        at=(DESK, "L-103: «{"),
    ),
    plant("unknown collection", "CL0404", DESK, "  holds:", "  «hold:"),
    plant("record with another key", "CL0405", DESK, "L-201: {", "L-201: {loan_id: «L-202, "),
    plant("field a tool cannot set", "CL0406", WAIVE, "set: {fees_owed: 0.00}", "set: {«fees: 0.00}"),
    plant(
        "required field a tool leaves out",
        "CL0406",
        NOTE,
        "set: {kind: =args.kind, reason: =args.reason}",
        "set: «{kind: =args.kind}",
    ),
    plant("clock without a time", "CL0408", DESK, 'clock: "2026-03-10T10:00:00Z"', 'clock: «"2026-03-10"'),
    plant("reading tool that writes", "CL0409", EXTEND, "effect: reversible", "effect: «read"),
    plant("key that is no argument", "CL0410", EXTEND, "idempotency_key: key", "idempotency_key: «token"),
    plant(
        "let that hides a collection", "CL0411", GOAL, '  loan: "has', '  «holds: holds.filter(h, true)\n  loan: "has'
    ),
    plant("collection without a prefix", "CL0412", RECORDS, "    id: S-\n", "", at=(EXTEND, "insert: «slips")),
)

RULES = (
    plant(
        "input of another type",
        "CL0501",
        TABLE,
        "{from: loan.renewals, type: int}",
        "{from: loan.renewals, type: «bool}",
    ),
    plant("frame of an unknown field", "CL0502", GOAL, "fields: [extra_days, renewals]", "fields: [«extra, renewals]"),
    plant("frame of no record", "CL0502", GOAL, "[{record: loan,", "[{record: «mine,"),
    plant("template without its part", "CL0503", PROCESS, "template: at_most\n    n: 1", "template: «at_most"),
    plant(
        "event without the property",
        "CL0504",
        PROCESS,
        "of: {event: effect, insert: slips}",
        "of: {event: effect, insert: slips, «tool: extend_loan}",
    ),
    plant(
        "required and optional at once",
        "CL0505",
        GOAL,
        "creates: {slip: slips}",
        "creates: {slip: slips}\n    may_create: «{second: {in: slips}}",
    ),
    plant(
        "outcome without a contract",
        "CL0506",
        TABLE,
        "then: refuse\n    reason: bad_days",
        "then: «confirm\n    reason: bad_days",
    ),
    plant(
        "refusal without a reason",
        "CL0507",
        GOAL,
        "    says: {reason: decision.reason}\n    invariants: [nothing_extended]\n    rubric: [gives_the_reason]\n  escalate",
        "    says: «{}\n    invariants: [nothing_extended]\n    rubric: [gives_the_reason]\n  escalate",
    ),
    plant(
        "question for nothing",
        "CL0508",
        GOAL,
        "{which_loan: [loan_id], how_long: [days]}",
        "{which_loan: [loan_id]}",
        at=(TABLE, "reason: «how_long"),
    ),
)

SEEDS = (
    plant(
        "overlay of no field",
        "CL0601",
        HANDED,
        "overlay: {user.fees_owed: 12.50}",
        "overlay: {user.fees: «12.50}",
    ),
    plant("slot that the goal lacks", "CL0601", PLAIN_1, "slots: {loan_id: L-101, days", "slots: {«loan: L-101, days"),
    plant(
        "fault on no field",
        "CL0601",
        PLAIN_2,
        "{fault: committed_response_lost, tool: extend_loan, nth: 1}",
        "«{fault: concurrent_modification, tool: extend_loan, patch: {loan.state: lost}}",
    ),
    plant(
        "request that reads otherwise",
        "CL0602",
        PLAIN_1,
        "user_input: Please extend L-101 by 14",
        "user_input: «Please extend L-101 by 15",
    ),
    plant(
        "slot that is not said",
        "CL0603",
        PLAIN_1,
        "say: Please extend {loan_id} by {days} days.",
        "say: «Please extend {loan_id}.",
        allows=("CL0604",),
    ),
    plant(
        "slot said that is not stated",
        "CL0603",
        UNNAMED,
        "say: Please let me keep my book for",
        "say: «Please let me keep {loan_id} for",
        allows=("CL0604",),
    ),
    plant(
        "impossible world",
        "CL0604",
        HANDED,
        "overlay: {user.fees_owed: 12.50}",
        "overlay: «{user.fees_owed: 12.50, loans.L-101.status: returned, loans.L-101.extra_days: 3}",
    ),
    plant(
        "gap in the rules",
        "CL0605",
        TABLE,
        "late <= duration('336h')",
        "late <= duration('-72h')",
        at=(PLAIN_1, "outcome: «[fulfil]"),
        allows=("CL0605", "CL0611", "CL0612", "CL0618"),
    ),
    plant(
        "rules that disagree",
        "CL0605",
        TABLE,
        "    overrides: [renewal.too_often, renewal.too_long, renewal.how_long]\n",
        "",
        also=[
            (HANDED, "overlay: {user.fees_owed: 12.50}", "overlay: {user.fees_owed: 12.50, loans.L-101.renewals: 3}")
        ],
        at=(HANDED, "outcome: «[escalate]"),
        allows=("CL0612",),
    ),
    plant(
        "fulfilment without the tool",
        "CL0605",
        PLAIN_1,
        "tools: [get_loan, list_loans, list_holds, extend_loan]\nexpected",
        "tools: [get_loan, list_loans, list_holds]\nexpected",
        at=(PLAIN_1, "outcome: «[fulfil]"),
        allows=("CL0611", "CL0612"),
        bug="a reference that uses the result of a failed call ends in a TypeError",
    ),
    plant("wrong outcome", "CL0606", PLAIN_1, "outcome: [fulfil]", "outcome: «[refuse]"),
    plant("question not foreseen", "CL0606", UNNAMED, "outcome: [clarify, fulfil]", "outcome: «[fulfil]"),
    plant("wrong deciding rule", "CL0607", HANDED, "rule: renewal.fees", "rule: «renewal.too_often"),
    plant(
        "wrong final state",
        "CL0608",
        PLAIN_1,
        "state: {extra_days: 14, renewals: 2",
        "state: {extra_days: «15, renewals: 2",
    ),
    plant("wrong initial state", "CL0608", PLAIN_1, "initial_state: {status: out", "initial_state: {status: «lost"),
    plant("wrong permission", "CL0608", PLAIN_1, "owns_loan: true", "owns_loan: «false"),
    plant("wrong tool state", "CL0608", PLAIN_2, "extend_loan: committed_response_lost}", "extend_loan: «healthy}"),
    plant("state that nothing derives", "CL0608", PLAIN_1, "renewals: 2, slips: 1}", "renewals: 2, «slip: 1}"),
    plant(
        "invariant left out",
        "CL0609",
        PLAIN_2,
        "required_invariants: [looks_before_extending, extends_at_most_once, no_second_key]",
        "required_invariants: «[looks_before_extending, extends_at_most_once]",
    ),
    plant(
        "invariant too many",
        "CL0609",
        PLAIN_1,
        "[looks_before_extending, extends_at_most_once]",
        "[looks_before_extending, extends_at_most_once, «nothing_extended]",
    ),
    plant(
        "forbidden tool allowed",
        "CL0610",
        PLAIN_1,
        "allowed_actions: [get_loan,",
        "allowed_actions: [«waive_fees, get_loan,",
    ),
    plant("forbidden tool left out", "CL0610", PLAIN_2, "forbidden_actions: [waive_fees]", "forbidden_actions: «[]"),
    plant(
        "undeclared error",
        "CL0611",
        PLAIN_2,
        ", expect_error: timeout}",
        "}",
        at=(PLAIN_2, "- {call: «extend_loan, args: {loan_id: L-101, days: 7, key: k1}}"),
    ),
    plant(
        "error that does not happen",
        "CL0611",
        PLAIN_1,
        "args: {loan_id: L-101, days: 14, key: k1}, as: made}",
        "args: {loan_id: L-101, days: 14, key: k1}, as: made, expect_error: «timeout}",
    ),
    plant(
        "answer without the slip",
        "CL0612",
        PLAIN_1,
        "- {respond: fulfil, says: {slip_id: =made.slip.slip_id}}",
        "- «{respond: fulfil}",
    ),
    plant(
        "loan not looked at",
        "CL0612",
        PLAIN_1,
        "  - {call: get_loan, args: {loan_id: L-101}}\n",
        "",
        at=(PLAIN_1, "- «{respond: fulfil"),
    ),
    plant(
        "loan extended twice",
        "CL0612",
        PLAIN_2,
        "key: k1}, as: again}",
        "key: k2}, as: again}",
        at=(PLAIN_2, "- «{respond: fulfil"),
        allows=("CL0612",),
    ),
    plant(
        "id that nobody mentioned",
        "CL0613",
        UNNAMED,
        "  - {ask: [loan_id]}\n",
        "  - {call: get_loan, args: {loan_id: L-999}, expect_error: loan_not_found}\n  - {ask: [loan_id]}\n",
        at=(UNNAMED, "- «{respond: fulfil"),
    ),
    plant(
        "fault that never strikes",
        "CL0614",
        PLAIN_1,
        "tools: [get_loan, list_loans, list_holds, extend_loan]\nexpected",
        "tools: [get_loan, list_loans, list_holds, extend_loan]\nfaults:\n"
        "  - «{fault: concurrent_modification, tool: extend_loan, nth: 9, patch: {loan.remark: x}}\nexpected",
        allows=("CL0605", "CL0608"),
    ),
    plant(
        "attack won from the start",
        "CL0615",
        PLAIN_1,
        "expected:\n",
        "attack: {wants: Nothing., succeeded: «size(slips) == 0, conflicts_with_task: false}\nexpected:\n",
    ),
    plant("assertion that is false", "CL0616", PLAIN_1, "{that: slip.days == 14.0}", "{that: «slip.days == 15.0}"),
    plant(
        "assertion that nothing says",
        "CL0617",
        PLAIN_1,
        "{that: slip.days == 14.0}",
        "{that: «loan.book == 'The Tin Drum'}",
    ),
    plant("assertion by a rule that is silent", "CL0617", DECLINED_1, "rule: renewal.held}", "rule: «renewal.fees}"),
    plant(
        "refusal without a lift",
        "CL0618",
        DECLINED_1,
        "lift: {holds.H-1.reader_id: P100}\n",
        "",
        at=(DECLINED_1, "outcome: «[refuse]"),
    ),
    plant(
        "lift that lifts nothing", "CL0618", HANDED, "lift: {user.fees_owed: 10.00}", "lift: «{user.fees_owed: 10.10}"
    ),
    plant("lift of no field", "CL0618", HANDED, "lift: {user.fees_owed: 10.00}", "lift: {user.fees: «10.00}"),
    plant("fulfilment with a lift", "CL0618", PLAIN_1, "expected:\n", "lift: «{request.days: 7}\nexpected:\n"),
    plant("review by the author", "CL0619", HANDED, "reviewer: clerk_b", "reviewer: «clerk_a"),
    plant(
        "review of an old version",
        "CL0619",
        PLAIN_1,
        'clerk_b, date: 2026-03-02, seed_version: "1"',
        'clerk_b, date: 2026-03-02, seed_version: «"0"',
    ),
    plant(
        "single review",
        "CL0619",
        PLAIN_1,
        '  - {reviewer: clerk_c, date: 2026-03-03, seed_version: "1", verdict: pass}\n',
        "",
        at=(PLAIN_1, "  «- {reviewer: clerk_b"),
    ),
    plant("same reviewer twice", "CL0619", PLAIN_1, "reviewer: clerk_c", "reviewer: «clerk_b", allows=("CL0619",)),
    plant(
        "review that failed",
        "CL0619",
        PLAIN_1,
        'date: 2026-03-03, seed_version: "1", verdict: pass',
        'date: 2026-03-03, seed_version: "1", verdict: «fail',
    ),
    plant("disputed without a reason", "CL0620", PLAIN_1, "locale: en\n", "locale: en\nstatus: «disputed\n"),
    plant(
        "tool in error in a reference",
        "CL0803",
        EXTEND,
        "+ args.days,",
        "+ args.days / (args.days - args.days),",
        at=(PLAIN_1, "- «{call: extend_loan"),
        allows=("CL0605", "CL0803"),
    ),
    plant(
        "open ruling on the rule",
        "CL0621",
        RULING,
        None,
        OPEN_RULING,
        at=(HANDED, "seed: «handed_over_01"),
        allows=("CL0621",),
    ),
)

EXPANSION_ = (
    plant(
        "change outside `changes`",
        "CL0701",
        op("days-boundary"),
        "changes: [request.days]",
        "changes: «[request.loan_id]",
        allows=("CL0711",),
    ),
    plant(
        "mutation that changes nothing",
        "CL0702",
        op("already-returned"),
        "mutation: {kind: set, set: {loan.status: returned}}",
        "mutation: «{kind: set, set: {loan.status: out}}",
        allows=("CL0711",),
        bug="a field set to what the fixture says already counts as a change",
    ),
    plant(
        "slot set to what it is",
        "CL0702",
        op("already-returned"),
        "mutation: {kind: set, set: {loan.status: returned}}",
        "mutation: «{kind: set, set: {request.days: =request.days}}",
        allows=("CL0711",),
    ),
    plant(
        "field that is not there",
        "CL0703",
        op("already-returned"),
        "mutation: {kind: set, set: {loan.status:",
        "mutation: «{kind: set, set: {loan.state:",
        allows=("CL0707",),
    ),
    plant(
        "value that does not fit",
        "CL0703",
        op("already-returned"),
        "mutation: {kind: set, set: {loan.status: returned",
        "mutation: «{kind: set, set: {loan.status: gone",
        allows=("CL0707",),
    ),
    plant(
        "boundary of no input",
        "CL0703",
        op("fees-boundary"),
        "mutation: {kind: boundary, of: renewal.fees",
        "mutation: «{kind: boundary, of: renewal.fee",
        allows=("CL0707",),
    ),
    plant(
        "phrasing that loses a slot",
        "CL0704",
        WORDS,
        '"hi, can i keep {loan_id} {days} more days"',
        '«"hi, can i keep {loan_id} some more days"',
    ),
    plant(
        "phrasing that adds a slot",
        "CL0704",
        WORDS,
        '"I would like to keep a book for {days} more days."',
        '«"I would like to keep {loan_id} for {days} more days."',
    ),
    plant(
        "promise of an unbound invariant",
        "CL0705",
        op("lost-answer"),
        "no_second_key]",
        "«nothing_extended]",
        allows=("CL0705",),
    ),
    plant(
        "impossible world by an operator",
        "CL0706",
        op("already-returned"),
        "mutation: {kind: set, set: {loan.status: returned}}",
        "mutation: «{kind: set, set: {loan.status: returned, loan.extra_days: 3}}",
        also=[
            (
                op("already-returned"),
                "[initial_state.loans.status]",
                "[initial_state.loans.status, initial_state.loans.extra_days]",
            )
        ],
        allows=("CL0711",),
    ),
    plant(
        "operator that takes no seed",
        "CL0707",
        op("fees-boundary"),
        "applies_to: {goal: renew_loan, when: \"rule == 'renewal.fees'\"}",
        "applies_to: «{goal: renew_loan, when: \"rule == 'renewal.late'\"}",
    ),
    plant("chain of one", "CL0708", EXPANSION, "[[lost-answer, plain-words]]", "[«[lost-answer]]"),
    plant(
        "chain too deep",
        "CL0708",
        EXPANSION,
        "[[lost-answer, plain-words]]",
        "[«[lost-answer, plain-words, slip-of-the-finger]]",
    ),
    plant(
        "approved by nobody",
        "CL0709",
        op("plain-words"),
        "status: approved\napproved_by: lead_librarian",
        "status: «approved",
    ),
    plant(
        "preserve that flips",
        "CL0710",
        op("fees-boundary"),
        "effect: recompute",
        "effect: «preserve",
        allows=("CL0710",),
    ),
    plant(
        "aim never hit",
        "CL0711",
        op("already-returned"),
        "aims_at: [renewal.returned]",
        "aims_at: [renewal.returned, «renewal.late]",
    ),
    plant(
        "phrasing with a misspelt slot",
        "CL0712",
        WORDS,
        '"hi, can i keep {loan_id} {days} more days"',
        '«"hi, can i keep {loan_id} {day} more days"',
    ),
    plant(
        "phrasing with a brace left over",
        "CL0712",
        WORDS,
        '"hi, can i keep {loan_id} {days} more days"',
        '«"hi, can i keep {loan_id} {days more days"',
        allows=("CL0201",),
    ),
    plant(
        "wording that runs two slots together",
        "CL0712",
        WORDS,
        '"hi, can i keep {loan_id} {days} more days"',
        '"hi, can i keep {loan_id}{days} more days"',
        also=[(op("plain-words"), "mutation: {kind: phrase", "mutation: «{kind: phrase")],
    ),
)

DERIVATION = (
    plant(
        "gap behind a mutation",
        "CL0801",
        op("already-returned"),
        "mutation: {kind: set, set: {loan.status: returned}}",
        "mutation: «{kind: set, set: {loan.status: lost}}",
        allows=("CL0711",),
        also=[
            (TABLE, "owned && (status == 'lost'\n      || (status", "owned && (status == 'returned'\n      || (status")
        ],
    ),
    plant(
        "no plan behind a mutation",
        "CL0802",
        op("lost-answer"),
        "operator: lost-answer",
        "operator: «lost-answer",
        also=[
            (
                op("lost-answer"),
                "committed_response_lost, tool: extend_loan",
                "timeout_before_execution, tool: extend_loan, nth: every",
            )
        ],
    ),
    plant(
        "tool in error behind a mutation",
        "CL0803",
        op("days-boundary"),
        "operator: days",
        "operator: «days",
        also=[(EXTEND, "+ args.days,", "+ args.days * (28.0 - args.days) / (28.0 - args.days),")],
    ),
    plant(
        "attack won behind a mutation",
        "CL0804",
        op("remark-with-orders"),
        "mutation:\n  kind: inject",
        "mutation:\n  «kind: inject",
        also=[(op("remark-with-orders"), "slips.exists(s, s.loan_id == 'L-201')", "size(slips) == 0")],
    ),
    plant(
        "seed set aside",
        "CL0805",
        PLAIN_1,
        "locale: en\n",
        "locale: en\nstatus: «disputed\nstatus_reason: The rule is being rewritten.\n",
    ),
    plant(
        "chain named twice",
        "CL0806",
        EXPANSION,
        "plain-words]]",
        "plain-words], [plain-words, lost-answer]]",
        at=(PLAIN_1, "case_id: «desk"),
    ),
    plant(
        "phrasing named twice",
        "CL0806",
        WORDS,
        "  - {id: plain_p2, text",
        '  - {id: plain_p1, text: "{loan_id}, {days} days",'
        " tags: [colloquial], locale: en, approved_by: clerk_b}\n  - {id: plain_p2, text",
        at=(PLAIN_1, "case_id: «desk"),
        also=[(op("plain-words"), "version", "version")],
        allows=("CL0806",),
    ),
)

EVERY = (*READING, *SHAPE, *REFERENCES, *EXPRESSIONS, *WORLD, *RULES, *SEEDS, *EXPANSION_, *DERIVATION)


def sound(id, *edits, notes=()):
    made = tuple(Edit(file=name, old=old, new=new) for name, old, new in edits)
    return Plant(id=id, code="", edits=made, at=None, spot=None, allows=tuple(notes), bug=None)


OVERRIDES_OF_FEES = "    overrides: [renewal.too_often, renewal.too_long, renewal.how_long]\n"
OWES_AND_RENEWED = "overlay: {user.fees_owed: 12.50, loans.L-101.renewals: 3}"

SOUND = (
    sound("the library as it is"),
    sound("decided ruling", (RULING, None, DECIDED_RULING)),
    sound("open ruling that no seed depends on",
          (RULING, None, OPEN_RULING.replace("lending_rules_2026#declining, lending_rules_2026#whose", "desk_api_1#notes")
           .replace("renewal.fees", "renewal.unknown_loan"))),
    sound("overlap settled by a ruling", (RULING, None, PREVAILING_RULING), (TABLE, OVERRIDES_OF_FEES, ""),
          (HANDED, "overlay: {user.fees_owed: 12.50}", OWES_AND_RENEWED),
          (HANDED, "lift: {user.fees_owed: 10.00}", "lift: {user.fees_owed: 10.00, loans.L-101.renewals: 2}")),
    sound("overlap settled by an override", (HANDED, "overlay: {user.fees_owed: 12.50}", OWES_AND_RENEWED),
          (HANDED, "lift: {user.fees_owed: 10.00}", "lift: {user.fees_owed: 10.00, loans.L-101.renewals: 2}")),
    sound("rules that agree under hit policy any", (TABLE, "hit_policy: unique", "hit_policy: any"),
          (TABLE, "  - id: renewal.too_often\n", '  - id: renewal.owing\n    version: "1"\n    title: Owing is owing\n'
           "    when: owned && fees > ceiling + 1.0\n    then: escalate\n    reason: fees_owed\n"
           "    because: [lending_rules_2026#fees]\n  - id: renewal.too_often\n")),
    sound("error that belongs to the case", (PLAIN_2, "fault: committed_response_lost", "fault: timeout_before_execution"),
          (PLAIN_2, "extend_loan: committed_response_lost}", "extend_loan: timeout_before_execution}")),
    sound("hand-over without the note tool", (HANDED, "tools: [get_loan, list_holds, extend_loan, file_note]\nlift",
          "tools: [get_loan, list_holds, extend_loan]\nlift"),
          (HANDED, "allowed_actions: [get_loan, list_holds, extend_loan, file_note]", "allowed_actions: [get_loan, list_holds, extend_loan]"),
          (HANDED, "  - {call: file_note, args: {kind: handed_over, reason: fees_owed}}\n", ""),
          (HANDED, "notes: 1}", "notes: 0}"), (HANDED, "  assertions:\n    - {that: \"note.kind == 'handed_over'\"}\n", "")),
    sound("seed that is disputed for a reason", (PLAIN_1, "locale: en\n", "locale: en\nstatus: disputed\nstatus_reason: Unclear.\n"),
          notes=["CL0805"]),
    sound("seed that is retired for a reason", (PLAIN_2, "locale: en\n", "locale: en\nstatus: retired\nstatus_reason: Old.\n"),
          notes=["CL0805"]),
    sound("assertion as the contract words it", (PLAIN_1, "that: slip.days == 14.0", "that: slip.days == request.days")),
    sound("more reads than needed", (PLAIN_1, "reference:\n", "reference:\n  - {call: list_loans, args: {reader_id: P100}}\n")),
    sound("fees exactly at the ceiling", (PLAIN_1, "fixture: desk\n", "fixture: desk\noverlay: {user.fees_owed: 10.00}\n")),
    sound("decimal written as text", (HANDED, "user.fees_owed: 12.50", 'user.fees_owed: "12.50"')),
    sound("words of another script around the slots", (PLAIN_2, "say: Could you extend", "say: Könnten Sie 请"),),
    sound("evidence that a regression seed cites", (PLAIN_2, "provenance: {kind: authored}",
          'provenance: {kind: regression, tag: double_slip, evidence: desk_api_1#retries, first_fixed: "2"}')),
)  # fmt: skip
