"""The bots of a match, by match: those that have one to play are looked up every few seconds."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_match_bot_match_id", "match_bot", ["match_id"])
