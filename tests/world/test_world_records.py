"""Records are values: no way to change one in place."""

import copy
import pickle

import pytest
from caselock.world.state import Record
from hypothesis import given
from hypothesis import strategies as st
from refund_world import task

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


def test_copies_are_records():
    assert copy.deepcopy(record()) == record()
    assert pickle.loads(pickle.dumps(record())) == record()


@given(st.dictionaries(st.sampled_from("abc"), st.integers()), st.dictionaries(st.sampled_from("abc"), st.integers()))
def test_with_fields_is_a_union(fields, changes):
    assert Record("c", "k", fields).with_fields(changes) == {**fields, **changes}


def test_a_caller_that_changes_what_it_passed_changes_no_record():
    """Arguments are copied at the door, nested ones too."""
    made = task()
    written = {"order_id": "A1024", "note": "first"}
    from refund_world import call, played

    run = played(made, call("add_order_note", **written))
    written["note"] = "second"
    assert run.session.state["orders"]["A1024"]["note"] == "first"
