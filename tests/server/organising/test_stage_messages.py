"""Stages cross the contract and the database as they were asked for."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia.v1 import stages_pb2
from farfalia_engine import ruleset
from farfalia_server.contract.bounds import MOST_STAGES
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.organising.stage_messages import stage_message, stages_from, stages_stored, stored
from farfalia_server.organising.staging import plan_stages
from farfalia_tournaments import Boards, ScheduleError, Stage, StageKind
from farfalia_tournaments.stages import Until

numbers = st.none() | st.integers(0, 2**32 - 1)
untils = st.none() | st.builds(Until, st.integers(1, 9_999), st.integers(50, 99))
stages = st.lists(
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


@given(stages)
def test_a_stage_comes_out_of_its_message_as_it_went_in(asked: Sequence[Stage]) -> None:
    sent = [stages_pb2.Stage.FromString(stage_message(stage).SerializeToString()) for stage in asked]
    assert stages_from(sent, Boards.FRESH) == tuple(asked)


@given(
    st.lists(
        st.builds(Stage, st.sampled_from(StageKind), st.none() | st.integers(0, 10_000), boards=st.sampled_from(Boards))
    )
)
def test_the_database_keeps_stages(asked: Sequence[Stage]) -> None:
    assert stages_stored(stored(asked)) == tuple(asked)


def test_a_stage_that_names_no_boards_has_those_of_the_tournament() -> None:
    message = stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_SWISS, rounds=3)
    assert stages_from([message], Boards.ROTATIONS) == (Stage(StageKind.SWISS, 3, boards=Boards.ROTATIONS),)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (stages_pb2.Stage(), "stage 2: kind is 0; expected 1 to 3"),
        (stages_pb2.Stage(kind=7), "stage 2: kind is 7; expected 1 to 3"),  # type: ignore[arg-type]
        (
            stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_SWISS, boards=9),  # type: ignore[arg-type]
            "stage 2: boards is 9; expected 0 to 3",
        ),
    ],
)
def test_a_number_that_nobody_knows_is_named(message: stages_pb2.Stage, words: str) -> None:
    fine = stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_ROUND_ROBIN)
    with pytest.raises(ScheduleError, match=words):
        stages_from([fine, message], Boards.DATUM)


def test_more_stages_than_anyone_plays_are_refused() -> None:
    asked = [Stage(StageKind.ROUND_ROBIN, 1)] * (MOST_STAGES + 1)
    with pytest.raises(InvalidArgument, match="21 stages: expected at most 20"):
        plan_stages(asked, 8, ruleset("two"), 1000)
