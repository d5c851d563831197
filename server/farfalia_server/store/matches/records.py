"""Records of finished matches, and who may see their cards when."""

from typing import Any, Final

from sqlalchemy import Connection, Row, select

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import FailedPrecondition, RecordDamaged
from farfalia_server.contract.said import said, said_counted
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.archive import unpack, without_cards
from farfalia_server.store.matches.matches import match_row
from farfalia_server.store.matches.values import MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.values import TournamentState

#: The states as a refusal names them.
_STATES: Final = {
    MatchState.PLANNED: said("planned"),
    MatchState.QUEUED: said("queued"),
    MatchState.RUNNING: said("running"),
    MatchState.FINISHED: said("finished"),
    MatchState.VOID: said("void"),
    MatchState.CANCELLED: said("cancelled"),
}


class Records(Part):
    """The records of finished matches."""

    async def get(self, match_id: int, player: int = 0) -> record_pb2.Record:
        """Return the record of a finished match, with the secret of its deals once that is public.

        The bot with the id `player` may see its own match on the board of a day before that opens, without the secret.
        NotFound, or FailedPrecondition (MATCH_NOT_OVER, or BOARD_IN_PLAY until all matches on its board are over).
        """
        record, playing, match = await self._read(match_id)
        if boards.is_daily_closed(match.daily):
            if player and match.challenger == -player:
                record.source.ClearField("secret")
                return record
            raise FailedPrecondition(
                said(
                    "the cards and the result of match %(match)s are shown from %(when)s UTC on: it plays the board of "
                    "a day, which others still play",
                    match=match_id,
                    when=f"{boards.daily_opens(match.daily):%Y-%m-%d %H:%M}",
                ),
                "BOARD_IN_PLAY",
            )
        if playing:
            text = said_counted(
                "the cards and the result of match %(match)s are shown once every match on its board is over: "
                "%(number)s of round %(round)s is not over yet",
                "the cards and the result of match %(match)s are shown once every match on its board is over: "
                "%(number)s of round %(round)s are not over yet",
                playing,
                match=match_id,
                round=match.round,
            )
            if match.stage:
                text = said_counted(
                    "the cards and the result of match %(match)s are shown once every match on its board is over: "
                    "%(number)s of stage %(stage)s, round %(round)s is not over yet",
                    "the cards and the result of match %(match)s are shown once every match on its board is over: "
                    "%(number)s of stage %(stage)s, round %(round)s are not over yet",
                    playing,
                    match=match_id,
                    stage=match.stage,
                    round=match.round,
                )
            raise FailedPrecondition(text, "BOARD_IN_PLAY")
        return record

    async def without_cards(self, match_id: int) -> record_pb2.Record:
        """Return the record of a finished match without its result and anything that reveals a card; raises as `get`
        does, but never BOARD_IN_PLAY.
        """
        return without_cards((await self._read(match_id))[0])

    async def sealed(self, match_id: int) -> record_pb2.Record:
        """Return the record of a finished match, for the server alone: its cards may be in play at other tables."""
        return (await self._read(match_id))[0]

    async def _read(self, match_id: int) -> tuple[record_pb2.Record, int, Row[*tuple[Any, ...]]]:
        """Return the record, how many matches are still to finish its board, and where it belongs."""
        statement = (
            select(
                schema.record.c.data,
                schema.match.c.secret,
                schema.match.c.daily,
                schema.match.c.challenger,
                schema.match.c.stage,
                schema.match.c.round,
                boards.STILL_PLAYING.label("still_playing"),
                schema.tournament.c.secret.label("tournament_secret"),
                schema.tournament.c.state.label("tournament_state"),
            )
            .select_from(schema.record)
            .join(schema.match)
            .outerjoin(schema.tournament, schema.match.c.tournament_id == schema.tournament.c.id)
            .where(schema.record.c.match_id == match_id)
        )

        def read(connection: Connection) -> Row[*tuple[Any, ...]]:
            row = connection.execute(statement).first()
            if row is None:
                state = match_row(connection, match_id).state
                raise FailedPrecondition(
                    said(
                        "match %(match)s is %(state)s; it has a record once it is finished",
                        match=match_id,
                        state=_STATES[state],
                    ),
                    "MATCH_NOT_OVER",
                )
            return row

        row = await self._database.read(read)
        record = unpack(match_id, row.data)
        if record.match != match_id:
            raise RecordDamaged(match_id)
        if secret := row.secret or _public_secret(row):
            record.source.secret = secret
        return record, row.still_playing, row


def _public_secret(row: Row[*tuple[Any, ...]]) -> bytes:
    if row.tournament_state is None or not TournamentState(row.tournament_state).over:
        return b""
    return bytes(row.tournament_secret)
