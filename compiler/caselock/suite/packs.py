"""Cases -> the packs they are run in: smoke touches everything once, full is everything, canary is listed by people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from caselock.cases.case import Case
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.diagnostics.nearest import nearest
from caselock.spec.policies import Packs
from caselock.spec.workspace import Entry

Feature = tuple[str, ...]


def packs(policy: Packs, cases: Sequence[Case]) -> dict[str, list[str]]:
    """The case ids of every pack, in id order; hidden cases are in none."""
    dev = {case.case_id: features(case) for case in cases if case.partition == "dev"}
    return {
        "smoke": sorted(smoke(dev, policy.smoke)),
        "full": sorted(dev),
        "canary": sorted(set(policy.canary or ()) & dev.keys()),
    }


def features(case: Case) -> frozenset[Feature]:
    """What a smoke pack has to touch: the goal with its outcome, each operator type and each fault."""
    return frozenset(
        (
            ("outcome", case.scenario.goal, "+".join(case.derived.label)),
            *(("operator type", step.operator.type) for step in case.steps),
            *(("fault", fault.fault) for fault in case.scenario.faults),
        )
    )


def smoke(cases: Mapping[str, frozenset[Feature]], size: int) -> list[str]:
    """`size` ids, or all if there are fewer: the case that adds most comes first, the first id of equals.

    Once everything is touched it starts again with the cases that are left.
    """
    chosen: list[str] = []
    wanted: set[Feature] = set()
    while len(chosen) < min(size, len(cases)):
        left = sorted(cases.keys() - set(chosen))
        if not any(cases[case_id] & wanted for case_id in left):
            wanted = {feature for case_id in left for feature in cases[case_id]}
        best = max(left, key=lambda case_id: len(cases[case_id] & wanted))
        chosen.append(best)
        wanted -= cases[best]
    return chosen


def check_packs(entry: Entry[Packs], cases: Sequence[Case]) -> Iterator[Diagnostic]:
    """Canary ids that name no case of a dev bucket, and what the smoke pack has no room for."""
    dev = {case.case_id: features(case) for case in cases if case.partition == "dev"}
    for index, name in enumerate(entry.value.canary or ()):
        if name not in dev:
            hidden = any(case.case_id == name for case in cases)
            message = f"case '{name}' is hidden" if hidden else f"there is no case '{name}'"
            close = None if hidden else nearest(name, dev)
            yield entry.finding("CL0809", message, "canary", index, found=name, nearest=close)
    touched = {feature for name in smoke(dev, entry.value.smoke) for feature in dev[name]}
    left = sorted({feature for each in dev.values() for feature in each} - touched)
    if left:
        kind, *rest = left[0]
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        message = f"a smoke pack of {entry.value.smoke} leaves out the {kind} {' '.join(rest)}{more}"
        yield entry.finding("CL0810", message, "smoke", found=str(entry.value.smoke))
