"""From rows to values and back."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Case, ColumnElement, Row, case

from farfalia_engine import TimeControl, ruleset
from farfalia_server.store.ratings.values import LadderRating, RatingChange
from farfalia_server.store.values import (
    Beacon,
    Bot,
    Entrant,
    Match,
    MatchState,
    NetworkRule,
    Pause,
    PauseCause,
    Seat,
    SeatResults,
    Tournament,
    TournamentState,
)


def not_before(column: ColumnElement[datetime], moment: datetime | BindParameter[datetime]) -> Case[datetime]:
    """Return the moment, or the one in the column if that is later: another machine's clock may be ahead."""
    return case((column > moment, column), else_=moment)


def board_name(board: str, number: int, attempt: int) -> str:
    """Return the board of an attempt of a match with this number in its tournament.

    A replayed match gets cards that no other match has: `board-1-3.17.2` is match 17's second attempt. Tables that
    share a board may be replayed at different times, so they do not share the new one.
    """
    return board if attempt == 1 else f"{board}.{number}.{attempt}"


def redrawn_board(board: str, first: int) -> str:
    """Return the board of a round that is drawn anew, `first` being the number of the first of its matches.

    `board-1-2.17` is that of the second round, drawn anew from match 17 on; the tables of a round still share it.
    """
    return f"{board}.{first}"


def to_bot(row: Row[*tuple[Any, ...]]) -> Bot:
    """Return the bot of a row of `bot`."""
    return Bot(
        row.id,
        row.name,
        row.version,
        row.owner,
        row.house,
        row.created,
        row.account_id,
        row.source,
        has_token=row.token_hash is not None,
    )


def to_match(row: Row[*tuple[Any, ...]], *, record_open: bool = False) -> Match:
    """Return the match of a row of `match`."""
    return Match(
        id=row.id,
        tournament_id=row.tournament_id,
        round=row.round,
        number=row.number,
        ruleset=row.ruleset,
        options=row.options,
        board=board_name(row.board, row.number, row.attempt),
        seats=to_seats(row.seats, row.versions),
        time_control=TimeControl(**row.time_control),
        state=MatchState(row.state),
        epoch=row.epoch,
        attempt=row.attempt,
        node=row.node,
        note=row.note,
        result=None if row.result is None else to_result(row.result),
        created=row.created,
        started=row.started,
        finished=row.finished,
        rating_seq=row.rating_seq,
        stage=row.stage,
        table=row.table,
        replay=row.replay,
        record_open=record_open,
        replaced_by=row.replaced_by,
    )


def to_entrant(row: Row[*tuple[Any, ...]]) -> Entrant:
    """Return the entrant of a row of `entrant`."""
    return Entrant(row.number, row.bot_id, row.name, row.filler, row.nonce or b"", row.came, row.gone)


def from_entrant(tournament_id: int, entrant: Entrant) -> dict[str, Any]:
    """Return the values of a row of `entrant`, for one that has given no nonce yet."""
    return {
        "tournament_id": tournament_id,
        "number": entrant.number,
        "bot_id": entrant.bot_id,
        "name": entrant.name,
        "filler": entrant.filler,
        "came": entrant.came,
        "gone": entrant.gone,
    }


def to_seats(seats: list[dict[str, Any]], versions: list[str] | None) -> tuple[Seat, ...]:
    """Return the seats of their JSON and that of the versions that play there."""
    versions = versions or [""] * len(seats)
    return tuple(
        Seat(seat["bot"], seat["name"], seat["filler"], version, seat.get("walkouts", 0))
        for seat, version in zip(seats, versions, strict=True)
    )


def from_seats(seats: tuple[Seat, ...]) -> list[dict[str, Any]]:
    """Return seats as JSON."""
    return [
        {"bot": seat.bot_id, "name": seat.name, "filler": seat.filler}
        | ({"walkouts": seat.walkouts} if seat.walkouts else {})
        for seat in seats
    ]


def to_result(result: Mapping[str, list[int]]) -> SeatResults:
    """Return the result of its JSON."""
    return SeatResults(**{name: tuple(values) for name, values in result.items()})


def from_result(result: SeatResults) -> dict[str, list[int]]:
    """Return a result as JSON."""
    return {
        "points": list(result.points),
        "places": list(result.places),
        "strikes": list(result.strikes),
        "forfeits": list(result.forfeits),
        "luck": list(result.luck),
        "missed": list(result.missed),
    }


def from_time_control(control: TimeControl) -> dict[str, int]:
    """Return a time control as JSON."""
    return {"limit_ms": control.limit_ms, "bank_ms": control.bank_ms, "grace": control.grace}


def to_nonces(nonces: list[str]) -> tuple[bytes, ...]:
    """Return the nonces of their JSON, in which they are hexadecimal."""
    return tuple(bytes.fromhex(nonce) for nonce in nonces)


def to_beacon(row: Row[*tuple[Any, ...]]) -> Beacon | None:
    """Return the beacon in a row of `tournament`."""
    if not row.beacon_source:
        return None
    return Beacon(row.beacon_source, row.beacon_round, row.created, row.beacon_value, row.beacon_given)


def to_tournament(row: Row[*tuple[Any, ...]]) -> Tournament:
    """Return the tournament of a row of `tournament`, without the secret as long as anyone could profit from it."""
    state = TournamentState(row.state)
    return Tournament(
        id=row.id,
        name=row.name,
        ruleset=row.ruleset,
        options=row.options,
        state=state,
        rounds=row.rounds,
        commitment=row.commitment,
        value_function=to_value_function(row),
        secret=row.secret if state.over else b"",
        nonces=to_nonces(row.nonces),
        beacon=to_beacon(row),
        time_control=TimeControl(**row.time_control),
        seed=row.seed,
        boards=row.boards,
        balances=row.balances,
        stages=row.stages,
        expected=row.expected,
        created=row.created,
        started=row.started,
        ended=row.ended,
        cancel_reason=row.cancel_reason,
        pause=None if row.paused is None else _to_pause(row),
        network=NetworkRule(**row.network_rule or {}),
    )


def _to_pause(row: Row[Any]) -> Pause:
    gone = frozenset(row.outage["bots"] if row.outage else ())
    return Pause(PauseCause(row.pause["cause"]), row.pause["reason"], row.pause["who"], row.paused, gone)


def to_value_function(row: Row[*tuple[Any, ...]]) -> bytes:
    """Return the value function that a row of `tournament` committed to; an older row has this server's."""
    kept: bytes | None = row.value_function
    return ruleset(row.ruleset, row.options).value_function if kept is None else kept


def to_rating(row: Row[*tuple[Any, ...]]) -> LadderRating:
    """Return the rating of a row of `rating`."""
    return LadderRating(row.ladder, row.bot_id, row.mu, row.sigma, row.matches, row.version, row.last_seq)


def to_rating_change(row: Row[*tuple[Any, ...]]) -> RatingChange:
    """Return the change of a row of `rating_event`."""
    return RatingChange(
        row.ladder,
        row.match_id,
        row.bot_id,
        row.mu_before,
        row.sigma_before,
        row.mu_after,
        row.sigma_after,
        row.matches,
        row.version,
    )
