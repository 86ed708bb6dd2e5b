"""The selector: complete, valid, small, deterministic, stable and idempotent, on random models and random rows."""

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caselock.suite.covering import cover, tuples_of
from caselock.suite.models import Constraint, Model, generate

ROWS = st.lists(st.tuples(*(st.sampled_from("abcd") for _ in range(4))), max_size=40, unique=True).map(sorted)
SIZES = st.lists(st.integers(1, 4), min_size=2, max_size=4)


def pairs(rows, strength=2):
    """Counted another way than the selector does: by axes, values looked up one by one."""
    axes = range(len(rows[0])) if rows else ()
    return {(where, tuple(row[axis] for axis in where)) for row in rows for where in combinations(axes, strength)}


@given(ROWS, st.sampled_from((2, 3)))
def test_a_choice_has_every_tuple_of_the_rows(rows, strength):
    chosen = [rows[index] for index in cover(rows, strength)]
    assert pairs(chosen, strength) == pairs(rows, strength)


@given(ROWS, st.sampled_from((2, 3)))
def test_choosing_again_from_a_choice_changes_nothing(rows, strength):
    chosen = cover(rows, strength)
    assert cover(rows, strength, kept=chosen) == chosen
    own = [rows[index] for index in chosen]
    assert cover(own, strength) == tuple(range(len(own)))
    assert cover(own, strength, kept=range(len(own))) == tuple(range(len(own)))


@given(ROWS, st.data())
def test_what_was_kept_stays(rows, data):
    kept = data.draw(st.sets(st.sampled_from(range(len(rows))))) if rows else set()
    assert kept <= set(cover(rows, 2, kept=kept))


@given(ROWS, st.integers(0, 10))
def test_a_limit_bounds_the_choice(rows, limit):
    assert len(cover(rows, 2, limit=limit)) <= limit


def test_a_limited_choice_takes_the_weighty_rows():
    rows = [("a", "x"), ("b", "y"), ("c", "z")]
    assert cover(rows, 2, weights=(1, 5, 1), limit=1) == (1,)


def test_a_kept_row_is_not_chosen_twice_and_a_superfluous_pick_is_dropped():
    rows = [("a", "x", "1"), ("a", "y", "2"), ("b", "x", "2"), ("b", "y", "1"), ("a", "x", "1")]
    assert cover(rows, 2, kept=(4,)) == (1, 2, 3, 4)


def model(sizes, forbidden=()):
    domains = tuple(tuple(str(value) for value in range(size)) for size in sizes)
    constraints = tuple(
        Constraint(axes=(a, b), holds=lambda left, right, x=x, y=y: (left, right) != (x, y)) for a, x, b, y in forbidden
    )
    return Model(domains=domains, constraints=constraints)


@st.composite
def models(draw):
    sizes = draw(SIZES)
    cells = [(axis, str(value)) for axis, size in enumerate(sizes) for value in range(size)]
    joined = [(a, x, b, y) for (a, x), (b, y) in combinations(cells, 2) if a != b]
    return model(sizes, draw(st.lists(st.sampled_from(joined), max_size=6, unique=True)) if joined else ())


def valid_rows(model):
    return [row for row in product(*model.domains) if model.broken(dict(enumerate(row))) is None]


@settings(max_examples=60, deadline=None)
@given(models(), st.sampled_from((2, 3)))
def test_generated_rows_are_valid_and_have_every_feasible_tuple(model, strength):
    rows = generate(model, strength, tries=4)
    assert set(rows) <= set(valid_rows(model))
    assert pairs(rows, strength) == pairs(valid_rows(model), strength)
    assert generate(model, strength, tries=4) == rows


@given(models())
def test_a_tuple_is_feasible_exactly_if_a_valid_row_has_it(model):
    assert set(model.feasible(2)) == {cells for row in valid_rows(model) for cells in tuples_of(row, 2)}


@pytest.mark.parametrize(("sizes", "most"), [((3,) * 4, 13), ((3,) * 13, 20)])
def test_sizes_are_those_of_a_good_tool(sizes, most):
    assert len(generate(model(sizes), 2)) <= most


@pytest.mark.parametrize("axis", range(5))
def test_a_value_added_to_one_axis_leaves_nine_cases_in_ten(axis):
    before, sizes = model((4, 4, 3, 3, 5)), [4, 4, 3, 3, 5]
    sizes[axis] += 1
    rows, emitted = list(product(*model(sizes).domains)), set(generate(before, 2))
    old = [index for index, row in enumerate(rows) if row in emitted]
    chosen = cover(rows, 2, kept=old)
    assert len(set(old) & set(chosen)) >= 0.9 * len(old)
    assert pairs([rows[index] for index in chosen]) == pairs(rows)
