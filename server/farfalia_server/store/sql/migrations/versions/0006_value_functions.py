"""The value function of luck that a tournament has committed to; earlier ones have named that of their server."""

from alembic import op
from sqlalchemy import Column, LargeBinary

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the column."""
    op.add_column("tournament", Column("value_function", LargeBinary))
