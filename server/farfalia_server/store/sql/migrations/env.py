"""Lets Alembic work in the transaction that the server has opened."""

from alembic import context

from farfalia_server.store.sql.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
