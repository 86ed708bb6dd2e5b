"""Canonical JSON: the same bytes for the same value, and nothing inexact."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caselock.source.canonical import canonical_bytes, digest, sha256_hex

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner),
    max_leaves=12,
)


def test_keys_are_sorted_and_nothing_is_padded():
    assert canonical_bytes({"b": (1, "\u00e9"), "a": None}) == '{"a":null,"b":[1,"\u00e9"]}'.encode()


def test_digest_is_the_sha256_of_the_canonical_bytes():
    assert digest({"b": 1, "a": 2}) == sha256_hex(b'{"a":2,"b":1}')


@pytest.mark.parametrize(
    "value", [1.5, Decimal("1.10"), 2**53, -(2**53), {"a": [0.0]}, {1: "a"}, b"a", {"a"}, "\ud800"]
)
def test_inexact_and_foreign_values_are_refused(value):
    with pytest.raises(TypeError):
        canonical_bytes(value)


@given(VALUES)
def test_round_trip(value):
    assert json.loads(canonical_bytes(value)) == value


@given(st.dictionaries(TEXTS, VALUES), st.randoms())
def test_the_order_of_keys_does_not_matter(value, random):
    items = list(value.items())
    random.shuffle(items)
    assert canonical_bytes(dict(items)) == canonical_bytes(value)
