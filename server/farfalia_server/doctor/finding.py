"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from farfalia_server.contract.errors import FarfaliaServerError


class FindingState(StrEnum):
    """How something is."""

    OK = "ok"
    WARNING = "warning"  #: the server works, and may not for long, or not safely
    PROBLEM = "problem"  #: the server does not start, does not work, or lets strangers in


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, what was seen there, and how to fix it; the last two are sentences."""

    name: str
    state: FindingState
    text: str
    remedy: str = ""

    @classmethod
    def ok(cls, name: str, text: str) -> Finding:
        """Return that something is as it should be."""
        return cls(name, FindingState.OK, text)

    @classmethod
    def warning(cls, name: str, text: str, remedy: str) -> Finding:
        """Return that something should be otherwise."""
        return cls(name, FindingState.WARNING, text, remedy)

    @classmethod
    def problem(cls, name: str, text: str | FarfaliaServerError, remedy: str) -> Finding:
        """Return that something must be otherwise; the text of an error becomes a sentence."""
        if isinstance(text, FarfaliaServerError):
            said = str(text)
            is_a_name = "_" in said.partition(" ")[0]
            text = f"{said if is_a_name else said[:1].upper() + said[1:]}."
        return cls(name, FindingState.PROBLEM, text, remedy)
