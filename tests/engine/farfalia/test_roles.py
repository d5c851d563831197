"""What each seat is in a deal: who deals alone, who has a partner or a dummy."""

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


def test_in_farrago_everyone_is_alone_and_the_deal_moves_left() -> None:
    game = ruleset("farrago").game
    assert game.roles(1, []) == [SeatRole(position) for position in range(4)]
    assert game.roles(2, []) == [SeatRole(3), SeatRole(0), SeatRole(1), SeatRole(2)]
