"""A question as plain data, for JSON: cards, suits and actions by their names, everything else as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from farfalia.v1 import play_pb2 as pb
from farfalia.view import View
from farfalia_engine import DECLINED, FAMILIES, NOTHING, DealType, Observation
from farfalia_engine.errors import EngineError


def question_data(view: View) -> dict[str, Any]:
    """Return a question: `legal` has the numbers of the actions, `names` their texts, the rest is what the seat knows.

    What is empty in this game or at this moment is left out, but for the hand and the trick. Of a game that only the
    server knows, nothing but the actions' numbers is returned.

    >>> from farfalia_engine import Deals, ruleset
    >>> data = question_data(View.of(ruleset("two").new_match(Deals(bytes(32))).observation(0)))
    >>> data["kind"], data["legal"][0], data["names"][0]
    ('declare', 120, 'trump=S')
    """
    kind = "other" if view.kind is None else view.kind.name.lower()
    asked = {"match": view.match, "number": view.number, "kind": kind, "legal": list(view.legal)}
    try:
        return {**asked, "names": [view.text(action) for action in view.legal], **dict(_known(view)), **_clock(view)}
    except (EngineError, LookupError, ValueError):  # a game, a card or an action that only the server knows
        return {**asked, "names": [], **_clock(view)}


def result_data(result: pb.Result) -> dict[str, Any]:
    """Return what became of an answer."""
    number = result.status
    known = number in pb.ResultStatus.values()
    status = pb.ResultStatus.Name(number).removeprefix("RESULT_STATUS_").lower() if known else str(number)
    told = {"match": result.match, "number": result.number, "status": status, "text": result.text}
    return {**told, "charged_ms": result.charged_ms, "bank_ms": result.bank_ms, "strikes": result.strikes}


def seated_data(seated: pb.Seated) -> dict[str, Any]:
    """Return a seat at a match."""
    told = {"match": seated.match, "tournament": seated.tournament, "game": seated.ruleset}
    return {**told, "options": dict(seated.options), "seat": seated.seat, "seats": seated.seats, "board": seated.board}


def finished_data(finished: pb.Finished) -> dict[str, Any]:
    """Return the end of a match: points and places by seat, none if it was given up or will be played again."""
    outcome = finished.outcome
    told = {"match": finished.match, "seat": finished.seat, "voided": finished.voided}
    return {**told, "points": list(outcome.points), "places": list(outcome.places)}


def _known(view: Observation) -> Iterator[tuple[str, Any]]:
    n, wording, trumps = view.rules.seats, view.rules.game.wording, view.trumps
    yield from (("game", view.ruleset), ("options", view.options))
    yield from (("seat", view.seat), ("position", view.position), ("acting", view.acting))
    yield from (("deal", view.deal), ("deals", view.deals or None))
    yield from (("seats", list(view.seats)), ("sides", list(view.sides)), ("held", list(view.held)))
    yield "totals", list(view.totals)
    yield "scores", [list(view.scores[first : first + n]) for first in range(0, len(view.scores), n)]
    yield "trumps", wording.trumps(trumps)[0] or None
    yield "hand", _cards(view, view.hand)
    yield "trick", _cards(view, view.trick)
    if view.trick:
        yield from (("leader", view.leader), ("winning", view.best_position))
    yield "tricks", list(_tricks(view))
    optional = {
        "subjects": [FAMILIES[family] for family in view.subjects],
        "open": [FAMILIES[family] for family in view.open],
        "discarded": _cards(view, view.discarded),
        "unseen": _cards(view, view.unseen),
        "dummies": [
            {"position": position, "face_up": _cards(view, up), "covering": _cards(view, covering)}
            for position, up, covering in zip(view.dummies, view.face_up, view.covering, strict=True)
        ],
        "wilds": list(view.wilds),
        "doubled": list(view.doubled),
        "choice": view.text(view.choice) if view.choice else None,
        "types": [DealType(kind).text for kind in view.types],
        "bars": [wording.trumps(suit + 1)[0] for suit in view.bars],
        "shown": _cards(view, view.shown),
    }
    yield from ((name, value) for name, value in optional.items() if value)


def _tricks(view: Observation) -> Iterator[dict[str, Any]]:
    """Yield the tricks that are won: who led and won, by position, the cards in order, what was collected."""
    n = len(view.seats)
    for number, winner in enumerate(view.winners):
        trick = {"leader": view.leaders[number], "cards": _cards(view, view.plays[n * number : n * (number + 1)])}
        card = view.collected[number] if number < len(view.collected) else NOTHING
        collected = view.rules.card_text(card) if card < DECLINED else None
        yield {**trick, "winner": winner, "collected": collected}


def _cards(view: Observation, cards: Iterable[int]) -> list[str]:
    return [view.rules.card_text(card) for card in cards]


def _clock(view: View) -> dict[str, Any]:
    clock = view.clock
    if not clock.limit_ms:
        return {}
    times = {"limit_ms": clock.limit_ms, "spent_ms": clock.spent_ms, "bank_ms": clock.bank_ms}
    return {"clock": {**times, "strikes": clock.strikes, "grace": clock.grace, "resent": clock.resent}}
