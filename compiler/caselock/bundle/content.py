"""What a bundle is made of, as plain values: the compiled cases in parts and all that they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

Bucket: TypeAlias = Literal["gold", "coverage", "challenge", "regression", "hidden"]

BUCKETS: tuple[Bucket, ...] = get_args(Bucket)
FOLDERS = {
    "agent": "cases",
    "world": "worlds",
    "simulator": "simulators",
    "oracle": "oracles",
    "proof": "proofs",
    "lineage": "lineage",
}  # the field of CaseParts -> the folder of its rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseParts:
    """One case in the parts that never share a file; each part is plain JSON data without floats.

    `bucket` is one of BUCKETS. `agent` is all that the agent under test may see; only the environment reads
    `world`, only the simulated user `simulator`, only graders `oracle` and `proof`.
    """

    case_id: str
    bucket: str
    agent: dict[str, Any]
    world: dict[str, Any]
    simulator: dict[str, Any]
    oracle: dict[str, Any]
    proof: dict[str, Any]
    lineage: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleContent:
    """All that a bundle says; `inputs` gives the sha256 (hex) of each input file by POSIX path."""

    name: str
    version: str
    title: str
    description: str
    license: str
    owner: str
    notice: str | None
    compiler: str
    pins: dict[str, Any]
    trial_protocol: dict[str, Any]
    inputs: Mapping[str, str]
    cases: tuple[CaseParts, ...]
    tools: list[dict[str, Any]]
    model: dict[str, Any]
    coverage: dict[str, Any]
    packs: dict[str, list[str]]

    def counts(self) -> dict[str, int]:
        """Return the number of cases of each bucket that has any, in the order of BUCKETS."""
        numbers = {bucket: sum(case.bucket == bucket for case in self.cases) for bucket in BUCKETS}
        return {bucket: number for bucket, number in numbers.items() if number}
