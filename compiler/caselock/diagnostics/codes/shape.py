"""Codes CL01xx: the shape of a file, its keys and the types of their values."""

from caselock.diagnostics.code import error

SHAPE = (
    error(
        "CL0101",
        "unknown key",
        why="A misspelt key would otherwise be ignored, and with it what the author meant.",
        bad="rules:\n  - {id: refund.ok, wen: amount > limit}",
        good="rules:\n  - {id: refund.ok, when: amount > limit}",
    ),
    error(
        "CL0102",
        "missing key",
        why="The key has no safe default: caselock does not guess what the business decides.",
        bad="rules:\n  - {when: amount > limit, then: escalate}",
        good="rules:\n  - {id: refund.over_limit, when: amount > limit, then: escalate}",
    ),
    error(
        "CL0103",
        "wrong type",
        why="A value of another type is a different statement; nothing is converted silently.",
        bad="owner: [operations]",
        good="owner: operations",
    ),
    error(
        "CL0104",
        "value not allowed",
        why="The key takes one of a fixed set of words.",
        bad="then: approve",
        good="then: fulfil",
    ),
    error(
        "CL0105",
        "malformed name or text",
        why="Names appear in case ids, paths and expressions, so their spelling is restricted.",
        bad="decision: Refund Rules",
        good="decision: refund_rules",
    ),
    error(
        "CL0106",
        "number out of bounds",
        why="The key takes numbers of a limited range.",
        bad="depth: -1",
        good="depth: 2",
    ),
    error(
        "CL0107",
        "too short or too long",
        why="The list or text must have a certain length to mean something.",
        bad="because: []",
        good="because: [refund_sop_v3.2#section-4]",
    ),
    error(
        "CL0108",
        "version is not quoted",
        why="As a number, version 1.10 would equal 1.1; quotes keep a version the text that it is.",
        bad="version: 1.10",
        good='version: "1.10"',
    ),
    error(
        "CL0109",
        "unknown kind of file",
        why="A file's folder, and where a folder mixes kinds its first key, says what the file defines.",
        bad="rules/refund.yaml:\n  table: refund",
        good="rules/refund.yaml:\n  decision: refund",
    ),
    error(
        "CL0110",
        "invalid value",
        why="The value has the right type and still cannot mean anything here.",
        bad="from: 2026-02-30",
        good="from: 2026-02-28",
    ),
    error(
        "CL0111",
        "required file missing",
        why="A workspace without this file leaves out what every case depends on.",
        bad="spec/ without sources.yaml",
        good="spec/sources.yaml",
    ),
)
