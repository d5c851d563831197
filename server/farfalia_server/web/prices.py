"""What pages show of what decisions have cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from farfalia.v1 import analysis_pb2, bots_pb2
from farfalia_engine import CardFace, Ruleset, ruleset
from farfalia_server.records.deal_views import DealView
from farfalia_server.wording.prices import order_of
from farfalia_server.wording.translating import translated

#: Choices of a decision that are shown, beside what was done: two cards to discard are one of many.
_CHOICES: Final = 13
#: Mistakes on the page of a match.
_DEAREST: Final = 5
#: The band of prices: units for a decision and its mark, the height, and the least price that fills it.
_STEP, _WIDE, _HIGH, _FULL = 10, 7, 40, 3.0
#: What may be trumps: four suits, and none.
_TRUMPS: Final = 5
#: What notation calls it if nothing is collected.
_NONE: Final = "none"
#: Height of the mark of a decision that has cost nothing.
_LEAST: Final = 1.5


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that could be done: the cards that it is about, or else what it is called; both empty for nothing."""

    cards: tuple[CardFace, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A legal action with what it was worth, less the best one: never above 0; `done` if it is what was done."""

    choice: Choice
    behind: float
    error: float
    best: bool
    done: bool


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A decision with its price.

    `card` counts the cards of its trick that lie once it is made, 0 before the first trick, and `address` is where the
    replay shows it. `at` is the step of the replay at which it is still to be made, empty before the first card.
    """

    one: analysis_pb2.PricedDecision
    who: str
    choice: Choice
    best: Choice
    address: str
    card: int
    at: str
    values: list[ValueRow]
    #: How many choices are not among them.
    more: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A decision in the band: a rectangle."""

    x: float
    y: float
    height: float
    row: PriceRow


@dataclass(frozen=True, slots=True)
class Band:
    """The decisions of a deal side by side, the dearer the higher."""

    width: float
    height: float
    wide: float
    marks: list[Mark]


@dataclass(frozen=True, slots=True)
class EntrantPrices:
    """What an entrant's decisions have cost, by kind as in `MatchPrices.aspects`, None where it had none, and all."""

    seat: int
    entrant: str
    by_aspect: list[analysis_pb2.SeatPrices | None]
    together: analysis_pb2.SeatPrices


@dataclass(frozen=True, slots=True)
class MatchPrices:
    """What the page of a match shows."""

    state: analysis_pb2.AnalysisState
    dearest: list[PriceRow]
    aspects: list[str]
    entrants: list[EntrantPrices]


class Choices:
    """Words actions as choices of a game."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        wording = rules.game.wording
        self._faces = {face.text: face for face in wording.faces}
        #: Suits by the letters that notation has for them, and for none.
        self._suits = dict(map(wording.trumps, range(1, _TRUMPS + 1)))

    def of(self, action: int) -> Choice:
        """Return an action as a choice."""
        text = self._rules.text(action).rpartition("=")[2]
        cards = [self._faces.get(one) for one in text.removeprefix("+").split(",")]
        if all(cards):
            return Choice(tuple(one for one in cards if one))
        return Choice((), "" if text == _NONE else translated(self._suits.get(text, text)))


def match_prices(
    analysis: analysis_pb2.Analysis, rules: Ruleset, deals: Sequence[DealView], entrants: Sequence[str]
) -> MatchPrices:
    """Return what the page of a match shows of its analysis."""
    mistakes = [one for one in analysis.decisions if one.mistake]
    dearest = sorted(mistakes, key=lambda one: (-one.price, one.number))[:_DEAREST]
    aspects = sorted({one.aspect for one in analysis.seats}, key=order_of)
    rows = []
    for seat, entrant in enumerate(entrants):
        own = {one.aspect: one for one in analysis.seats if one.seat == seat}
        if own:
            rows.append(EntrantPrices(seat, entrant, [own.get(name) for name in aspects], _together(own.values())))
    return MatchPrices(analysis.state, price_rows(dearest, rules, deals, entrants), aspects, rows)


def price_rows(
    decisions: Iterable[analysis_pb2.PricedDecision],
    rules: Ruleset,
    deals: Sequence[DealView],
    entrants: Sequence[str],
) -> list[PriceRow]:
    """Return decisions of a match as rows, in the same order."""
    choices = Choices(rules)
    places = {play.index: place for deal in deals for trick in deal.tricks for place, play in enumerate(trick.plays, 1)}
    return [_row(one, choices, deals, places, entrants[one.seat]) for one in decisions]


def band(rows: Sequence[PriceRow]) -> Band:
    """Return the band of these decisions."""
    marks = []
    full = max([_FULL, *(row.one.price for row in rows)])
    for number, row in enumerate(rows):
        height = round(max(_LEAST, row.one.price / full * _HIGH), 1)
        marks.append(Mark(number * _STEP, round(_HIGH - height, 1), height, row))
    return Band(_STEP * len(rows), _HIGH, _WIDE, marks)


@dataclass(frozen=True, slots=True)
class BotPrices:
    """What the page of a bot shows of one game: its prices by version and kind, and its dearest mistakes."""

    rows: list[analysis_pb2.VersionPrices]
    dearest: list[tuple[analysis_pb2.PricedDecision, Choice, Choice]]


def bot_prices(found: bots_pb2.GetBotResponse, game: str) -> BotPrices | None:
    """Return what the page of a bot shows of a game; None if no match of it was analysed."""
    rows = [one for one in found.prices if one.ruleset == game]
    if not rows:
        return None
    versions = list(dict.fromkeys(one.version for one in rows))
    rows.sort(key=lambda one: (versions.index(one.version), order_of(one.aspect)))
    choices = Choices(ruleset(game))
    return BotPrices(rows, [(one, choices.of(one.action), choices.of(one.best)) for one in found.dearest])


def _row(
    one: analysis_pb2.PricedDecision,
    choices: Choices,
    deals: Sequence[DealView],
    places: Mapping[int, int],
    who: str,
) -> PriceRow:
    tricks = {trick.number: trick for trick in deals[one.deal - 1].tricks}
    card = places.get(one.number) or (len(tricks[one.trick].plays) if one.trick else 0)
    if one.number in places:  # a card: it lies after the one before it, which may be the last of the trick before
        before = tricks.get(one.trick - 1)
        at = f"{one.trick}.{card - 1}" if card > 1 else f"{before.number}.{len(before.plays)}" if before else ""
    else:
        at = f"{one.trick}.{card}" if one.trick else ""
    highest = max((value.value for value in one.values), default=0.0)
    values = [
        ValueRow(
            choices.of(value.action),
            value.value - highest,
            value.error,
            value.action == one.best,
            value.action == one.action,
        )
        for value in sorted(one.values, key=lambda value: (-value.value, value.action))
    ]
    shown = [value for place, value in enumerate(values) if place < _CHOICES or value.done]
    return PriceRow(
        one,
        who,
        choices.of(one.action),
        choices.of(one.best),
        f"{one.deal}/{one.trick}.{card}" if card else f"{one.deal}",
        card,
        at,
        shown,
        len(values) - len(shown),
    )


def _together(own: Iterable[analysis_pb2.SeatPrices]) -> analysis_pb2.SeatPrices:
    kinds = list(own)
    decisions = sum(one.decisions for one in kinds)
    return analysis_pb2.SeatPrices(
        decisions=decisions,
        mistakes=sum(one.mistakes for one in kinds),
        price=sum(one.price * one.decisions for one in kinds) / decisions,
    )
