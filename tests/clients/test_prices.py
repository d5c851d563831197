"""What decisions cost: exact where the end is certain, the same every time, and honest about what it cannot know."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.engine.games import label, pairwise

from farfalia.analysis.prices import NotPriced, PricedDecision
from farfalia.analysis.pricing import price_decisions
from farfalia.bots import create
from farfalia_engine import Cause, Deals, DealSource, Kind, Record, RecordedAction, TimeControl, play_to_end, ruleset


def record_of(name: str, options: Mapping[str, str] | None = None, bot: str = "greedy") -> Record:
    """The record of a match between these bots."""
    rules = ruleset(name, options)
    deciders = [create(bot, seat).decide for seat in range(rules.seats)]
    played = play_to_end(rules.new_match(Deals(bytes(32))), deciders)
    return Record(
        engine="1.0.0",
        match=1,
        ruleset=name,
        options=options or {},
        seats=(),
        source=DealSource(bytes(32), (), "board-1", board_key=bytes(32)),
        time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
        actions=tuple(RecordedAction(one.seat, one.action, 0, 0, Cause.BOT) for one in played),
        outcome=None,
        started_ms=1,
        finished_ms=2,
    )


def some(record: Record, actions: int, **asked: object) -> list[PricedDecision]:
    """What the first actions of a record cost."""
    short = Record(**{name: getattr(record, name) for name in record.__slots__} | {"actions": record.actions[:actions]})
    return list(price_decisions(short, worlds=8, **asked))  # type: ignore[arg-type]


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_every_choice_of_a_record_has_a_price(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    record = record_of(name, options, "random")
    if options.get("burnin") == "on":
        with pytest.raises(NotPriced, match=r"with wild cards \(burnin=on\)"):
            some(record, 1)
        return
    found = some(record, 25)
    assert len(found) > 10
    for one in found:
        done = record.actions[one.number]
        assert (one.seat, one.action) == (done.seat, done.action)
        values = {value.action: value for value in one.values}
        assert list(values) == sorted(values)
        assert len(values) > 1
        assert values[one.best].error == 0
        assert values[one.best].value == max(value.value for value in one.values)
        assert 0 <= one.price <= values[one.best].value - values[one.action].value + 1e-9
        assert one.kind is not Kind.DOUBLE


def test_whose_decisions_are_asked_for_changes_no_number() -> None:
    record = record_of("three-short")
    found = some(record, 30)
    assert found == some(record, 30)
    assert [one for one in found if one.seat == 1] == some(record, 30, seats=[1])
    assert found != some(record, 30, seed=1)
