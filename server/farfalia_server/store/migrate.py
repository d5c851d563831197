"""Brings a database to the newest schema."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, inspect

from farfalia_server.errors import StoreError
from farfalia_server.store import schema


def migrate(connection: Connection) -> None:
    """Run the migrations that this database lacks, in the caller's transaction.

    Raises StoreError if it was made by a newer server, or has other tables than ours afterwards.
    """
    logging.getLogger("alembic").setLevel(logging.WARNING)  # what it does is of no interest as long as it works
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(f"the database was made by a newer server ({error}); update this one") from None
    lacking = _lacking(connection)
    if lacking:
        raise StoreError(
            f"the database has not the tables of this version: it lacks {lacking}; start with a new database, or with "
            "the version that made this one"
        )


def _lacking(connection: Connection) -> str:
    """Return a table or column that should be there and is not; empty if nothing is missing."""
    found = inspect(connection)
    names = set(found.get_table_names())
    for table in schema.metadata.sorted_tables:
        if table.name not in names:
            return f"the table {table.name}"
        columns = {column["name"] for column in found.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                return f"the column {column.name} of the table {table.name}"
    return ""
