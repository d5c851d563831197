"""Which bots of a ladder are settled, and who learns from whom at a table.

A rating learns from each opponent as if it were a bot like all others. So bots that somebody registers only to lose
would raise a rating as far as you like: each new one begins as a newcomer of average skill. Therefore the rating of a
settled bot learns from settled ones alone, and matches at tables of newcomers settle a bot slowly, or not at all.
"""

from collections.abc import Collection, Mapping
from typing import Final, Generic

from farfalia_tournaments.results import Entrant

#: Matches that count after which a bot is settled.
SETTLED: Final = 10
#: What a match counts in parts. One at a table where nobody is settled is one part: where only newcomers meet, they too
#: settle in the end.
MATCH_PARTS: Final = 5
#: Entries of a chain in which everybody counts as settled: those with which a ladder begins.
YOUNG: Final = 100


def is_settled(parts: int) -> bool:
    """Return whether a bot is settled whose matches count as many parts."""
    return parts >= SETTLED * MATCH_PARTS


class Company(Generic[Entrant]):
    """The bots at a table: which are settled, who learns from whom, and what the match counts for each.

    `counted` has the parts that the matches of each have counted so far; who missed the match is not in it. House bots
    are settled, and so are all in the entry of a young ladder; `entry` is the number that the match has in its chain.
    """

    def __init__(self, counted: Mapping[Entrant, int], house: Collection[Entrant], entry: int) -> None:
        self._counted = {one: parts for one, parts in counted.items() if entry > YOUNG and one not in house}
        self._settled = {one for one in counted if is_settled(self._counted.get(one, SETTLED * MATCH_PARTS))}

    def learns(self, entrant: Entrant, other: Entrant) -> bool:
        """Return whether a bot learns from another one.

        Settled ones teach all. A newcomer also learns from another newcomer, but not from one with less than half of
        what counts for itself: against a row of ever new ones it would rise with each.
        """
        if other in self._settled or other not in self._counted:
            return True
        return entrant not in self._settled and 2 * self._counted[other] >= self._counted.get(entrant, 0)

    def parts(self, entrant: Entrant) -> int:
        """Return how many parts the match counts for a bot.

        All, if at least half of the others are settled; one, if nobody at the table is; otherwise none.
        """
        others = (len(self._settled - {entrant}), len(self._counted.keys() - self._settled - {entrant}))
        if others[0] >= max(1, others[1]):
            return MATCH_PARTS
        return 0 if self._settled else 1
