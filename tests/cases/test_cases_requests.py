"""Several requests in a case: in order, on a condition, changed mid-dialogue; each on what was left before it."""

import functools
from decimal import Decimal
from pathlib import Path

import pytest

from caselock.cases.build import build_task
from caselock.cases.derive import Derived, Underivable, derive
from caselock.cases.double_entry import check_seed
from caselock.cases.scenario import Asked, Scenario
from caselock.oracles.grade import grade
from caselock.rules.program import build_program
from caselock.solve.steps import Ask, Call, Respond, begin, take
from caselock.spec.load import load_workspace
from caselock.world.user import opening_turn, reply

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
WEEK = Decimal(7)
TOOLS = ("get_loan", "list_loans", "list_holds", "extend_loan", "take_back", "file_note")


@functools.cache
def program():
    workspace, _, _ = load_workspace(LIBRARY)
    return build_program(workspace)[0]


def extend(loan, say="Please extend {loan_id} by {days} days.", **more):
    return Asked(goal="renew_loan", slots={"loan_id": loan, "days": WEEK}, knows={}, say=say, **more)


def bring_back(loan, **more):
    return Asked(goal="return_loan", slots={"loan_id": loan}, knows={}, say="I bring {loan_id} back.", **more)


WHICH = Asked(
    goal="renew_loan", slots={"days": WEEK}, knows={"loan_id": "L-101"}, say="Please extend my book by {days} days."
)
OR_ELSE = {"said": "at_once", "only_if": "not_fulfilled"}


def task(*requests):
    scenario = Scenario(
        seed="s",
        family="f",
        fixture="desk",
        overlay={},
        requests=requests,
        locale="en",
        conversation=(),
        tools=TOOLS,
        faults=(),
        attack=None,
    )
    return build_task(program(), scenario, "salt")


def derived(*requests):
    found = derive(task(*requests))
    assert isinstance(found, Derived), found
    return found


def labels(*requests):
    return [request.label for request in derived(*requests).requests]


def played(made, *steps):
    run = begin(made)
    for step in steps:
        run = take(made, run, step)
    return run.session


def elements(made, *steps):
    return {f"{failure.oracle}.{failure.element}" for failure in grade(made, played(made, *steps))}


def look(loan):
    return Call(tool="get_loan", args={"loan_id": loan})


def holds(loan):
    return Call(tool="list_holds", args={"loan_id": loan})


def lengthen(loan, key="k"):
    return Call(tool="extend_loan", args={"loan_id": loan, "days": WEEK, "key": key})


def close(loan):
    return Call(tool="take_back", args={"loan_id": loan})


def note(reason):
    return Call(tool="file_note", args={"kind": "declined", "reason": reason})


def slip(made, *steps):
    """The slip that the last of some steps makes."""
    return played(made, *steps).log[-1].value["slip"]["slip_id"]


# Ordered: the second request is decided on what the first has done.


def test_a_later_request_sees_what_the_earlier_one_did():
    assert labels(bring_back("L-101"), extend("L-101")) == [("fulfil",), ("refuse",)]
    assert labels(extend("L-101"), bring_back("L-101")) == [("fulfil",), ("fulfil",)]


def test_each_request_has_its_own_start_and_end():
    first, second = derived(extend("L-101"), bring_back("L-101")).requests
    assert (first.initial_state["status"], first.state["extra_days"]) == ("out", WEEK)
    assert (second.initial_state["extra_days"], second.state["status"]) == (WEEK, "returned")


def test_to_stop_after_the_first_request_fails():
    made = task(bring_back("L-101"), extend("L-101"))
    done = (look("L-101"), close("L-101"), Respond(outcome="fulfil", says={"book": "The Tin Drum"}))
    assert "outcome.final" in elements(made, *done)


def test_an_effect_of_a_later_request_is_not_permitted_before_its_own_table_says_so():
    made = task(bring_back("L-101"), extend("L-101"))
    done = (look("L-101"), close("L-101"), Respond(outcome="fulfil", says={"book": "The Tin Drum"}))
    assert "behavior.guarded" in elements(made, *done, lengthen("L-101"), Respond(outcome="fulfil", says={}))


# Frames union: work for any request that was said is legal, whatever was answered first.


def both():
    return task(extend("L-101"), bring_back("L-102", said="at_once"))


def answers(made):
    made_slip = slip(made, look("L-101"), holds("L-101"), lengthen("L-101"))
    return (
        Respond(outcome="fulfil", says={"slip_id": made_slip}),
        Respond(outcome="fulfil", says={"book": "Ulysses"}),
    )


def test_work_for_two_requests_may_be_done_before_either_is_answered():
    made = both()
    work = (look("L-101"), holds("L-101"), look("L-102"))
    assert elements(made, *work, lengthen("L-101"), close("L-102"), *answers(made)) == set()
    assert elements(made, *work, close("L-102"), lengthen("L-101"), *answers(made)) == set()


def test_work_for_no_request_fails():
    made = both()
    work = (look("L-101"), holds("L-101"), look("L-102"), lengthen("L-101"), close("L-101"), close("L-102"))
    assert "outcome.frame" in elements(made, *work, *answers(made))


def test_a_request_said_later_lends_no_frame_before_it_is_said():
    made = task(extend("L-101"), bring_back("L-102"))
    work = (look("L-101"), holds("L-101"), look("L-102"), lengthen("L-101"), close("L-102"))
    assert "outcome.frame" in elements(made, *work, *answers(made))


def test_a_second_answer_to_one_request_fails():
    made = both()
    work = (look("L-101"), holds("L-101"), look("L-102"), lengthen("L-101"), close("L-102"))
    assert "behavior.ending" in elements(made, *work, *answers(made), Respond(outcome="fulfil", says={}))


# Conditional.


def test_a_condition_that_holds_brings_the_request_up():
    assert labels(extend("L-102"), bring_back("L-102", **OR_ELSE)) == [("refuse",), ("fulfil",)]


def test_a_condition_that_does_not_hold_leaves_the_request_out():
    found = derived(extend("L-101"), bring_back("L-101", **OR_ELSE))
    assert [request.label for request in found.requests] == [("fulfil",), ()]
    assert [request.share.standing for request in found.requests] == ["due", "skipped"]
    assert sum(isinstance(step, Respond) for step in found.plan.steps) == 1


def test_a_request_on_a_request_left_out_is_left_out():
    third = bring_back("L-102", said="next", only_if="fulfilled")
    assert labels(extend("L-101"), bring_back("L-101", **OR_ELSE), third) == [("fulfil",), (), ()]


def test_to_do_what_did_not_come_up_fails():
    made = task(extend("L-101"), bring_back("L-101", **OR_ELSE))
    work = (look("L-101"), holds("L-101"), lengthen("L-101"))
    answer = Respond(outcome="fulfil", says={"slip_id": slip(made, *work)})
    assert elements(made, *work, answer) == set()
    assert "outcome.frame" in elements(made, *work, close("L-101"), answer)


def test_not_to_do_what_came_up_fails():
    made = task(extend("L-102"), bring_back("L-102", **OR_ELSE))
    reason = "held_for_another"
    work = (look("L-102"), holds("L-102"), note(reason), Respond(outcome="refuse", says={"reason": reason}))
    assert "outcome.final" in elements(made, *work)
    assert elements(made, *work, close("L-102"), Respond(outcome="fulfil", says={"book": "Ulysses"})) == set()


# Changed mid-dialogue.

CHANGED = (WHICH, bring_back("L-101", said="instead"))
ASKED = (Call(tool="list_loans", args={"reader_id": "P100"}), Ask(slots=("loan_id",)))
ANSWER = Respond(outcome="fulfil", says={"book": "The Tin Drum"})


def test_a_request_taken_back_leaves_only_the_last():
    found = derived(*CHANGED)
    assert [(request.share.standing, request.label) for request in found.requests] == [
        ("replaced", ("clarify",)),
        ("due", ("fulfil",)),
    ]
    assert elements(task(*CHANGED), *ASKED, close("L-101"), ANSWER) == set()


def test_to_write_what_was_taken_back_fails():
    made = task(*CHANGED)
    steps = (*ASKED, holds("L-101"), lengthen("L-101"), close("L-101"), ANSWER)
    assert elements(made, *steps) >= {"outcome.frame"}


def test_to_write_before_asking_what_is_taken_back_fails():
    made = task(*CHANGED)
    steps = (ASKED[0], holds("L-101"), lengthen("L-101"), ASKED[1], close("L-101"), ANSWER)
    assert elements(made, *steps) >= {"behavior.guarded"}


def test_a_change_of_mind_needs_a_question_before_it():
    found = derive(task(extend("L-101"), bring_back("L-101", said="instead")))
    assert isinstance(found, Underivable)
    assert (found.part, found.request) == ("requests", 1)


# The user.


def texts(turn):
    return [event.text for event in turn]


def test_what_is_said_at_once_opens_the_conversation():
    script = both().script
    assert texts(opening_turn(script)) == ["Please extend L-101 by 7 days.", "I bring L-102 back."]
    assert script.opening == "Please extend L-101 by 7 days. I bring L-102 back."


def test_what_comes_next_is_said_after_the_answer():
    made = task(bring_back("L-101"), bring_back("L-102"))
    log = played(made, close("L-101"), ANSWER).log
    assert texts(opening_turn(made.script)) == ["I bring L-101 back."]
    assert log[-1].text == "I bring L-102 back."


@pytest.mark.parametrize(("outcome", "said"), [("fulfil", []), ("refuse", ["I bring L-101 back."])])
def test_a_later_request_on_a_condition_is_said_only_when_it_holds(outcome, said):
    made = task(extend("L-101"), bring_back("L-101", only_if="not_fulfilled"))
    run = played(made)
    log = (*run.log, *played(made, Respond(outcome=outcome, says={})).log[1:2])
    assert texts(reply(made.script, log)) == said


def test_a_question_about_a_later_request_is_answered_for_it():
    later = Asked(goal="return_loan", slots={}, knows={"loan_id": "L-102"}, say="I bring one back.", said="at_once")
    told = played(task(extend("L-101"), later), Ask(slots=("loan_id",))).log[-1]
    assert told.slots == {"loan_id": "L-101"}  # the request at hand comes first


# Double entry.


@pytest.mark.parametrize("name", ["several_01", "several_02", "several_03"])
def test_the_seeds_with_several_requests_are_double_entry(name):
    checked, found = check_seed(program(), program().workspace.seeds[name])
    assert found == ()
    assert checked is not None
