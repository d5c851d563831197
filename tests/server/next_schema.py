"""A version of the server whose database has one table more."""

import shutil
from pathlib import Path

import pytest

from farfalia_server.store.sql import migrate

NUMBER = "9000"
_MIGRATION = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{NUMBER}", "{{newest}}"


def upgrade() -> None:
    op.create_table("later", sa.Column("id", sa.Integer(), primary_key=True))
"""


def become_newer(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the servers that this process starts from now on be those of the next schema; `folder` has its migration."""
    newest = migrate.newest_schema()
    migrations = folder / "migrations"
    shutil.copytree(migrate.MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
    (migrations / "versions" / "later.py").write_text(_MIGRATION.format(newest=newest))
    patch.setattr(migrate, "MIGRATIONS", migrations)
