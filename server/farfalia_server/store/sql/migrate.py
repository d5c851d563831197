"""Brings a database to the newest schema."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect

from farfalia_server.contract.errors import StoreError
from farfalia_server.store.sql import schema

#: Where the migrations are.
MIGRATIONS = Path(__file__).with_name("migrations")


def schemas() -> list[str]:
    """Return the numbers of all schemas that this version knows, newest first."""
    return [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]


def newest_schema() -> str:
    """Return the number of the schema that this version works with."""
    return schemas()[0]


def is_older(schema_number: str) -> bool:
    """Return whether this is an older schema, which this version can migrate."""
    return schema_number in schemas()[1:]


def current_schema(connection: Connection) -> str:
    """Return the number of a database's schema; empty if it has none of our tables."""
    return MigrationContext.configure(connection).get_current_revision() or ""


def migrate_to(connection: Connection, schema_number: str) -> None:
    """Run the migrations up to this schema, in the caller's transaction."""
    logging.getLogger("alembic").setLevel(logging.WARNING)  # its log is noise as long as it works
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))  # it interpolates
    config.attributes["connection"] = connection
    command.upgrade(config, schema_number)


def migrate(connection: Connection) -> None:
    """Run the migrations that this database lacks, in the caller's transaction.

    Raises StoreError if it was made by a newer server, or has other tables than ours afterwards.
    """
    try:
        migrate_to(connection, "head")
    except CommandError as error:
        raise StoreError(f"the database was made by a newer server ({error}); update this one") from None
    lacking = _lacking(connection)
    if lacking:
        raise StoreError(
            f"the database does not have the tables of this version: it lacks {lacking}; start with a new database, "
            "or with the version that made this one"
        )


def _lacking(connection: Connection) -> str:
    """Return a table or column that is missing; empty if none is."""
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
