"""What is looked at, one function for each; each returns what was seen, or raises Broken with what is wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from farfalia.v1 import play_pb2
from farfalia_engine import GAMES, ruleset
from farfalia_server.conformance.ground import Ground
from farfalia_server.contract.clauses import (
    AGAIN,
    BATCH,
    NONCE_LENGTH,
    PING,
    RESULTS,
    RULESETS,
    SAME_NONCE,
    UNKNOWN_FIELDS,
    UNKNOWN_KIND,
    VOIDED,
    Finding,
)
from farfalia_server.hosting.examination import Broken

#: Fields that no message of the contract has: 1000, a number, and 1001, three bytes.
_UNKNOWN: Final = bytes.fromhex("c03e01 ca3e03616263")
#: Kinds of decisions that nobody knows, and a status.
_KINDS, _STATUS = (0, 77), 99
#: Seconds that a bot has for a nonce.
_NONCE_WITHIN: Final = 3.0


class Skipped(Exception):
    """Raised by an item that does not apply, with the reason."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is looked at."""

    name: str
    look: Callable[[Ground], Awaitable[str]]


async def connects(ground: Ground) -> str:
    """See that it shows its token and says hello."""
    await ground.next_stream(0, "its start")
    hello = ground.relay.hello
    unknown = [name for name in hello.rulesets if name not in GAMES]
    wrong = ground.wrong_with_hellos()
    if unknown:
        wrong.append(Finding(f"its hello has the ruleset {unknown[0]!r}, which there is not", RULESETS))
    if wrong:
        raise Broken(*wrong)
    capacity = ground.relay.capacity
    client = f"{hello.client} {hello.client_version}".strip()[:80] or "a client without a name"
    return f"{client} takes {capacity.matches} matches and {capacity.questions} questions at a time"


def situations_of(game: str) -> Item:
    """Return the item that asks a hundred questions of a game."""

    async def look(ground: Ground) -> str:
        if game not in ground.games:
            raise Skipped("its hello leaves this game out")
        return f"{await ground.examination.answer_all(ground.situations(game))} answered"

    return Item(f"situations of {game}", look)


async def batches(ground: Ground) -> str:
    """See that it answers all questions of a message that has everything else in it, too."""
    capacity = ground.relay.capacity
    number = min(capacity.matches, capacity.questions, 16)
    if number == 1:
        raise Skipped("it takes one question at a time")
    asked = [ground.noted(one) for one in ground.few(number)]
    more = ground.pings.next()
    more.notices.add(reason="CONFORM", text="This message has fields of many kinds.")
    more.ratings.add(match=1)
    ground.examination.send(asked, more)
    await ground.examination.answers(asked, BATCH)
    ground.rise()
    return f"{number} questions of as many matches answered"


async def repeated(ground: Ground) -> str:
    """See that it answers a question that comes twice."""
    for situation in ground.few(4):
        asked = ground.noted(situation)
        ground.examination.send([asked, asked])
        await ground.examination.answers([asked], AGAIN)
        ground.rise()
    return "4 questions sent twice, answered"


async def pings(ground: Ground) -> str:
    """See that it answers pings while it has questions to answer."""
    number = min(ground.relay.capacity.matches, ground.relay.capacity.questions, 8)
    for _ in range(2):
        asked = [ground.noted(one) for one in ground.few(number)]
        ground.examination.send(asked, ground.pings.next())
        ground.relay.send(ground.pings.next())
        if not await ground.pings.all_answered():
            raise Broken(Finding("it did not answer a ping that came with questions", PING))
        await ground.examination.answers(asked)
        ground.rise()
    return f"{ground.pings.answered} answered so far"


async def voided(ground: Ground) -> str:
    """See that it plays a match again that was void, under the same number."""
    first, *again = ground.unlike(3)
    sits, _ = ground.seated(first)
    await ground.examination.ask([(sits, first)])
    for situation in again:
        ground.examination.rise(sits, voided=True)
        sits = ground.examination.sit(situation.rules, situation.seat, match=sits.match)
        asked = ground.examination.note(sits.question(situation), situation.text)
        ground.examination.send([asked])
        await ground.examination.answers([asked], VOIDED)
    ground.rise()
    return "a match played three times under one number"


async def unknown_kinds(ground: Ground) -> str:
    """See that it answers kinds of decisions that it does not know."""
    for kind in _KINDS:
        asked = ground.noted(ground.few(1)[0])
        asked.question.kind = kind  # type: ignore[assignment]  # nobody's
        asked.question.legal[:] = [3000, 3001, 4000]
        asked.about = f"a kind {kind}"
        ground.examination.send([asked])
        await ground.examination.answers([asked], UNKNOWN_KIND)
        ground.rise()
    return f"kinds {' and '.join(map(str, _KINDS))} answered"


async def unknown_fields(ground: Ground) -> str:
    """See that it ignores fields, values and messages that the contract does not have yet."""
    ground.relay.send(play_pb2.PlayResponse())
    ground.relay.send(play_pb2.PlayResponse.FromString(_UNKNOWN))
    asked = ground.noted(ground.few(1)[0])
    for message in (asked.question, asked.question.view, asked.question.clock):
        message.MergeFromString(_UNKNOWN)
    more = play_pb2.PlayResponse.FromString(_UNKNOWN)
    more.notices.add(reason="OF_LATER_YEARS", text="Something that this client cannot know.")
    ground.examination.send([asked], more)
    await ground.examination.answers([asked], UNKNOWN_FIELDS)
    ground.rise()
    return "fields, values and reasons of a later contract ignored"


async def results(ground: Ground) -> str:
    """See that it plays on after it is told what became of answers, in words that it cannot know, too."""
    sits, situation = ground.seated(ground.few(1)[0])
    await ground.examination.ask([(sits, situation)])
    statuses: list[Any] = [*play_pb2.ResultStatus.values(), _STATUS]
    for status in statuses:
        result = play_pb2.Result(match=sits.match, number=sits.number, text="said by the check", status=status)
        ground.relay.send(play_pb2.PlayResponse(results=[result]))
    asked = ground.examination.note(sits.question(situation), situation.text)
    ground.examination.send([asked])
    await ground.examination.answers([asked], RESULTS)
    ground.rise()
    return "every status told, and a question answered after it"


async def nonces(ground: Ground) -> str:
    """See that nonces, if it gives any, are random, of the right length, and the same if it is asked again."""
    first = await _nonce(ground, 101)
    if first is None:
        raise Skipped("it gives none, which it may")
    other, again = await _nonce(ground, 102), await _nonce(ground, 101)
    wrong = []
    if not all(8 <= len(one) <= 64 for one in (first, other or first)):
        wrong.append(Finding(f"it gave a nonce of {len(first)} bytes; expected 8 to 64", NONCE_LENGTH))
    if first == other:
        wrong.append(Finding("it gave the same nonce for two secrets", NONCE_LENGTH))
    if again is not None and again != first:
        wrong.append(Finding("it gave another nonce when it was asked again", SAME_NONCE))
    if wrong:
        raise Broken(*wrong)
    return f"of {len(first)} bytes"


async def _nonce(ground: Ground, tournament: int) -> bytes | None:
    ground.relay.send(play_pb2.PlayResponse(entered=[play_pb2.Entered(tournament=tournament, commitment=bytes(32))]))
    while (message := await ground.next_message(_NONCE_WITHIN)) is not None:
        for nonce in message.nonces:
            if nonce.tournament == tournament:
                return nonce.nonce
    return None


async def matches(ground: Ground) -> str:
    """See that it plays whole matches."""
    games = ground.games
    played = [games[0], games[-1]] if "chinkway" not in games else ["chinkway", games[-1]]
    points = [await ground.examination.play(ruleset(game), seat) for seat, game in enumerate(played)]
    return f"{' and '.join(played)} played to their ends, for {' and '.join(map(str, points))} points"
