"""Fields as protobuf writes them, for messages that are put together from pieces.

Encoded messages joined together parse as one message with the fields of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Types of fields: numbers, and what begins with its length.
VARINT, LENGTH_DELIMITED = 0, 2
#: From here on a number takes two bytes, three, four.
TWO_BYTES, THREE_BYTES, _FOUR_BYTES = 1 << 7, 1 << 14, 1 << 21


def tag(message: type[Any], name: str, kind: int) -> bytes:
    """Return what a field of a message begins with."""
    return varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | kind)


def varint(number: int) -> bytes:
    """Return a number that is not negative."""
    if number < TWO_BYTES:
        return b"%c" % number
    if number < THREE_BYTES:
        return b"%c%c" % (number & 0x7F | 0x80, number >> 7)
    if number < _FOUR_BYTES:
        return b"%c%c%c" % (number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14)
    return b"%c%c%c%b" % (
        number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14 & 0x7F | 0x80, varint(number >> 21)
    )  # fmt: skip


def length_delimited(field: int, data: bytes) -> bytes:
    """Return a field of bytes, text or a message; its number is 15 at most."""
    head, length = field << 3 | LENGTH_DELIMITED, len(data)
    if length < TWO_BYTES:
        return b"%c%c%b" % (head, length, data)
    return b"%c%b%b" % (head, varint(length), data)


def packed(field: int, numbers: Sequence[int]) -> bytes:
    """Return a repeated field of numbers that are not negative; its own number is 15 at most."""
    try:
        data = bytes(numbers)
    except ValueError:  # one is above 255
        data = b""
    if not data.isascii() or len(data) != len(numbers):
        data = b"".join(map(varint, numbers))
    return length_delimited(field, data)
