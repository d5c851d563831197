"""One row of a vector environment: match after match, each up to the next decision of the policy."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from farfalia.bot import Bot
from farfalia.bots import create
from farfalia.learning.episodes import Episodes, play_forced
from farfalia.learning.opponents import Opponent
from farfalia.view import View
from farfalia_engine import Observation, State


@dataclass(frozen=True, slots=True)
class End:
    """How an episode ended: what was paid since the policy was last told, and what the seat that acted sees."""

    paid: list[float]
    points: tuple[int, ...]
    places: tuple[int, ...]
    observation: Observation


class VectorRow:
    """The match that is being played in a row, who sits there, and what its seats have not been told to be paid.

    House bots answer at once; for the policy and for other bots it stops. Call `seed`, then `begin`.
    """

    match: State
    #: The seat that acts for the policy, or did so last; -1 before the first episode.
    seat = -1

    def __init__(
        self, number: int, episodes: Episodes, seated: tuple[Opponent, ...], seat: int | None, matches: Iterator[int]
    ) -> None:
        self.number: Final = number
        self._episodes: Final = episodes
        self._seated: Final = seated
        self._seat: Final = seat
        self._matches: Final = matches

    def seed(self, seed: int) -> None:
        """Let the same episodes follow whenever the seed is the same."""
        self._random = Random(seed)
        names = sorted({each for each in self._seated if isinstance(each, str)})
        # Numbers of their own: bots that drew from the deals' would move all deals that follow.
        self._house = {name: create(name, Random(f"{name} {seed}").getrandbits(64)) for name in names}
        self._episode = 0

    def begin(self) -> None:
        """Begin the next episode; unless it is fixed, the policy's seat is one further than in the last."""
        self.match = self._episodes.begin(self._random)
        seats = len(self._seated)
        first = (self.number + self._episode) % seats if self._seat is None else self._seat
        self._players = [self._seated[(seat - first) % seats] for seat in range(seats)]
        self._episode += 1
        #: Whether the policy has been asked in this episode.
        self.asked = False
        # By seat, what has been paid since the policy was last told.
        self._owed = [0.0] * seats
        # What bots know the match by, and how many questions they have been asked in it.
        self._match = next(self._matches)
        self._questions = 0

    def apply(self, action: int) -> None:
        """Do it, for the seat that is asked, and all that follows with one answer only."""
        match = self.match
        finished = len(match.scores)
        match.apply(action)
        play_forced(match)
        if len(match.scores) > finished:
            paid = self._episodes.pay(match, finished)
            self._owed = [before + more for before, more in zip(self._owed, paid, strict=True)]

    def run(self) -> Bot | None:
        """Go on to the policy's next decision, or to that of the bot that is returned, or to the end."""
        while pending := self.match.pending:
            seat = pending.seats[0]
            player = self._players[seat]
            if isinstance(player, str):
                self.apply(self._house[player].decide(self.match.observation(seat)))
                continue
            if player is None:
                self.seat, self.asked = seat, True
            return player
        return None

    def view(self) -> View:
        """Return what the bot that is asked sees; to it each episode is a match of its own."""
        assert self.match.pending
        observation = self.match.observation(self.match.pending.seats[0])
        self._questions += 1
        return View.of(observation, self._match, self._questions)

    def told(self) -> list[float]:
        """Return what has been paid since this was last called, by seat."""
        paid, self._owed = self._owed, [0.0] * len(self._owed)
        return paid

    def end(self) -> End:
        """Return how the episode ended that is over now."""
        match = self.match
        return End(self.told(), match.totals, self._episodes.rules.places(match.totals), match.observation(self.seat))
