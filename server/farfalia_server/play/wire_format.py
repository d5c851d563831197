"""Fields in protobuf's encoding, for messages that are assembled from pieces.

Concatenated messages parse as one message with the fields of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Wire types: numbers, and fields that begin with their length.
VARINT, LENGTH_DELIMITED = 0, 2
#: From these on a number takes two, three, four bytes.
TWO_BYTES, THREE_BYTES, _FOUR_BYTES = 1 << 7, 1 << 14, 1 << 21


def tag(message: type[Any], name: str, kind: int) -> bytes:
    """Return the tag of a field."""
    return varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | kind)


#: The numbers of one or two bytes, 0.9 MB. A decision writes eight numbers, and of two bytes one takes 0.33 µs to write
#: and 0.05 to look up.
_SHORT = [b"%c" % number for number in range(TWO_BYTES)]
_SHORT += [b"%c%c" % (number & 0x7F | 0x80, number >> 7) for number in range(TWO_BYTES, THREE_BYTES)]


def varint(number: int) -> bytes:
    """Return the encoding of a non-negative number."""
    if 0 <= number < THREE_BYTES:
        return _SHORT[number]
    if number < _FOUR_BYTES:
        return b"%c%c%c" % (number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14)
    return b"%c%c%c%b" % (
        number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14 & 0x7F | 0x80, varint(number >> 21)
    )  # fmt: skip


def length_delimited(field: int, data: bytes) -> bytes:
    """Return a field of bytes, text or a message, whose field number is at most 15."""
    head, length = field << 3 | LENGTH_DELIMITED, len(data)
    if length < TWO_BYTES:
        return b"%c%c%b" % (head, length, data)
    return b"%c%b%b" % (head, varint(length), data)


def packed(field: int, numbers: Sequence[int]) -> bytes:
    """Return a repeated field of non-negative numbers, whose field number is at most 15."""
    try:
        data = bytes(numbers)
    except ValueError:  # one is above 255
        data = b""
    if not data.isascii() or len(data) != len(numbers):
        data = b"".join(map(varint, numbers))
    return length_delimited(field, data)
