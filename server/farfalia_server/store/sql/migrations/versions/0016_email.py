"""An e-mail address of accounts that want one."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the column."""
    op.add_column("account", sa.Column("email", sa.Text))
