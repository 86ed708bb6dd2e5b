"""spec/permissions.yaml: what each role may do, read and write apart, and until when."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag

from caselock.spec.base import CelText, Identifier, Model, SourceRef

Grant = Literal["allow", "deny", "confirm"]
"""`confirm`: only after the user has said yes to a confirm question of the goal."""


class TimedGrant(Model):
    """A grant that ends: from `until` on the tool is denied.

    `until` is an instant, or with a leading `=` CEL over the two actors, such as `=agent.authority_until`.
    """

    grant: Literal["allow", "confirm"]
    until: CelText


def _form(value: Any) -> str:
    return "timed" if isinstance(value, dict | TimedGrant) else "plain"


WrittenGrant = Annotated[Annotated[Grant, Tag("plain")] | Annotated[TimedGrant, Tag("timed")], Discriminator(_form)]


class Role(Model):
    """Grants of one role, keyed by tool; a tool that is not named is denied."""

    title: str
    read: dict[str, WrittenGrant]
    write: dict[str, WrittenGrant]
    because: tuple[SourceRef, ...]

    @property
    def grants(self) -> dict[str, Grant | TimedGrant]:
        """Every grant of the role, by tool."""
        return {**self.write, **self.read}


class Permissions(Model):
    """The permission matrix: role x action."""

    permissions: dict[Identifier, Role]
