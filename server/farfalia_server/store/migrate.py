"""Brings a database to the newest schema."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from farfalia_server.errors import StoreError


def migrate(connection: Connection) -> None:
    """Runs the migrations that this database lacks, in the caller's transaction.

    Raises StoreError if it was made by a newer server.
    """
    logging.getLogger("alembic").setLevel(logging.WARNING)  # what it does is of no interest as long as it works
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(f"the database was made by a newer server ({error}); update this one") from None
