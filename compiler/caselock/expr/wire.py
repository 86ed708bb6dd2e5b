"""Protobuf wire format -> the fields of one message, as plain (number, value) pairs."""

from collections.abc import Iterator
from typing import TypeAlias

Message: TypeAlias = dict[int, list[int | bytes]]


def message(data: bytes) -> Message:
    """Return the values of every field by field number, in order; nested messages stay bytes.

    Raises ValueError on bytes that are not wire format. See protobuf.dev/programming-guides/encoding.
    """
    fields: Message = {}
    for number, value in _fields(data):
        fields.setdefault(number, []).append(value)
    return fields


def one_bytes(fields: Message, number: int) -> bytes:
    """Return the last length-delimited value of a field; empty when absent (the protobuf default)."""
    value = fields[number][-1] if number in fields else b""
    if isinstance(value, int):
        raise ValueError("a number where bytes were expected")
    return value


def one_int(fields: Message, number: int) -> int:
    """Return the last varint of a field; 0 when absent (the protobuf default)."""
    value = fields[number][-1] if number in fields else 0
    if isinstance(value, bytes):
        raise ValueError("bytes where a number was expected")
    return value


def all_bytes(fields: Message, number: int) -> list[bytes]:
    """Return every length-delimited value of a repeated field."""
    return [value for value in fields.get(number, []) if isinstance(value, bytes)]


def text(fields: Message, number: int) -> str:
    """Return a string field."""
    return one_bytes(fields, number).decode("utf-8")


def signed(value: int) -> int:
    """Return the two's complement reading of a 64-bit varint."""
    return value - (1 << 64) if value >= 1 << 63 else value


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        match tag & 7:
            case 0:
                value, at = _varint(data, at)
                yield tag >> 3, value
                continue
            case 1:
                size = 8
            case 2:
                size, at = _varint(data, at)
            case _:
                raise ValueError("unexpected wire type")
        if at + size > len(data):
            raise ValueError("truncated field")
        yield tag >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    result = 0
    for index in range(10):
        if at + index >= len(data):
            break
        byte = data[at + index]
        result |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return result, at + index + 1
    raise ValueError("malformed varint")
