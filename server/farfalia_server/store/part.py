"""What the parts of the store have in common."""

from farfalia_server.store.changes import Changes
from farfalia_server.store.sql.database import Database


class Part:
    """A part of the store, which reads and writes the database, and tells of the changes that it commits."""

    def __init__(self, database: Database, changes: Changes) -> None:
        self._database = database
        self._changes = changes
