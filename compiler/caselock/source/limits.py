"""The bounds that keep reading a hostile workspace fast; one place, all of them published."""

MAX_FILES = 10_000
MAX_FILE_BYTES = 1024 * 1024
MAX_OUTSIDE_BYTES = 8 * 1024 * 1024  # of a file of records that a fixture names by its digest
MAX_OUTSIDE_NODES = 1_000_000  # keys and values of such a file
MAX_DEPTH = 64  # levels of lists and mappings, and the scalar inside
MAX_NODES = 100_000  # keys and values of one file
MAX_SCALAR = 65_536  # characters of one scalar
MAX_FINDINGS = 100  # findings reported for one file while reading it
MAX_INTEGER = 2**53 - 1  # the exact range of JSON numbers, RFC 8785
MAX_DIGITS = 34  # digits of a decimal, as in IEEE 754 decimal128
