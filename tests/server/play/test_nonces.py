"""Who adds what to the secret of the deals, over real connections, and what the records prove of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack

import grpc
import pytest
from tests.server.connection_world import lobby_of
from tests.server.live import PATIENCE, LiveServer
from tests.server.rawbot import RawBot, first_legal
from tests.server.store_world import SECRET, claim, five_bots, planned
from tests.server.void_attempts import ladder_match

from farfalia.v1 import ladders_pb2, play_pb2, tournaments_pb2
from farfalia_engine import board_key, commitment, ruleset, verify
from farfalia_server.play import limits
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.records import codec
from farfalia_server.store import Bot, Change, NonceReceipt, Source, Store, Topic
from farfalia_tools.testing import RecordingStream

SOURCE, ROUND, BEACON = "a newspaper", "21 November", "headline of 21 November"


def give(tournament: int, nonce: bytes, match: int = 0) -> play_pb2.PlayRequest:
    return play_pb2.PlayRequest(nonces=[play_pb2.Nonce(tournament=tournament, match=match, nonce=nonce)])


def answering(nonce: bytes) -> Callable[[RawBot, play_pb2.PlayResponse], None]:
    """A bot that plays, and adds this to every secret."""

    def react(bot: RawBot, message: play_pb2.PlayResponse) -> None:
        for entered in message.entered:
            bot.send(give(entered.tournament, nonce, entered.match))
        first_legal(bot, message)

    return react


def entered(bot: RawBot) -> play_pb2.Entered:
    """The first secret that the bot was told of."""
    found: play_pb2.Entered = bot.until(lambda: next((e for f in list(bot.messages) for e in f.entered), None))
    return found


def seated(bot: RawBot) -> play_pb2.Seated:
    found: play_pb2.Seated = bot.until(lambda: next((s for f in list(bot.messages) for s in f.seated), None))
    return found


def create(server: LiveServer, bots: Sequence[str], source: str = "") -> tournaments_pb2.Tournament:
    round_ = ROUND if source else ""
    request = tournaments_pb2.CreateTournamentRequest(
        name="fair", bots=bots, rounds=1, beacon_source=source, beacon_round=round_
    )
    made: tournaments_pb2.Tournament = server.call("CreateTournament", request).tournament
    return made


def test_what_bots_and_organiser_add_is_in_the_deals_and_the_record_proves_it(server: LiveServer) -> None:
    names = ["ada", "ben", "cleo", "dan", "mute"]
    given = {name: f"nonce of {name}".encode() for name in names[:-1]}
    with ExitStack() as stack:
        bots = {
            name: stack.enter_context(
                RawBot(
                    server.grpc_address,
                    server.register(name),
                    react=answering(given[name]) if name in given else first_legal,
                )
            )
            for name in names
        }
        made = create(server, names, SOURCE)
        assert (made.beacon.source, made.beacon.round, made.beacon.value) == (SOURCE, ROUND, "")
        assert (list(made.nonces), made.secret, made.beacon.announced) == ([], b"", made.created)
        for bot in bots.values():
            told = entered(bot)
            assert (told.tournament, told.match, told.commitment) == (made.id, 0, made.commitment)
            assert told.beacon == made.beacon
            assert told.value_function == made.value_function == ruleset(made.ruleset).value_function
        bots["ada"].until(lambda: "4 of 5 bots" in server.show(made.id).waiting)
        with pytest.raises(grpc.RpcError, match="a newspaper, 21 November; give that round's value to start it"):
            server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=made.id))
        assert server.show(made.id).state == tournaments_pb2.TOURNAMENT_STATE_PLANNED
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=made.id, beacon_value=BEACON))
        with pytest.raises(grpc.RpcError, match="expected planned"):
            server.call(
                "StartTournament", tournaments_pb2.StartTournamentRequest(id=made.id, beacon_value="another value")
            )
        (match,) = server.wait_for_matches(made.id)

        everything = sorted([*given.values(), BEACON.encode()])
        for bot in bots.values():
            assert list(seated(bot).nonces) == everything
            assert seated(bot).commitment == made.commitment
        record = server.record(match.id)
        source = record.source
        beacon = source.beacon
        assert (list(source.nonces), beacon.source, beacon.round, beacon.value) == (everything, SOURCE, ROUND, BEACON)
        assert beacon.announced.ToMilliseconds() == made.created.ToMilliseconds()
        assert beacon.given.ToNanoseconds() > beacon.announced.ToNanoseconds()
        assert {seat.name: seat.nonce for seat in record.seats} == given | {"mute": b""}
        assert commitment(source.secret) == made.commitment
        assert board_key(source.secret, everything, source.board) == source.board_key
        verdict = verify(codec.from_message(record))
        assert verdict.holds
        assert "5 nonces, 4 of them of this table, one the beacon of a newspaper, 21 November" in verdict.checked[0]
        assert verdict.unchecked == ("no nonce was given by mute: they have no proof that the deals were not chosen",)
        shown = server.show(made.id)
        assert {row.entrant: row.nonce for row in shown.nonces} == given | {"mute": b""}
        assert shown.secret == source.secret


def test_a_bot_that_comes_later_is_asked_then_and_only_until_it_has_answered(server: LiveServer) -> None:
    token = server.register("late")
    made = create(server, ["late"])
    with RawBot(server.grpc_address, token) as bot:
        assert entered(bot).tournament == made.id
        bot.send(give(made.id, b"x" * 8))
        bot.until(lambda: "from 1 of 1" in server.show(made.id).waiting)
    other = create(server, ["late"])
    with RawBot(server.grpc_address, token, take_over=True) as bot:
        assert entered(bot).tournament == other.id


def test_what_cannot_be_taken_is_said_in_a_sentence_and_changes_nothing(server: LiveServer) -> None:
    made, strange = create(server, ["house-greedy-1"]), 2**64 - 1
    with RawBot(server.grpc_address, server.register("clumsy")) as bot:
        mine = create(server, ["clumsy"])
        for nonce in (b"seven b", bytes(65), b""):
            bot.send(give(mine.id, nonce))
        assert bot.notice("NONCE_LENGTH").text == f"the nonce for tournament {mine.id} has 7 bytes; expected 8 to 64"
        assert "from 0 of 1" in server.show(mine.id).waiting

        for number in (made.id, strange):
            bot.send(give(number, b"x" * 8))
        bot.send(give(0, b"x" * 8, match=12345))
        sentences = {
            f"you are not entered for {of}, so it takes no nonce of yours"
            for of in (f"tournament {made.id}", f"tournament {strange}", "match 12345")
        }
        bot.until(lambda: sentences <= {notice.text for message in list(bot.messages) for notice in message.notices})

        bot.send(give(mine.id, b"the first"))
        bot.send(give(mine.id, b"the first"))  # again: that is fine
        bot.send(give(mine.id, b"the second"))
        assert "another nonce before, which stays" in bot.notice("NONCE_GIVEN").text
        assert (bot.notice("NONCE_GIVEN").tournament, bot.notice("NONCE_GIVEN").match) == (mine.id, 0)
        reasons = [notice.reason for message in list(bot.messages) for notice in message.notices]
        assert reasons.count("NONCE_GIVEN") == 1
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=mine.id))
        assert [row.nonce for row in server.show(mine.id).nonces if row.nonce] == [b"the first"]


def test_after_the_start_nothing_can_be_added(server: LiveServer) -> None:
    with RawBot(server.grpc_address, server.register("slow")) as bot:
        made = create(server, ["slow"])
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=made.id))  # waits, but not forever
        bot.send(give(made.id, b"too late"))
        assert f"the nonces of tournament {made.id} are settled" in bot.notice("NONCE_LATE").text
        assert not any(row.nonce for row in server.show(made.id).nonces)


@pytest.mark.parametrize("value", ["seven b", "x" * 65, "two lines\nof text"])
def test_a_value_of_a_beacon_that_cannot_be_is_refused(server: LiveServer, value: str) -> None:
    made = create(server, ["house-greedy-1"], SOURCE)
    with pytest.raises(grpc.RpcError, match="beacon"):
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=made.id, beacon_value=value))


def test_a_value_without_a_beacon_that_was_announced_is_refused(server: LiveServer) -> None:
    made = create(server, ["house-greedy-1"])
    with pytest.raises(grpc.RpcError, match="has announced no beacon"):
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=made.id, beacon_value=BEACON))
    assert server.show(made.id).state == tournaments_pb2.TOURNAMENT_STATE_PLANNED


def test_a_match_of_a_ladder_has_a_secret_of_its_own_to_which_its_bots_add(server: LiveServer) -> None:
    with ExitStack() as stack:
        ana, bea = (
            stack.enter_context(
                RawBot(server.grpc_address, server.register(name), rulesets=("three",), react=answering(nonce))
            )
            for name, nonce in (("ana", b"from ana"), ("bea", b"from bea"))
        )
        ladder = ladders_pb2.Ladder(ruleset="three", tables=1, fill=True)
        server.call("OpenLadder", ladders_pb2.OpenLadderRequest(ladder=ladder))
        told = entered(ana)
        assert (told.tournament, told.match) == (0, seated(ana).match)
        assert seated(ana).commitment == told.commitment
        assert told.value_function == ruleset("three").value_function
        # A second is much, but not on every machine at every moment.
        assert b"from ana" in seated(ana).nonces or ana.notice("NONCE_LATE")
        over = ana.finished()
        server.call("CloseLadder", ladders_pb2.CloseLadderRequest(ladder="three"))
        record = server.record(over.match)
        given = {seat.name: seat.nonce for seat in record.seats if not seat.house}
        assert given.items() <= {"ana": b"from ana", "bea": b"from bea"}.items()
        assert sorted(given.values()) == list(record.source.nonces) == list(seated(ana).nonces)
        assert commitment(record.source.secret) == told.commitment
        verdict = verify(codec.from_message(record))
        assert verdict.holds
        bea.close()


async def test_where_deals_are_to_come_again_nobody_is_asked_and_nothing_is_taken(store: Store) -> None:
    bots = await five_bots(store)
    tournament = await planned(store, bots)
    here = RecordingStream()
    async with at_home(store, here, bots[0].id, open=False) as nonces:
        nonces.on_tournament(Change(Topic.TOURNAMENT, tournament.id))
        nonces.on_connect(bots[0].id)
        nonces.receive(bots[0].id, [play_pb2.Nonce(tournament=tournament.id, nonce=b"8 bytes!")])
        await nonces.settle(tournament.id)
        assert await nonces.gather(play_pb2.Entered(match=7, commitment=b"c" * 32), [bots[0].id]) == {}
    (message,) = here.sent
    assert [notice.reason for notice in message.notices] == ["NONCE_LATE"]
    assert not message.entered
    assert len(await store.nonces.awaited(tournament.id)) == 5


def at_home(store: Store, stream: RecordingStream, bot: int, *, open: bool = True) -> NonceCollector:
    """A desk, to which one bot is connected."""
    lobby = lobby_of()
    lobby.connection(bot).attach(stream)
    return NonceCollector(store, lobby, open=open)


@pytest.fixture
async def bots(store: Store) -> list[Bot]:
    return await five_bots(store)


@pytest.fixture
async def tournament(store: Store, bots: list[Bot]) -> int:
    """A tournament that has not been started."""
    return (await planned(store, bots)).id


@pytest.fixture
async def nonces(store: Store, bots: list[Bot], tournament: int) -> AsyncIterator[NonceCollector]:
    """The nonces' part of a server; the first of the bots is connected."""
    async with at_home(store, RecordingStream(), bots[0].id) as nonces:
        yield nonces


async def test_a_start_waits_for_those_who_are_connected_until_they_have_answered(
    store: Store, nonces: NonceCollector, bots: list[Bot], tournament: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.play.nonces.ANSWER_SECONDS", 10 * PATIENCE)
    waiting = asyncio.create_task(nonces.settle(tournament))
    nonces.receive(bots[1].id, [play_pb2.Nonce(tournament=tournament, nonce=b"not me, bot 1")])
    while len(await store.nonces.awaited(tournament)) > 4:
        await asyncio.sleep(0.01)
    assert not waiting.done()
    nonces.receive(bots[0].id, [play_pb2.Nonce(tournament=tournament, nonce=b"this is bot 0")])
    await waiting
    assert bots[0].id not in await store.nonces.awaited(tournament)


async def test_a_flood_of_nonces_is_counted_and_an_honest_bot_is_asked_in_its_turn(
    store: Store, nonces: NonceCollector, bots: list[Bot], tournament: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[int, int]] = []
    give = store.nonces.give

    async def counting(number: int, bot: int, nonce: bytes) -> NonceReceipt:
        written.append((number, bot))
        return await give(number, bot, nonce)

    monkeypatch.setattr(store.nonces, "give", counting)
    flooder, honest = bots[0].id, bots[1].id
    here = RecordingStream()
    nonces._lobby.connection(honest).attach(here)
    flood = [play_pb2.Nonce(tournament=10 + at, nonce=b"8 bytes!") for at in range(18_000)]
    assert nonces.receive(flooder, flood) >= 18_000
    assert len(nonces._jobs) <= limits.UNASKED_NONCES
    nonces.on_connect(honest)
    while not here.sent:
        await asyncio.sleep(0)
    assert len(nonces._jobs) >= limits.UNASKED_NONCES - 3  # it did not wait for them
    assert nonces.receive(honest, [play_pb2.Nonce(tournament=tournament, nonce=b"an honest one")]) == 0
    while len(await store.nonces.awaited(tournament)) == 5:
        await asyncio.sleep(0.01)
    assert written == [(tournament, honest)]


async def test_a_nonce_that_the_database_does_not_take_ends_nothing(
    store: Store, nonces: NonceCollector, bots: list[Bot], tournament: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object) -> NonceReceipt | None:
        raise OverflowError("too large")

    with monkeypatch.context() as patch:
        patch.setattr(store.nonces, "standing", failing)
        nonces.receive(bots[0].id, [play_pb2.Nonce(tournament=tournament, nonce=b"8 bytes!")])
        while len(nonces._jobs):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
    nonces.receive(bots[0].id, [play_pb2.Nonce(tournament=tournament, nonce=b"8 bytes!")])
    while len(await store.nonces.awaited(tournament)) == 5:
        await asyncio.sleep(0.01)


async def test_a_start_does_not_wait_forever(
    store: Store, nonces: NonceCollector, bots: list[Bot], tournament: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.play.nonces.ANSWER_SECONDS", 0.05)
    await nonces.settle(tournament)
    assert bots[0].id in await store.nonces.awaited(tournament)
    assert (await store.tournaments.start(tournament)).nonces == ()
    assert await store.nonces.give(tournament, bots[0].id, b"8 bytes!") is NonceReceipt.LATE


async def test_the_bots_of_a_match_are_asked_when_it_begins_and_others_may_add_nothing(
    store: Store, nonces: NonceCollector, bots: list[Bot], tournament: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.play.nonces.ANSWER_SECONDS", 10 * PATIENCE)
    here, away, stranger = (bot.id for bot in bots[:3])
    gathering = asyncio.create_task(nonces.gather(play_pb2.Entered(match=7, commitment=b"c" * 32), [here, away]))
    await asyncio.sleep(0)
    nonces.receive(stranger, [play_pb2.Nonce(match=7, nonce=b"a stranger's")])
    nonces.receive(here, [play_pb2.Nonce(match=7, nonce=b"the first"), play_pb2.Nonce(match=7, nonce=b"the second")])
    assert await gathering == {here: b"the first"}


async def test_what_was_added_to_a_match_is_settled_once_and_only_by_its_owner(store: Store) -> None:
    bots = await five_bots(store)
    match = await store.matches.get(await ladder_match(store, bots))
    first = await claim(store, match.id)
    assert not first.source.settled
    owner = await claim(store, match.id, "there")
    given = {bots[1].id: b"zzzzzzzz", bots[0].id: b"aaaaaaaa"}
    assert not await store.nonces.settle_match(match.id, first.match.epoch, given)
    assert await store.nonces.settle_match(match.id, owner.match.epoch, given)
    assert not await store.nonces.settle_match(match.id, owner.match.epoch, {})
    again = await claim(store, match.id)
    function = ruleset(match.ruleset, match.options).value_function
    added = (b"aaaaaaaa", b"zzzzzzzz")
    assert again.source == Source(SECRET, commitment(SECRET), added, given, value_function=function)
