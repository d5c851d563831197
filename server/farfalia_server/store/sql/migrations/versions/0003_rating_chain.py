"""What is published of the order of rating, an entry for each rated match, and the strengths of a ladder."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from farfalia_server.store.ratings.chain import digest_of
from farfalia_tournaments import ChainEntry, ChainSeat, Rating

revision = "0003"
down_revision = "0002"

number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
#: Matches that are read at once.
AT_ONCE = 500


def upgrade() -> None:
    """Make the chains, from the matches that have been rated and what was written down then.

    Strengths follow with the next fit of a ladder.
    """
    for name in ("strength", "strength_low", "strength_high"):
        op.add_column("fitted_rating", sa.Column(name, sa.Double()))
    rating_chain = op.create_table(
        "rating_chain",
        sa.Column("ladder", sa.Text(), nullable=False),
        sa.Column("entry", number, autoincrement=False, nullable=False),
        sa.Column("match_id", number, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_rating_chain_match_id")),
        sa.PrimaryKeyConstraint("ladder", "entry", name=op.f("pk_rating_chain")),
        sa.UniqueConstraint("match_id", name=op.f("uq_rating_chain_match_id")),
    )
    match = sa.table(
        "match",
        sa.column("id", number),
        sa.column("ruleset", sa.Text()),
        sa.column("seats", sa.JSON()),
        sa.column("versions", sa.JSON()),
        sa.column("rating_seq", number),
    )
    record = sa.table("record", sa.column("match_id", number), sa.column("data", sa.LargeBinary()))
    bot = sa.table("bot", sa.column("id", number), sa.column("name", sa.Text()))
    event = sa.table(
        "rating_event",
        sa.column("match_id", number),
        sa.column("bot_id", number),
        sa.column("mu_after", sa.Double()),
        sa.column("sigma_after", sa.Double()),
    )
    meta = sa.table("meta", sa.column("key", sa.Text()), sa.column("value", sa.Text()))
    connection = op.get_bind()
    basis = connection.execute(sa.select(meta.c.value).where(meta.c.key == "rating_basis")).scalar() or ""
    names = {row.id: row.name for row in connection.execute(sa.select(bot))}
    newest: dict[str, tuple[int, str]] = {}
    last = 0
    while True:
        wanted = (
            sa.select(match, record.c.data)
            .outerjoin_from(match, record, match.c.id == record.c.match_id)
            .where(match.c.rating_seq > last)
            .order_by(match.c.rating_seq)
        )
        matches = connection.execute(wanted.limit(AT_ONCE)).all()
        if not matches:
            break
        last = matches[-1].rating_seq
        after: dict[tuple[int, int], Rating] = {}
        for change in connection.execute(sa.select(event).where(event.c.match_id.in_([one.id for one in matches]))):
            after[change.match_id, change.bot_id] = Rating(change.mu_after, change.sigma_after)
        rows = []
        for one in matches:
            entry_number, before = newest.get(one.ruleset, (0, ""))
            entry = ChainEntry(
                one.ruleset,
                entry_number + 1,
                one.id,
                digest_of(one.id, one.data).hex(),
                basis.partition(" ")[0],
                _seats(one, names, after),
                before,
            )
            newest[entry.ladder] = entry.number, entry.hash
            rows.append(
                {
                    "ladder": entry.ladder,
                    "entry": entry.number,
                    "match_id": entry.match,
                    "hash": entry.hash,
                    "line": entry.line(),
                }
            )
        op.bulk_insert(rating_chain, rows)


def _seats(match: sa.Row[Any], names: dict[int, str], after: dict[tuple[int, int], Rating]) -> tuple[ChainSeat, ...]:
    versions = match.versions or [""] * len(match.seats)
    return tuple(
        ChainSeat(
            names[seat["bot"]],
            seat["bot"],
            version,
            None if seat["filler"] else after.get((match.id, seat["bot"])),
        )
        for seat, version in zip(match.seats, versions, strict=True)
    )
