"""spec/project.yaml: the name of the workspace and the versions a run of it is pinned to."""

from __future__ import annotations

from caselock.spec.base import Identifier, Model, VersionText


class VersionBundle(Model):
    """The pinned versions of everything that can change a result; copied into every case."""

    agent: str
    prompt: str
    tools: str
    grader: str
    model: str | None = None
    sampling: str | None = None


class Project(Model):
    """The workspace itself: bundle name and version, the salt of generated ids, and the pins."""

    project: Identifier
    version: VersionText
    title: str
    description: str
    owner: Identifier
    license: str
    salt: str
    locales: tuple[str, ...]
    version_bundle: VersionBundle
    notice: str | None = None
