"""Records are values: no way to change one in place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import call, played, replaced, task, variant

from caselock.world.state import Record

MUTATORS = {
    "set": lambda record: record.__setitem__("status", "closed"),
    "delete": lambda record: record.__delitem__("status"),
    "clear": lambda record: record.clear(),
    "pop": lambda record: record.pop("status"),
    "popitem": lambda record: record.popitem(),
    "setdefault": lambda record: record.setdefault("new", 1),
    "update": lambda record: record.update(status="closed"),
    "ior": lambda record: record.__ior__({"status": "closed"}),
    "key": lambda record: setattr(record, "key", "other"),
    "collection": lambda record: setattr(record, "collection", "other"),
    "attribute": lambda record: setattr(record, "fresh", 1),
}


def record():
    return Record("orders", "A1024", {"status": "paid"})


@pytest.mark.parametrize("name", MUTATORS)
def test_every_mutator_is_refused(name):
    mine = record()
    with pytest.raises((TypeError, AttributeError)):
        MUTATORS[name](mine)
    assert mine == {"status": "paid"}
    assert (mine.collection, mine.key) == ("orders", "A1024")


def test_a_union_in_place_leaves_the_record_alone():
    mine = record()
    first = mine
    with pytest.raises(TypeError):
        mine |= {"status": "closed"}
    assert first == {"status": "paid"}


def test_a_changed_copy_is_another_record():
    mine = record()
    other = mine.with_fields({"status": "closed"})
    assert (mine["status"], other["status"]) == ("paid", "closed")
    assert (other.collection, other.key) == ("orders", "A1024")


@given(st.dictionaries(st.sampled_from("abc"), st.integers()), st.dictionaries(st.sampled_from("abc"), st.integers()))
def test_with_fields_is_a_union(fields, changes):
    assert Record("c", "k", fields).with_fields(changes) == {**fields, **changes}


ADDRESS = """\
        address:
          type: object
          properties:
            city: {type: string}
            lines: {type: array, items: {type: string}}
"""


def with_address(folder):
    """A program whose customers have a nested address."""
    return variant(
        folder,
        spec__world__records=replaced("        email: {type: string}\n", "        email: {type: string}\n" + ADDRESS),
        spec__world__refund_fixture_v4=replaced(
            "email: c009@example.test", "email: c009@example.test, address: {city: Bonn, lines: [a, b]}"
        ),
    )


def test_a_list_inside_a_record_cannot_be_changed(tmp_path):
    address = task(with_address(tmp_path)).setup.state["customers"]["C009"]["address"]
    assert isinstance(address["lines"], tuple)


def test_an_object_inside_a_record_cannot_be_changed(tmp_path):
    made = task(with_address(tmp_path))
    answer = played(made, call("get_customer", customer_id="C009")).last_result.value
    with pytest.raises(TypeError):
        answer["address"]["city"] = "Cologne"


def test_a_caller_that_changes_its_own_arguments_changes_no_record():
    written = {"order_id": "A1024", "note": "first"}
    run = played(task(), call("add_order_note", **written))
    written["note"] = "second"
    assert run.session.state["orders"]["A1024"]["note"] == "first"
