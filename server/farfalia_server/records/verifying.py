"""Checking a record with all that this package knows: the engine's rules, and how its house bots play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import farfalia_engine as engine
from farfalia_engine import Cause, Deals, Record, Verdict
from farfalia_server.records import drand
from farfalia_server.records.drand import SignedRound
from farfalia_server.records.house_bot import BY_CHANCE, HouseBot
from farfalia_server.records.house_names import HOUSE_PREFIX, house_of, is_playable


def verify(record: Record, rounds: Mapping[int, SignedRound] | None = None) -> Verdict:
    """Return what `farfalia_engine.verify` finds; and whether house bots answered as they do, where that can be known.

    It can for the bots that a server seats by itself, as long as this is the version that they were played by. Of any
    other seat that is called a house bot's, the verdict says that it was not checked. Of a beacon that is a round of
    drand it says what follows from its number, and from `rounds`, those that are known.
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
        elif record.engine != engine.__version__:
            unchecked.append(
                f"that {seat.bot} (seat {number}) answered as it does: it was played by version {record.engine}, "
                f"and this is {engine.__version__}"
            )
        elif not is_playable(filler):
            unchecked.append(
                f"that {seat.bot} (seat {number}) answered as it does: it needs NumPy, which is not installed here "
                "(pip install 'numpy>=2')"
            )
        elif filler == BY_CHANCE and record.format == 1:
            unchecked.append(
                f"that {seat.bot} (seat {number}) answered as it does: a record of format 1 does not say how chance "
                "was drawn"
            )
        else:
            house[number] = filler
    if house and verdict.holds:
        answers = _Answers(record, house)
        violations += answers.violations
        if answers.checked:
            checked.append(f"the answers of {', '.join(answers.checked)}")
    return replace(verdict, violations=tuple(violations), unchecked=tuple(unchecked), checked=tuple(checked))


class _Answers:
    """The answers of house bots, by seat, in a record that can be played again, compared with what they would be."""

    def __init__(self, record: Record, house: Mapping[int, str]) -> None:
        self.violations: list[str] = []
        #: Bots whose answers all follow.
        self.checked: list[str] = []
        deals, rules = Deals(record.source.board_key), engine.ruleset(record.ruleset, record.options)
        bots = {seat: HouseBot(name, deals) for seat, name in sorted(house.items())}
        first: dict[int, str] = {}
        own, searches = Counter[int](), Counter[int]()
        for index, (action, state) in enumerate(zip(record.actions, engine.replay(record), strict=False)):
            seat = action.seat
            own[seat] += 1
            if seat not in bots or seat in first or action.cause is not Cause.HOUSE:
                continue
            view = state.observation(seat)
            if bots[seat].searches:
                searches[seat] += 1
                answer = bots[seat].search(view, seat, own[seat] - 1).answer()
            else:
                answer = bots[seat].decide(view, seat, index)
            if answer != action.action:
                first[seat] = (
                    f"action {index} (seat {seat}, {rules.text(action.action)}) is called "
                    f"{record.seats[seat].bot}'s, but that answers {rules.text(answer)}"
                )
        for seat in bots:
            if seat in first:
                self.violations.append(first[seat])
            else:
                name = record.seats[seat].bot
                self.checked.append(f"{name} ({searches[seat]} searches)" if searches[seat] else name)
