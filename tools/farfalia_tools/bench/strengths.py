"""How strong the sample bots are: what each gains in the place of another on the same deals, beside open cards.

One deal is played once with the other bot in all seats, and once for each seat, in `four` each side, with the bot in
it. So the cards are equal, and few deals say much. Two players beside them see all cards: one rolls out the true
position with the heuristic policy of `flat_monte_carlo`, the same number of rollouts, the other plays it out once as
`cautious` plays, as `expert` does in many worlds. At a table of `cautious` the second is never wrong about what follows
of a card, if it plays on like them. The better of the two is the measure of how much a bot makes of what it may know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Final, Protocol

from farfalia.bot import Bot
from farfalia.bots import HOUSE, create
from farfalia_engine import Deals, Kind, Ruleset, State, ruleset

#: The players that see all cards.
OPEN_CARDS: Final = "open cards"
OPEN_CAUTIOUS: Final = "open, as cautious"

_HEADER: Final = (
    f"{'game':<14}{'bot':<20}{'points a match':>16}{'of open cards':>15}{'deals':>7}"
    f"{'rollouts':>10}{'ms a decision':>15}"
)
#: How often the rollouts for a time are corrected, on how many deals each time; what it begins with, and the most.
_TRIALS: Final = 3
_TRIAL_DEALS: Final = 2
_FIRST: Final = 200
_MOST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Strength:
    """What a bot gains in the place of the other one: points of a match more than the mean of the other players."""

    game: str
    bot: str
    #: Those of a deal, times the deals of a match.
    points: float
    #: The standard error.
    error: float
    deals: int
    #: Rollouts per decision that it was allowed, if it searches.
    iterations: int
    #: Milliseconds of CPU time per decision that has a choice.
    milliseconds: float
    #: The gain as a share of what the better one gains who sees all cards; None if that is nothing.
    share: float | None = None


class Player(Protocol):
    """Decides for a seat of a match of which it is given the whole truth."""

    def decide(self, state: State, seat: int) -> int:
        """Return one of the legal actions."""


class _Seeing:
    """A bot, which is shown what its seat may know."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def decide(self, state: State, seat: int) -> int:
        return self._bot.decide(state.observation(seat))


class _OpenCards:
    """Rolls out the true cards after every card and everything to collect; cautious decides the rest."""

    def __init__(self, seed: int, iterations: int) -> None:
        self._rest, self._random, self._iterations = create("cautious", seed), Random(seed), iterations

    def decide(self, state: State, seat: int) -> int:
        if state.pending is None or state.pending.kind not in (Kind.PLAY, Kind.COLLECT):
            return self._rest.decide(state.observation(seat))
        seats = state.rules.seats
        own = next((team for team in state.rules.teams or () if seat in team), (seat,))
        left = list(state.legal_actions(seat))
        sums = dict.fromkeys(left, 0.0)
        # Successive halving: as much of the budget for each round.
        rounds = math.ceil(math.log2(len(left)))
        for _ in range(rounds):
            for _ in range(max(1, self._iterations // rounds // len(left))):
                for action in left:
                    after = state.clone()
                    after.apply(action, seat)
                    points = after.heuristic_playout(self._random) if after.pending else after.scores[-seats:]
                    sums[action] += _margin(points, own)
            left = sorted(left, key=lambda action: -sums[action])[: max(1, len(left) // 2)]
        return left[0]


class _OpenCautious:
    """Plays the true cards out as cautious plays, after every card and everything to collect. It needs NumPy."""

    def __init__(self, seed: int) -> None:
        from farfalia.learning.world_values import values_in  # NumPy is an extra

        self._rest, self._values_in = create("cautious", seed), values_in

    def decide(self, state: State, seat: int) -> int:
        view = state.observation(seat)
        if view.kind not in (Kind.PLAY, Kind.COLLECT):
            return self._rest.decide(view)
        values = self._values_in(view, [state], view.legal, self._rest)[:, 0]
        return view.legal[int(values.argmax())]


def player(name: str, iterations: int, seed: int = 1) -> Player:
    """Make a player: a sample bot, with this number of iterations if it searches, OPEN_CARDS or OPEN_CAUTIOUS.

    BadSetting if there is no such bot, and for those that need NumPy without it.
    """
    if name == OPEN_CAUTIOUS:
        create("expert")  # says what is missing
        return _OpenCautious(seed)
    if name == OPEN_CARDS:
        return _OpenCards(seed, iterations)
    return _Seeing(create(name, seed, iterations=None if name in HOUSE else iterations))


def strength(
    game: str, bot: str, other: str, deals: int, iterations: int, random: Random, other_iterations: int | None = None
) -> Strength:
    """Measure what `bot` gains in the place of `other`, alone (in `four` with its partner) at a table of others.

    `random` draws the deals. The others search as many rollouts as the bot does if nothing else is said.
    """
    rules = ruleset(game)
    better, rest = _Timed(player(bot, iterations)), _Timed(player(other, other_iterations or iterations, 2))
    own = rules.teams or tuple((seat,) for seat in range(rules.seats))
    found = []
    for number in range(deals):
        key, deal = random.randbytes(32), 1 + number % rules.last_deal
        without = _played(rules, key, deal, [rest] * rules.seats)
        gained = []
        for seats in own:
            seated = [better if seat in seats else rest for seat in range(rules.seats)]
            gained.append(_margin(_played(rules, key, deal, seated), seats) - _margin(without, seats))
        found.append(fmean(gained))
    match = rules.last_deal
    error = match * stdev(found) / math.sqrt(deals) if deals > 1 else math.inf
    return Strength(game, bot, match * fmean(found), error, deals, iterations, better.milliseconds)


def iterations_for(game: str, bot: str, milliseconds: float, random: Random) -> int:
    """Return with how many rollouts a decision of this player takes so much CPU time here, at a table of cautious.

    `random` draws the deals on which that is found out. Where one rollout takes longer already it is 1.
    """
    rules, iterations = ruleset(game), _FIRST
    for _ in range(_TRIALS):
        timed, rest = _Timed(player(bot, iterations)), player("cautious", 1)
        for number in range(_TRIAL_DEALS):
            seated: list[Player] = [rest] * rules.seats
            seated[number % rules.seats] = timed
            _played(rules, random.randbytes(32), 1 + number % rules.last_deal, seated)
        iterations = min(max(round(iterations * milliseconds / timed.milliseconds), 1), _MOST)
    return iterations


def run(
    games: Sequence[str],
    bots: Sequence[str],
    other: str,
    deals: int,
    iterations: int,
    seed: int = 1,
    done: Callable[[int, int], None] = lambda count, of: None,
    milliseconds: float | None = None,
) -> list[Strength]:
    """Measure each bot in each game in the place of the other one, and those who see all cards, last in each game.

    With milliseconds all that search, the other one too, get as many rollouts as take them so much CPU time a decision.
    """
    rows: list[Strength] = []
    players = (*bots, OPEN_CARDS, OPEN_CAUTIOUS)
    for game in games:
        measured = []

        def budget(name: str, game: str = game) -> int:
            if milliseconds is None or name in HOUSE or name == OPEN_CAUTIOUS:
                return iterations
            return iterations_for(game, name, milliseconds, Random(f"{game} {name} {seed}"))

        rest = budget(other)
        for name in players:
            measured.append(strength(game, name, other, deals, budget(name), Random(f"{game} {seed}"), rest))
            done(len(rows) + len(measured), len(games) * len(players))
        bound = max(row.points for row in measured[-2:])
        rows += [_shared(row, bound) for row in measured]
    return rows


def table(rows: Sequence[Strength], other: str) -> str:
    """Return the rows as text."""
    lines = [
        f"In the place of {other}, at a table of {other}, points of a match more than the mean of the others:",
        _HEADER,
    ]
    for row in rows:
        share = "" if row.share is None else f"{row.share:.0%}"
        points = f"{row.points:+.2f} ± {row.error:.2f}"
        lines.append(
            f"{row.game:<14}{row.bot:<20}{points:>16}{share:>15}{row.deals:>7}"
            f"{row.iterations:>10}{row.milliseconds:>15.2f}"
        )
    return "\n".join(lines)


class _Timed:
    """A player with a clock."""

    def __init__(self, timed: Player) -> None:
        self._player = timed
        self.seconds = 0.0
        self.decisions = 0

    @property
    def milliseconds(self) -> float:
        """What a decision took on average."""
        return 1000 * self.seconds / max(1, self.decisions)

    def decide(self, state: State, seat: int) -> int:
        start = process_time()
        action = self._player.decide(state, seat)
        self.seconds += process_time() - start
        self.decisions += 1
        return action


def _shared(row: Strength, bound: float) -> Strength:
    return replace(row, share=row.points / bound if bound > 0 else None)


def _played(rules: Ruleset, key: bytes, deal: int, players: Sequence[Player]) -> tuple[int, ...]:
    """Return the points of one deal by seat."""
    state = rules.new_match(Deals(key), deal)
    state.end_with_deal()
    while state.pending:
        seat = state.pending.seats[0]
        legal = state.legal_actions(seat)
        state.apply(legal[0] if len(legal) == 1 else players[seat].decide(state, seat), seat)
    return state.scores[-rules.seats :]


def _margin(points: Sequence[int], seats: Sequence[int]) -> float:
    mine = sum(points[seat] for seat in seats)
    return mine / len(seats) - (sum(points) - mine) / (len(points) - len(seats))
