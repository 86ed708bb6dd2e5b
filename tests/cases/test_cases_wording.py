"""Wordings: the slots that come back from a text are the slots that went in."""

from datetime import UTC
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import program

from caselock.cases.wording import BadWording, check_protected, fill, join, mentioned, parts
from caselock.cases.wording import read_back as read_back_in
from caselock.spec.schemas import Schema
from caselock.world.localized import shown

EN, DE, FR = LOCALES = tuple(program().workspace.locales[name].value for name in ("en", "de", "fr"))
SCHEMAS = {
    "order_id": Schema(type="string"),
    "other": Schema(type="string"),
    "amount": Schema.model_validate({"type": "number", "multipleOf": Decimal("0.01")}),
    "count": Schema(type="integer"),
    "when": Schema(type="string", format="date-time"),
    "notify": Schema(type="boolean"),
}
WORD = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=12)
FIXED = st.text(st.characters(exclude_characters="{}%+-.,", exclude_categories=["C", "N"]), max_size=12)
VALUES = {
    "order_id": WORD,
    "other": WORD,
    "amount": st.decimals(min_value=-(10**6), max_value=10**6, places=2),
    "when": st.datetimes(timezones=st.just(UTC)),
    "notify": st.just(True),
}


@st.composite
def wordings(draw):
    """A wording whose slots are apart, and values for them; values are anything, braces included."""
    names = draw(st.permutations(sorted(VALUES)))[: draw(st.integers(0, 4))]
    say = draw(FIXED)
    for name in names:
        mark = (
            "{notify|" + draw(FIXED.filter(lambda text: text and "|" not in text)) + "}"
            if name == "notify"
            else f"{{{name}}}"
        )
        say += " " + mark + " " + draw(FIXED)
    return say, {name: draw(VALUES[name]) for name in names}


def render(say, slots, locale=EN):
    check_protected(parts(say))
    return fill(say, slots, locale)


def read_back(say, text, schemas, locale=EN):
    return read_back_in(say, text, schemas, locale)


@given(wordings(), st.sampled_from(LOCALES))
def test_the_slots_that_come_back_are_the_slots_that_went_in(made, locale):
    say, slots = made
    assert read_back(say, render(say, slots, locale), SCHEMAS, locale) == slots


@given(wordings())
def test_parts_join_to_the_wording(made):
    say, slots = made
    assert join(parts(say)) == say
    assert list(mentioned(say)) == list(slots)


@given(st.text(alphabet="{}|a _A1", max_size=16))
def test_any_text_is_a_wording_or_a_bad_one(say):
    try:
        found = mentioned(say)
    except BadWording:
        assert "{" in say or "}" in say
    else:
        assert join(parts(say)) == say
        assert say.count("{") == say.count("}") == len(found)


@pytest.mark.parametrize(
    "say", ["{", "}", "{}", "{{order_id}}", "{Order}", "{order_id|}", "{ order_id }", "{order_id.x}"]
)
def test_a_brace_left_over_is_a_bad_wording(say):
    with pytest.raises(BadWording):
        parts(say)


@pytest.mark.parametrize("value", ["{amount}", "{", "}}", ".*", r"\d", "(a+)+", "{0}", "$(id)"])
def test_a_hostile_value_stays_a_value(value):
    text = render("Order {order_id}, please.", {"order_id": value})
    assert text == f"Order {value}, please."
    assert read_back("Order {order_id}, please.", text, SCHEMAS) == {"order_id": value}


def test_a_wording_mentions_only_slots_of_its_request():
    with pytest.raises(BadWording, match="mentions 'order_id'"):
        render("Order {order_id}.", {})


@pytest.mark.parametrize(
    ("value", "text"),
    [("80.00", "80"), ("80.10", "80.10"), ("0.00", "0"), ("-1.50", "-1.50"), ("100000000000.00", "100000000000")],
)
def test_an_amount_is_shown_as_people_write_it(value, text):
    assert shown(Decimal(value), EN) == text


def test_words_that_say_yes_are_not_rendered_for_a_flag_that_is_false():
    say = "Refund it {notify|and tell me}."
    with pytest.raises(BadWording):
        render(say, {"notify": False})


def test_a_text_of_another_wording_is_no_text_of_this_one():
    with pytest.raises(BadWording):
        read_back("Order {order_id}.", "Parcel A1024.", SCHEMAS)
    with pytest.raises(BadWording):
        read_back("Order {amount}.", "Order many.", SCHEMAS)


def test_a_wording_that_can_be_read_in_two_ways_is_a_bad_one():
    with pytest.raises(BadWording):
        read_back("Order {order_id}{other}.", "Order A1024.", SCHEMAS)


def test_a_slot_that_reads_differently_in_two_places_does_not_come_back():
    with pytest.raises(BadWording):
        read_back("{order_id}, I mean {order_id}", "A1024, I mean A2048", SCHEMAS)


def test_a_whole_number_comes_back():
    assert read_back("{count} pieces", render("{count} pieces", {"count": 3}), SCHEMAS) == {"count": 3}


def test_a_flag_without_words_is_no_wording():
    with pytest.raises(BadWording):
        render("Notice: {notify}", {"notify": True})


def test_a_value_of_two_words_comes_back():
    say = "The title is {order_id}."
    assert read_back(say, render(say, {"order_id": "War and Peace"}), SCHEMAS) == {"order_id": "War and Peace"}
