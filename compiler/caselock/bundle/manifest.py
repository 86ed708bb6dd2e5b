"""bundle.json and bundle.lock: the files and inputs of a bundle by digest, and the line that pins them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from caselock.bundle.content import Bucket, BundleContent
from caselock.bundle.merkle import inputs_root
from caselock.source.canonical import sha256_hex
from caselock.spec.base import Identifier, Model, VersionText

FORMAT = "caselock-bundle/1"
MANIFEST = "bundle.json"
LOCK = "bundle.lock"

Change: TypeAlias = Literal["changed", "added", "removed"]
Sha256: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class InputEntry(Model):
    """An input file of the workspace: POSIX path and sha256 of its bytes."""

    path: str
    sha256: Sha256


class FileEntry(Model):
    """A file of the bundle: POSIX path, sha256 and size in bytes."""

    path: str
    sha256: Sha256
    size: Annotated[int, Field(ge=0)]


class Manifest(Model):
    """bundle.json; `buckets` counts the cases of every bucket that has any."""

    format: str = FORMAT
    name: Identifier
    version: VersionText
    compiler: str
    inputs_root: Sha256
    inputs: tuple[InputEntry, ...]
    pins: dict[str, Any]
    trial_protocol: dict[str, Any]
    buckets: dict[Bucket, Annotated[int, Field(ge=1)]]
    files: tuple[FileEntry, ...]


def make_manifest(content: BundleContent, files: Mapping[str, bytes]) -> Manifest:
    """Return the manifest of a bundle whose other files are `files`.

    Raises ValueError (pydantic) when a name, version, bucket or digest is not well formed.
    """
    return Manifest.model_validate(
        {
            "name": content.name,
            "version": content.version,
            "compiler": content.compiler,
            "inputs_root": inputs_root(content.inputs),
            "inputs": [{"path": path, "sha256": sha256} for path, sha256 in sorted(content.inputs.items())],
            "pins": content.pins,
            "trial_protocol": content.trial_protocol,
            "buckets": content.counts(),
            "files": [
                {"path": path, "sha256": sha256_hex(raw), "size": len(raw)} for path, raw in sorted(files.items())
            ],
        }
    )


def lock_line(manifest: Manifest, raw: bytes) -> bytes:
    """Return bundle.lock for a manifest and the bytes of its bundle.json."""
    return f"{manifest.name} {manifest.version} sha256:{sha256_hex(raw)}\n".encode()


def changed_inputs(manifest: Manifest, inputs: Mapping[str, str]) -> list[tuple[str, Change]]:
    """Return the paths, sorted, whose sha256 in `inputs` is not the one the bundle was compiled from."""
    locked = {entry.path: entry.sha256 for entry in manifest.inputs}
    changes: list[tuple[str, Change]] = []
    for path in sorted(locked.keys() | inputs.keys()):
        if path not in inputs:
            changes.append((path, "removed"))
        elif path not in locked:
            changes.append((path, "added"))
        elif locked[path] != inputs[path]:
            changes.append((path, "changed"))
    return changes
