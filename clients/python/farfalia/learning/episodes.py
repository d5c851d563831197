"""What an episode is and what it pays, for every learning interface alike."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from farfalia_engine import Deals, Ruleset, State, ruleset
from farfalia_engine.deals import KEY_BYTES

#: An episode is a whole match, or one deal of it.
HORIZONS: Final = ("match", "deal")
#: A seat is paid its points less the mean of all seats' points, so that the sum is zero; its points; or, at the end
#: of the episode, its share of the one point that all who win it divide equally.
REWARDS: Final = ("centred", "points", "win")


def one_of(what: str, given: str, expected: Sequence[str]) -> str:
    """Return the value that was given; ValueError, naming what is expected, if it is another one."""
    if given not in expected:
        raise ValueError(f"{what} is {given!r}, expected one of: {', '.join(expected)}")
    return given


def deal_number(rules: Ruleset, horizon: str, deal: int) -> int:
    """Return the number of the deal that an episode begins with; ValueError for a deal that the game does not have."""
    if horizon == "match" and deal != 1:
        raise ValueError(f"deal is {deal!r} where an episode is a match, expected horizon 'deal' with it")
    return rules.deal_number(deal)


def play_forced(state: State) -> None:
    """Make all decisions that offer one answer only, up to one that offers more or to the end (F19)."""
    while len(legal := state.legal_actions()) == 1:
        state.apply(legal[0])


def rewards(points: Sequence[int], reward: str) -> list[float]:
    """Return what seats are paid that made these points, by `reward`, "centred" or "points"."""
    mean = sum(points) / len(points) if reward == "centred" else 0.0
    return [each - mean for each in points]


def shares(rules: Ruleset, points: Sequence[int]) -> list[float]:
    """Return what seats are paid for winning if they made these points in the episode: one in all,
    the same to each winner.
    """
    winners = rules.winners(points)
    return [(seat in winners) / len(winners) for seat in range(len(points))]


class Episodes:
    """The episodes of an environment: how one begins, and what is paid in it.

    Raises the engine's UnknownRuleset or BadOption, and ValueError for another horizon, reward or deal than there is.
    """

    def __init__(
        self, name: str, options: Mapping[str, str] | None, horizon: str, reward: str, deal: int | str
    ) -> None:
        self.rules: Final = ruleset(name, options)
        self.horizon: Final = one_of("horizon", horizon, HORIZONS)
        self.reward: Final = one_of("reward", reward, REWARDS)
        self._deals: Final = self._numbers(deal)

    def begin(self, random: Random) -> State:
        """Return a match that is dealt by numbers from `random`, at its first decision with more than one answer."""
        match = self.rules.new_match(Deals(random.randbytes(KEY_BYTES)), random.choice(self._deals))
        if self.horizon == "deal":
            match.end_with_deal()
        play_forced(match)
        return match

    def pay(self, match: State, finished: int) -> list[float]:
        """Return what each seat is paid for the deals that are over now,
        of whose scores `finished` were there before.
        """
        n = self.rules.seats
        if self.reward == "win":
            return [0.0] * n if match.pending else shares(self.rules, match.totals)
        scores = match.scores[finished:]
        return rewards([sum(scores[seat::n]) for seat in range(n)], self.reward)

    def _numbers(self, deal: int | str) -> range:
        """Return the deals that an episode may begin with."""
        if deal == "random" and self.horizon == "deal":
            return range(1, self.rules.last_deal + 1)
        if isinstance(deal, str):
            expected = "a number or 'random', with horizon 'deal'"
            raise ValueError(f"deal is {deal!r} where an episode is a {self.horizon}, expected {expected}")
        first = deal_number(self.rules, self.horizon, deal)
        return range(first, first + 1)
