"""What a decision cost: the values of all actions that were legal, and how far what was done is behind the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from farfalia.errors import FarfaliaError
from farfalia_engine import FarfaliaObservation, FarragoObservation, Kind, Observation, Ruleset

#: Worlds in which each action is tried, unless told otherwise; with fewer than the second number errors mean nothing.
WORLDS: Final = 128
FEWEST_WORLDS: Final = 8
#: A price is a mistake's if it is more than this number of standard errors.
_SURE: Final = 2.0


class NotPriced(FarfaliaError):
    """What a game's decisions cost is not known: they cannot be played out."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """What an action comes to: points of the deal, of the seat or its team, less the mean of the others'.

    In a deal that counts double they are double.
    `error` is the standard error of its difference from the best action; 0 for that one. In the last deal `place` is
    the place of the seat at the end of the match, on average, and `first` the chance of first place; else None.
    """

    action: int
    value: float
    error: float
    place: float | None = None
    first: float | None = None


@dataclass(frozen=True, slots=True)
class PlacePrice:
    """How many places of the match the action that is best in places is better than what was done.

    `best` is what was done if nothing is better; `error` is the standard error of the price.
    """

    best: int
    price: float
    error: float


@dataclass(frozen=True, slots=True)
class PricedDecision:
    """A decision of a record, and what it cost.

    `number` is that of the action among all of the record, from 0. Deals and tricks count from 1; before the first
    trick `trick` is None, and what is collected from a trick belongs to it.
    """

    number: int
    deal: int
    trick: int | None
    seat: int
    kind: Kind
    #: What it was about: "lead" or "follow" for a card, else the kind's name in lower case.
    aspect: str
    #: What was done, and what is best as far as the seat could know; the same action if none is better.
    action: int
    best: int
    #: All legal actions, ascending.
    values: tuple[ActionValue, ...]
    #: How many points the best action is worth more than what was done, and the standard error.
    price: float
    error: float
    #: The price for somebody who sees all cards; None if they are not known.
    open_price: float | None
    #: What it cost in places; None unless this deal is certain to be the last one.
    places: PlacePrice | None = None

    @property
    def mistake(self) -> bool:
        """Whether the price is too high for chance."""
        return self.price > _SURE * self.error and self.price > 0


@dataclass(frozen=True, slots=True)
class ComparedDecision:
    """A choice of a seat beside what another bot would do there, and how many points that is worth more.

    `number` and `aspect` are as in `PricedDecision`. Where the other bot would do the same, `behind` is 0 and nothing
    was priced.
    """

    number: int
    aspect: str
    behind: float
    priced: PricedDecision | None


def aspect_of(view: Observation) -> str:
    """Return what the decision that the seat has to make is about, as in `PricedDecision`; empty if it has none."""
    if view.kind is Kind.PLAY:
        return "follow" if view.trick else "lead"
    return "" if view.kind is None else view.kind.name.lower()


def check_priced(rules: Ruleset) -> None:
    """Raise NotPriced if decisions of this game are not priced."""
    if not issubclass(rules.game.observation_type, FarfaliaObservation | FarragoObservation):
        raise NotPriced(f"Decisions of {rules.name} are not priced: the game comes from another package.")
    if rules.options.get("burnin") == "on":
        raise NotPriced(f"Decisions of {rules.name} with wild cards (burnin=on) are not priced.")
