"""Which of many hypotheses stand out: Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate", Journal of
the Royal Statistical Society B 57, 1995.
"""

from collections.abc import Sequence
from typing import Final

#: Of those that are said to stand out, at most this share is expected to be chance.
FALSE_DISCOVERIES: Final = 0.05


def stand_out(p_values: Sequence[float], share: float = FALSE_DISCOVERIES) -> list[bool]:
    """Return for each p-value whether it stands out among all of them."""
    ordered = sorted(p_values)
    passed = [value for rank, value in enumerate(ordered, 1) if value * len(ordered) <= share * rank]
    bound = passed[-1] if passed else -1.0
    return [value <= bound for value in p_values]
