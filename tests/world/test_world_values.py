"""Written values -> typed values: exact numbers, instants, and the schema checks on both."""

import subprocess
import sys
import tracemalloc
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from refund_world import program

from caselock.spec.schemas import Schema
from caselock.world.inputs import read_args
from caselock.world.schema_check import problems, published
from caselock.world.values import Unreadable, plain, read_timestamp, read_value, show

CENT = Schema.model_validate({"type": "number", "multipleOf": Decimal("0.01")})


def args(amount, **more):
    tool = program().world.tools["create_refund"].spec
    return read_args(tool, {"order_id": "A1024", "amount": amount, "idempotency_key": "k", **more})


@pytest.mark.parametrize(
    "amount", [80, Decimal(80), Decimal("80.0"), Decimal("80.00"), "80", "80.0", "80.00"], ids=repr
)
def test_every_way_to_write_eighty_is_the_same_argument(amount):
    read, problem = args(amount)
    assert problem is None
    assert str(read["amount"]) == "80.00"


@pytest.mark.parametrize(
    "amount",
    [Decimal("80.005"), "80.005", True, None, 80.0, "", "eighty", "NaN", "Infinity", "-Infinity", "sNaN", [80], {}],
    ids=repr,
)
def test_what_is_no_amount_in_cents_is_refused(amount):
    assert args(amount)[1] is not None


@pytest.mark.parametrize("amount", ["8_0", " 80 ", "1e2", "٨٠"])
def test_a_string_that_the_published_schema_refuses_is_refused(amount):
    assert args(amount)[1] is not None


@pytest.mark.parametrize("amount", ["1e40", "9" * 40, Decimal("1e999"), 10**60], ids=lambda value: str(value)[:8])
def test_a_huge_number_is_refused_or_read(amount):
    read, problem = args(amount)
    assert problem is not None or read["amount"] == Decimal(amount)


def test_a_very_long_whole_number_is_refused():
    assert args(10**5000)[1] is not None


def test_a_huge_exponent_does_not_fill_the_memory():
    tracemalloc.start()
    try:
        assert args(Decimal("1e5000000"))[1] is not None
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("step", ["0.01", "0.0000000001", "0.00000000000000000001"])
def test_the_longest_numbers_are_checked_against_the_finest_steps(step):
    schema = Schema.model_validate({"type": "number", "multipleOf": Decimal(step)})
    assert problems(schema, read_value(schema, "9" * 20)) == ()
    assert problems(schema, read_value(schema, "9" * 20 + "." + "9" * 20)) == () or step != "0." + "0" * 19 + "1"


@pytest.mark.parametrize(("name", "value"), [("maximum", 1), ("exclusiveMaximum", 1)])
def test_a_message_is_short_and_shows_the_number_as_written(name, value):
    schema = Schema.model_validate({"type": "number", name: Decimal(value)})
    (found,) = problems(schema, read_value(schema, "80.10"))
    assert "80.10" in found.message
    assert len(found.message) < 80


def test_an_unknown_argument_is_refused_and_named():
    assert args("80.00", note="x")[1] == "note: unknown field 'note'"


def test_a_missing_argument_is_named():
    tool = program().world.tools["create_refund"].spec
    assert read_args(tool, {"order_id": "A1024", "amount": 80})[1] == "arguments: 'idempotency_key' is missing"


@pytest.mark.parametrize("step", ["0.01", "0.05", "0.1", "1", "0.001"])
def test_every_multiple_of_a_step_is_one_and_nothing_between_is(step):
    schema = Schema.model_validate({"type": "number", "multipleOf": Decimal(step)})
    for count in range(1, 2001):
        value = Decimal(step) * count
        assert problems(schema, value) == ()
        assert len(problems(schema, value + Decimal(step) / 2)) == 1


def test_every_cent_up_to_twenty_is_a_multiple_of_a_cent():
    assert all(problems(CENT, Decimal(cents).scaleb(-2)) == () for cents in range(1, 2001))


@pytest.mark.parametrize("step", ["0", "0.00"])
def test_a_step_of_zero_is_a_finding_and_no_traceback(step):
    with pytest.raises(ValidationError):
        Schema.model_validate({"type": "number", "multipleOf": Decimal(step)})


@pytest.mark.parametrize(
    "pattern", ["(", "^(a+)+$", "^a|b$", "a", "^.*$", "(?P<x>a)(?P<x>b)", "^[a-z+$", "^a**$", "^[a-z]+-[0-9]{1,3}$"]
)
def test_a_pattern_outside_of_the_safe_subset_is_refused(pattern):
    with pytest.raises(ValidationError, match="safe to match"):
        Schema(type="string", pattern=pattern)


@pytest.mark.parametrize("pattern", ["^C[0-9]{3}$", "^[A-Z][0-9]{4}$", "^[a-z]+-[0-9]{3}$", "^$", "^a?b$"])
def test_a_pattern_inside_of_it_is_taken(pattern):
    assert Schema(type="string", pattern=pattern).pattern == pattern


@pytest.mark.parametrize("body", ["a?" * 30 + "a" * 30, "a{0,99}" * 15, "a{1,}" * 15], ids=["?", "{0,99}", "{1,}"])
def test_a_safe_pattern_is_matched_or_refused_at_once(body):
    pattern = f"^{body}$"
    try:
        Schema(type="string", pattern=pattern)
    except ValidationError:
        return
    code = f"import re; re.search({pattern!r}, 'a' * 29 + '!')"
    subprocess.run([sys.executable, "-c", code], timeout=1, check=True)


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_amounts_survive_plain_and_back(amount):
    assert read_value(CENT, plain(amount)) == amount
    assert plain(read_value(CENT, plain(amount))) == plain(amount)


@pytest.mark.parametrize("text", ["2026-08-01T09:00:00Z", "2026-08-01T11:00:00+02:00", "2026-08-01T09:00:00.000+00:00"])
def test_an_instant_is_read_in_utc(text):
    assert read_timestamp(text) == datetime(2026, 8, 1, 9, tzinfo=UTC)
    assert plain(read_timestamp(text)) == "2026-08-01T09:00:00Z"


@pytest.mark.parametrize("text", ["2026-08-01T09:00:00", "2026-08-01", "yesterday", "", "2026-13-01T00:00:00Z"])
def test_what_is_no_instant_is_unreadable(text):
    with pytest.raises(Unreadable):
        read_timestamp(text)


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00"])
def test_an_instant_outside_the_calendar_is_unreadable(text):
    with pytest.raises(Unreadable):
        read_timestamp(text)


@pytest.mark.parametrize("text", ["20260801T090000Z", "2026-W31-6T09:00:00Z", "2026-08-01T09Z"])
def test_a_form_that_rfc_3339_does_not_know_is_unreadable(text):
    with pytest.raises(Unreadable):
        read_timestamp(text)


def test_a_duration_is_read_as_one():
    assert read_value(Schema(type="string", format="duration"), "1h") == timedelta(hours=1)


@pytest.mark.parametrize("value", [True, False, None, "a", Decimal("1.10"), {"a": [1, True]}, timedelta(seconds=5)])
def test_messages_never_show_a_python_repr(value):
    assert not any(word in show(value) for word in ("Decimal(", "True", "False", "None", "datetime"))


def test_a_decimal_is_published_as_a_number_or_a_string_with_its_scale():
    assert published(CENT) == {"type": ["number", "string"], "pattern": r"^-?[0-9]+(\.[0-9]{1,2})?$"}
