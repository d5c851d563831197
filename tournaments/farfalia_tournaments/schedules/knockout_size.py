"""The size of a round of a knock-out, as a value and in words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnockoutSize:
    """The size of a round: entrants still in, full tables, byes, and house bots at the tables."""

    entrants: int
    tables: int
    byes: int
    house_bots: int

    def __str__(self) -> str:
        """Return `10 at 2 tables, 1 bye`."""
        text = f"{self.entrants} at {self.tables} table{'s' * (self.tables > 1)}"
        if self.byes:
            text += f", {self.byes} bye{'s' * (self.byes > 1)}"
        if self.house_bots:
            text += f", {self.house_bots} house bot{'s' * (self.house_bots > 1)}"
        return text
