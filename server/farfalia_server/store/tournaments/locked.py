"""The rows of tournaments that a transaction is about to change."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Row, select

from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.contract.said import Said, either, said
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.values import TOURNAMENT_STATES, TournamentState


def locked(
    connection: Connection,
    tournament_id: int,
    *states: TournamentState,
    why: Mapping[TournamentState, Said] = MappingProxyType({}),
) -> Row[*tuple[Any, ...]]:
    """Return the row of a tournament in one of these states, locked until the transaction ends.

    NotFound, or FailedPrecondition in another state, with what `why` adds to that.
    """
    row = connection.execute(select(schema.tournament).filter_by(id=tournament_id).with_for_update()).first()
    if row is None:
        raise unknown(tournament_id)
    state = TournamentState(row.state)
    if state not in states:
        raise FailedPrecondition(
            said(
                "tournament %(tournament)s is %(state)s%(why)s; expected %(choices)s",
                tournament=tournament_id,
                state=TOURNAMENT_STATES[state],
                why=why.get(state, ""),
                choices=either([TOURNAMENT_STATES[one] for one in states]),
            ),
            f"TOURNAMENT_{state.upper()}",
        )
    return row


def unknown(tournament_id: int) -> NotFound:
    """Return the error for a tournament that there is not."""
    return NotFound(said("there is no tournament %(number)s", number=tournament_id), "TOURNAMENT_UNKNOWN")
