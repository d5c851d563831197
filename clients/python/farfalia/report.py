"""What the client tells the author of a bot, one line each, through the logger "farfalia"."""

from __future__ import annotations

import logging
import os

from farfalia.v1 import play_pb2 as pb

log = logging.getLogger("farfalia")

# Read once, when grpc is imported: otherwise each server that stops is three lines of gRPC's about it on stderr.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

#: Nothing to tell, or told already: a bot's failure is told when it happens.
_QUIET = (pb.RESULT_STATUS_ACCEPTED, pb.RESULT_STATUS_DUPLICATE, pb.RESULT_STATUS_FAILED)


def result(result: pb.Result) -> None:
    """Tell of an answer that was refused or late, with what the server measured; say nothing of others."""
    if result.status in _QUIET:
        return
    log.warning(
        "match %d, question %d: %s. %s (charged %d ms, bank left %d ms, strikes %d)",
        result.match,
        result.number,
        _status(result.status),
        result.text,
        result.charged_ms,
        result.bank_ms,
        result.strikes,
    )


def notice(notice: pb.Notice) -> None:
    """Tell what the server has to say."""
    log.warning("%s%s (%s)", f"match {notice.match}: " if notice.match else "", notice.text, notice.reason)


def to_stderr(*, quiet: bool = False) -> None:
    """Show everything on stderr, or only what went wrong, unless the program has set up its own logging."""
    if not log.handlers and not logging.getLogger().handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.WARNING if quiet else logging.INFO)


def _status(status: pb.ResultStatus) -> str:
    if status not in pb.ResultStatus.values():
        return f"status {status}"
    return pb.ResultStatus.Name(status).removeprefix("RESULT_STATUS_").replace("_", " ").lower()
