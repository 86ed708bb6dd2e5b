"""A tiny workspace for planted tables: a claim on an order, by a customer, handled by an agent with a limit."""

import json
import shutil
from pathlib import Path

from caselock.prove.tables import prove_tables
from caselock.rules.program import build_program
from caselock.spec.load import load_workspace

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
FILES = {
    "spec/project.yaml": """\
project: probe
version: "1.0"
title: Probe
description: A workspace for planted tables.
owner: team
license: Apache-2.0
salt: probe
locales: [en]
version_bundle: {agent: a-1, prompt: p-1, tools: t-1, grader: g-1}
""",
    "spec/sources.yaml": """\
sources:
  - {id: sop, kind: sop, version: "1", owner: team, title: Procedure, sections: [{id: a, title: A}]}
""",
    "spec/permissions.yaml": """\
permissions:
  desk: {title: Desk, read: {}, write: {}, because: [sop#a]}
""",
    "spec/world/records.yaml": """\
records:
  orders:
    key: order_id
    schema:
      type: object
      required: [order_id, customer_id, status, balance, paid_at]
      additionalProperties: false
      properties:
        order_id: {type: string}
        customer_id: {type: string}
        status: {enum: [paid, shipped, closed]}
        balance: {type: number, multipleOf: 0.01, minimum: 0}
        paid_at: {type: string, format: date-time}
        weight: {type: integer}
        note: {type: string}
    constraints:
      - {id: closed_is_empty, must: "record.status != 'closed' || record.balance == 0.0"}
user:
  type: object
  required: [customer_id, vip]
  additionalProperties: false
  properties: {customer_id: {type: string}, vip: {type: boolean}}
agent:
  type: object
  required: [role, limit]
  additionalProperties: false
  properties: {role: {type: string}, limit: {type: number, multipleOf: 0.01, minimum: 0}}
""",
    "spec/goals/claim.yaml": """\
goal: claim
title: Claim
owner: team
slots:
  order_id: {type: string, x-ref: orders, title: order}
  amount: {type: number, multipleOf: 0.01, title: amount}
  count: {type: integer, title: count}
let:
  mine: "orders.filter(o, o.customer_id == user.customer_id && o.balance > 0.0)"
  order: "has(request.order_id) ? orders[request.order_id] : only(mine)"
decision: claim
guarded: []
observe: {}
outcomes:
  fulfil: {says: {amount: request.amount}}
  refuse: {says: {reason: decision.reason}}
  escalate: {says: {reason: decision.reason}}
  clarify: {asks: {which: [order_id, amount]}}
""",
}
INPUTS = """\
  amount: {from: request.amount, type: decimal, step: 0.01}
  stated: {from: has(request.amount), type: bool}
  named: {from: has(request.order_id), type: bool}
  found: {from: known(order), type: bool}
  candidates: {from: size(mine), type: int}
  owned: {from: order.customer_id == user.customer_id, type: bool}
  status: {from: order.status, type: enum}
  balance: {from: order.balance, type: decimal, step: 0.01}
  age: {from: now - order.paid_at, type: duration}
  weight: {from: order.weight, type: int}
  note: {from: order.note, type: string}
  count: {from: request.count, type: int}
  limit: {from: agent.limit, type: decimal, step: 0.01}
  vip: {from: user.vip, type: bool}
"""
REST = ("rest", "!stated || !found", "clarify", "which")


def table(*rules, assume=(), policy="unique"):
    """The text of a table; a rule is (id, when, then, reason) and more keys as a dict."""
    lines = ["decision: claim", 'version: "1"', "title: May it?", "owner: team", f"hit_policy: {policy}", "inputs:"]
    lines += [INPUTS.rstrip("\n"), f"assume: {json.dumps(assume)}", "rules:"]
    for name, when, then, reason, *more in rules:
        lines += [
            f"  - id: {name}",
            '    version: "1"',
            f"    title: {name}",
            f'    when: "{when}"',
            f"    then: {then}",
        ]
        lines += [f"    reason: {reason}"] if reason else []
        lines += [f"    {key}: {value}" for each in more for key, value in each.items()]
        lines += [] if more and "because" in more[0] else ["    because: [sop#a]"]
    return "\n".join(lines) + "\n"


def program_of(folder, text, **others):
    """The program of the tiny workspace with this table."""
    shutil.copytree(LIBRARY / "spec" / "policies", folder / "spec" / "policies")
    (folder / "spec" / "policies" / "expansion.yaml").write_text("expansion: usual\nmax_depth: 1\n")
    for name, content in {**FILES, "rules/claim.yaml": text, **others}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    workspace, found, _ = load_workspace(folder)
    assert found == (), found
    program, problems = build_program(workspace)
    assert {problem.code for problem in problems} <= {"CL0204"}, problems
    return program


def proved(folder, *rules, assume=(), policy="unique", **others):
    """(code, message) of every finding of a table."""
    return [
        (found.code, found.message)
        for found in prove_tables(program_of(folder, table(*rules, assume=assume, policy=policy), **others))
    ]
