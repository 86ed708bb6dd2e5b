"""The parts of a case: what the agent and the simulated user are given holds nothing of the oracle, and is enough."""

import json

import pytest
from refund_world import CENTS, PLAIN, ask, played, program, respond, scenario, task
from test_cases_mutations import expanded

from caselock.cases.case import Case
from caselock.cases.contract import agent_part, oracle_part, proof_part, simulator_part, world_part
from caselock.cases.derive import derive
from caselock.spec.seeds import Turn
from caselock.world.user import Script, Wish, opening_turn, reply

WHICH = {"slots": {"amount": CENTS}, "knows": {"order_id": "A2048"}, "say": "Please refund {amount}.", "tools": PLAIN}


def case(**changes):
    made = task(**changes)
    seed = expanded()[0][0].seed
    return Case(
        case_id="my_case",
        seed=seed,
        scenario=scenario(**changes),
        steps=(),
        task=made,
        derived=derive(made),
        partition="dev",
    )


def parts(made):
    return {
        "agent": agent_part(made),
        "world": world_part(made),
        "simulator": simulator_part(made),
        "oracle": oracle_part(program(), made),
        "proof": proof_part(made),
    }


def test_every_part_is_json():
    for part in parts(case(**WHICH)).values():
        assert json.loads(json.dumps(part)) == part


@pytest.mark.parametrize("name", ["agent", "simulator"])
def test_the_agent_and_the_user_are_told_nothing_of_the_oracle(name):
    text = json.dumps(parts(case(**WHICH))[name])
    words = ("fulfil", "clarify", "refund.ok", "which_order", "R-", "invariant", "ensures")
    assert [word for word in words if word in text] == []


def test_the_agent_is_not_told_what_the_user_tells_only_when_asked():
    assert "A2048" not in json.dumps(agent_part(case(**WHICH)))


def test_the_oracle_says_what_the_rules_decided():
    oracle = oracle_part(program(), case(**WHICH))
    assert oracle["expected_outcome"] == ["clarify", "fulfil"]
    assert [decision["rule"] for decision in oracle["decisions"]] == ["refund.which_order", "refund.ok"]
    assert oracle["asks"] == ["order_id"]
    assert oracle["expected_state"]["refundable_amount"] == "160.00"


def test_the_proof_is_the_plan():
    plan = proof_part(case(**WHICH))["plan"]
    assert [next(iter(step.values())) for step in plan] == ["list_orders", ["order_id"], "create_refund", "fulfil"]


def rebuilt(part):
    """The script that a runner can make of what it is given."""
    wishes = (
        {
            **{name: value for name, value in request.items() if name != "disclosure"},
            "one_by_one": "on_ask_one_by_one" in request["disclosure"].values(),
        }
        for request in part["requests"]
    )
    return Script(
        role=part["role"],
        conversation=tuple(Turn(**turn) for turn in part["conversation"]),
        requests=tuple(Wish(**wish) for wish in wishes),
        locale=program().workspace.locales[part["locale"]].value,
    )


def said(script, *slots):
    log = (*opening_turn(script), *played(task(**WHICH), ask(*slots)).session.log[1:2])
    return reply(script, log)[0].text


def test_a_runner_can_speak_for_the_user():
    made = case(**WHICH)
    assert said(rebuilt(simulator_part(made)), "order_id") == said(made.task.script, "order_id")


def test_a_runner_can_speak_for_the_user_who_does_not_know():
    made = case(**WHICH)
    assert said(rebuilt(simulator_part(made)), "notify") == said(made.task.script, "notify")


def test_a_runner_can_speak_an_amount_as_the_user_does():
    changes = {"slots": {"order_id": "A1024"}, "knows": {"amount": CENTS}, "say": "Refund {order_id}.", "tools": PLAIN}
    made = case(**changes)
    script = rebuilt(simulator_part(made))
    log = played(made.task, ask("amount"), respond("clarify")).session.log[:2]
    assert reply(script, log)[0].text == reply(made.task.script, log)[0].text
