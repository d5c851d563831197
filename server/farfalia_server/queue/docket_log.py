"""Docket's log lines, through our log: warnings and above, one line each, and no traceback for an unreachable Redis."""

import logging
import time

import structlog
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


#: Seconds in which the same sentence is not logged again: Docket repeats some every second.
_SILENCE = 30.0


class _ToOurs(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if time.monotonic() - self._said.get(str(record.msg), -_SILENCE) < _SILENCE:
            return
        self._said[str(record.msg)] = time.monotonic()
        error = record.exc_info[1] if record.exc_info else None
        message = record.getMessage()
        if error is None or _is_redis(error):
            log.warning("docket_warning", message=message, **({} if error is None else {"error": _first_line(error)}))
        else:
            log.error("docket_failed", message=message, exc_info=record.exc_info)


def quieten() -> None:
    """Send Docket's own log lines through ours; may be called again."""
    logger = logging.getLogger("docket")
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    if not any(isinstance(handler, _ToOurs) for handler in logger.handlers):
        logger.addHandler(_ToOurs())


def _is_redis(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_is_redis(inner) for inner in error.exceptions)
    return isinstance(error, (RedisError, OSError))


def _first_line(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return (str(error) or type(error).__name__).splitlines()[0]
