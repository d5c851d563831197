"""The question over which a bot wrote a line of its log."""

from alembic import op
from sqlalchemy import Column, Integer

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the column."""
    op.add_column("bot_log", Column("question", Integer, nullable=False, server_default="0"))
