"""Fixtures of the server's tests."""

from tests.server.postgres_fixture import database_url, postgres

__all__ = ["database_url", "postgres"]
