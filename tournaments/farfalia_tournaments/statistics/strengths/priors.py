"""What is expected of strengths before the results: of each entrant, and of those who are of one family."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.statistics.strengths.knowledge import KnownDifferences

#: The precision with which the variances of hands and blocks are found first: next to nothing is known.
FLAT: Final = 0.01
#: Unknowns up to which families are kept: their equations are solved exactly. For 100 entrants with 40 matches each in
#: 10 families that takes 3.5 seconds of CPU, 0.06 without families, and twice as long where tables share boards.
MOST_WITH_FAMILIES: Final = 150


@dataclass(frozen=True, slots=True)
class Prior:
    """A normal prior of all unknowns, by precisions that are multiples of luck's.

    `own` are the precisions of unknowns about 0, `ties` those of differences of two: one, the other, precision. `known`
    is what was known before.
    """

    own: Sequence[float]
    ties: Sequence[tuple[int, int, float]] = ()
    known: KnownDifferences | None = None


@dataclass(frozen=True, slots=True)
class Kinship:
    """Who belongs to which family; the unknowns are all entrants, then the means of families.

    `outside` says of each entrant whether it tells nothing about how wide the field is. `families` are families of two
    or more: their members, by number.
    """

    outside: tuple[bool, ...]
    families: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, outside: Sequence[bool], families: Sequence[str | None]) -> "Kinship":
        """Return the kinship of entrants with these families; an entrant alone in one has none."""
        counted = Counter(family for family in families if family is not None)
        named = [family for family, members in counted.items() if members > 1]
        return cls(
            tuple(outside),
            tuple(tuple(number for number, own in enumerate(families) if own == family) for family in named),
        )

    @property
    def unknowns(self) -> int:
        """How many unknowns there are."""
        return len(self.outside) + len(self.families)

    @property
    def members(self) -> list[tuple[int, int]]:
        """Each member of a family, and the unknown that is its mean."""
        means = enumerate(self.families, len(self.outside))
        return [(member, mean) for mean, family in means for member in family]

    @property
    def units(self) -> list[tuple[int, bool]]:
        """The unknowns that are drawn from the field, and whether each is known to be an outsider."""
        inner = {member for family in self.families for member in family}
        alone = [(number, own) for number, own in enumerate(self.outside) if number not in inner]
        means = enumerate(self.families, len(self.outside))
        return alone + [(mean, all(self.outside[member] for member in family)) for mean, family in means]
