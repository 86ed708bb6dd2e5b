"""The ordered passes from a workspace folder to a locked bundle; each takes what the ones before it made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from caselock.bundle.assemble import assemble
from caselock.bundle.content import BundleContent
from caselock.bundle.read import read
from caselock.cases.case import Case
from caselock.cases.double_entry import CheckedSeed, check_seed
from caselock.cases.expand import Candidate, expand
from caselock.cases.label import gold_case, label_candidates
from caselock.cases.lifts import with_lifts
from caselock.cases.mutations import CompiledOperator
from caselock.cases.operators import compile_operators
from caselock.cases.reviews import check_reviews, check_rulings
from caselock.cases.twins import with_twins
from caselock.diagnostics import Diagnostic, Severity
from caselock.diagnostics.codes.proofs import PROOFS
from caselock.gates.aims import aims
from caselock.gates.duplicates import contradictions, without_duplicates
from caselock.gates.identity import identity
from caselock.gates.promises import promises
from caselock.gates.strength import oracle_strength
from caselock.rules.program import Program, build_program
from caselock.screen.files import screen
from caselock.source.document import Document
from caselock.spec.load import DECIDING, decides, load_workspace
from caselock.spec.resolve import resolve
from caselock.spec.seeds import Seed
from caselock.spec.suite_policies import Coverage
from caselock.spec.workspace import Entry, Workspace
from caselock.suite.distribution import distribution
from caselock.suite.matrix import check_waivers
from caselock.suite.packs import check_packs
from caselock.suite.partitions import Partition, partitions
from caselock.suite.select import select, selection, selective

FOLDER = "generated"

HARMLESS = frozenset({"CL0203", "CL0206", "CL0207", "CL0208", *(info.id for info in PROOFS)})
"""Errors that change no derived label: wrong citations, gaps of the capability map, and what proofs find elsewhere."""


class Progress(Protocol):
    """Told what is being done: a title and how many steps it has (0 when unknown), then each step."""

    def start(self, title: str, steps: int) -> None:
        """A pass begins."""

    def advance(self) -> None:
        """A step of it is done."""


class Silent:
    """Progress that shows nothing."""

    def start(self, title: str, steps: int) -> None:
        """Nothing."""

    def advance(self) -> None:
        """Nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What the passes have made so far, and everything they found; `decisions` limits the proof to those tables."""

    root: Path
    progress: Progress = field(default_factory=Silent)
    decisions: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)
    workspace: Workspace | None = None
    program: Program | None = None
    operators: Mapping[str, CompiledOperator] = field(default_factory=dict)
    seeds: Mapping[str, CheckedSeed] = field(default_factory=dict)
    families: Mapping[str, Partition] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    cases: tuple[Case, ...] = ()
    passed: tuple[Case, ...] = ()
    kill_matrix: Mapping[str, Any] = field(default_factory=dict)
    content: BundleContent | None = None

    @property
    def failed(self) -> bool:
        """True when an error was found: what depends on it cannot be trusted."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)

    def found(self, *diagnostics: Diagnostic, **made: Any) -> Build:
        """The build with more findings and results."""
        return replace(self, diagnostics=tuple(dict.fromkeys((*self.diagnostics, *diagnostics))), **made)


def load(build: Build) -> Build:
    """Strict YAML -> typed models."""
    workspace, diagnostics, documents = load_workspace(build.root)
    return build.found(*diagnostics, workspace=workspace, documents=documents)


def resolve_references(build: Build) -> Build:
    """Every reference exists and is used."""
    if build.workspace is None:
        return build
    return build.found(*resolve(build.workspace))


def screen_files(build: Build) -> Build:
    """No secrets and no personal data in any file."""
    return build if build.workspace is None else build.found(*screen(build.workspace))


def compile_rules(build: Build) -> Build:
    """Every expression of rules, tools, goals, invariants and operators is compiled, and typed by the records."""
    if build.workspace is None or "records" in build.workspace.incomplete:
        return build
    program, diagnostics = build_program(build.workspace)
    operators, more = compile_operators(program)
    return build.found(*diagnostics, *more, program=program, operators=operators)


def prove_rules(build: Build) -> Build:
    """Rules that cannot disagree, leave nothing out and each decide something, or the facts that show otherwise."""
    if build.program is None or undecided(build):
        return build
    from caselock.prove.tables import provable, prove_tables

    build.progress.start("proving rules", len(provable(build.program, build.decisions)))
    return build.found(*prove_tables(build.program, build.decisions, build.progress.advance))


def check_seeds(build: Build) -> Build:
    """Double entry: what authors wrote against what the rules derive; reviews; open rulings."""
    if build.program is None or undecided(build):
        return build
    broken = {diagnostic.span.file for diagnostic in build.diagnostics if diagnostic.severity is Severity.ERROR}
    entries = [entry for entry in build.program.workspace.seeds.values() if entry.document.path not in broken]
    build.progress.start("checking seeds", len(entries))
    seeds: dict[str, CheckedSeed] = {}
    found: list[Diagnostic] = []
    for entry in entries:
        if entry.value.status != "draft":
            found += check_reviews(entry)
        if entry.value.status != "active":
            found.append(_set_aside(entry))
            build.progress.advance()
            continue
        checked, problems = check_seed(build.program, entry)
        found += problems
        rulings = tuple(check_rulings(build.program, entry))
        found += rulings
        if checked is not None and not rulings:
            seeds[entry.value.seed] = checked
        build.progress.advance()
    return build.found(*found, seeds=seeds)


def undecided(build: Build) -> bool:
    """True when rules, world or tools are in error: what they would derive for a seed says nothing about it."""
    unread = frozenset() if build.workspace is None else build.workspace.incomplete
    return bool(unread & DECIDING) or any(
        diagnostic.severity is Severity.ERROR and decides(diagnostic.span.file) and diagnostic.code not in HARMLESS
        for diagnostic in build.diagnostics
    )


def _set_aside(entry: Entry[Seed]) -> Diagnostic:
    seed = entry.value
    return entry.finding("CL0805", f"seed '{seed.seed}' is {seed.status} and not compiled", "status", found=seed.status)


def partition_families(build: Build) -> Build:
    """Families to dev or hidden, before any mutation."""
    if build.program is None:
        return build
    policy = build.program.workspace.splits.value
    return replace(build, families=partitions(policy, (seed.scenario.family for seed in build.seeds.values())))


def expand_seeds(build: Build) -> Build:
    """Approved operators over the seeds."""
    if build.program is None or build.failed:
        return build
    scenarios = {name: (seed.entry, seed.scenario) for name, seed in build.seeds.items()}
    making = {name: item for name, item in build.operators.items() if item.spec.effect != "human"}
    candidates, diagnostics = expand(build.program, making, scenarios)
    return build.found(*diagnostics, candidates=candidates)


def derive_cases(build: Build) -> Build:
    """Every label recomputed from the rules, with a plan that reaches it."""
    if build.program is None or build.failed:
        return build
    build.progress.start("deriving cases", len(build.candidates))
    gold = tuple(gold_case(seed, build.families) for seed in build.seeds.values())
    derived, found = label_candidates(build.program, build.candidates, build.families, build.progress.advance)
    cases = tuple(sorted((*gold, *derived), key=lambda case: case.case_id))
    return build.found(*found, cases=cases)


def pair_cases(build: Build) -> Build:
    """Every fault case with its twin without the fault, every refusal with its lift."""
    if build.program is None or build.failed:
        return build
    cases, found = with_twins(build.program, build.cases)
    cases, more = with_lifts(build.program, build.operators, build.seeds, cases)
    return build.found(*found, *more, cases=cases)


def pass_gates(build: Build) -> Build:
    """What every case must pass to enter the suite."""
    if build.program is None or build.failed:
        return build
    return build.found(
        *promises(build.program, build.seeds, build.cases),
        *aims(build.program, build.cases),
        *identity(build.cases),
        *contradictions(build.cases),
    )


def choose_suite(build: Build) -> Build:
    """The cases that are locked, out of those that passed the gates: no duplicates, no more than the policy says."""
    if build.program is None or build.failed:
        return build
    program, workspace = build.program, build.program.workspace
    passed, notes = without_duplicates(workspace.dedup, build.cases)
    policy = None if workspace.coverage is None else workspace.coverage.value
    cases = passed if policy is None else select(program, policy, passed, _last_lock(build.root, policy))
    found = (
        *notes,
        *check_waivers(program, passed),
        *distribution(program, workspace.distribution, cases),
        *check_packs(workspace.packs, cases),
    )
    return build.found(*found, cases=cases, passed=passed)


def _last_lock(root: Path, policy: Coverage) -> frozenset[str]:
    """The case ids of the last lock, if it was chosen the same way: they keep a suite stable from lock to lock."""
    if not selective(policy) or not (root / FOLDER).is_dir():
        return frozenset()
    bundle, _ = read(root / FOLDER)
    if bundle is None or bundle.coverage.get("selection") != selection(policy):
        return frozenset()
    return frozenset(case.case_id for case in bundle.cases)


def try_oracles(build: Build) -> Build:
    """Wrong agents and legal variations against the graders of every case."""
    if build.program is None or build.failed:
        return build
    build.progress.start("testing oracles", len(build.cases))
    matrix, found = oracle_strength(build.program, build.seeds, build.cases, build.progress.advance)
    return build.found(*found, kill_matrix=matrix)


def assemble_bundle(build: Build) -> Build:
    """The cases in the parts that are locked."""
    if build.program is None or build.failed:
        return build
    splits = build.program.workspace.splits
    hidden = sorted(family for family, side in build.families.items() if side == "hidden")
    content = assemble(build.program, build.cases, build.passed, build.kill_matrix)
    if not hidden:
        return replace(build, content=content)
    where = "families" if hidden[0] in splits.value.families else "hidden_share"
    message = f"nothing seals hidden families yet: {', '.join(hidden)}"
    return build.found(splits.finding("CL0808", message, where, found=hidden[0]), content=content)


Pass = Callable[[Build], Build]

PROVE: tuple[Pass, ...] = (load, resolve_references, compile_rules, prove_rules)
CHECK: tuple[Pass, ...] = (load, resolve_references, screen_files, compile_rules, prove_rules, check_seeds)
COMPILE: tuple[Pass, ...] = (
    *CHECK,
    partition_families,
    expand_seeds,
    derive_cases,
    pair_cases,
    pass_gates,
    choose_suite,
    try_oracles,
    assemble_bundle,
)


def run(
    passes: tuple[Pass, ...], root: Path, progress: Progress | None = None, decisions: tuple[str, ...] = ()
) -> Build:
    """Run passes in order over the workspace at `root`."""
    build = Build(root=root, progress=progress or Silent(), decisions=decisions)
    for each in passes:
        build = each(build)
    return build
