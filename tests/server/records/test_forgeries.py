"""For each field of a record a value that the rest of it contradicts, and that is refused, or none that could be."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp
from tests.engine.recorded import recorded, sealed

from farfalia.v1 import record_pb2
from farfalia_engine import Beacon, Cause, Deals, Observation, Record, Verdict
from farfalia_server.records import codec, house_bot
from farfalia_server.records.house_bot import HouseBot
from farfalia_server.records.verifying import verify

#: Messages that stand for one value.
PLAIN = ("google.protobuf.Timestamp",)
#: Seat 0 loses its seat by strikes, and seat 2 is a house bot's.
BASE = codec.to_message(
    recorded(
        "four",
        {"hands": "8"},
        house=(2,),
        beacon=Beacon("sun dial", "May 1", "noon of the first of May", 1_794_000_000_000, 1_794_500_000_000),
        troubles={(0, 1): Cause.TIMEOUT, (0, 2): Cause.ILLEGAL, (0, 4): Cause.FAILURE, (1, 3): Cause.TIMEOUT},
    )
)
Forgery = Callable[[record_pb2.Record], None]


def set_to(path: str, value: object) -> Forgery:
    """Set a field; of a list, that of its first element."""

    def forge(record: record_pb2.Record) -> None:
        *parents, name = path.split(".")
        message: Any = record
        for parent in parents:
            message = getattr(message, parent)
            message = message[0] if hasattr(message, "append") else message
        setattr(message, name, value)

    return forge


def points(record: record_pb2.Record) -> None:
    record.outcome.points[0] += 1


def deals(record: record_pb2.Record) -> None:
    record.outcome.deals[3].points[1] += 1


def move(moment: Timestamp, other: Timestamp, milliseconds: int) -> None:
    """Set a moment to so long after another one."""
    moment.FromMilliseconds(other.ToMilliseconds() + milliseconds)


def round_of_long_ago(record: record_pb2.Record) -> None:
    record.source.beacon.source, record.source.beacon.round = "drand quicknet", "1"


FORGERIES: dict[str, Forgery] = {
    "format": set_to("format", 3),
    "engine": set_to("engine", "the newest"),
    "match": set_to("match", 0),
    "ruleset": set_to("ruleset", "two"),
    "options": lambda record: record.options.update(burnin="off"),
    "seats.name": set_to("seats.name", ""),
    "seats.bot": set_to("seats.bot", "Bo-bot"),
    "seats.house": set_to("seats.house", True),
    "seats.person": lambda record: setattr(next(seat for seat in record.seats if seat.house), "person", True),
    "seats.nonce": set_to("seats.nonce", b"some other nonce"),
    "source.commitment": set_to("source.commitment", bytes(32)),
    "source.nonces": lambda record: record.source.nonces.reverse(),
    "source.board": set_to("source.board", "board-2"),
    "source.board_key": set_to("source.board_key", bytes(32)),
    "source.value_function": set_to("source.value_function", bytes(32)),
    "source.daily": set_to("source.daily", "2026-11-28"),
    "source.secret": set_to("source.secret", bytes(32)),
    "source.beacon.source": round_of_long_ago,
    "source.beacon.round": round_of_long_ago,
    "source.beacon.value": set_to("source.beacon.value", "midnight of the first of May"),
    "source.beacon.announced": lambda one: move(one.source.beacon.announced, one.source.beacon.given, 1),
    "source.beacon.given": lambda record: move(record.source.beacon.given, record.started, 1),
    "actions.seat": set_to("actions.seat", 3),
    "actions.action": set_to("actions.action", 1700),
    "actions.at_ms": set_to("actions.at_ms", 10**6),
    "actions.took_ms": set_to("actions.took_ms", 4000),
    "actions.cause": set_to("actions.cause", record_pb2.CAUSE_HOUSE),
    "incidents.seat": set_to("incidents.seat", 9),
    "incidents.action_index": set_to("incidents.action_index", 10**6),
    "incidents.cause": set_to("incidents.cause", record_pb2.CAUSE_ABSENT),
    "incidents.strikes": set_to("incidents.strikes", 2),
    "incidents.taken_over": set_to("incidents.taken_over", True),
    "outcome.points": points,
    "outcome.places": lambda record: record.outcome.places.reverse(),
    "outcome.deals.points": deals,
    "outcome.forfeits": lambda record: record.outcome.ClearField("forfeits"),
    "time_control.limit_ms": set_to("time_control.limit_ms", 99),
    "time_control.bank_ms": set_to("time_control.bank_ms", 1),
    "time_control.grace": set_to("time_control.grace", 9),
    "started": lambda record: record.ClearField("started"),
    "finished": lambda record: move(record.finished, record.started, -1),
    "digest": set_to("digest", bytes(32)),
    "hinted": lambda record: record.hinted.append(10**6),
    "taken_back.action_index": lambda record: record.taken_back.extend(
        [record_pb2.TakenBack(action_index=10**6, decisions=1)]
    ),
    "taken_back.decisions": lambda record: record.taken_back.extend([record_pb2.TakenBack()]),
}
#: Fields of which the record still holds, with a remark: clocks are set back.
REMARKED = {"source.beacon.announced", "source.beacon.given", "finished"}
#: Fields of which any value could be true, and another one.
WORD: dict[str, Forgery] = {
    "tournament": set_to("tournament", 4),
    "seats.version": set_to("seats.version", "2"),
    "incidents.text": set_to("incidents.text", "it was the weather"),
}


def leaves(descriptor: Any, before: str = "") -> Iterator[str]:
    """Paths of all fields that hold values."""
    for field in descriptor.fields:
        inner = field.message_type if field.type == FieldDescriptor.TYPE_MESSAGE else None
        if inner is None or inner.full_name in PLAIN or inner.GetOptions().map_entry:
            yield before + field.name
        else:
            yield from leaves(inner, f"{before}{field.name}.")


def forged(forgery: Forgery, *, again: bool) -> Verdict:
    """What is found in the record with this change, with a digest of its own if it is sealed `again`."""
    message = record_pb2.Record()
    message.CopyFrom(BASE)
    forgery(message)
    if again:
        codec.seal(message)
    return verify(codec.from_message(message))


def test_the_record_that_is_forged_holds() -> None:
    assert verify(codec.from_message(BASE)).violations == ()


def test_no_field_is_left_out_here_or_on_the_page_on_records() -> None:
    fields = list(leaves(record_pb2.Record.DESCRIPTOR))
    assert sorted([*FORGERIES, *WORD]) == sorted(fields)
    page = (Path(__file__).parents[3] / "docs" / "records.md").read_text()
    rows = re.findall(r"^\| (`.*?`) \|(.*?)\|.*?\|$", page, re.MULTILINE)
    checked = {name: bool(against.strip()) for names, against in rows for name in re.findall("`(.*?)`", names)}
    assert checked == {field: field in FORGERIES for field in fields}


@pytest.mark.parametrize("field", sorted(FORGERIES.keys() - REMARKED))
def test_a_forged_value_is_refused_although_the_record_was_sealed_again(field: str) -> None:
    assert forged(FORGERIES[field], again=field != "digest").violations


@pytest.mark.parametrize("field", sorted(REMARKED))
def test_a_time_that_comes_too_early_is_a_remark(field: str) -> None:
    found = forged(FORGERIES[field], again=True)
    assert found.holds
    assert any(text.startswith("the times: ") for text in found.unchecked)


def test_two_bots_cannot_have_given_the_same_nonce() -> None:
    def forge(record: record_pb2.Record) -> None:
        record.seats[1].nonce = record.seats[0].nonce

    assert (
        "Bo and Ada have the same nonce, 6e6f6e6365206f662030, expected different ones"
        in forged(forge, again=True).violations
    )


@pytest.mark.parametrize("field", WORD)
def test_what_is_the_servers_word_is_kept_by_the_digest_alone(field: str) -> None:
    assert forged(WORD[field], again=True).violations == ()
    assert forged(WORD[field], again=False).violations[0].startswith("the digest is ")


def called(record: Record, bot: str) -> Record:
    """The record, sealed again, with this name for each house bot."""
    seats = (replace(one, bot=bot.format(seat=at)) if one.house else one for at, one in enumerate(record.seats))
    return sealed(replace(record, seats=tuple(seats)))


def with_house_bots(name: str, game: str = "chinkway") -> Record:
    """The record of a match in which seats 1 and 2 are held by this house bot."""
    record = recorded(game, house=(1, 2))
    bot = HouseBot(name, Deals(record.source.board_key))

    def decide(view: Observation, seat: int, action: int, own: int) -> int:
        return bot.search(view, seat, own).answer() if bot.searches else bot.decide(view, seat, action)

    record = recorded(game, house=(1, 2), decide=decide)
    return called(record, f"house-{name}-{{seat}}")


@pytest.mark.parametrize("name", ["random", "greedy", "cautious", "learned"])
@pytest.mark.parametrize("game", ["chinkway", "farrago", "three"])
def test_what_a_house_bot_answered_is_recomputed(game: str, name: str) -> None:
    verdict = verify(with_house_bots(name, game=game))
    assert verdict.violations == verdict.unchecked == ()
    assert verdict.checked[-1] == f"the answers of house-{name}-1, house-{name}-2"


@pytest.mark.parametrize("name", ["flat-monte-carlo", "expert"])
@pytest.mark.parametrize("game", ["two", "farrago"])
def test_what_a_house_bot_searched_for_is_searched_for_again(
    monkeypatch: pytest.MonkeyPatch, game: str, name: str
) -> None:
    monkeypatch.setattr(house_bot, "ITERATIONS", 8)
    record = with_house_bots(name, game=game)
    verdict = verify(record)
    assert verdict.violations == verdict.unchecked == ()
    assert re.fullmatch(rf"the answers of house-{name}-1 \(\d+ searches\)(, .*)?", verdict.checked[-1])
    monkeypatch.setattr("farfalia.bots.find_spec", lambda _: None)
    verdict = verify(record)
    assert verdict.holds
    assert ("the house bot expert needs NumPy: " in "".join(verdict.unchecked)) == (name == "expert")


def test_a_seat_that_was_not_played_by_the_house_bot_it_names_is_found() -> None:
    record = with_house_bots("greedy")
    seats = tuple(replace(seat, bot=seat.bot.replace("greedy", "cautious")) for seat in record.seats)
    violations = verify(sealed(replace(record, seats=seats))).violations
    assert len(violations) == 2
    for seat, violation in enumerate(violations, 1):
        assert re.fullmatch(
            rf"action \d+ \(seat {seat}, \S+\) is called house-cautious-{seat}'s, but that answers \S+", violation
        )


def test_a_house_bot_that_is_not_called_one_is_found() -> None:
    record = recorded()
    seats = (replace(record.seats[0], bot="house-greedy-1"), *record.seats[1:])
    (violation,) = verify(sealed(replace(record, seats=seats))).violations
    assert violation == "seat 0 (Ada) is not called a house bot's, but house-greedy-1 is a house bot"


def test_one_answer_that_chance_did_not_give_is_found() -> None:
    record = with_house_bots("random")
    key = record.source.board_key
    index = next(i for i, one in enumerate(record.actions) if one.seat == 1 and one.cause is Cause.HOUSE and i > 20)

    def decide(view: Observation, seat: int, action: int, own: int) -> int:
        answer = HouseBot("random", Deals(key)).decide(view, seat, action)
        return next(one for one in view.legal if one != answer) if action == index else answer

    forged_record = recorded(house=(1, 2), decide=decide)
    (violation,) = verify(called(forged_record, "house-random-{seat}")).violations
    assert violation.startswith(f"action {index} (seat 1, ")


def test_answers_of_another_chance_are_no_house_bots() -> None:
    record = recorded(house=(1,))
    (violation,) = verify(called(record, "house-random-1")).violations
    assert re.fullmatch(r"action \d+ \(seat 1, \S+\) is called house-random-1's, but that answers \S+", violation)


def test_no_answer_is_held_against_a_record_silent_on_how_chance_was_drawn() -> None:
    record = recorded(house=(1,))
    verdict = verify(called(replace(record, format=1), "house-random-1"))
    assert verdict.holds
    assert verdict.unchecked[-1] == (
        "that house-random-1 (seat 1) answered as it does: a record of format 1 does not say how chance was drawn"
    )


@pytest.mark.parametrize(
    ("bot", "engine", "why"),
    [
        ("our-greedy", "", "its name does not say which"),
        ("house-greedy-1", "0.0.9", "it was played by version 0.0.9"),
    ],
)
def test_what_cannot_be_recomputed_is_said(bot: str, engine: str, why: str) -> None:
    record = recorded(house=(1,))
    verdict = verify(called(replace(record, engine=engine or record.engine), bot))
    assert verdict.holds
    assert why in verdict.unchecked[-1]
