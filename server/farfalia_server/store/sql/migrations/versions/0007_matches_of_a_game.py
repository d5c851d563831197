"""The matches of a game by number: the list of a game that is seldom played went through all matches of the others."""

from alembic import op
from sqlalchemy import text

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the index."""
    numbered = text("id > 0")
    op.create_index("ix_match_game", "match", ["ruleset", "id"], sqlite_where=numbered, postgresql_where=numbered)
