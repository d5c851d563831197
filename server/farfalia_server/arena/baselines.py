"""What house bots make of a board: a measure of its luck where no other table has played it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from farfalia import bots as house_bots
from farfalia_engine import Deals, Ruleset, board_key, ruleset
from farfalia_server.results import board_identity
from farfalia_server.store import Match, Source, Tournament
from farfalia_tournaments.schedules import Boards

#: Who plays all seats: good enough to use a good hand, and the same in every match.
PLAYER = "greedy"


class Baselines:
    """The points of house bots by board, each worked out once; of one tournament."""

    def __init__(self) -> None:
        self._points: dict[str, tuple[int, ...]] = {}

    def of(self, tournament: Tournament, source: Source, matches: Sequence[Match]) -> Mapping[str, Sequence[int]]:
        """Those of all boards of finished matches that one table alone has played, where boards are to be compared.

        Boards are called as in results. It takes some ten milliseconds for each new one.
        """
        if tournament.boards != Boards.DATUM:
            return {}
        tables = Counter(match.board for match in matches)
        alone = [match for match in matches if match.result is not None and tables[match.board] == 1]
        rules = ruleset(tournament.ruleset, tournament.options)
        for board in [match.board for match in alone]:
            if board not in self._points:
                self._points[board] = house_points(rules, board_key(source.secret, source.nonces, board))
        return {board_identity(match): self._points[match.board] for match in alone}


def house_points(rules: Ruleset, key: bytes) -> tuple[int, ...]:
    """The points by seat of a match with the board of this key in which a house bot plays all seats."""
    state = rules.new_match(Deals(key))
    players = [house_bots.create(PLAYER) for _ in range(rules.seats)]
    while (pending := state.pending) is not None:
        seat = pending.seats[0]
        legal = state.legal_actions(seat)
        action = legal[0] if len(legal) == 1 else players[seat].decide(state.observation(seat))
        state.apply(action, seat)
    assert state.outcome is not None
    return state.outcome.points
