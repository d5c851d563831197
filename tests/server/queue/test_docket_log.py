"""What Docket logs, in our log."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog
from redis.exceptions import ConnectionError as RedisConnectionError

from farfalia_server.queue import docket_log


@pytest.fixture
def docket() -> Iterator[logging.Logger]:
    """Docket's logger, as a server has it that has said nothing yet."""
    logger = logging.getLogger("docket")
    before, logger.handlers = logger.handlers, []
    docket_log.quieten()
    docket_log.quieten()
    assert len(logger.handlers) == 1
    yield logger
    logger.handlers = before


def test_warnings_are_lines_of_ours_and_said_once_in_a_while(docket: logging.Logger) -> None:
    with structlog.testing.capture_logs() as logged:
        for number in (1, 2):
            docket.warning("worker %d waits", number)
        docket.info("nothing happens")
    assert logged == [{"event": "docket_warning", "log_level": "warning", "message": "worker 1 waits"}]


def test_a_redis_that_cannot_be_reached_is_a_line_and_anything_else_has_its_traceback(docket: logging.Logger) -> None:
    away = ExceptionGroup("many", [RedisConnectionError("nothing listens\nthere"), OSError("it is away")])
    with structlog.testing.capture_logs() as logged:
        for sentence, error in (("lost", away), ("wrong", ValueError("a number is wrong"))):
            docket.error(sentence, exc_info=error)
    redis, other = logged
    assert (redis["event"], redis["message"], redis["error"]) == ("docket_warning", "lost", "nothing listens")
    assert "exc_info" not in redis
    assert (other["event"], other["message"], other["log_level"]) == ("docket_failed", "wrong", "error")
    assert other["exc_info"][0] is ValueError
