"""seeds/<family>/*.yaml: human-authored gold cases and the approved phrasings of their family.

A seed has one to five requests, in order. The first opens the conversation. Each later one says in `said` when the user
comes out with it: `next` (the default) once the request before is answered, `at_once` in the same turn as the request
before, `instead` as a change of mind: in place of an answer to the first question about the request before (the rules
must ask something about that one, and nothing may be written for it). `only_if: not_fulfilled` (or `fulfilled`) makes a
request conditional on how the one before ended. `expected` speaks of the first request, and `expected.then` of each
later one: its outcome, rule, state, assertions, citations and lift, or `outcome: []` when it does not come up. The
reference has one `respond` per request that wants an answer, in order; each request is decided on the state that the
ones before left:

    requests:
      - {goal: refund_order, slots: {order_id: A1}, say: "Please refund {order_id}."}
      - {goal: cancel_order, slots: {order_id: A1}, say: "If you cannot, cancel {order_id}.", said: at_once,
         only_if: not_fulfilled}
    expected:
      outcome: [refuse]
      rule: refund.too_late
      state: {refunds: 0}
      then:
        - {outcome: [fulfil], rule: cancel.ok, state: {status: cancelled}}
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Tag

from caselock.spec.base import CelText, Day, Distinct, Identifier, Model, Name, OneOrMany, SourceRef, VersionText, keyed
from caselock.spec.capabilities import Severity
from caselock.spec.decisions import Outcome
from caselock.spec.faults import Attack, Fault
from caselock.spec.operators import Risk


class Request(Model):
    """One goal as a user asks for it; `knows` are slots told only when asked.

    `said` is when the user comes out with it and `only_if` how the request before must have ended; both are for later
    requests.
    """

    goal: Identifier
    slots: dict[Identifier, Any]
    knows: dict[Identifier, Any] = {}
    say: str
    said: Literal["at_once", "next", "instead"] = "next"
    only_if: Literal["fulfilled", "not_fulfilled"] | None = None


class Turn(Model):
    """An earlier turn of the conversation, before the request; `{slot}` in a user's turn marks a protected slot."""

    role: Literal["user", "assistant"]
    text: str


class CallStep(Model):
    """A tool call of the human reference execution; `as` names its result for later steps."""

    call: Identifier
    args: dict[str, Any] = {}
    as_: Name | None = Field(None, alias="as")
    expect_error: Identifier | None = None


class AskStep(Model):
    """A question for one or more slots."""

    ask: tuple[Identifier, ...]


class RespondStep(Model):
    """The final answer: the outcome, what it conveys, and the ids of the documents it cites."""

    respond: Outcome
    says: dict[Identifier, Any] = {}
    cites: tuple[str, ...] = ()


Step = Annotated[
    Annotated[CallStep, Tag("call")] | Annotated[AskStep, Tag("ask")] | Annotated[RespondStep, Tag("respond")],
    keyed("call", "ask", "respond"),
]


class Authored(Model):
    """Written for this workspace."""

    kind: Literal["authored"]


class Imported(Model):
    """Taken over from elsewhere; its missing reviews are counted, not invented."""

    kind: Literal["imported"]
    origin: str


class Regression(Model):
    """Written after an incident; fixed for the first time in the named version."""

    kind: Literal["regression"]
    tag: Identifier
    evidence: SourceRef
    first_fixed: VersionText


Provenance = Annotated[Authored | Imported | Regression, Field(discriminator="kind")]


class Review(Model):
    """One reviewer's independent verdict on the seed at a version."""

    reviewer: Identifier
    date: Day
    seed_version: VersionText
    verdict: Literal["pass", "fail"]


class AuthoredAssertion(Model):
    """An assertion on the final state; `rule` where no `ensures` of the goal says it."""

    that: CelText
    rule: Identifier | None = None


class AuthoredCall(Model):
    """A call that no passing run can do without: any of the tools, with these arguments among others.

    `contains` is for free text; `after` names tools of which a call has to come first.
    """

    call: OneOrMany[Identifier]
    args: dict[str, Any] = {}
    contains: dict[str, OneOrMany[str]] = {}
    after: tuple[Identifier, ...] = ()


class ExpectedLater(Model):
    """What is expected of a later request: no outcome and no rule when it does not come up."""

    outcome: tuple[Outcome, ...]
    rule: Identifier | None = None
    initial_state: dict[Identifier, Any] = {}
    user_permissions: dict[Identifier, Any] = {}
    state: dict[Identifier, Any] = {}
    must_cite: Distinct[str] = ()
    assertions: tuple[AuthoredAssertion, ...] = ()
    calls: tuple[AuthoredCall, ...] | None = None
    lift: dict[str, Any] = {}


class Expected(Model):
    """The author's half of the double entry: written by hand, compared with what the rules derive.

    It speaks of the first request, and `then` of each later one, in order.
    """

    outcome: tuple[Outcome, ...]
    rule: Identifier
    initial_state: dict[Identifier, Any] = {}
    user_permissions: dict[Identifier, Any] = {}
    tool_state: dict[Identifier, str] = {}
    state: dict[Identifier, Any]
    must_cite: Distinct[str] = ()
    assertions: tuple[AuthoredAssertion, ...] = ()
    calls: tuple[AuthoredCall, ...] | None = None
    required_invariants: tuple[Identifier, ...]
    allowed_actions: tuple[Identifier, ...]
    forbidden_actions: tuple[Identifier, ...]
    then: tuple[ExpectedLater, ...] = ()


class TrialProtocol(Model):
    """How many times a case is tried, by risk."""

    ordinary_trials: Annotated[int, Field(ge=1)]
    high_risk_trials: Annotated[int, Field(ge=1)]


class Seed(Model):
    """A human-authored gold case; two people review it, and the rules must derive what it expects."""

    seed: Identifier
    case_id: Identifier
    version: VersionText
    family: Identifier
    title: str
    capability: Identifier
    owner: Identifier
    author: Identifier
    source: tuple[SourceRef, ...]
    risk: Risk
    severity: Severity
    locale: str
    tags: tuple[Identifier, ...] = ()
    notes: str | None = None
    status: Literal["active", "draft", "disputed", "retired"] = "active"
    status_reason: str | None = None
    provenance: Provenance
    fixture: Identifier
    overlay: dict[str, Any] = {}
    requests: Annotated[tuple[Request, ...], Field(min_length=1, max_length=5)]
    user_input: str | None = None
    conversation: tuple[Turn, ...] = ()
    tools: Distinct[Identifier]
    faults: tuple[Fault, ...] = ()
    attack: Attack | None = None
    lift: dict[str, Any] = {}
    expected: Expected
    reference: tuple[Step, ...]
    rubric: tuple[Identifier, ...] = ()
    trial_protocol: TrialProtocol | None = None
    reviews: tuple[Review, ...] = ()


class Phrasing(Model):
    """One approved wording of a request; `{slot}` marks a protected slot. Earlier turns may say part of it."""

    id: Identifier
    conversation: tuple[Turn, ...] = ()
    text: str
    tags: tuple[Identifier, ...]
    locale: str
    approved_by: Identifier


class Phrasings(Model):
    """The approved phrasings of one family and goal."""

    phrasings: Identifier
    goal: Identifier
    owner: Identifier
    items: tuple[Phrasing, ...]
