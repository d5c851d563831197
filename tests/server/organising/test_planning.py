from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.server.arena_world import CONTROL, FIVE, World

import farfalia_engine as engine
from farfalia.v1 import record_pb2, stages_pb2, tournaments_pb2
from farfalia_engine import Deals, TimeControl, board_key, commitment
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.organising.draw import draw
from farfalia_server.store import Match, MatchState, TournamentState
from farfalia_tournaments import round_robin


def seatings(matches: list[Match]) -> list[tuple[int, list[str]]]:
    return [(match.round, [seat.name for seat in match.seats]) for match in matches]


@pytest.mark.parametrize(
    ("boards", "matches", "names"),
    [
        (stages_pb2.BOARDS_UNSPECIFIED, 4, 2),
        (stages_pb2.BOARDS_DATUM, 4, 2),
        (stages_pb2.BOARDS_FRESH, 4, 4),
        (stages_pb2.BOARDS_ROTATIONS, 8, 4),
    ],
)
async def test_equal_cards_are_dealt_as_it_was_asked_for(
    world: World, boards: stages_pb2.Boards, matches: int, names: int
) -> None:
    await world.register(*FIVE[:4])
    tournament = await world.plan("spring", FIVE[:4], rounds=2, boards=boards, ruleset="two")
    planned = await world.store.matches.of_tournament(tournament.id)
    assert len(planned) == matches
    assert len({match.board for match in planned}) == names
    held = Counter((match.board, seat, one.name) for match in planned for seat, one in enumerate(match.seats))
    assert set(held.values()) == {1}


async def test_an_unknown_way_to_share_boards_is_refused(world: World) -> None:
    await world.register(*FIVE)
    with pytest.raises(InvalidArgument, match="boards is 9; expected 0 to 3"):
        await world.plan("spring", FIVE, boards=9)  # type: ignore[arg-type]
    assert await world.store.tournaments.all() == []


async def test_every_entrant_sits_at_a_table_of_five(world: World) -> None:
    tournament = await world.spring(rounds=3)
    assert tournament.rounds == 3
    matches = await world.store.matches.of_tournament(tournament.id)
    assert [match.round for match in matches] == [1, 2, 3]
    assert [match.board for match in matches] == ["board-1-1", "board-1-2", "board-1-3"]
    assert all({seat.name for seat in match.seats} == set(FIVE) for match in matches)
    assert {match.state for match in matches} == {MatchState.PLANNED}


async def test_who_has_which_number_in_the_schedule_follows_from_the_secret_and_all_nonces(world: World) -> None:
    names = [f"bot{number:02}" for number in range(11)]
    await world.register(*names)
    schedule = round_robin(11, 2, 4, rng=random.Random("farfalia/plan"))
    tables = [table for one in schedule.rounds for table in one.tables]
    for nonce in (b"a nonce!", b"another!"):
        tournament = await world.plan("again", names, rounds=4, ruleset="two")
        entrants = await world.store.tournaments.entrants(tournament.id)
        planned = seatings(await world.store.matches.of_tournament(tournament.id))
        await world.store.nonces.give(tournament.id, entrants[3].bot_id, nonce)
        await world.store.tournaments.start(tournament.id, draw=draw)
        played = seatings(await world.store.matches.of_tournament(tournament.id))
        over = await world.store.tournaments.cancel(tournament.id)  # its secret is public now

        # From here on with nothing but what is published, as docs/deals.md says.
        key = board_key(over.secret, over.nonces, "draw")
        order = Deals(key).shuffle("draw/1", 11)
        assert commitment(over.secret) == over.commitment
        assert played != planned
        assert [table for _, table in played] == [[names[order[number]] for number in table] for table in tables]


async def test_as_many_rounds_as_let_everyone_meet_everyone(world: World) -> None:
    names = [f"bot{number}" for number in range(7)]
    await world.register(*names)
    tournament = await world.plan("all", names, rounds=0)
    met = Counter(
        frozenset((one.name, two.name))
        for match in await world.store.matches.of_tournament(tournament.id)
        for one in match.seats
        for two in match.seats
        if one.name < two.name
    )
    assert len(met) == 7 * 6 // 2


async def test_partners_change_from_round_to_round_where_two_play_against_two(world: World) -> None:
    await world.register(*FIVE[:4])
    tournament = await world.plan("pairs", FIVE[:4], rounds=0, ruleset="four")
    matches = await world.store.matches.of_tournament(tournament.id)
    pairs = [frozenset(match.seats[seat].name for seat in team) for match in matches for team in ((0, 2), (1, 3))]
    assert set(Counter(pairs).values()) == {2}
    assert len(set(pairs[:4])) == 4


async def test_house_bots_fill_the_empty_seats(world: World) -> None:
    await world.register("ant", "bee")
    tournament = await world.plan("small", ("ant", "bee"), rounds=2)
    entrants = await world.store.tournaments.entrants(tournament.id)
    assert [(entrant.name, entrant.filler) for entrant in entrants] == [
        ("ant", False),
        ("bee", False),
        ("house-greedy-1", True),
        ("house-greedy-2", True),
        ("house-greedy-3", True),
    ]
    assert (await world.store.bots.by_name("house-greedy-1")).house == "greedy"
    (match, *_) = await world.store.matches.of_tournament(tournament.id)
    assert {seat.name for seat in match.seats if seat.filler} == {f"house-greedy-{n}" for n in (1, 2, 3)}


async def test_without_numpy_learned_is_refused_with_what_it_needs(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.register("ant")
    tournament = await world.plan("with numpy", ("ant", "house-learned-1"))
    assert [one.name for one in await world.store.tournaments.entrants(tournament.id)][:2] == ["ant", "house-learned-1"]
    monkeypatch.setattr("farfalia.bots.find_spec", lambda name: None)
    with pytest.raises(
        InvalidArgument,
        match=r"^the server's house bot learned needs NumPy: pip install 'numpy>=2'; expected one of random, ",
    ):
        await world.plan("without", ("ant", "house-learned-1"))


async def test_house_bots_are_made_once(world: World) -> None:
    await world.register("ant")
    await world.plan("one", ("ant",))
    await world.plan("two", ("ant",))
    assert len(await world.store.bots.all()) == 5


async def test_a_house_bot_that_is_named_enters_as_itself(world: World) -> None:
    await world.register("ant")
    tournament = await world.plan("mixed", ("house-greedy-1", "house-cautious-1", "ant"))
    entrants = await world.store.tournaments.entrants(tournament.id)
    assert [(entrant.name, entrant.filler) for entrant in entrants] == [
        ("house-greedy-1", False),
        ("house-cautious-1", False),
        ("ant", False),
        ("house-greedy-2", True),
        ("house-greedy-3", True),
    ]


async def test_the_secret_is_what_was_committed_to(world: World) -> None:
    await world.register(*FIVE)
    one, two = await world.plan("one", FIVE), await world.plan("two", FIVE)
    assert one.secret == b""
    assert one.commitment != two.commitment
    over = await world.store.tournaments.cancel(one.id)
    assert over.state is TournamentState.CANCELLED
    assert engine.commitment(over.secret) == one.commitment


async def test_the_time_control_is_the_servers_own_unless_it_is_given(world: World) -> None:
    await world.register(*FIVE)
    assert (await world.plan("default", FIVE)).time_control == CONTROL
    given = tournaments_pb2.CreateTournamentRequest(
        name="given", bots=FIVE, time_control=record_pb2.TimeControl(limit_ms=50, bank_ms=0, grace=0)
    )
    assert (await world.planner.plan(given)).time_control == TimeControl(50, 0, 0)


@pytest.mark.parametrize(
    ("field", "words", "request_fields"),
    [
        ("name", "expected 1 to 80", {"name": "  "}),
        ("name", "at most 80", {"name": "x" * 81}),
        ("name", "printable", {"name": "two\nlines"}),
        ("ruleset", "no game 'poker'", {"ruleset": "poker"}),
        ("options", "no option 'stakes'", {"options": {"stakes": "high"}}),
        ("bots", "expected 1 to 500", {"bots": ()}),
        ("bots", "'fox', 'gnu'", {"bots": ("ant", "fox", "gnu")}),
        ("bots", "more than once: ant", {"bots": ("ant", "bee", "ant")}),
        ("bots", "'house-poker-1'", {"bots": ("house-poker-1",)}),
        (
            "bots",
            "no bot 'greedy'; house bots need no registration and are named house-greedy-1$",
            {"bots": ("greedy",)},
        ),
        ("bots", "'fox', 'random'; .* house-random-1; register the others first", {"bots": ("fox", "random")}),
        ("rounds", "expected at most 10000", {"rounds": 10_001}),
        ("beacon_source", "at most 80", {"beacon_source": "s" * 81, "beacon_round": "1"}),
        ("beacon_source", "is empty beside '1'", {"beacon_round": "1"}),
        ("beacon_round", "is empty beside 'drand'", {"beacon_source": "drand"}),
        (
            "beacon_round",
            r"round 1000 of drand quicknet was public 2023-08-23 15:59:24\+00:00; expected one that is still to come",
            {"beacon_source": "drand quicknet", "beacon_round": "1000"},
        ),
        ("time_control.limit_ms", "expected 1 to", {"time_control": record_pb2.TimeControl(bank_ms=1)}),
        ("time_control.grace", "expected 0 to", {"time_control": record_pb2.TimeControl(limit_ms=1, grace=1001)}),
    ],
)
async def test_what_cannot_be_planned_is_named_and_leaves_nothing_behind(
    world: World, field: str, words: str, request_fields: dict[str, object]
) -> None:
    await world.register(*FIVE)
    request = tournaments_pb2.CreateTournamentRequest(**{"name": "bad", "bots": FIVE, **request_fields})  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=words) as refusal:
        await world.planner.plan(request)
    assert refusal.value.field == field
    assert await world.store.tournaments.all() == []


TYPES = "skint,barred,majority,surprise,red-black,top-suit,top-rank,seconds,ups-downs,snap"


@pytest.mark.parametrize(
    ("field", "ruleset", "options", "words"),
    [
        (
            "ruleset",
            "whist",
            {},
            "no game 'whist', expected one of: basic, chinkway, farrago, five-hand, four, three",
        ),
        ("options", "basic", {"hands": "4"}, "basic has no option 'hands', expected one of: burnin, double_you$"),
        (
            "options",
            "farrago",
            {"burnin": "on"},
            "farrago has no option 'burnin', expected one of: order, pack, players$",
        ),
        ("options", "five-hand", {"burnin": "yes"}, "option 'burnin' of five-hand is 'yes', expected one of off, on$"),
        *(
            ("options", game, {"burnin": "on", "double_you": "on"}, "need the same wild cards, expected one of the two")
            for game in ("basic", "chinkway", "five-hand", "four", "three", "three-short", "two")
        ),
        ("options", "four", {"hands": "3"}, "option 'hands' of four is '3', expected a multiple of 4"),
        ("options", "four", {"hands": "0"}, "option 'hands' of four is '0', expected a multiple of 4"),
        ("options", "four", {"target": "-5"}, "option 'target' of four is '-5', expected a number"),
        ("options", "four", {"hands": "4", "target": "20"}, "for hands or for a target, expected one of the two"),
        ("options", "farrago", {"players": "6"}, "option 'players' of farrago is '6', expected one of 4, 3, 5$"),
        ("options", "farrago", {"pack": "duplicates"}, "option 'pack' of farrago is for 5 players, not for 4"),
        ("options", "farrago", {"pack": "five-hundred", "players": "3"}, "is for 5 players, not for 3"),
        ("options", "farrago", {"order": "alphabet"}, f"expected dealer, random, or listed: and all of {TYPES} in any"),
        ("options", "farrago", {"order": f"listed:{TYPES[6:]}"}, f"listed: and all of {TYPES} in any order"),
        ("options", "farrago", {"order": f"listed:{TYPES},snap"}, f"listed: and all of {TYPES} in any order"),
    ],
)
async def test_a_game_is_refused_with_what_is_allowed(
    world: World, field: str, ruleset: str, options: dict[str, str], words: str
) -> None:
    await world.register("ant")
    request = tournaments_pb2.CreateTournamentRequest(name="bad", bots=["ant"], ruleset=ruleset, options=options)
    with pytest.raises(InvalidArgument, match=words) as refusal:
        await world.planner.plan(request)
    assert refusal.value.field == field
    assert await world.store.tournaments.all() == []
