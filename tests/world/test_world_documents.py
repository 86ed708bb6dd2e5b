"""Documents that a tool returns, and answers that must cite them: read, cited by id, and nothing made up."""

from dataclasses import replace

import pytest
from refund_world import TOOLS, call, elements, replaced, respond, task, variant

from caselock.cases.derive import Derived, derive
from caselock.solve.steps import Respond

ARTICLES = """\
  articles:
    key: article_id
    documents: true
    schema:
      type: object
      required: [article_id, topic, title, text]
      additionalProperties: false
      properties:
        article_id: {type: string}
        topic: {enum: [refunds, shipping]}
        title: {type: string}
        text: {type: string, x-free-text: true}
user:
"""
TEXTS = """\
  articles:
    refunds-3: {topic: refunds, title: Limits, text: "Up to the limit of the role."}
    shipping-1: {topic: shipping, title: Parcels, text: "Three days."}
  orders:
"""
TOOL = """\
tool: find_articles
version: "1"
description: Articles of the policy on a topic.
effect: read
because: [refund_api_3.2#orders]
input:
  type: object
  required: [topic]
  additionalProperties: false
  properties:
    topic: {enum: [refunds, shipping]}
let: {found: "articles.filter(a, a.topic == args.topic)"}
returns: {articles: =found}
"""
CITE = """\
  fulfil:
    must_cite: "articles.filter(a, a.topic == 'refunds').map(a, a.article_id)"
"""
FIND = call("find_articles", topic="refunds")
LOOK = call("get_order", order_id="A1024")
REFUND = call("create_refund", order_id="A1024", amount="80.00", idempotency_key="k1")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return variant(
        tmp_path_factory.mktemp("documents"),
        spec__world__records=replaced("user:\n", ARTICLES),
        spec__world__refund_fixture_v4=replaced("  orders:\n", TEXTS),
        spec__tools__find_articles=TOOL,
        spec__permissions=replaced("read: {", "read: {find_articles: allow, "),
        spec__goals__refund_order=replaced("  fulfil:\n", CITE),
    )


@pytest.fixture
def made(program):
    return task(program, tools=(*TOOLS, "find_articles"))


def answer(made, *cites):
    from refund_world import refund_id

    return replace(respond("fulfil", refund_id=refund_id(made, LOOK, REFUND)), cites=cites)


def test_an_answer_that_cites_what_it_read_passes(made):
    assert elements(made, LOOK, FIND, REFUND, answer(made, "refunds-3")) == []


@pytest.mark.parametrize("cites", [(), ("shipping-1",), ("refunds-4",)])
def test_an_answer_without_the_right_citation_fails(made, cites):
    assert elements(made, LOOK, FIND, REFUND, answer(made, *cites)) == ["must_cite"]


def test_a_citation_of_what_was_never_shown_fails(made):
    assert elements(made, LOOK, REFUND, answer(made, "refunds-3")) == ["must_cite"]


def test_what_is_no_document_cannot_be_cited(made):
    assert elements(made, LOOK, FIND, REFUND, answer(made, "refunds-3", "A1024")) == ["must_cite"]


def test_doing_nothing_fails(made):
    assert "must_cite" in elements(made, respond("fulfil"))


def test_the_plan_reads_and_cites(made):
    derived = derive(made)
    assert isinstance(derived, Derived), derived
    last = derived.plan.steps[-1]
    assert isinstance(last, Respond)
    assert last.cites == ("refunds-3",)
    assert any(getattr(step, "tool", "") == "find_articles" for step in derived.plan.steps)


def test_without_a_tool_that_shows_the_document_there_is_no_plan(program):
    assert not isinstance(derive(task(program)), Derived)
