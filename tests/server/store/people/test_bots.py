"""Bots, tokens, logs and what else the store keeps, on both databases."""

from datetime import timedelta

import pytest
from tests.server.store_world import five_bots, planned

from farfalia_server.contract.errors import AlreadyExists, NotFound
from farfalia_server.net.wall_clock import now
from farfalia_server.store import NewLogLine, Store
from farfalia_server.store.people.logs import LINES
from farfalia_server.store.people.tokens import token_hash


async def test_a_registered_bot_is_found_by_its_token_and_by_nothing_like_it(store: Store) -> None:
    bot, token = await store.bots.register("alice", "2.1", "Alice")
    assert (bot.name, bot.version, bot.owner, bot.house) == ("alice", "2.1", "Alice", "")
    assert bot.created.utcoffset() is not None
    assert await store.bots.by_token(token) == bot
    assert await store.bots.by_token(token + "x") is None
    assert await store.bots.by_token("") is None


def test_tokens_are_long_and_never_the_same() -> None:
    assert len(token_hash("a")) == 32
    assert token_hash("a") != token_hash("b")


async def test_a_name_is_given_once(store: Store) -> None:
    await store.bots.register("alice")
    with pytest.raises(
        AlreadyExists, match="there is already a bot 'alice'; for a new token, run farfalia bot rotate-token alice"
    ):
        await store.bots.register("alice")
    with pytest.raises(AlreadyExists):
        await store.bots.register_house("alice", "greedy")
    assert len(await store.bots.all()) == 1


async def test_house_bots_have_no_token(store: Store) -> None:
    first = await store.bots.ensure_house("house-greedy-1", "greedy")
    await store.bots.ensure_house("house-greedy-2", "greedy")
    assert await store.bots.ensure_house("house-greedy-1", "greedy") == first
    with pytest.raises(NotFound, match="no bot 'house-greedy-1' with a token"):
        await store.bots.rotate_token("house-greedy-1")
    with pytest.raises(NotFound):
        await store.bots.rotate_token("nobody")


async def test_a_house_bot_does_not_take_the_name_of_another_bot(store: Store) -> None:
    await store.bots.register("greedy")
    with pytest.raises(AlreadyExists):
        await store.bots.ensure_house("greedy", "greedy")


async def test_bots_are_found_by_name_and_number(store: Store) -> None:
    bots = await five_bots(store)
    assert await store.bots.by_name("bot-3") == bots[3]
    assert await store.bots.by_ids([bots[1].id, bots[2].id, bots[1].id, 99]) == {
        bots[1].id: bots[1],
        bots[2].id: bots[2],
    }
    with pytest.raises(NotFound, match="there is no bot 'bob'") as refusal:
        await store.bots.by_name("bob")
    assert refusal.value.reason == "BOT_UNKNOWN"


async def test_only_the_newest_log_lines_of_a_bot_are_kept(store: Store) -> None:
    alice, bob, *_ = await five_bots(store)
    await store.logs.add(bob.id, [NewLogLine(0, "of bob")])
    await store.logs.add(alice.id, [NewLogLine(7, f"line {number}") for number in range(LINES - 1)])
    await store.logs.add(alice.id, [NewLogLine(0, "one"), NewLogLine(0, "two"), NewLogLine(9, "three", question=4)])
    newest = await store.logs.newest(alice.id, LINES + 10)
    assert [entry.text for entry in newest[:4]] == ["three", "two", "one", f"line {LINES - 2}"]
    assert [entry.match_id for entry in newest[:4]] == [9, 0, 0, 7]
    assert [(entry.text, entry.question) for entry in await store.logs.of_match(alice.id, 9)] == [("three", 4)]
    assert [entry.text for entry in await store.logs.of_match(alice.id, 7)][:2] == ["line 2", "line 3"]
    assert await store.logs.of_match(bob.id, 9) == []
    assert (len(newest), newest[-1].text) == (LINES, "line 2")
    assert [entry.text for entry in await store.logs.newest(bob.id)] == ["of bob"]


async def test_of_too_many_lines_at_once_the_last_are_kept(store: Store) -> None:
    alice, *_ = await five_bots(store)
    await store.logs.add(alice.id, [NewLogLine(0, str(number)) for number in range(LINES + 5)])
    entries = await store.logs.newest(alice.id, LINES + 10)
    assert (len(entries), entries[-1].text) == (LINES, "5")
    await store.logs.add(alice.id, [])


async def test_an_admin_token_that_nobody_may_have_seen_is_made_again(store: Store) -> None:
    lost = await store.meta.first_admin_token()
    shown = await store.meta.first_admin_token()
    assert lost is not None
    assert shown is not None
    assert not await store.meta.is_admin_token(lost)
    assert not await store.meta.admin_token_seen(lost)
    assert await store.meta.is_admin_token(shown)
    assert await store.meta.admin_token_seen(shown)
    assert await store.meta.first_admin_token() is None
    assert await store.meta.is_admin_token(shown)


async def test_an_admin_token_that_was_chosen_is_kept_as_a_hash_and_never_made_again(store: Store) -> None:
    assert not await store.meta.is_admin_token("")
    first = await store.meta.first_admin_token()
    assert first is not None
    assert await store.meta.is_admin_token(first)
    await store.meta.set_admin_token("mine")
    assert await store.meta.first_admin_token() is None
    assert not await store.meta.is_admin_token(first)
    assert await store.meta.is_admin_token("mine")
    assert "mine" not in str(await store.meta.get("admin_token_hash"))


async def test_a_person_keeps_its_token_as_long_as_a_tournament_is_not_over(store: Store) -> None:
    tokens = [await store.bots.register_person(name) for name in ("guest-ada", "guest-ben")]
    ada, ben = [await store.bots.by_name(name) for name in ("guest-ada", "guest-ben")]
    assert ada.person
    tournament = await planned(store, [ada, *await five_bots(store)][:5])
    later = now() + timedelta(days=8)
    assert await store.bots.retire_persons(later) == 1
    assert [await store.bots.by_token(token) for token in tokens] == [ada, None]
    await store.tournaments.cancel(tournament.id, "")
    assert await store.bots.retire_persons(later) == 1
    assert await store.bots.by_token(tokens[0]) is None
    assert not (await store.bots.by_name(ben.name)).has_token
