"""Tools that seeds offer to a role of which the permission matrix says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.spec.workspace import Workspace


def check_grants(workspace: Workspace) -> Iterator[Diagnostic]:
    """A finding at the role for every tool that a seed offers it and that it neither allows nor denies."""
    found: set[tuple[str, str]] = set()
    for seed in workspace.seeds.values():
        fixture = workspace.fixtures.get(seed.value.fixture)
        actor = seed.value.overlay.get("agent.role", fixture.value.agent.get("role") if fixture else None)
        role = workspace.roles.get(actor) if isinstance(actor, str) else None
        for index, tool in enumerate(seed.value.tools):
            if (
                not isinstance(actor, str)
                or role is None
                or tool not in workspace.tools
                or tool in role.value.grants
                or (actor, tool) in found
            ):
                continue
            found.add((actor, tool))
            half = "read" if workspace.tools[tool].value.effect == "read" else "write"
            related = (Related(span=seed.span("tools", index), message="offered here"),)
            message = f"role '{actor}' has no grant for '{tool}', which a seed offers it"
            hint = f"write what it may do: {half}: {{{tool}: allow}}, or deny, or confirm"
            yield role.finding("CL0220", message, half, found=tool, hint=hint, related=related)
