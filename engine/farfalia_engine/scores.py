"""Who made how many points so far, from the scores of all deals."""

from collections.abc import Sequence


def totals_of(scores: Sequence[int], seats: int, deals: int) -> list[int]:
    """Return the points by seat after this number of deals."""
    return [sum(scores[seat : deals * seats : seats]) for seat in range(seats)]


def fewest(totals: Sequence[int], dealer: int) -> int:
    """Return the seat with fewest points; of tied ones the first clockwise after this dealer, who is last (F6)."""
    n = len(totals)
    return min(((dealer + step) % n for step in range(1, n + 1)), key=totals.__getitem__)
