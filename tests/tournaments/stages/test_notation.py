"""Stages as people write them, and what is wrong with those that cannot be played."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_tournaments import Boards, ScheduleError, Stage, StageKind, check_stages, parse_stages, stages_of
from farfalia_tournaments.stages import Until

kinds = st.sampled_from(StageKind)
numbers = st.none() | st.integers(1, 99)
untils = st.none() | st.builds(Until, st.integers(1, 99), st.integers(50, 99))


@given(
    st.lists(
        st.builds(
            Stage,
            st.sampled_from(StageKind),
            numbers,
            numbers,
            numbers,
            st.sampled_from(Boards),
            numbers,
            st.booleans(),
            untils,
            st.booleans(),
            st.booleans(),
        ),
        max_size=4,
    )
)
def test_what_is_written_is_read_again(stages: list[Stage]) -> None:
    assert parse_stages(" ".join(map(str, stages))) == tuple(stages)


pieces = st.sampled_from(
    [
        *StageKind,
        *Boards,
        ":",
        ",",
        "=",
        " ",
        "rounds",
        "advance",
        "qualifiers",
        "carry",
        "design",
        "opposed",
        "yes",
        "0",
        "7",
        "-1",
        "٣",
    ]
)


@given(st.lists(pieces | st.text(max_size=5)).map("".join), st.integers(0, 600))
def test_any_text_is_stages_that_can_be_checked_or_says_what_is_wrong(text: str, entrants: int) -> None:
    said = ""
    try:
        stages = parse_stages(text)
        assert parse_stages(" ".join(map(str, stages))) == stages
        check_stages(stages, entrants, 4)
    except ScheduleError as error:
        said = str(error)
    assert "\n" not in said


def test_a_tournament_is_written_in_a_line() -> None:
    assert parse_stages(
        "round-robin:rounds=10,qualifiers=8  swiss:rounds=7,boards=datum,qualifiers=25 knockout:advance=2"
    ) == (
        Stage(StageKind.ROUND_ROBIN, rounds=10, qualifiers=8),
        Stage(StageKind.SWISS, rounds=7, boards=Boards.DATUM, qualifiers=25),
        Stage(StageKind.KNOCKOUT, advance=2),
    )
    assert str(Stage(StageKind.ROUND_ROBIN)) == "round-robin"


def test_a_tournament_is_a_list_of_mappings() -> None:
    stages = stages_of([{"kind": "swiss", "rounds": 7, "qualifiers": "25"}, {"kind": "round-robin", "carry": True}])
    assert stages == (Stage(StageKind.SWISS, 7, qualifiers=25), Stage(StageKind.ROUND_ROBIN, carry=True))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("robin", "stage 1: kind 'robin': expected round-robin, swiss or knockout"),
        ("swiss:rounds=5 :rounds=3", "stage 2: kind '': expected round-robin"),
        ("swiss:rounds", "stage 1: 'rounds': expected NAME=VALUE"),
        ("swiss:rounds=five", "stage 1: rounds 'five': expected a whole number"),
        ("swiss:rounds=-2", "stage 1: rounds '-2': expected a whole number"),
        ("swiss:rounds=1234567890", "stage 1: rounds 1234567890: expected a number of at most 9 digits"),
        ("swiss:rounds=²", "stage 1: rounds '²': expected a whole number"),
        ("swiss:rounds=", "stage 1: rounds '': expected a whole number"),
        ("swiss:rounds=5,rounds=6", "stage 1: rounds is given twice"),
        ("swiss:kind=swiss", "stage 1: kind is given twice"),
        (
            "swiss:tables=3",
            "stage 1: 'tables' is not a setting: expected rounds, advance, matches, qualifiers, until-first, "
            "until-percent, boards, carry, design, opposed",
        ),
        ("knockout:boards=own", "stage 1: boards 'own': expected fresh, rotations or datum"),
        ("round-robin:design=long", "stage 1: design 'long': expected even or short"),
        ("swiss:carry=maybe", "stage 1: carry 'maybe': expected yes or no"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, named: str) -> None:
    with pytest.raises(ScheduleError) as error:
        parse_stages(text)
    assert str(error.value).startswith(named)


@pytest.mark.parametrize(
    "given_", [{}, {"kind": 3}, {"kind": "swiss", "rounds": 2.5}, {"kind": "swiss", "rounds": True}]
)
def test_a_mapping_of_other_types_is_refused(given_: Mapping[str, object]) -> None:
    with pytest.raises(ScheduleError, match="stage 1: "):
        stages_of([given_])


@pytest.mark.parametrize(
    ("text", "entrants", "named"),
    [
        ("", 9, "no stages: expected at least one"),
        ("round-robin", 4, "stage 1, round-robin: 4 entrants: expected at least 5, as many as a table has seats"),
        ("swiss:rounds=3,qualifiers=4 knockout", 20, "stage 2, knockout: 4 entrants: expected at least 5"),
        (
            "swiss:rounds=3,qualifiers=0 knockout",
            20,
            "stage 1, swiss: qualifiers 0: expected at least 1, or nobody would play on",
        ),
        (
            "swiss:rounds=3,qualifiers=21 knockout",
            20,
            "stage 1, swiss: qualifiers 21: expected at most 20, as many as play in it",
        ),
        (
            "swiss:rounds=3,qualifiers=9 swiss:rounds=1,qualifiers=10 knockout",
            20,
            "stage 2, swiss: qualifiers 10: expected at most 9, as many as play in it",
        ),
        (
            "swiss:rounds=3,qualifiers=5",
            20,
            "stage 1, swiss: qualifiers 5: expected none, there is no stage after the last",
        ),
        ("swiss", 20, "stage 1, swiss: no rounds: expected their number, such as rounds=7"),
        ("swiss:rounds=0", 20, "stage 1, swiss: rounds 0: expected 1 to 10000"),
        ("round-robin:rounds=10001", 20, "stage 1, round-robin: rounds 10001: expected 1 to 10000"),
        ("knockout:rounds=3", 20, "stage 1, knockout: rounds 3: expected none, they follow from the field"),
        ("knockout:advance=5", 20, "stage 1, knockout: advance 5: expected 1 to 4 of the 5 at a table"),
        ("swiss:rounds=2,advance=2", 20, "stage 1, swiss: advance 2: expected none, only a knock-out has it"),
        ("swiss:rounds=2,design=short", 20, "stage 1, swiss: design short: expected a round robin without rounds"),
        ("swiss:rounds=2,carry=yes", 20, "stage 1, swiss: carry: expected no, there is no stage before the first"),
        ("swiss:rounds=2 knockout:carry=yes", 20, "stage 2, knockout: carry: expected no, each table of a knock-out"),
        ("knockout:boards=rotations,matches=7", 20, "stage 1, knockout: 7 matches per table: expected a multiple of 5"),
    ],
)
def test_stages_that_cannot_be_played_are_named(text: str, entrants: int, named: str) -> None:
    with pytest.raises(ScheduleError) as error:
        check_stages(parse_stages(text), entrants, 5)
    assert str(error.value).startswith(named)


def test_tables_of_six_are_named() -> None:
    with pytest.raises(ScheduleError, match="tables of 6 seats: expected one of 2, 3, 4, 5"):
        check_stages(parse_stages("round-robin"), 9, 6)


def test_it_tells_how_many_play_in_each_stage() -> None:
    stages = parse_stages("round-robin:rounds=2 swiss:rounds=3,qualifiers=12 knockout:qualifiers=6 round-robin")
    assert check_stages(stages, 40, 5) == (40, 40, 12, 6)
