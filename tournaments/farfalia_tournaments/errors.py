"""The errors of this room."""


class TournamentError(ValueError):
    """Raised when a value cannot be part of a tournament; base of all errors here."""


class ScheduleError(TournamentError):
    """Raised when no schedule is possible with the given arguments."""
