"""Where a stranger registered a bot or an account from: bots of one address count as one owner's on a ladder."""

from alembic import op
from sqlalchemy import Column, Text, text

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the columns; of what is there already nothing is known."""
    for table in ("account", "bot"):
        op.add_column(table, Column("source", Text, nullable=False, server_default=text("''")))
