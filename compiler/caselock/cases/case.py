"""A compiled case: a scenario with its task and everything the rules derive for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caselock.cases.derive import Derived
from caselock.cases.expand import ChainStep
from caselock.cases.scenario import Scenario
from caselock.oracles.task import Task
from caselock.solve.steps import Ask, Call
from caselock.spec.operators import Risk
from caselock.spec.seeds import Regression, Seed
from caselock.spec.workspace import Entry

BucketName = Literal["gold", "coverage", "challenge", "regression", "hidden"]
_RISKS: tuple[Risk, ...] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case of the suite; a gold case has no steps."""

    case_id: str
    seed: Entry[Seed]
    scenario: Scenario
    steps: tuple[ChainStep, ...]
    task: Task
    derived: Derived
    partition: Literal["dev", "hidden"]

    @property
    def bucket(self) -> BucketName:
        """Where the case is filed; whatever comes of a regression seed guards against its incident."""
        if self.partition == "hidden":
            return "hidden"
        if isinstance(self.seed.value.provenance, Regression):
            return "regression"
        buckets = {step.operator.bucket for step in self.steps} or {"gold"}
        return "challenge" if "challenge" in buckets else min(buckets)

    @property
    def risk(self) -> Risk:
        """The highest risk of the seed and the operators applied to it."""
        risks = (self.seed.value.risk, *(step.operator.risk for step in self.steps))
        return max(risks, key=_RISKS.index)

    @property
    def mutation_type(self) -> str:
        """NONE for a gold case, else the kinds of mutation applied."""
        return "+".join(sorted({step.operator.type.upper() for step in self.steps})) or "NONE"

    @property
    def tier(self) -> int:
        """Difficulty, 1 to 5: one more each for more than two tools, a question, a fault or attack, more requests."""
        steps = self.derived.plan.steps
        tools = {step.tool for step in steps if isinstance(step, Call)}
        asks = any(isinstance(step, Ask) for step in steps)
        troubled = bool(self.scenario.faults) or self.scenario.attack is not None
        return 1 + (len(tools) > 2) + asks + troubled + (len(self.seed.value.requests) > 1)
