"""The bytes of a workspace file -> hostile bytes: changed as text, or as data that reads well and makes no sense."""

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from random import Random
from typing import Any

Path = tuple[str | int, ...]

BYTES = (
    b"\0", b"\t", b"\r\n", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xe2\x80\xae", b"e\xcc\x81", b"&a ",
    b"*a ", b"!!python/name:os ", b"<<: ", b"---\n", b"...\n", b"%YAML 1.1\n", b"? ", b"- ", b": ", b"#",
    b"'", b'"', b"|\n", b"[", b"{", b"}", b"]", b"0", b"007", b"1_000", b"1e3", b".nan", b"-.inf", b"0x1F",
    b"9" * 400, b"[" * 200, b"- " * 200, b"&a [*a, *a]", b"\x1b[31m", b"\xed\xa0\x80",
)  # fmt: skip
EXPRESSIONS = (
    "1 / 0", "1 % 0", "-9223372036854775808 / -1", "9007199254740991 * 9007199254740991",
    "(" * 300 + "1" + ")" * 300, "!" * 500 + "true", "-" * 500 + "1", "1" + " + 1" * 800,
    "true" + " ? true : true" * 200, "[[[[1]]]].map(a, a.map(b, b.map(c, c.map(d, d / 0))))",
    "orders[orders[request.order_id]]", "orders.filter(o, orders.filter(p, p == o) == o)",
    "request.request.request", "user", "agent.role.role", "only(orders)", "sum(orders)", "min([])",
    "max([1, 'a'])", "distinct(1)", "present(present(1))", "known()", "size(1)", "has(1)", "now + now",
    "duration('99999999999h')", "timestamp('0000-00-00T00:00:00Z')", "'a'.matches('(a+)+$')", "'\\ud800'",
    "b'x' + 'x'", "{1: 2, 1: 3}[1]", "100.01 == 100.010", "1e309", "0.1 + 0.2 == 0.3", "null == null",
    "decision.reason.x", "before.before", "record.record", "args.args.args", "=", "==", "=1 / 0", "=args",
    "=args.nope", "=orders", "__import__('os').system('touch pwned')", "x.__class__.__mro__", "\u202e",
    "\u2028",
)  # fmt: skip
TEXTS = (
    "", " ", "a" * 70_000, "{amount.__class__}", "{0}", "{", "}}", "{{ cycler.__init__.__globals__ }}",
    "{% for i in range(9999999) %}x{% endfor %}", "../../../../etc/passwd", "/etc/passwd", "con", "a\0b",
    "\x1b]0;x\x07", "::error file=x::y", "%25", "`touch pwned`", "$(touch pwned)", "\u0410", "2026-13-45",
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "P9Y", "36h", "^(a+)+$", "[", "A1024", "true",
    "null", "1.10", "fulfil",
)  # fmt: skip
NUMBERS = (
    0,
    1,
    -1,
    2**31,
    2**53 - 1,
    1 - 2**53,
    Decimal("0.01"),
    Decimal("-0.005"),
    Decimal("0." + "3" * 34),
    Decimal("9" * 30 + ".9"),
)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None], {"": ""}, {"a": {"b": []}}, [{}], [1, "a", None])


def mutate(rng: Random, raw: bytes, data: Any, others: list[Any]) -> bytes:
    """One or two random changes of a file; `others` are the data of other files, whose values may be swapped in."""
    if data is None or rng.random() < 0.45:
        for _ in range(rng.choice((1, 1, 2))):
            raw = rng.choice(AS_TEXT)(rng, raw)
        return raw
    value = json.loads(emit(data), parse_float=Decimal)
    for _ in range(rng.choice((1, 1, 1, 2))):
        value = rng.choice(AS_DATA)(rng, value, others)
    return emit(value).encode("utf-8", "surrogatepass")


def emit(value: Any) -> str:
    """Data as JSON, which is YAML too; decimals as they are."""
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(str(key))}: {emit(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(emit, value)) + "]"
        case Decimal():
            return format(value, "f")
        case _:
            return json.dumps(value, ensure_ascii=False)


def _flip(rng: Random, raw: bytes) -> bytes:
    changed = bytearray(raw)
    for _ in range(rng.choice((1, 1, 3, 20)) if raw else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _insert(rng: Random, raw: bytes) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + rng.choice(BYTES) + raw[at:]


def _truncate(rng: Random, raw: bytes) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


def _repeat(rng: Random, raw: bytes) -> bytes:
    return raw * rng.choice((2, 2, 40))


def _lines(change: Callable[[Random, list[bytes]], object]) -> Callable[[Random, bytes], bytes]:
    def changed(rng: Random, raw: bytes) -> bytes:
        lines = raw.splitlines(keepends=True) or [b""]
        change(rng, lines)
        return b"".join(lines)

    return changed


def _delete_line(rng: Random, lines: list[bytes]) -> None:
    del lines[rng.randrange(len(lines))]


def _duplicate_line(rng: Random, lines: list[bytes]) -> None:
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))


def _swap_lines(rng: Random, lines: list[bytes]) -> None:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _indent_line(rng: Random, lines: list[bytes]) -> None:
    lines[rng.randrange(len(lines))] = b"  " + rng.choice(lines)


AS_TEXT = (_flip, _insert, _truncate, _repeat, *map(_lines, (_delete_line, _duplicate_line, _swap_lines, _indent_line)))


def _places(value: Any, *path: str | int) -> Iterator[Path]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, *path, key)


def _at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value


def _with(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    _at(value, path[:-1])[path[-1]] = new
    return value


def _place(rng: Random, value: Any) -> Path:
    """A leaf more often than not: that is where a file still makes sense to its model."""
    places = list(_places(value))
    leaves = [path for path in places if not isinstance(_at(value, path), dict | list)]
    return rng.choice(leaves if leaves and rng.random() < 0.7 else places)


def _hostile(rng: Random, value: Any, others: list[Any]) -> Any:
    pool = rng.choice((EXPRESSIONS, TEXTS, NUMBERS, OTHERS))
    return _with(value, _place(rng, value), rng.choice(pool))


def _same_type(rng: Random, value: Any, others: list[Any]) -> Any:
    path = _place(rng, value)
    old = _at(value, path)
    pool = EXPRESSIONS + TEXTS if isinstance(old, str) else NUMBERS if isinstance(old, int | Decimal) else OTHERS
    return _with(value, path, rng.choice(pool))


def _swap_in(rng: Random, value: Any, others: list[Any]) -> Any:
    other = rng.choice(others)
    path = _place(rng, value)
    same_key = [
        where
        for where in _places(other)
        if where and path and where[-1] == path[-1] and _at(other, where) != _at(value, path)
    ]
    source = rng.choice(same_key or list(_places(other)))
    return _with(value, path, json.loads(emit(_at(other, source)), parse_float=Decimal))


def _swap_within(rng: Random, value: Any, others: list[Any]) -> Any:
    return _swap_in(rng, value, [json.loads(emit(value), parse_float=Decimal)])


def _collection(rng: Random, value: Any, kind: type) -> Any:
    found = [path for path in _places(value) if isinstance(_at(value, path), kind) and _at(value, path)]
    return _at(value, rng.choice(found)) if found else None


def _drop_key(rng: Random, value: Any, others: list[Any]) -> Any:
    mapping = _collection(rng, value, dict)
    if mapping:
        del mapping[rng.choice(list(mapping))]
    return value


def _rename_key(rng: Random, value: Any, others: list[Any]) -> Any:
    mapping = _collection(rng, value, dict)
    if mapping:
        old = rng.choice(list(mapping))
        names = [str(part) for path in _places(rng.choice(others)) for part in path] or ["x"]
        mapping[rng.choice((old.upper(), f"{old}x", rng.choice(names), rng.choice(TEXTS)))] = mapping.pop(old)
    return value


def _change_list(rng: Random, value: Any, others: list[Any]) -> Any:
    items = _collection(rng, value, list)
    if items:
        change = rng.choice((items.reverse, items.pop, items.clear, lambda: items.append(rng.choice(items)),
                             lambda: items.extend(items * 30)))  # fmt: skip
        change()
    return value


def _nest(rng: Random, value: Any, others: list[Any]) -> Any:
    path = _place(rng, value)
    inner = json.loads(emit(_at(value, path)), parse_float=Decimal)
    for _ in range(rng.choice((1, 3, 50, 70))):
        inner = [inner] if rng.random() < 0.5 else {"a": inner}
    return _with(value, path, inner)


def _reword(rng: Random, value: Any, others: list[Any]) -> Any:
    """One word or sign of a text becomes one of another text: often still an expression, or another name."""
    texts = [path for path in _places(value) if isinstance(_at(value, path), str) and _TOKEN.search(_at(value, path))]
    if not texts:
        return value
    path = rng.choice(texts)
    old = rng.choice(list(_TOKEN.finditer(_at(value, path))))
    source = rng.choice((value, rng.choice(others)))
    tokens = [token for where in _places(source) for token in _TOKEN.findall(_text(_at(source, where)))]
    new = rng.choice([*tokens, *SIGNS])
    return _with(value, path, old.string[: old.start()] + new + old.string[old.end() :])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _nudge(rng: Random, value: Any, others: list[Any]) -> Any:
    """A number a little off, a truth turned round."""
    found = [path for path in _places(value) if isinstance(_at(value, path), bool | int | Decimal)]
    if not found:
        return _reword(rng, value, others)
    path = rng.choice(found)
    old = _at(value, path)
    return _with(value, path, not old if isinstance(old, bool) else old + rng.choice((1, -1, Decimal("0.01"), -old)))


_TOKEN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[-+*/%<>=!&|?:.]+")
SIGNS = ("+", "-", "*", "/", "%", "<", ">=", "==", "!=", "&&", "||", ".", "0", "1", "'x'", "true", "null", "now", "[]")
GENTLE = (_reword, _reword, _nudge, _swap_within)
AS_DATA = (
    *GENTLE, *GENTLE, _hostile, _same_type, _same_type, _swap_in, _drop_key, _rename_key, _change_list, _nest
)  # fmt: skip
