"""Tournaments of several stages: played to their end, stopped anywhere, left and joined by entrants."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fewest
from tests.tournaments.fields import finished

from farfalia_tournaments import (
    AwaitedResults,
    Boards,
    DrawnMatch,
    Entry,
    Match,
    MatchResult,
    NextRound,
    Stage,
    TournamentOver,
    check_stages,
    final_standings,
    next_round,
    parse_stages,
    round_robin,
)

TEXTS = [
    "round-robin:rounds=3",
    "swiss:rounds=4,boards=datum",
    "knockout:advance=1,matches=2",
    "round-robin:rounds=2,boards=rotations,qualifiers=7 knockout",
    "swiss:rounds=3,qualifiers=9 swiss:rounds=2,carry=yes,qualifiers=6 round-robin:rounds=2,carry=yes",
    "knockout:qualifiers=6 round-robin:rounds=2",
]

#: Entrants and seats, for one text after the other.
FIELDS = [(27, 5), (12, 3), (11, 4), (9, 2)]


def entries(number: int) -> list[Entry]:
    return [Entry(entrant) for entrant in range(number)]


def played_out(match: Match, strength: int = 1) -> DrawnMatch:
    """A result in which lower numbers are better by `strength` points, with luck from the match alone."""
    luck = random.Random(f"{match.stage} {match.round} {match.table} {match.board} {match.replay}")
    numbers = tuple(-1 - seat if entrant is None else entrant for seat, entrant in enumerate(match.entrants))
    names = iter(sorted(number for number in numbers if number < 0))
    house = {number: -1 - place for place, number in enumerate(names)}
    named = tuple(house.get(number, number) for number in numbers)
    points = tuple(luck.randrange(20) - strength * (number if number >= 0 else 30) for number in named)
    return DrawnMatch(match, finished(named, points, match.board))


@cache
def season(text: str, entrants: int, seats: int) -> tuple[list[NextRound], list[DrawnMatch]]:
    """All rounds and results of these stages, in which nobody comes late or leaves."""
    return run(parse_stages(text), entries(entrants), seats)


def run(
    stages: Sequence[Stage], field: list[Entry], seats: int, seed: str = "s", strength: int = 1
) -> tuple[list[NextRound], list[DrawnMatch]]:
    """Play a tournament to its end, each round as soon as it can be drawn."""
    rounds: list[NextRound] = []
    played: list[DrawnMatch] = []
    while not isinstance(answer := next_round(stages, field, played, seats=seats, seed=seed), TournamentOver):
        if isinstance(answer, NextRound):
            rounds.append(answer)
            played += [DrawnMatch(match) for match in answer.matches]
        else:
            assert answer == AwaitedResults(sum(one.result is None for one in played))
            played = [played_out(one.match, strength) if one.result is None else one for one in played]
    return rounds, played


def present(round_: NextRound) -> set[int]:
    return {entrant for match in round_.matches for entrant in match.entrants if entrant is not None}


@pytest.mark.parametrize(
    ("text", "entrants", "seats"),
    [
        pytest.param(text, *field, marks=() if number % 4 == place else pytest.mark.prove)
        for number, text in enumerate(TEXTS)
        for place, field in enumerate(FIELDS)
    ],
)
def test_a_tournament_is_played_to_its_end(text: str, entrants: int, seats: int) -> None:
    stages = parse_stages(text)
    fields = check_stages(stages, entrants, seats)
    rounds, played = season(text, entrants, seats)
    assert [round_.stage for round_ in rounds] == sorted(round_.stage for round_ in rounds)
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    for round_ in rounds:
        numbers[round_.stage].append(round_.round)
        stage = stages[round_.stage - 1]
        assert len(round_.matches) % (stage.matches or stage.boards.replays(seats)) == 0
        assert not present(round_) & set(round_.byes)
    for number, stage in enumerate(stages, start=1):
        assert numbers[number] == list(range(1, len(numbers[number]) + 1))
        if stage.rounds is not None:
            assert len(numbers[number]) == stage.rounds
        first = next(round_ for round_ in rounds if round_.stage == number)
        assert len(present(first) | set(first.byes)) == fields[number - 1]
    keys = [(one.match.board, one.match.replay, one.match.table) for one in played]
    assert len(set(keys)) == len(keys)
    assert not isinstance(next_round(stages, entries(entrants), played, seats=seats, seed="s"), NextRound)


@fewest
@given(st.sampled_from(TEXTS), st.integers(2, 5), st.integers(9, 26), st.integers(0, 99), st.data())
def test_an_interrupted_tournament_goes_on_where_it_stood(
    text: str, seats: int, entrants: int, seed: int, data: st.DataObject
) -> None:
    stages = parse_stages(text)
    field = entries(entrants)
    rounds, played = run(stages, field, seats, str(seed))
    stop = data.draw(st.integers(0, len(rounds) - 1), label="rounds before the stop")
    drawn = {(round_.stage, round_.round) for round_ in rounds[:stop]}
    before = [one for one in played if (one.match.stage, one.match.round) in drawn]
    random.Random(seed).shuffle(before)
    assert next_round(stages, field, before, seats=seats, seed=str(seed)) == rounds[stop]


@pytest.mark.parametrize("text", ["knockout:advance=1", "swiss:rounds=5,boards=datum,qualifiers=8 knockout:advance=2"])
def test_who_is_clearly_better_wins(text: str) -> None:
    stages = parse_stages(text)
    _, played = run(stages, entries(16), 4, strength=25)
    standing = final_standings(stages, entries(16), played, seats=4)
    assert standing[0].entrant == 0
    assert sorted(row.entrant for row in standing) == list(range(16))


@pytest.mark.parametrize(("text", "field"), [(text, FIELDS[number % 4]) for number, text in enumerate(TEXTS)])
def test_a_final_standing_puts_later_stages_first(text: str, field: tuple[int, int]) -> None:
    stages, (entrants, seats) = parse_stages(text), field
    rounds, played = season(text, entrants, seats)
    standing = final_standings(stages, entries(entrants), played, seats=seats)
    assert [row.stage for row in standing] == sorted((row.stage for row in standing), reverse=True)
    assert [row.place for row in standing] == sorted(row.place for row in standing)
    assert standing[0].place == 1
    reached = {entrant: round_.stage for round_ in rounds for entrant in (*present(round_), *round_.byes)}
    assert {row.entrant: row.stage for row in standing} == reached
    for stage in range(1, len(stages) + 1):
        rows = [row.score for row in standing if row.stage == stage and stages[stage - 1].kind != "knockout"]
        assert rows == sorted(rows, key=lambda score: -(score or 0))


def test_a_round_robin_is_drawn_at_once_and_the_next_stage_waits_for_it() -> None:
    stages = parse_stages("round-robin:rounds=3,qualifiers=4 knockout")
    played: list[DrawnMatch] = []
    for number in (1, 2, 3):
        answer = next_round(stages, entries(8), played, seats=4, seed="s")
        assert isinstance(answer, NextRound)
        assert (answer.stage, answer.round) == (1, number)
        played += [DrawnMatch(match) for match in answer.matches]
    assert next_round(stages, entries(8), played, seats=4, seed="s") == AwaitedResults(6)
    played = [played_out(one.match) for one in played[:-1]] + played[-1:]
    assert next_round(stages, entries(8), played, seats=4, seed="s") == AwaitedResults(1)
    played[-1] = replace(played[-1], void=True)
    answer = next_round(stages, entries(8), played, seats=4, seed="s")
    assert isinstance(answer, NextRound)
    assert (answer.stage, answer.round) == (2, 1)
    played += [DrawnMatch(match) for match in answer.matches]
    assert next_round(stages, entries(8), played, seats=4, seed="s") == AwaitedResults(1)
    played[-1] = played_out(played[-1].match)
    assert next_round(stages, entries(8), played, seats=4, seed="s") == TournamentOver()


def test_a_single_round_robin_is_the_schedule_of_that_seed() -> None:
    rounds, _ = run(parse_stages("round-robin:rounds=10"), entries(7), 5, "draw")
    schedule = round_robin(7, 5, 10, rng=random.Random("draw"))
    assert [tuple(match.entrants for match in round_.matches) for round_ in rounds] == [
        round_.tables for round_ in schedule.rounds
    ]
    assert [round_.byes for round_ in rounds] == [round_.byes for round_ in schedule.rounds]


def test_the_best_go_on_and_with_carry_their_scores_count() -> None:
    text = "round-robin:rounds=4,qualifiers=10 swiss:rounds=1"
    for carry in ("", ",carry=yes"):
        stages = parse_stages(text + carry)
        _, played = run(stages, entries(25), 5)
        first = [one for one in played if one.match.stage == 1]
        after_first = final_standings(stages, entries(25), first, seats=5)
        standing = final_standings(stages, entries(25), played, seats=5)
        assert {row.entrant for row in standing[:10]} == {row.entrant for row in after_first[:10]}
        assert [row.entrant for row in standing[10:]] == [row.entrant for row in after_first[10:]]
        scores = {row.entrant: row.score for row in after_first}
        for row in standing[:10]:
            (one,) = [p for p in played if p.match.stage == 2 and row.entrant in p.match.entrants]
            assert one.result is not None
            alone = one.result.points[one.match.entrants.index(row.entrant)] - sum(one.result.points) / 5
            earlier = scores[row.entrant]
            assert earlier is not None
            assert row.score == pytest.approx((4 * earlier + alone) / 5 if carry else alone)


def test_knocked_out_later_is_placed_before_knocked_out_earlier() -> None:
    stages = parse_stages("knockout:advance=2")
    rounds, played = run(stages, entries(30), 4)
    last = {entrant: round_.round for round_ in rounds for entrant in (*present(round_), *round_.byes)}
    standing = final_standings(stages, entries(30), played, seats=4)
    assert [last[row.entrant] for row in standing] == sorted(last.values(), reverse=True)
    final = played[-1].result
    assert final is not None
    assert standing[0].entrant == final.entrants[final.places.index(1)]


def test_who_misses_a_table_of_a_knockout_does_not_go_on_however_bad_its_cards_were() -> None:
    stages = parse_stages("knockout:advance=1")
    drawn = next_round(stages, entries(4), [], seats=2, seed="s")
    assert isinstance(drawn, NextRound)
    played = []
    for match in drawn.matches:
        better = min(one for one in match.entrants if one is not None)
        seat = match.entrants.index(better)
        result = MatchResult(
            tuple(one for one in match.entrants if one is not None),
            points=(1, 1),
            places=tuple(1 + (one == seat) for one in range(2)),
            forfeits=(seat,),
            missed=(seat,),
            luck=tuple(-50 if one == seat else 50 for one in range(2)),
        )
        played.append(DrawnMatch(match, result))
    final = next_round(stages, entries(4), played, seats=2, seed="s")
    assert isinstance(final, NextRound)
    stayed = [{one for one in match.entrants if one is not None} for match in drawn.matches]
    assert present(final) == {max(table) for table in stayed}


def test_late_entrants_play_in_a_swiss_and_who_left_does_not() -> None:
    stages = parse_stages("swiss:rounds=5")
    field = [*entries(11), Entry(11, came=2), Entry(12, came=1, left=3), Entry(13, came=5)]
    field[4] = Entry(4, left=2)
    rounds, played = run(stages, field, 4)
    there = [present(round_) | set(round_.byes) for round_ in rounds]
    everybody = set(range(11))
    assert there == [
        everybody,
        everybody | {12},
        everybody - {4} | {11, 12},
        everybody - {4} | {11},
        everybody - {4} | {11},
    ]
    assert {row.entrant for row in final_standings(stages, field, played, seats=4)} == everybody | {11, 12, 13}


def test_who_leaves_a_round_robin_is_replaced_by_a_house_bot() -> None:
    stages = parse_stages("round-robin:rounds=6")
    whole, _ = run(stages, entries(9), 4)
    field = [*entries(8), Entry(8, left=3), Entry(9, came=1)]
    rounds, _ = run(stages, field, 4)
    assert rounds[:3] == whole[:3]
    for round_, complete in zip(rounds[3:], whole[3:], strict=True):
        assert [match.entrants for match in round_.matches] == [
            tuple(None if entrant == 8 else entrant for entrant in match.entrants) for match in complete.matches
        ]
        assert 8 not in round_.byes


def test_rounds_of_which_everybody_left_are_left_out() -> None:
    stages = parse_stages("round-robin")
    field = [Entry(entrant, left=None if entrant in (3, 8) else 1) for entrant in range(14)]
    rounds, played = run(stages, field, 5)
    assert [round_.round for round_ in rounds] != list(range(1, len(rounds) + 1))
    assert all(present(round_) for round_ in rounds)
    assert next_round(stages, field, played, seats=5, seed="s") == TournamentOver()


def test_who_left_does_not_go_on_and_the_next_best_does() -> None:
    stages = parse_stages("round-robin:rounds=2,qualifiers=4 knockout")
    _, played = run(stages, entries(8), 4)
    first = [one for one in played if one.match.stage == 1]
    order = [row.entrant for row in final_standings(stages, entries(8), first, seats=4)]
    field = [Entry(entrant, left=2 if entrant == order[1] else None) for entrant in range(8)]
    answer = next_round(stages, field, first, seats=4, seed="s")
    assert isinstance(answer, NextRound)
    assert present(answer) == {order[0], order[2], order[3], order[4]}
    # An entrant that leaves later is missing at its table, and nobody comes for it.
    played = first + [DrawnMatch(match) for match in answer.matches]
    field[order[0]] = Entry(order[0], left=3)
    assert isinstance(next_round(stages, field, played, seats=4, seed="s"), AwaitedResults)


def test_who_leaves_a_knockout_is_out() -> None:
    stages = parse_stages("knockout:advance=2")
    first = next_round(stages, entries(16), [], seats=4, seed="s")
    assert isinstance(first, NextRound)
    played = [played_out(match) for match in first.matches]
    stays = next_round(stages, entries(16), played, seats=4, seed="s")
    assert isinstance(stays, NextRound)
    leaver = min(present(stays))
    field = [Entry(entrant, left=1 if entrant == leaver else None) for entrant in range(16)]
    rounds, all_played = run(stages, field, 4)
    assert rounds[0] == first
    assert leaver not in set(chain.from_iterable(present(round_) for round_ in rounds[1:]))
    assert len(present(rounds[-1])) == 4
    standing = final_standings(stages, field, all_played, seats=4)
    assert [row.entrant for row in standing].index(leaver) >= 4


@pytest.mark.parametrize("text", ["swiss:rounds=3", "knockout", "round-robin:rounds=3"])
def test_a_tournament_that_everybody_leaves_is_over(text: str) -> None:
    stages = parse_stages(text)
    field = [Entry(entrant, left=1) for entrant in range(8)]
    first = next_round(stages, field, [], seats=4, seed="s")
    assert isinstance(first, NextRound)
    played = [played_out(match) for match in first.matches]
    assert next_round(stages, field, played, seats=4, seed="s") == TournamentOver()


def test_a_field_that_shrinks_below_a_table_is_filled_with_house_bots() -> None:
    stages = parse_stages("swiss:rounds=2")
    field = [Entry(entrant, left=None if entrant < 3 else 1) for entrant in range(9)]
    rounds, _ = run(stages, field, 4)
    assert [Counter(match.entrants)[None] for match in rounds[1].matches] == [1]
    assert present(rounds[1]) == {0, 1, 2}


def test_neighbours_of_earlier_rounds_are_remembered() -> None:
    rounds, _ = run([Stage(parse_stages("round-robin")[0].kind, 4, boards=Boards.ROTATIONS)], entries(5), 5)
    near = Counter(
        frozenset((match.entrants[seat], match.entrants[seat - 1]))
        for round_ in rounds
        for match in round_.matches
        for seat in range(5)
    )
    assert set(near.values()) == {10}


@pytest.mark.parametrize("entrants", [60, pytest.param(250, marks=pytest.mark.prove)])
def test_many_entrants_go_through_three_stages(entrants: int) -> None:
    stages = parse_stages(
        "swiss:rounds=4,boards=datum,qualifiers=25 round-robin:rounds=6,qualifiers=10 knockout:matches=2"
    )
    assert check_stages(stages, entrants, 5) == (entrants, 25, 10)
    rounds, played = run(stages, entries(entrants), 5, strength=0)
    assert [sum(round_.stage == stage for round_ in rounds) for stage in (1, 2, 3)] == [4, 6, 2]
    assert len(final_standings(stages, entries(entrants), played, seats=5)) == entrants
