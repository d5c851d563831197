"""Stages from text, as on a command line, or from plain mappings, as in a configuration file."""

from collections.abc import Iterable, Mapping

from farfalia_tournaments.errors import ScheduleError
from farfalia_tournaments.schedules.boards import Boards
from farfalia_tournaments.stages.model import Stage, StageKind
from farfalia_tournaments.stages.stopping import until_of

_NUMBERS = ("rounds", "advance", "matches", "qualifiers", "until-first", "until-percent")
_DIGITS = 9
_YES, _NO = ("yes", "true", "1"), ("no", "false", "0")


def parse_stages(text: str, boards: Boards = Boards.FRESH) -> tuple[Stage, ...]:
    """Read stages parted by spaces: `round-robin:rounds=10,qualifiers=8 knockout:advance=2`.

    `boards` are those of stages that name none. Raises ScheduleError with the number of the stage and the value that
    cannot be read. Whether the stages fit each other and the field, `check_stages` says.
    """
    words = enumerate(text.split(), start=1)
    return stages_of({"boards": boards} | _settings(number, word) for number, word in words)


def stages_of(settings: Iterable[Mapping[str, object]]) -> tuple[Stage, ...]:
    """Make stages of mappings like `{"kind": "swiss", "rounds": 7, "qualifiers": 25}`, as strict as `parse_stages`."""
    return tuple(_stage(number, given) for number, given in enumerate(settings, start=1))


def _settings(number: int, word: str) -> dict[str, object]:
    kind, _, rest = word.partition(":")
    settings: dict[str, object] = {"kind": kind}
    for pair in filter(None, rest.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ScheduleError("stage %(number)s: %(pair)r: expected NAME=VALUE", number=number, pair=pair)
        if name in settings:
            raise ScheduleError("stage %(number)s: %(name)s is given twice", number=number, name=name)
        settings[name] = value
    return settings


def _stage(number: int, settings: Mapping[str, object]) -> Stage:
    given = {name.replace("_", "-"): value for name, value in settings.items()}
    known = ("kind", *_NUMBERS, "boards", "carry", "design", "opposed")
    for name in given:
        if name not in known:
            raise ScheduleError(
                "stage %(number)s: %(name)r is not a setting: expected %(choices)s",
                number=number,
                name=name,
                choices=", ".join(known[1:]),
            )
    kind = _choice(number, "kind", given.get("kind", ""), tuple(StageKind))
    rounds, advance, matches, qualifiers, first, percent = (_number(number, name, given.get(name)) for name in _NUMBERS)
    boards = _choice(number, "boards", given.get("boards", Boards.FRESH), tuple(Boards))
    carry, opposed = (_flag(number, name, given.get(name, False)) for name in ("carry", "opposed"))
    try:
        until = until_of(first, percent)
    except ScheduleError as error:
        raise ScheduleError("stage %(number)s: %(error)s", number=number, error=error) from None
    short = _choice(number, "design", given.get("design", "even"), ("even", "short")) == "short"
    return Stage(StageKind(kind), rounds, advance, matches, Boards(boards), qualifiers, carry, until, short, opposed)


def _choice(number: int, name: str, value: object, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ScheduleError(
            "stage %(number)s: %(name)s %(value)r: expected %(choices)s or %(last)s",
            number=number,
            name=name,
            value=str(value),
            choices=", ".join(choices[:-1]),
            last=choices[-1],
        )
    return str(value)


def _number(number: int, name: str, value: object) -> int | None:
    if value is None:
        return None
    text = str(value)
    if not (text.isascii() and text.isdigit()):
        raise ScheduleError(
            "stage %(number)s: %(name)s %(text)r: expected a whole number", number=number, name=name, text=text
        )
    if len(text) > _DIGITS:
        raise ScheduleError(
            "stage %(number)s: %(name)s %(text)s: expected a number of at most %(most)s digits",
            number=number,
            name=name,
            text=text[:20],
            most=_DIGITS,
        )
    return int(text)


def _flag(number: int, name: str, value: object) -> bool:
    text = str(value).lower()
    if text not in _YES + _NO:
        raise ScheduleError(
            "stage %(number)s: %(name)s %(value)r: expected yes or no", number=number, name=name, value=str(value)
        )
    return text in _YES
