"""The counts mutation: a fault once less than, as often as, and once more than a number that the process allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from caselock.cases.parent import Parent
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Scenario
from caselock.cases.seeds import located
from caselock.rules.program import Program
from caselock.spec.operators import Counts


def counted(program: Program, parent: Parent, mutation: Counts) -> Iterator[tuple[str, Scenario]]:
    """(symbolic name, scenario) of every count of a fault whose tool is on offer; none strikes no time at all.

    Raises:
        BadPath: when there is no number to count around.
    """
    fault = located(program, mutation.fault, parent.values)
    at = allowed(program, mutation)
    if getattr(fault, "tool", None) not in parent.scenario.tools:
        return
    for side, count in (("below", at - 1), ("at", at), ("above", at + 1)):
        if count > 0:
            struck = fault.model_copy(update={mutation.vary: count})
            name = f"{mutation.of or mutation.vary}.{side}"
            yield name, replace(parent.scenario, faults=(*parent.scenario.faults, struck))


def allowed(program: Program, mutation: Counts) -> int:
    """The number to count around.

    Raises:
        BadPath: when the fault has no such number, or the invariant counts nothing.
    """
    own = getattr(mutation.fault, mutation.vary, None)
    if own is None:
        raise BadPath(f"'{mutation.fault.fault}' has no '{mutation.vary}'")
    if mutation.of is None:
        return int(own)
    invariant = program.workspace.invariants.get(mutation.of)
    n = None if invariant is None else invariant.value.n
    if n is None:
        raise BadPath(f"'{mutation.of}' is no invariant that counts (at_most, exactly)")
    return n
