"""Plain values -> RFC 8785 canonical JSON bytes and their sha256 digest."""

from __future__ import annotations

import hashlib


def canonical_bytes(value: object) -> bytes:
    """Return the canonical JSON of str, int, bool, None, list, tuple and dict with string keys (RFC 8785).

    Raises TypeError for anything else and for integers beyond 2**53-1: a decimal must be turned into a string
    by the caller, who knows its scale, and a binary float has no place in a digest.
    """
    import rfc8785

    _refuse_inexact(value)
    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]
    except rfc8785.CanonicalizationError as failure:
        raise TypeError(f"not canonical JSON: {failure}") from failure


def sha256_hex(data: bytes) -> str:
    """Return the sha256 of bytes in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def digest(value: object) -> str:
    """Return the sha256 of a value's canonical JSON in hex; raises TypeError as `canonical_bytes` does."""
    return sha256_hex(canonical_bytes(value))


def _refuse_inexact(value: object) -> None:
    # rfc8785 would write a float, which is inexact here; everything else it checks itself.
    if isinstance(value, float):
        raise TypeError("a float is not exact")
    if isinstance(value, dict):
        for item in value.values():
            _refuse_inexact(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_inexact(item)
