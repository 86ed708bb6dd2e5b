"""Input files with their digests -> one Merkle root that stands for all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from caselock.source.canonical import canonical_bytes


def inputs_root(inputs: Mapping[str, str]) -> str:
    """Return the root (hex) of a tree whose leaves are the (path, sha256) pairs in the order of their paths.

    As in RFC 6962, section 2.1: a leaf is sha256(0x00 || data), a node sha256(0x01 || left || right), the
    left subtree of n leaves holds the largest power of two below n, and the empty tree is sha256 of nothing.
    The data of a leaf is the canonical JSON of [path, sha256].
    """
    return _root([_sha256(b"\x00" + canonical_bytes(pair)) for pair in sorted(inputs.items())]).hex()


def _root(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return _sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return _sha256(b"\x01" + _root(leaves[:split]) + _root(leaves[split:]))


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
