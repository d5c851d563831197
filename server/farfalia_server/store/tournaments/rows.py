"""From rows of tournaments and entrants to values and back."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row

from farfalia_engine import TimeControl, ruleset
from farfalia_server.store.matches.values import Beacon
from farfalia_server.store.tournaments.values import (
    Entrant,
    FormerEntrant,
    NetworkRule,
    Pause,
    PauseCause,
    Tournament,
    TournamentState,
)


def to_entrant(row: Row[*tuple[Any, ...]]) -> Entrant:
    """Return the entrant of a row of `entrant`."""
    former = tuple(FormerEntrant(one["bot"], bytes.fromhex(one["nonce"])) for one in row.former or ())
    nonce = row.nonce or b""
    return Entrant(row.number, row.bot_id, row.name, row.filler, nonce, row.came, row.gone, former, row.person)


def from_former(former: Iterable[FormerEntrant]) -> list[dict[str, Any]] | None:
    """Return those that held an entry before as JSON; None for none."""
    return [{"bot": one.bot_id, "nonce": one.nonce.hex()} for one in former] or None


def from_entrant(tournament_id: int, entrant: Entrant) -> dict[str, Any]:
    """Return the values of a row of `entrant`, for one that has given no nonce yet."""
    return {
        "tournament_id": tournament_id,
        "number": entrant.number,
        "bot_id": entrant.bot_id,
        "name": entrant.name,
        "filler": entrant.filler,
        "person": entrant.person,
        "came": entrant.came,
        "gone": entrant.gone,
        "former": from_former(entrant.former),
    }


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
        ladder=row.ladder,
        event=row.event,
        starts=row.starts,
        starts_with_event=row.starts_with_event,
        lasting_processes=row.lasting_processes,
        persons=row.persons,
        alone=row.alone,
    )


def _to_pause(row: Row[Any]) -> Pause:
    gone = frozenset(row.outage["bots"] if row.outage else ())
    return Pause(PauseCause(row.pause["cause"]), row.pause["reason"], row.pause["who"], row.paused, gone)


def to_value_function(row: Row[*tuple[Any, ...]]) -> bytes:
    """Return the value function that a row of `tournament` committed to; an older row has this server's."""
    kept: bytes | None = row.value_function
    return ruleset(row.ruleset, row.options).value_function if kept is None else kept
