"""Bots that held an entry of a tournament before."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column."""
    op.add_column("entrant", sa.Column("former", sa.JSON(none_as_null=True)))
