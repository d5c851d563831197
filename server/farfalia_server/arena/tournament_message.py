"""A tournament as the contract's message."""

from __future__ import annotations

from dataclasses import asdict

from farfalia.v1 import tournaments_pb2
from farfalia_engine import ruleset
from farfalia_server.arena.messages import TOURNAMENT_STATES, pause_message
from farfalia_server.organising.balances import balance_message, balances_from
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.records.codec import time_control_message
from farfalia_server.records.messages import beacon_message, timestamp
from farfalia_server.store import MatchState, Tournament, TournamentState
from farfalia_tournaments.schedules import Boards


def tournament_message(row: Tournament, counts: dict[MatchState, int], voids: int) -> tournaments_pb2.Tournament:
    """Return a tournament without its standings, with as many matches in each state and as many void attempts."""
    return tournaments_pb2.Tournament(
        id=row.id,
        name=row.name,
        ruleset=row.ruleset,
        options=row.options,
        state=TOURNAMENT_STATES[row.state],
        rounds=row.rounds,
        matches=_matches(row, counts),
        finished=counts.get(MatchState.FINISHED, 0),
        running=counts.get(MatchState.RUNNING, 0),
        commitment=row.commitment,
        value_function=row.value_function,
        value_function_missing=row.value_function != ruleset(row.ruleset, row.options).value_function,
        secret=row.secret,
        time_control=time_control_message(row.time_control),
        created=timestamp(row.created),
        started=timestamp(row.started),
        ended=timestamp(row.ended),
        boards=BOARDS[Boards(row.boards)],
        balances=[balance_message(stage, balance) for stage, balance in balances_from(row.balances)],
        beacon=None if row.beacon is None else beacon_message(row.beacon),
        void_attempts=voids,
        cancel_reason=row.cancel_reason,
        pause=None if row.pause is None else pause_message(row.pause),
        network_rule=tournaments_pb2.NetworkRule(**asdict(row.network)),
        ladder=row.ladder,
        event=row.event,
        starts=timestamp(None if row.state is not TournamentState.PLANNED else row.starts),
        lasting_processes=row.lasting_processes,
        persons=row.persons,
        alone=row.alone,
        starts_with_event=row.state is TournamentState.PLANNED and row.starts_with_event,
    )


def _matches(row: Tournament, counts: dict[MatchState, int]) -> int:
    """Return the number of matches: with stages, the planned number until the tournament is over."""
    drawn = sum(counts.values())
    return drawn if row.state.over else max(drawn, row.expected)
