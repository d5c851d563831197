"""Fields as protobuf writes them, for messages that are put together from pieces.

Encoded messages joined together parse as one message with the fields of all.
"""

from __future__ import annotations

from collections.abc import Sequence

#: From here on a number takes a second byte.
TWO_BYTES = 0x80
#: Types of fields: numbers, and what begins with its length.
VARINT, LENGTH_DELIMITED = 0, 2


def varint(number: int) -> bytes:
    """Return a number that is not negative."""
    if number < TWO_BYTES:
        return b"%c" % number
    head = bytearray()
    while number >= TWO_BYTES:
        head.append(number & 0x7F | 0x80)
        number >>= 7
    head.append(number)
    return bytes(head)


def length_delimited(field: int, data: bytes) -> bytes:
    """Return a field of bytes, text or a message; its number is 15 at most."""
    tag, length = field << 3 | LENGTH_DELIMITED, len(data)
    if length < TWO_BYTES:
        return b"%c%c%b" % (tag, length, data)
    return b"%c%b%b" % (tag, varint(length), data)


def packed(field: int, numbers: Sequence[int]) -> bytes:
    """Return a repeated field of numbers that are not negative; its own number is 15 at most."""
    try:
        data = bytes(numbers)
    except ValueError:  # one is above 255
        data = b""
    if not data.isascii() or len(data) != len(numbers):
        data = b"".join(map(varint, numbers))
    return length_delimited(field, data)
