"""spec/permissions.yaml: what each role may do, read and write apart."""

from __future__ import annotations

from typing import Literal

from caselock.spec.base import Identifier, Model, SourceRef

Grant = Literal["allow", "deny", "confirm"]
"""`confirm`: only after the user has said yes to a confirm question of the goal."""


class Role(Model):
    """Grants of one role, keyed by tool; a tool that is not named is denied."""

    title: str
    read: dict[str, Grant]
    write: dict[str, Grant]
    because: tuple[SourceRef, ...]

    def grant(self, tool: str) -> Grant:
        """What the role may do with a tool; `deny` when the matrix does not name it."""
        return self.read.get(tool) or self.write.get(tool) or "deny"


class Permissions(Model):
    """The permission matrix: role x action."""

    permissions: dict[Identifier, Role]
