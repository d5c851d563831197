"""Checking a record with all that this package knows: the engine's rules, and how its house bots play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import farfalia_engine as engine
from farfalia import bots as house_bots
from farfalia.bot import Bot
from farfalia_engine import Cause, EngineError, Record, Verdict
from farfalia_server.house_names import HOUSE_PREFIX, house_of
from farfalia_server.records import drand
from farfalia_server.records.drand import SignedRound

#: House bots whose answers follow from what they see, so that they can be recomputed.
_WITHOUT_CHANCE = ("greedy", "cautious")


def verify(record: Record, rounds: Mapping[int, SignedRound] | None = None) -> Verdict:
    """Return what `farfalia_engine.verify` finds; and whether house bots answered as they do, where that can be known.

    It can for the bots that a server seats by itself, unless they play at random, and as long as this is the version
    that they were played by. Of any other seat that is called a house bot's, the verdict says that it was not checked.
    Of a beacon that is a round of drand it says what follows from its number, and from `rounds`, those that are known.
    """
    verdict = engine.verify(record)
    violations, unchecked, checked = [*verdict.violations], [*verdict.unchecked], [*verdict.checked]
    if record.source.beacon is not None:
        beacon = drand.check(record.source.beacon, rounds or {})
        violations += beacon.violations
        checked += beacon.checked
        unchecked += beacon.unchecked
    house: dict[int, str] = {}
    for number, seat in enumerate(record.seats):
        filler = house_of(seat.bot)
        if seat.bot.startswith(HOUSE_PREFIX) and not seat.house:
            violations.append(f"seat {number} ({seat.name}) is not called a house bot's, but {seat.bot} is a house bot")
        if not seat.house:
            continue
        if filler is None:
            unchecked.append(f"that a house bot plays as {seat.bot} (seat {number}): its name does not say which")
        elif filler not in _WITHOUT_CHANCE:
            unchecked.append(f"that {seat.bot} (seat {number}) answered as it does: it plays by chance")
        elif record.engine != engine.__version__:
            unchecked.append(
                f"that {seat.bot} (seat {number}) answered as it does: it was played by version {record.engine}, "
                f"and this is {engine.__version__}"
            )
        else:
            house[number] = filler
    if house and verdict.holds:
        wrong = list(_other_answers(record, house))
        violations += wrong
        if not wrong:
            checked.append(f"the answers of {', '.join(record.seats[number].bot for number in sorted(house))}")
    return replace(verdict, violations=tuple(violations), unchecked=tuple(unchecked), checked=tuple(checked))


def _other_answers(record: Record, house: Mapping[int, str]) -> Iterator[str]:
    """Yield where a house bot, by seat, would have answered otherwise; the record can be played again."""
    bots: dict[int, Bot] = {seat: house_bots.create(name) for seat, name in house.items()}
    rules = engine.ruleset(record.ruleset, record.options)
    try:
        for index, (action, state) in enumerate(zip(record.actions, engine.replay(record), strict=False)):
            bot = bots.get(action.seat)
            if bot is None or action.cause is not Cause.HOUSE:
                continue
            answer = bot.decide(state.observation(action.seat))
            if answer != action.action:
                yield (
                    f"action {index} (seat {action.seat}, {rules.text(action.action)}) is called "
                    f"{record.seats[action.seat].bot}'s, but that answers {rules.text(answer)}"
                )
                return  # what follows is of no use: it has seen other tricks than it would have
    except EngineError as error:  # it was played once already
        yield str(error)
