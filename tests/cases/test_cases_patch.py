"""JSON patches: applying the patch to the old document gives the new one, and names every leaf it touches."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import scenario

from caselock.cases.expand import pointers
from caselock.cases.json_patch import leaves, patch_between

KEYS = st.text(alphabet="ab/~01", max_size=3)
SCALARS = st.none() | st.text(max_size=3) | st.integers(2, 9)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=10
)


def applied(document, patch):
    """A tiny RFC 6902 applier for add, remove and replace in objects."""
    box = {"": copy.deepcopy(document)}
    for operation in patch:
        parts = ["", *operation["path"].split("/")[1:]]
        *way, last = (part.replace("~1", "/").replace("~0", "~") for part in parts)
        node = box
        for part in way:
            node = node[part]
        if operation["op"] != "add":
            assert last in node
        if operation["op"] == "remove":
            del node[last]
        else:
            node[last] = copy.deepcopy(operation["value"])
    return box[""]


@given(JSON, JSON)
def test_the_patch_turns_the_old_document_into_the_new_one(old, new):
    assert applied(old, patch_between(old, new)) == new


@given(st.dictionaries(KEYS, JSON, max_size=3), st.dictionaries(KEYS, JSON, max_size=3))
def test_documents_that_share_parts_are_patched_too(old, new):
    mixed = {**old, **new}
    assert applied(old, patch_between(old, mixed)) == mixed
    assert applied(mixed, patch_between(mixed, old)) == old


@given(JSON, JSON)
def test_the_patch_is_empty_exactly_for_equal_documents(old, new):
    assert (patch_between(old, new) == []) == (old == new)
    assert patch_between(old, copy.deepcopy(old)) == []


@given(st.dictionaries(KEYS, JSON, max_size=3), st.dictionaries(KEYS, JSON, max_size=3))
def test_operations_come_in_path_order_and_never_twice(old, new):
    paths = [operation["path"] for operation in patch_between(old, new)]
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize(("old", "new"), [({"a": 1}, {"a": True}), ({"a": [0]}, {"a": [False]})])
def test_a_number_that_becomes_a_flag_is_a_change(old, new):
    assert patch_between(old, new) != []


def test_leaves_are_pointers():
    assert list(leaves({"op": "add", "path": "/a", "value": {"b/c": 1}})) == ["/a/b~1c"]


def test_leaves_name_every_scalar_and_list():
    operation = {
        "op": "add",
        "path": "/world",
        "value": {"orders": {"A": {"status": "paid", "lines": [1]}}, "empty": {}},
    }
    assert sorted(leaves(operation)) == ["/world/empty", "/world/orders/A/lines", "/world/orders/A/status"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("request.amount", {("request", part, "amount") for part in ("slots", "knows", "first")}),
        ("conversation", {("conversation",)}),
        ("disclosure", {("disclosure",)}),
        ("request.wording", {("request", "say"), ("request", "phrasing"), ("request", "locale")}),
        ("user.on_hold", {("user", "on_hold")}),
        ("agent.refund_limit", {("agent", "refund_limit")}),
        ("initial_state.orders.status", {("world", "orders", "*", "status")}),
        ("faults.create_refund", {("faults", "create_refund")}),
        ("attack", {("attack",)}),
    ],
)
def test_a_name_in_changes_stands_for_parts_of_the_scenario(name, expected):
    assert set(pointers(name)) == expected


def test_a_scenario_document_names_what_its_pointers_name():
    made = scenario(overlay={("user", "on_hold"): True, ("orders", "A1024", "status"): "shipped"})
    patch = patch_between(scenario().document(), made.document())
    assert sorted(leaf for operation in patch for leaf in leaves(operation)) == [
        "/user/on_hold",
        "/world/orders/A1024/status",
    ]
