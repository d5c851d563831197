"""What is asked often is answered from an index."""

from typing import Any

import pytest
from sqlalchemy import Select, create_engine, select, text

from farfalia_server.store.matches import boards
from farfalia_server.store.ratings.ladders import WANTED
from farfalia_server.store.ratings.ratings import LAST_PLACE, UNCOUNTED, UNRATED
from farfalia_server.store.sql import schema

match, attempt = schema.match.c, schema.void_attempt.c


def plan_of(statement: Any) -> list[str]:
    """How SQLite goes about it, step by step."""
    database = create_engine("sqlite://")
    schema.metadata.create_all(database)
    compiled = statement.compile(dialect=database.dialect, compile_kwargs={"literal_binds": True})
    with database.connect() as connection:
        plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {compiled}"))]
    database.dispose()
    return plan


@pytest.mark.parametrize(
    "question",
    [
        *(
            select(match.id, asked).order_by(match.id.desc()).limit(100)
            for asked in (boards.OPEN, boards.STILL_PLAYING)
        ),
        select(attempt.id, boards.VOID_OPEN).join_from(schema.void_attempt, schema.match),
    ],
    ids=["open", "still playing", "of a void attempt"],
)
def test_whether_a_board_is_in_play_is_looked_up_in_an_index(question: Select[Any]) -> None:
    (look,) = [step for step in plan_of(question) if " other " in step]
    assert "ix_match_board (tournament_id=? AND board=? AND state=?)" in look


def test_bots_with_a_match_to_play_are_found_without_reading_matches_that_are_over() -> None:
    plan = plan_of(WANTED)
    assert "SEARCH match USING INDEX ix_match_state (state=?)" in plan
    assert any("ix_match_bot_match_id (match_id=?)" in step for step in plan)


def test_matches_to_rate_are_found_without_reading_those_that_are_rated_or_wait() -> None:
    assert "SEARCH match USING INDEX ix_match_unrated (rating_seq=? AND state=?)" in plan_of(UNRATED.limit(100))


def test_rated_matches_that_count_no_more_are_found_without_reading_the_others() -> None:
    assert plan_of(UNCOUNTED) == ["SCAN match USING INDEX ix_match_uncounted"]


def test_the_last_place_in_the_order_of_rating_is_looked_up_in_an_index() -> None:
    (look,) = plan_of(LAST_PLACE)
    assert "ix_match_rating_seq" in look
