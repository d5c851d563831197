"""Attempts of matches that were void, on a terminal."""

from collections.abc import Sequence

from farfalia.v1 import matches_pb2
from farfalia_server.cli.output import prose, say
from farfalia_server.wording.phrases import date, void_reason


def counted(number: int) -> str:
    """Return `1 void attempt`, `2 void attempts`."""
    return "1 void attempt" if number == 1 else f"{number} void attempts"


def print_void_attempts(attempts: Sequence[matches_pb2.VoidAttempt], number: int, *, of: str = "") -> None:
    """Print how many there are, and a line about each of the newest: which attempt, when, why,
    and the key of its board.
    """
    listed = "" if len(attempts) == number else f" The newest {len(attempts)}:"
    say("")
    prose(f"{of and f'{of}: '}{counted(number)}, played again on other boards or given up.{listed}")
    for one in attempts:
        key = f" Key of {one.source.board}: {one.source.board_key.hex()}." if one.source.board_key else ""
        prose(f"Match {one.match}, attempt {one.attempt}, {date(one.voided)}: {void_reason(one)}.{key}", indent="  ")
