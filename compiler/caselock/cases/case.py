"""A compiled case: a scenario with its task and everything the rules derive for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caselock.cases.derive import Derived
from caselock.cases.expand import ChainStep
from caselock.cases.scenario import Scenario
from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.oracles.task import Task
from caselock.rules.program import Program
from caselock.solve.steps import Ask, Call
from caselock.spec.operators import Risk
from caselock.spec.seeds import Regression, Seed
from caselock.spec.workspace import Entry

BucketName = Literal["gold", "coverage", "challenge", "regression", "hidden"]
_RISKS: tuple[Risk, ...] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A case without its faults: its id where it is a case of its own, and what the rules make of it."""

    case_id: str | None
    derived: Derived


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """What makes a case a fulfilment: chain steps undone, and whether the lift of the seed is needed as well."""

    undo: tuple[str, ...]
    seed: bool


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
    twin: Twin | None = None
    lift: Lift | None = None

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
        return 1 + (len(tools) > 2) + asks + troubled + (len(self.scenario.requests) > 1)

    def finding(self, program: Program, code: str, message: str, *path: str | int) -> Diagnostic:
        """A finding about the case: at the operator applied last, for a gold case at `path` in its seed."""
        if not self.steps:
            return self.seed.finding(code, f"case '{self.case_id}': {message}", *path)
        place = program.workspace.operators[self.steps[-1].operator.operator]
        related = (Related(span=self.seed.span("seed"), message=f"on seed '{self.scenario.seed}'"),)
        return place.finding(code, f"case '{self.case_id}': {message}", "mutation", related=related)
