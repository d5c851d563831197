"""What ladders knew of the entrants of a tournament before its own matches counted on them."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, insert, select

from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.values import LadderKnowledge


class LadderKnowledgeRows(Part):
    """What is known by ladders, by tournament; it is taken down at the start, and when an entrant comes late."""

    async def of(self, tournament_id: int) -> list[LadderKnowledge]:
        """Return what a ladder knew of entrants, by their numbers as bots; empty if nothing."""
        table = schema.ladder_knowledge
        columns = [column for column in table.c if column is not table.c.tournament_id]
        statement = select(*columns).where(table.c.tournament_id == tournament_id).order_by(table.c.bot_id)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [LadderKnowledge(**row._mapping) for row in rows]


def insert_knowledge(connection: Connection, tournament_id: int, known: Sequence[LadderKnowledge]) -> None:
    """Take down what is known of entrants of a tournament."""
    if known:
        rows = [{"tournament_id": tournament_id, **asdict(own)} for own in known]
        connection.execute(insert(schema.ladder_knowledge), rows)
