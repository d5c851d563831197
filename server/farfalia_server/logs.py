"""How a server's log lines look: one form for people, one for programs, all on standard error."""

import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from farfalia_server.contract.untrusted import clean
from farfalia_server.settings import LogFormat, LogLevel

#: Characters of a value of a log line.
_VALUE = 1000


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Which lines are written, how, and the worker's name in each, if there is one."""

    level: LogLevel
    form: LogFormat = LogFormat.CONSOLE
    worker: str = ""


_configured: LogSettings | None = None


def configured() -> LogSettings | None:
    """Return how this process writes its log, for one that it starts; None if that has not been said."""
    return _configured


def _clean_values(_logger: object, _method: str, event: structlog.typing.EventDict) -> Mapping[str, object]:
    """Return text from outside, which may stand in any value, on one line and cut."""
    return {key: clean(value, _VALUE) if isinstance(value, str) else value for key, value in event.items()}


def configure(level: LogLevel, form: LogFormat = LogFormat.CONSOLE, *, worker: str = "") -> None:
    """Write this level and above; the libraries' own lines from warnings on.

    With a `worker`, its name is in each line.
    """
    global _configured
    _configured = LogSettings(level, form, worker)

    def name_worker(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        return {**event, "worker": worker} if worker else event

    threshold = getattr(logging, level.upper())
    console = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )
    ending: list[structlog.typing.Processor] = [console]
    if form is LogFormat.JSON:
        ending = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    shared: list[structlog.typing.Processor] = [
        _clean_values,
        name_worker,
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, *ending],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(threshold, logging.WARNING), force=True)
