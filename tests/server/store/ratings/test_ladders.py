"""The ladders of an arena, as the matchmaker asks for them."""

from sqlalchemy import create_engine, text

from farfalia_server.store.ratings.ladders import WANTED
from farfalia_server.store.sql import schema


def test_bots_that_have_a_match_to_play_are_found_without_reading_the_matches_that_are_over() -> None:
    database = create_engine("sqlite://")
    schema.metadata.create_all(database)
    compiled = WANTED.compile(dialect=database.dialect, compile_kwargs={"literal_binds": True})
    with database.connect() as connection:
        plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {compiled}"))]
    database.dispose()
    assert "SEARCH match USING INDEX ix_match_state (state=?)" in plan
    assert any("ix_match_bot_match_id (match_id=?)" in step for step in plan)
