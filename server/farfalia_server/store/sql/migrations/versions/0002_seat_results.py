"""What a finished match says of each of its seats, and finished matches by when they ended."""

from collections.abc import Iterator
from datetime import UTC
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
moment = sa.DateTime(timezone=True)
finished = sa.text("state = 'finished'")
struck = sa.text("strikes > 0")
#: Matches that are read at once.
AT_ONCE = 500


def upgrade() -> None:
    """Make them, from the results that are there; what decisions took is not known of these."""
    seat_result = op.create_table(
        "seat_result",
        sa.Column("match_id", number, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bot_id", number, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("filler", sa.Boolean(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.Column("ended", moment, nullable=False),
        sa.Column("times", sa.JSON(), nullable=False),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_seat_result_bot_id")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_seat_result_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seat_result")),
    )
    for name, *columns in (("finished", "state"), ("ruleset", "ruleset"), ("ended", "tournament_id")):
        op.create_index(
            f"ix_match_{name}",
            "match",
            [*columns, "finished", "id"],
            sqlite_where=finished,
            postgresql_where=finished,
        )
    match = sa.table(
        "match",
        sa.column("id", number),
        sa.column("state", sa.Text()),
        sa.column("seats", sa.JSON()),
        sa.column("versions", sa.JSON()),
        sa.column("result", sa.JSON()),
        sa.column("finished", moment),
    )
    connection, last = op.get_bind(), 0
    while True:
        wanted = sa.select(match).where(match.c.state == "finished", match.c.id > last).order_by(match.c.id)
        matches = connection.execute(wanted.limit(AT_ONCE)).all()
        if not matches:
            break
        last = matches[-1].id
        op.bulk_insert(seat_result, [row for one in matches for row in _rows(one)])
    op.create_index(
        "ix_seat_result_bot_id", "seat_result", ["bot_id", "ended", "match_id", "place", "version", "strikes"]
    )
    op.create_index(
        "ix_seat_result_struck", "seat_result", ["ended", "match_id"], sqlite_where=struck, postgresql_where=struck
    )


def _rows(match: sa.Row[Any]) -> Iterator[dict[str, Any]]:
    result, versions = match.result, match.versions or [""] * len(match.seats)
    ended = match.finished if match.finished.tzinfo else match.finished.replace(tzinfo=UTC)
    for seat, who in enumerate(match.seats):
        yield {
            "match_id": match.id,
            "seat": seat,
            "bot_id": who["bot"],
            "version": versions[seat],
            "filler": who["filler"],
            "place": result["places"][seat],
            "points": result["points"][seat],
            "strikes": result["strikes"][seat],
            "ended": ended,
            "times": {},
            "roles": {},
        }
