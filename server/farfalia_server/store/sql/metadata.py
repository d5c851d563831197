"""What all tables have in common."""

from sqlalchemy import MetaData, text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: The event that something belongs to by default; no foreign key, since SQLite adds none to a table with rows.
OF_ARENA = text("'arena'")
