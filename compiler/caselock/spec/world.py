"""spec/world/: record collections, the actors, and fixtures (a resettable world with its clock)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, StringConstraints, Tag, model_validator

from caselock.spec.base import CelText, Identifier, Model, Name, Sha256, reject
from caselock.spec.schemas import ObjectSchema


class Constraint(Model):
    """A fact that holds of every record of a collection, as CEL over `record`."""

    id: Identifier
    must: CelText


class Collection(Model):
    """One kind of record: its key, the prefix of generated ids, its schema and its constraints.

    Records of a collection of `documents` are texts that answers cite by their key, such as the articles of a policy.
    """

    key: str
    id: str | None = None
    schema_: ObjectSchema = Field(alias="schema")
    constraints: tuple[Constraint, ...] = ()
    bookkeeping: tuple[str, ...] = ()
    documents: bool = False


class Records(Model):
    """Every collection of the world, and the shape of the two actors that rules may read."""

    records: dict[Name, Collection]
    user: ObjectSchema
    agent: ObjectSchema

    @model_validator(mode="after")
    def _agent_has_a_role(self) -> Records:
        """Permissions are by role, so the agent needs one."""
        role = (self.agent.properties or {}).get("role")
        if role is None or role.type != "string" or "role" not in self.agent.required:
            raise reject("the agent needs a required 'role' of type string", path=("agent",), key=True)
        return self

    @model_validator(mode="after")
    def _bookkeeping_exists(self) -> Records:
        for name, collection in self.records.items():
            known = ("*", *sorted(collection.schema_.properties or {}))
            for index, field in enumerate(collection.bookkeeping):
                if field not in known:
                    path = ("records", name, "bookkeeping", index)
                    raise reject(f"'{name}' has no field '{field}'", path=path, found=field, allowed=known)
        return self


class Outside(Model):
    """The records of a collection in a file of their own: its path in the workspace and the sha256 of its bytes."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=512)]
    sha256: Sha256


def _where_kept(value: object) -> str:
    """Records are mappings, so that a `path` that is a text can only name a file."""
    outside = isinstance(value, Outside) or (isinstance(value, dict) and isinstance(value.get("path"), str))
    return "outside" if outside else "inside"


WrittenRecords = dict[str, dict[str, Any]]
"""Records as written: fields by key."""
Kept = Annotated[
    Annotated[WrittenRecords, Tag("inside")] | Annotated[Outside, Tag("outside")], Discriminator(_where_kept)
]


class Fixture(Model):
    """A named world that every case starts from: clock, actors, tool health and records by key.

    A loaded workspace holds every record: the files that `world` names are read in.
    """

    fixture: Identifier
    title: str
    clock: str
    user: dict[str, Any]
    agent: dict[str, Any]
    tools: dict[Identifier, Literal["healthy"]] = {}
    world: dict[Identifier, Kept]

    @property
    def records(self) -> dict[str, WrittenRecords]:
        """The records by collection; those of a file that was not read are left out."""
        return {name: kept for name, kept in self.world.items() if not isinstance(kept, Outside)}
