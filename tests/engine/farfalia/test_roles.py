"""What each seat is in a deal: who deals alone, who has a partner or a dummy."""

import pytest

from farfalia_engine import SeatRole, ruleset


def test_in_chinkway_the_dealer_plays_alone_and_the_others_in_pairs() -> None:
    roles = ruleset("chinkway").game.roles(1, [])
    assert sorted(roles) == [SeatRole(0), *(SeatRole(position, partner=True) for position in range(1, 5))]


def test_in_three_the_dealer_has_a_dummy_and_the_others_each_other() -> None:
    roles = ruleset("three").game.roles(1, [])
    assert sorted(role for role in roles if role.dummy) == [SeatRole(0, dummy=True)]
    assert [role.partner for role in sorted(roles)] == [False, True, True]


def test_in_two_both_have_a_dummy_and_nobody_a_partner() -> None:
    assert {(role.dummy, role.partner) for role in ruleset("two").game.roles(1, [])} == {(True, False)}


@pytest.mark.parametrize("name", ["farrago"])
def test_a_game_without_sides_that_change_tells_no_roles(name: str) -> None:
    assert list(ruleset(name).game.roles(1, [])) == []
