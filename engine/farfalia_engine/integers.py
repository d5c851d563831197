"""What counts as an integer where a card, an action or a number of things is expected."""

from operator import index
from typing import Any


def whole(what: str, given: Any) -> int:
    """Return the integer that was given, NumPy's too; TypeError if it is none: 2.7 is not 2, nor True 1.

    >>> whole("n", 3)
    3
    """
    try:
        if isinstance(given, bool):
            raise TypeError
        return index(given)
    except TypeError:
        raise TypeError(f"{what} is {given!r}, expected an integer") from None
