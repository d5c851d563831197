"""Which matches have equal cards, and who holds which hand."""

import random
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_tournaments import Boards, Match, Schedule, ScheduleError, boarded, round_robin
from farfalia_tournaments.schedules.boards import board_round

modes = st.sampled_from(list(Boards))


def tables_of(schedule: Schedule) -> list[tuple[tuple[int, ...], ...]]:
    return [round_.tables for round_ in schedule.rounds]


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    seats = draw(st.sampled_from([2, 3, 4, 5]))
    rounds = draw(st.integers(1, 5))
    rng = random.Random(draw(st.integers(0, 5)))
    numbers = list(range(draw(st.integers(seats, 60))))
    tables = []
    for _ in range(rounds):
        rng.shuffle(numbers)
        tables.append([numbers[at : at + seats] for at in range(0, len(numbers) // seats * seats, seats)])
    return Schedule.of(len(numbers), seats, tables)


@given(schedules(), modes, st.integers(1, 3))
def test_every_table_plays_what_is_asked_with_the_entrants_it_was_given(
    schedule: Schedule, mode: Boards, boards: int
) -> None:
    matches = boards * mode.replays(schedule.seats)
    rounds = boarded(tables_of(schedule), mode, matches=matches)
    assert len(rounds) == len(schedule.rounds)
    for number, (drawn, round_) in enumerate(zip(rounds, schedule.rounds, strict=True), start=1):
        by_table: defaultdict[int, list[Match]] = defaultdict(list)
        for match in drawn:
            assert (match.stage, match.round) == (1, number)
            by_table[match.table].append(match)
        assert list(by_table) == list(range(1, len(round_.tables) + 1))
        for place, table in enumerate(round_.tables, start=1):
            assert [set(match.entrants) for match in by_table[place]] == [set(table)] * matches


@given(schedules(), st.integers(1, 3))
def test_with_rotations_everybody_holds_each_hand_of_a_board_once(schedule: Schedule, boards: int) -> None:
    rounds = boarded(tables_of(schedule), Boards.ROTATIONS, matches=boards * schedule.seats)
    held: defaultdict[str, Counter[tuple[int | None, int]]] = defaultdict(Counter)
    where: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    replays: defaultdict[str, list[int]] = defaultdict(list)
    for match in (match for drawn in rounds for match in drawn):
        held[match.board].update((entrant, seat) for seat, entrant in enumerate(match.entrants))
        where[match.board].add((match.round, match.table))
        replays[match.board].append(match.replay)
    for board, hands in held.items():
        assert set(hands.values()) == {1}
        assert len(hands) == schedule.seats**2
        assert len(where[board]) == 1
        assert replays[board] == list(range(1, schedule.seats + 1))
    assert len(held) == schedule.matches * boards


@given(schedules(), st.integers(1, 3))
def test_with_a_datum_tables_of_a_round_share_boards_and_nobody_sees_one_twice(schedule: Schedule, boards: int) -> None:
    rounds = boarded(tables_of(schedule), Boards.DATUM, matches=boards)
    seen: Counter[tuple[int | None, str]] = Counter()
    for drawn in rounds:
        assert len({match.board for match in drawn}) == boards
        seen.update((entrant, match.board) for match in drawn for entrant in match.entrants)
    assert set(seen.values()) == {1}
    assert len({match.board for drawn in rounds for match in drawn}) == len(rounds) * boards


@given(schedules(), st.integers(1, 6))
def test_fresh_boards_are_played_once(schedule: Schedule, boards: int) -> None:
    rounds = boarded(tables_of(schedule), Boards.FRESH, matches=boards)
    names = [match.board for drawn in rounds for match in drawn]
    assert len(set(names)) == len(names) == schedule.matches * boards


@given(schedules(), modes)
def test_a_round_does_not_depend_on_later_ones(schedule: Schedule, mode: Boards) -> None:
    rounds = boarded(tables_of(schedule), mode)
    for number in range(len(rounds)):
        assert boarded(tables_of(schedule)[:number], mode) == rounds[:number]


def test_several_fresh_boards_of_a_table_move_everybody_by_a_seat() -> None:
    (drawn,) = boarded([[(4, 7, 1)]], Boards.FRESH, matches=4)
    assert [match.entrants for match in drawn] == [(4, 7, 1), (1, 4, 7), (7, 1, 4), (4, 7, 1)]
    assert [match.board for match in drawn] == ["board-1-1-1-1", "board-1-1-1-2", "board-1-1-1-3", "board-1-1-1-4"]


@pytest.mark.parametrize("mode", list(Boards))
def test_the_opposed_are_never_partners_and_everybody_else_is_evenly(mode: Boards) -> None:
    boards, teams = 16, ((0, 2), (1, 3))
    drawn = board_round([(1, 3, 0, 2)], mode, matches=boards * mode.replays(4), teams=teams, opposed=(1, 0))
    first = [match.entrants for match in drawn if match.replay == 1]
    partners = Counter(frozenset((table[one], table[two])) for table in first for one, two in teams)
    assert partners == {frozenset(pair): 8 for pair in ((0, 2), (1, 3), (0, 3), (1, 2))}
    assert set(Counter(place for match in drawn for place in enumerate(match.entrants)).values()) == {len(drawn) // 4}


def test_boards_are_named_after_stage_round_and_table() -> None:
    tables = [[(0, 1), (2, 3)]] * 2
    for mode, names in (
        (Boards.FRESH, ["board-3-2-1", "board-3-2-2"]),
        (Boards.ROTATIONS, ["board-3-2-1", "board-3-2-1", "board-3-2-2", "board-3-2-2"]),
        (Boards.DATUM, ["board-3-2", "board-3-2"]),
    ):
        assert [match.board for match in boarded(tables, mode, stage=3)[1]] == names


def distances(rounds: list[tuple[Match, ...]], seats: int) -> dict[tuple[int, int], list[int]]:
    """How often any two sat 1, 2, … seats apart, of all replays together."""
    met: Counter[tuple[int, int, int]] = Counter()
    for match in (match for drawn in rounds for match in drawn):
        for (seat, one), (further, other) in combinations(enumerate(match.entrants), 2):
            if one is not None and other is not None:
                low, high, apart = (one, other, further - seat) if one < other else (other, one, seat - further)
                met[low, high, apart % seats] += 1
    pairs = {(one, other) for one, other, _ in met}
    return {(one, other): [met[one, other, apart] for apart in range(1, seats)] for one, other in pairs}


@pytest.mark.parametrize(("seats", "even"), [(5, {5}), (3, {3})])
def test_one_table_has_all_neighbours_equally_often_after_a_board_for_each_distance(seats: int, even: set[int]) -> None:
    rounds = boarded([[range(seats)]] * (seats - 1), Boards.ROTATIONS)
    assert {count for counts in distances(rounds, seats).values() for count in counts} == even


def test_neighbours_at_a_table_of_five_are_others_with_the_next_board() -> None:
    first, second = boarded([[range(5)]] * 2, Boards.ROTATIONS)
    for one, other in combinations(range(5), 2):
        near = [
            {match.entrants.index(one) - match.entrants.index(other)} <= {1, 4, -1, -4}
            for match in (first[0], second[0])
        ]
        assert sorted(near) == [False, True]


@pytest.mark.parametrize(
    ("entrants", "rounds"),
    [(6, 10), (11, 11), *(pytest.param(*field, marks=pytest.mark.prove) for field in ((16, 16), (25, 18)))],
)
def test_neighbours_are_about_even_in_a_round_robin_with_rotations(entrants: int, rounds: int) -> None:
    schedule = round_robin(entrants, 5, rounds, rng=random.Random("near"))
    replayed = distances(boarded(tables_of(schedule), Boards.ROTATIONS), 5)
    assert max(max(counts) - min(counts) for counts in replayed.values()) <= 3 * 5  # three boards of five matches


@pytest.mark.parametrize("mode", list(Boards))
@pytest.mark.parametrize("boards", [3, 6, 12])
def test_partners_change_from_board_to_board(mode: Boards, boards: int) -> None:
    teams = ((0, 2), (1, 3))
    (drawn,) = boarded([[(4, 9, 2, 7)]], mode, matches=boards * mode.replays(4), teams=teams)
    together = Counter(frozenset(match.entrants[seat] for seat in team) for match in drawn for team in teams)
    assert set(together.values()) == {len(drawn) // 3}
    assert len(together) == 6
    held = Counter((entrant, seat) for match in drawn for seat, entrant in enumerate(match.entrants))
    # New partners come first, seats even within one only where there is no better way for partners.
    uneven = max(held.values()) - min(held[entrant, seat] for entrant in (4, 9, 2, 7) for seat in range(4))
    assert uneven <= (2 if boards == 3 else 1)


def test_the_first_board_of_a_table_keeps_its_partners() -> None:
    (drawn,) = boarded([[(4, 9, 2, 7)]], matches=2, teams=((0, 2), (1, 3)))
    assert drawn[0].entrants == (4, 9, 2, 7)


def test_a_seat_for_a_house_bot_moves_like_the_others() -> None:
    (drawn,) = boarded([[(8, None, 2)]], Boards.ROTATIONS)
    assert [match.entrants for match in drawn] == [(8, None, 2), (2, 8, None), (None, 2, 8)]


@pytest.mark.parametrize(
    ("mode", "matches", "named"),
    [
        (Boards.ROTATIONS, 4, "4 matches per table: expected a multiple of 3, as every board is played 3 times"),
        (Boards.ROTATIONS, 0, "0 matches per table"),
        (Boards.FRESH, 0, "0 matches per table: expected at least 1"),
        (Boards.DATUM, -1, "-1 matches per table: expected at least 1"),
    ],
)
def test_a_board_that_would_not_be_played_out_is_refused(mode: Boards, matches: int, named: str) -> None:
    with pytest.raises(ScheduleError, match=named):
        boarded([[(0, 1, 2)]], mode, matches=matches)
