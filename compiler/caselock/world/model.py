"""The compiled world: record types, tool contracts with compiled expressions, and fixtures as typed states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from caselock.expr.compile import Expression
from caselock.expr.types import Variable
from caselock.spec.tools import Tool
from caselock.spec.world import Collection
from caselock.world.expressions import Tree
from caselock.world.permissions import Grants
from caselock.world.places import Place
from caselock.world.state import State, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A place of a record and what is written there; `appends` says that it is a list which gets one more item."""

    place: Place
    value: Tree
    appends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A name that stands for each item of a list in turn."""

    name: str
    items: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledChange:
    """One effect of a tool: an insert (no key) under a name, or an update of the record with the key, for each item."""

    collection: str
    name: str | None
    key: Expression | None
    set: tuple[Assignment, ...]
    over: Loop | None = None

    @property
    def fields(self) -> frozenset[str]:
        """The fields that the change writes, or writes into."""
        return frozenset(assignment.place.field for assignment in self.set)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTool:
    """A tool contract that can be run."""

    spec: Tool
    lets: Mapping[str, Expression]
    errors: tuple[tuple[str, Expression], ...]
    changes: tuple[CompiledChange, ...]
    returns: Tree

    @property
    def writes(self) -> bool:
        """True when a call may change the world."""
        return bool(self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureWorld:
    """A fixture as typed values; resetting a case is a reference to it."""

    name: str
    now: datetime
    user: Mapping[str, Value]
    agent: Mapping[str, Value]
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything needed to run a tool call."""

    salt: str
    collections: Mapping[str, Collection]
    constraints: Mapping[str, tuple[tuple[str, Expression], ...]]
    variables: Mapping[str, Variable]
    user_schema: Any
    agent_schema: Any
    tools: Mapping[str, CompiledTool]
    roles: Mapping[str, Grants]
    fixtures: Mapping[str, FixtureWorld]
