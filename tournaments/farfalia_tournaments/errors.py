"""What this room raises."""


class TournamentError(ValueError):
    """Raised when a value cannot be part of a tournament; base of all errors here."""


class ScheduleError(TournamentError):
    """Raised when no schedule can be drawn from what was asked."""
