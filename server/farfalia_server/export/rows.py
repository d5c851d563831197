"""The rows of each table that a record gives, with their values in the order of the columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from farfalia.learning.tensors import Tensor, observation_tensor
from farfalia.v1 import record_pb2
from farfalia_engine import CardFace, Observation, Record, Ruleset, RulesetError, ruleset, verify
from farfalia_server.contract.conduct import strikes_by_seat
from farfalia_server.contract.errors import RecordError
from farfalia_server.export.prices import UNPRICED, MatchPrices, Price, Prices
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.records.codec import from_message
from farfalia_server.records.deal_views import deals_of
from farfalia_server.records.questions import answered_questions

Row = tuple[Any, ...]


def rows_of(record: record_pb2.Record, prices: Prices | None = None) -> dict[str, list[Row]]:
    """Return the rows of a match by table, with prices of its decisions; RecordError if its record does not hold."""
    played = from_message(record)
    verdict = verify(played)
    if not verdict.holds:
        raise RecordError(f"the record of match {record.match} does not hold: {verdict.violations[0]}")
    rules = ruleset(record.ruleset, dict(record.options))
    options = json.dumps(rules.options, sort_keys=True)
    return {
        "matches": list(_matches(record, options)),
        "deals": list(_deals(played, rules, options)),
        "decisions": list(_decisions(record, rules, options, UNPRICED if prices is None else prices.of(record))),
    }


def _matches(record: record_pb2.Record, options: str) -> Iterator[Row]:
    control, strikes = record.time_control, strikes_by_seat(record)
    shared = (
        record.match,
        record.tournament,
        record.ruleset,
        options,
        record.source.board,
        record.engine,
        record.started.ToMilliseconds(),
        record.finished.ToMilliseconds(),
        control.limit_ms,
        control.bank_ms,
        control.grace,
        record.digest.hex(),
    )
    outcome = record.outcome
    for number, seat in enumerate(record.seats):
        who = number, seat.name, seat.bot, seat.version, seat.house
        lost = number in outcome.forfeits
        yield *shared, *who, outcome.points[number], outcome.places[number], strikes[number], lost


def _deals(record: Record, rules: Ruleset, options: str) -> Iterator[Row]:
    numbers = _numbers(rules)
    for deal in deals_of(record):
        shared = (record.match, record.ruleset, options, deal.number, deal.type, deal.trumps, deal.subjects)
        for position, seat in enumerate(deal.seats):
            side = deal.sides[position]
            yield (
                *shared,
                position,
                seat,
                position in deal.dummies,
                side,
                numbers(deal.hands[position]),
                numbers(deal.discarded if position == 0 else ()),
                deal.won(position),
                numbers(deal.collected(side)),
                seat in deal.doubled,
                deal.scores[seat],
            )


def _decisions(record: record_pb2.Record, rules: Ruleset, options: str, prices: MatchPrices) -> Iterator[Row]:
    encoder, seats = QuestionEncoder(record.match), range(len(record.seats))
    scores = [deal.points for deal in record.outcome.deals]
    for one in answered_questions(record):
        seat, points = record.seats[one.seat], scores[one.view.deal - 1]
        yield (
            record.match,
            record.ruleset,
            options,
            one.seat,
            seat.bot,
            seat.version,
            one.view.deal,
            one.trick,
            one.number,
            one.index,
            one.kind.name.lower(),
            one.view.acting,
            one.legal,
            one.action,
            rules.text(one.action),
            one.cause.name.lower(),
            one.took_ms,
            one.bank_ms,
            one.strikes,
            points[one.seat],
            points[one.seat] - sum(points) / len(seats),
            record.outcome.places[one.seat],
            encoder.view(one.view),
            _tensor(one.view),
            *_priced(prices.get(one.index)),
        )


def _numbers(rules: Ruleset) -> Callable[[Iterable[CardFace]], list[int]]:
    """Return what numbers cards, as the actions that play them are."""
    by_text = {face.text: number for number, face in enumerate(rules.game.wording.faces)}
    return lambda cards: [by_text[card.text] for card in cards]


def _priced(one: Price | None) -> Row:
    if one is None:
        return (None,) * 10
    points = one.best, one.price, one.error, one.open_price, one.values
    if one.places is None:
        return *points, *(None,) * 5
    expected, first = (list(column) for column in zip(*one.ends, strict=True))
    return *points, one.places.best, one.places.price, one.places.error, expected, first


def _tensor(view: Observation) -> Tensor | None:
    try:
        return observation_tensor(view)
    except RulesetError:  # a game of another package
        return None
