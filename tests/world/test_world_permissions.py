"""Permissions over time: a grant counts until its end; from then on the tool is denied."""

from datetime import UTC, datetime

import pytest
from refund_world import LOOK, PLAIN, REFUND, Findings, elements, played, refund_id, replaced, respond, task, variant

from caselock.cases.actions import allowed_actions, forbidden_actions
from caselock.cases.derive import Underivable, derive

MARCH, NEVER = "2026-03-01T00:00:00Z", "2027-01-01T00:00:00Z"


def until(end):
    return replaced("create_refund: allow", f"create_refund: {{grant: allow, until: {end}}}")


def results(made, *steps):
    return [(event.tool, event.error) for event in played(made, *steps).results]


@pytest.fixture(scope="module")
def by_agent(tmp_path_factory):
    """The grant ends when the agent's own authority does, which the rules may read too."""
    return variant(
        tmp_path_factory.mktemp("expiry"),
        spec__permissions=until('"=agent.authority_until"'),
        spec__world__refund_fixture_v4=replaced(
            "refund_limit: 100.00}", f'refund_limit: 100.00, authority_until: "{NEVER}"}}'
        ),
    )


EXPIRED = {("agent", "authority_until"): datetime(2026, 3, 1, tzinfo=UTC)}


@pytest.mark.parametrize(("end", "error"), [(NEVER, None), (MARCH, "permission_denied")])
def test_a_grant_counts_until_the_instant_it_names(tmp_path, end, error):
    made = task(variant(tmp_path, spec__permissions=until(f'"{end}"')))
    assert results(made, LOOK, REFUND) == [("get_order", None), ("create_refund", error)]


def test_the_end_itself_is_too_late(tmp_path):
    built = variant(tmp_path, spec__permissions=until('"2026-08-01T09:00:00Z"'))
    assert results(task(built), LOOK, REFUND)[-1] == ("create_refund", "permission_denied")


def test_expired_authority_is_an_overlay_of_the_agent(by_agent):
    assert results(task(by_agent), LOOK, REFUND)[-1] == ("create_refund", None)
    expired = task(by_agent, overlay=EXPIRED)
    assert results(expired, LOOK, REFUND)[-1] == ("create_refund", "permission_denied")


def test_expired_tools_are_forbidden_and_calling_one_fails(by_agent):
    fresh, expired = task(by_agent), task(by_agent, overlay=EXPIRED)
    assert "create_refund" in allowed_actions(fresh)
    assert "create_refund" not in forbidden_actions(fresh)
    assert "create_refund" not in allowed_actions(expired)
    assert "create_refund" in forbidden_actions(expired)
    assert elements(fresh, LOOK, REFUND, respond("fulfil", refund_id=refund_id(fresh, LOOK, REFUND))) == []
    assert "forbidden.create_refund" in elements(expired, LOOK, REFUND, respond("fulfil"))


def test_the_solver_does_not_use_what_has_expired(by_agent):
    assert not isinstance(derive(task(by_agent, tools=PLAIN)), Underivable)
    assert isinstance(derive(task(by_agent, tools=PLAIN, overlay=EXPIRED)), Underivable)


def test_an_end_that_is_missing_denies(by_agent, tmp_path):
    built = variant(tmp_path, spec__permissions=until('"=agent.authority_until"'))
    assert results(task(built), LOOK, REFUND)[-1] == ("create_refund", "permission_denied")


@pytest.mark.parametrize("end", ['"soon"', '"=agent.refund_limit"', '"=orders"'])
def test_an_end_that_is_no_instant_is_refused(tmp_path, end):
    with pytest.raises(Findings):
        variant(tmp_path, spec__permissions=until(end))
