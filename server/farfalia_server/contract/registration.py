"""Who may register, and how much."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Registration(StrEnum):
    """Who may make accounts, and bots that no account owns."""

    CLOSED = "closed"
    INVITATION = "invitation"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class RegistrationRules:
    """Who may register; `quota` is how many bots an account may have, `hourly` how much one address, or one account,
    may register within an hour.
    """

    who: Registration = Registration.CLOSED
    quota: int = 20
    hourly: int = 120
