"""The errors of this room."""

from typing import Any


class TournamentError(ValueError):
    """Raised when a value cannot be part of a tournament; base of all errors here."""


class ScheduleError(TournamentError):
    """Raised when no schedule is possible with the given arguments.

    `template` is its sentence with places `%(name)s`, and `values` has what stands in them, so that it can be said in
    another language.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template % values)
        self.template, self.values = template, values

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle words and values, so that the error can cross processes."""
        return _again, (self.template, self.values)


def _again(template: str, values: dict[str, object]) -> ScheduleError:
    return ScheduleError(template, **values)
