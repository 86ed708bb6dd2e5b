"""Families to dev or hidden: stable, explicit first, and apart in the bundle."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from caselock.spec.policies import Splits
from caselock.suite.partitions import partition_of, partitions

NAMES = st.text("abcdefghij_", min_size=1, max_size=12)


def policy(share: str, **families: str) -> Splits:
    return Splits(splits="standard", salt="salt", hidden_share=Decimal(share), families=families)


@given(st.sets(NAMES, min_size=1, max_size=20), NAMES)
def test_adding_a_family_moves_no_other(families, another):
    before = partitions(policy("0.4"), families)
    after = partitions(policy("0.4"), families | {another})
    assert all(after[family] == before[family] for family in families)


@given(NAMES)
def test_a_larger_share_only_moves_families_to_hidden(family):
    if partition_of(policy("0.3"), family) == "hidden":
        assert partition_of(policy("0.6"), family) == "hidden"


def test_no_share_hides_nothing_and_a_full_share_everything():
    names = [f"family_{number}" for number in range(200)]
    assert set(partitions(policy("0"), names).values()) == {"dev"}
    assert set(partitions(policy("1"), names).values()) == {"hidden"}


def test_the_share_is_about_met():
    names = [f"family_{number}" for number in range(2000)]
    hidden = sum(side == "hidden" for side in partitions(policy("0.25"), names).values())
    assert 400 < hidden < 600


def test_an_explicit_choice_comes_before_the_hash():
    assert partition_of(policy("0", refund_normal="hidden"), "refund_normal") == "hidden"
    assert partition_of(policy("1", refund_normal="dev"), "refund_normal") == "dev"
