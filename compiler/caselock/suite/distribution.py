"""The suite and a policy -> each target with what there is of it, and how many cases to add or retire."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Any

from caselock.cases.case import Case
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.diagnostics.nearest import nearest
from caselock.rules.program import Program
from caselock.spec.suite_policies import Aspect, Distribution
from caselock.spec.workspace import Entry
from caselock.suite.dimensions import INPUTS, RISKS, STATES, input_quality, system_state
from caselock.suite.strata import STRATA, stratum

_VALUES: dict[Aspect, Callable[[Case], Iterable[str]]] = {
    "capability": lambda case: (case.seed.value.capability,),
    "tool": lambda case: case.scenario.tools,
    "risk": lambda case: (case.risk,),
    "tier": lambda case: (str(case.tier),),
    "input": lambda case: (input_quality(case),),
    "state": lambda case: (system_state(case),),
    "mutation": lambda case: sorted({step.operator.type for step in case.steps}) or ("none",),
    "stratum": lambda case: (stratum(case),),
    "locale": lambda case: (case.scenario.locale,),
}
_MUTATIONS = ("none", "language", "dialogue", "boundary", "state", "failure", "permission", "adversarial")
_SIZES = {"starter": (20, 20), "standard": (50, 100), "release": (50, 100)}
"""The least number of cases by profile: for graders that say yes or no, and where a rubric is scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One number the suite should reach: `short` cases are to be added, `over` to be retired; `path` is its place."""

    aspect: str
    value: str
    target: str
    actual: str
    short: int = 0
    over: int = 0
    path: tuple[str, ...] = ()
    strict: bool = False

    def document(self) -> dict[str, Any]:
        """The target as JSON data."""
        return {
            "aspect": self.aspect, "value": self.value, "target": self.target, "actual": self.actual,
            "add": self.short, "retire": self.over,
        }  # fmt: skip


def targets(program: Program, policy: Distribution, cases: Sequence[Case]) -> tuple[Target, ...]:
    """Every target of the policy and its profile with what the suite has; never one figure for all."""
    return (
        *_sizes(program, policy, cases),
        *_balance(policy, cases),
        *_shares(policy, cases),
        *_at_least(policy, cases),
    )


def distribution(program: Program, entry: Entry[Distribution] | None, cases: Sequence[Case]) -> Iterator[Diagnostic]:
    """Findings for targets that are missed, as strict as the profile, and for values that no case can have."""
    if entry is None:
        return
    policy = entry.value
    yield from _unknown(program, entry)
    code = "CL1205" if policy.profile == "release" else "CL1204"
    for target in targets(program, policy, cases):
        if (target.short or target.over) and (target.strict or policy.profile != "starter"):
            todo = f"add {target.short}" if target.short else f"retire {target.over}"
            message = f"{target.aspect} {target.value}: {target.actual}, wanted {target.target}; {todo}"
            yield entry.finding(code, message, *target.path, found=target.actual)


def _sizes(program: Program, policy: Distribution, cases: Sequence[Case]) -> Iterator[Target]:
    binary, scored = _SIZES[policy.profile]
    judged = sum(_scored(program, case) for case in cases)
    for value, least, actual in (("graded yes or no", binary, len(cases)), ("scored by a rubric", scored, judged)):
        if actual or value == "graded yes or no":
            yield Target(
                aspect="size", value=value, target=f"{least} or more", actual=str(actual), short=max(0, least - actual),
                path=("profile",), strict=True,
            )  # fmt: skip


def _scored(program: Program, case: Case) -> bool:
    goal, outcome = program.goals[case.derived.goal], case.derived.final.outcome
    contract, question = goal.outcomes.get(outcome), goal.questions.get(outcome)
    own = contract.spec.rubric if contract is not None else question.rubric if question is not None else ()
    return bool(own or program.workspace.shared_criteria or (case.seed.value.rubric and not case.steps))


def _balance(policy: Distribution, cases: Sequence[Case]) -> Iterator[Target]:
    acting, least = sum(case.derived.final.outcome == "fulfil" for case in cases), policy.balance
    for value, actual in (("act", acting), ("refrain", len(cases) - acting)):
        yield Target(
            aspect="balance", value=value, target=f"{_percent(least)} or more", actual=_part(actual, len(cases)),
            short=_short(actual, len(cases), least) or int(not actual), path=("balance",), strict=not actual,
        )  # fmt: skip


def _shares(policy: Distribution, cases: Sequence[Case]) -> Iterator[Target]:
    total = len(cases)
    for aspect, wanted in policy.shares.items():
        for value, share in wanted.items():
            actual = _count(aspect, value, cases)
            yield Target(
                aspect=aspect, value=value, target=f"{_percent(share)} give or take {_percent(policy.tolerance)}",
                actual=_part(actual, total), short=_short(actual, total, share - policy.tolerance),
                over=_over(actual, total, share + policy.tolerance), path=("shares", aspect, value),
            )  # fmt: skip


def _at_least(policy: Distribution, cases: Sequence[Case]) -> Iterator[Target]:
    for aspect, wanted in policy.at_least.items():
        for value, least in wanted.items():
            actual = _count(aspect, value, cases)
            yield Target(
                aspect=aspect, value=value, target=f"{least} or more", actual=str(actual), short=max(0, least - actual),
                path=("at_least", aspect, value),
            )  # fmt: skip


def _count(aspect: Aspect, value: str, cases: Sequence[Case]) -> int:
    return sum(value in _VALUES[aspect](case) for case in cases)


def _short(actual: int, total: int, share: Decimal) -> int:
    """How many such cases to add until they are `share` of all, the added ones included."""
    if actual >= share * total:
        return 0
    return max(1, total - actual) if share == 1 else _up((share * total - actual) / (1 - share))


def _over(actual: int, total: int, share: Decimal) -> int:
    """How many such cases to retire until they are no more than `share` of what is left."""
    return 0 if share >= 1 or actual <= share * total else _up((actual - share * total) / (1 - share))


def _up(number: Decimal) -> int:
    return int(number.to_integral_value(rounding=ROUND_CEILING))


def _percent(share: Decimal) -> str:
    return f"{(share * 100).quantize(Decimal('1'))} %"


def _part(actual: int, total: int) -> str:
    return f"{actual} of {total} ({_percent(Decimal(actual) / max(1, total))})"


def _unknown(program: Program, entry: Entry[Distribution]) -> Iterator[Diagnostic]:
    for where, wanted in (("shares", entry.value.shares), ("at_least", entry.value.at_least)):
        for aspect, values in wanted.items():
            allowed = known(program, aspect)
            for value in values:
                if value not in allowed:
                    message = f"no case can have {aspect} '{value}'"
                    yield entry.finding(
                        "CL1203", message, where, aspect, value, key=True, found=value, allowed=allowed,
                        nearest=nearest(value, allowed),
                    )  # fmt: skip


def known(program: Program, aspect: Aspect) -> tuple[str, ...]:
    """The values that a case can have along an aspect."""
    workspace = program.workspace
    closed: dict[Aspect, tuple[str, ...]] = {
        "capability": tuple(workspace.capabilities),
        "tool": tuple(workspace.tools),
        "risk": RISKS,
        "tier": ("1", "2", "3", "4", "5"),
        "input": INPUTS,
        "state": tuple(STATES),
        "mutation": _MUTATIONS,
        "stratum": STRATA,
        "locale": workspace.project.value.locales,
    }
    return closed[aspect]
