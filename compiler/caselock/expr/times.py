"""The texts of timestamps (RFC 3339) and durations (1h30m) -> exact Python values."""

import datetime
import re
from decimal import Decimal

_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))\Z", re.ASCII
)
_DURATION = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{1,15})?(?:h|ms|us|ns|m|s)){1,16}\Z", re.ASCII)
_PART = re.compile(r"(\d+(?:\.\d+)?)(h|ms|us|ns|m|s)", re.ASCII)
_MICROSECONDS = {
    "h": Decimal(3_600_000_000),
    "m": Decimal(60_000_000),
    "s": Decimal(1_000_000),
    "ms": Decimal(1000),
    "us": Decimal(1),
    "ns": Decimal("0.001"),
}
# cel.dev/spec, "Timestamps and durations": about 10,000 years either way.
LONGEST = datetime.timedelta(seconds=315_576_000_000)


def timestamp(text: str) -> datetime.datetime | None:
    """Return the UTC moment, or None if the text is not RFC 3339 to the microsecond in years 1 to 9999."""
    match = _TIMESTAMP.match(text)
    if match is None:
        return None
    *clock, fraction, sign, hours, minutes = match.groups()
    microseconds = (fraction or "").ljust(9, "0")
    if not microseconds.endswith("000"):
        return None
    try:
        year, month, day, hour, minute, second = map(int, clock)
        local = datetime.datetime(year, month, day, hour, minute, second, int(microseconds[:6]), tzinfo=datetime.UTC)
        shift = datetime.timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        return local + shift if sign == "-" else local - shift
    except (ValueError, OverflowError):
        return None


def duration(text: str) -> datetime.timedelta | None:
    """Return the duration, or None if the text is not a sum like `1h30m`, exact to the microsecond."""
    if text in ("0", "+0", "-0"):
        return datetime.timedelta()
    if _DURATION.match(text) is None:
        return None
    total = sum((Decimal(number) * _MICROSECONDS[unit] for number, unit in _PART.findall(text)), Decimal())
    if total != total.to_integral_value() or total > LONGEST // datetime.timedelta(microseconds=1):
        return None
    length = datetime.timedelta(microseconds=int(total))
    return -length if text.startswith("-") else length
