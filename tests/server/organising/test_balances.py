"""How even a tournament is crosses the contract and the database as it was computed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.arena_client import FIVE, Arena

from farfalia.v1 import stages_pb2
from farfalia_server.organising.balances import BALANCE_KINDS, balances_from, balances_stored
from farfalia_server.wording.phrases import balance as wording
from farfalia_tournaments import BalanceKind, BalanceSummary, KnockoutSize, Span, StageKind

numbers = st.integers(0, 1000)
balances = st.lists(
    st.tuples(
        st.none() | st.sampled_from(StageKind),
        st.builds(
            BalanceSummary,
            st.sampled_from(BalanceKind),
            st.none() | st.builds(Span, numbers, numbers),
            st.lists(st.builds(KnockoutSize, numbers, numbers, numbers, numbers), max_size=3).map(tuple),
            st.none() | numbers,
            st.booleans(),
        ),
    ),
    max_size=3,
)


@given(balances)
def test_the_database_keeps_how_even_stages_are(found: Sequence[tuple[StageKind | None, BalanceSummary]]) -> None:
    assert list(balances_from(balances_stored(found))) == found


@pytest.mark.parametrize("kind", BalanceKind)
def test_every_kind_has_a_value_of_its_own_in_the_contract(kind: BalanceKind) -> None:
    assert stages_pb2.BalanceKind.Name(BALANCE_KINDS[kind]) == f"BALANCE_KIND_{kind.name}"


async def test_a_tournament_says_how_even_its_schedule_is_in_numbers_and_in_words(arena: Arena) -> None:
    made = await arena.here.spring(rounds=2)
    words = "Everybody meets everybody else exactly 2 times: a balanced design."
    expected = stages_pb2.Balance(
        kind=stages_pb2.BALANCE_KIND_BALANCED_DESIGN, fewest_meetings=2, most_meetings=2, text=words
    )
    (listed,) = (await arena.ask("ListTournaments")).tournaments
    for tournament in (listed, (await arena.ask("GetTournament", id=made.id)).tournament):
        assert list(tournament.balances) == [expected]
        assert wording(tournament.balances) == words


async def test_each_stage_says_how_even_it_is_in_numbers_and_in_words(arena: Arena) -> None:
    names = (*FIVE, "fox")
    await arena.here.register(*names)
    stages = "swiss:rounds=2,qualifiers=3 knockout:advance=1"
    made = await arena.here.plan("spring", names, stages=stages, ruleset="two")
    shown = (await arena.ask("GetTournament", id=made.id)).tournament
    swiss, knockout = shown.balances
    assert (swiss.stage, swiss.kind) == (stages_pb2.STAGE_KIND_SWISS, stages_pb2.BALANCE_KIND_TRIAL)
    assert (swiss.fewest_meetings, swiss.most_meetings, list(swiss.rounds)) == (0, 1, [])
    assert knockout == stages_pb2.Balance(
        stage=stages_pb2.STAGE_KIND_KNOCKOUT,
        kind=stages_pb2.BALANCE_KIND_KNOCKOUT,
        rounds=[
            stages_pb2.KnockoutRound(entrants=3, tables=1, byes=1),
            stages_pb2.KnockoutRound(entrants=2, tables=1),
        ],
        text="3 at 1 table, 1 bye; then 2 at 1 table.",
    )
    assert wording(shown.balances) == (
        "Stage 1, Swiss: Paired by score; in a trial, any two met 0 or 1 times. "
        "Stage 2, Knock-out: 3 at 1 table, 1 bye; then 2 at 1 table."
    )
