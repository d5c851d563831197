from random import Random

import numpy as np
import pytest
from tests.engine.games import ALL, PAIRWISE, label

from farfalia_engine import GAMES, BadOption, Deals, EngineError, RulesetError, UnknownRuleset, ruleset


def test_chinkway_has_five_seats_and_needs_no_options() -> None:
    rules = ruleset("chinkway")
    assert (rules.name, rules.seats, rules.options) == ("chinkway", 5, {})


def test_an_unknown_game_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownRuleset, match=r"'chess', expected one of: .*chinkway"):
        ruleset("chess")


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("chinkway", {"hands": "4"}, "chinkway has no option 'hands', expected one of: burnin, double_you"),
        ("basic", {"burnin": "yes"}, "option 'burnin' of basic is 'yes', expected one of off, on"),
        ("two", {"double_you": ""}, "option 'double_you' of two is '', expected one of off, on"),
        ("four", {"hands": "6"}, "option 'hands' of four is '6', expected a multiple of 4, 1 to 999999999"),
        ("four", {"hands": "0"}, "option 'hands' of four is '0', expected a multiple of 4, 1 to 999999999"),
        ("four", {"hands": "-4"}, "option 'hands' of four is '-4', expected a multiple of 4, 1 to 999999999"),
        ("four", {"hands": "04"}, "option 'hands' of four is '04', expected a multiple of 4, 1 to 999999999"),
        ("four", {"target": "0"}, "option 'target' of four is '0', expected a number, 1 to 999999999"),
        ("four", {"target": "\u0661"}, "option 'target' of four is '\u0661', expected a number, 1 to 999999999"),
        (
            "four",
            {"target": "50", "hands": "8"},
            "four is played for hands or for a target, expected one of the two options at most",
        ),
        (
            "three",
            {"double_you": "on", "burnin": "on"},
            "double_you and burnin need the same wild cards, expected one of the two at most",
        ),
    ],
)
def test_a_wrong_option_is_refused_with_what_is_allowed(name: str, options: dict[str, str], sentence: str) -> None:
    """F16 among them: never both ways to use the wild cards."""
    with pytest.raises(BadOption) as caught:
        ruleset(name, options)
    assert str(caught.value) == sentence


def test_only_options_that_differ_from_their_defaults_are_kept_by_name() -> None:
    assert ruleset("four", {"hands": "4", "double_you": "off"}).options == {}
    assert list(ruleset("four", {"target": "60", "burnin": "on"}).options.items()) == [
        ("burnin", "on"),
        ("target", "60"),
    ]
    assert ruleset("four", {"hands": "4"}) == ruleset("four")


def test_a_team_is_there_where_sides_are_the_same_all_match() -> None:
    assert ruleset("four").teams == ((0, 2), (1, 3))
    assert {ruleset(name).teams for name in GAMES if name != "four"} == {None}


def test_all_errors_are_values_that_someone_gave() -> None:
    assert issubclass(UnknownRuleset, RulesetError)
    assert issubclass(RulesetError, EngineError)
    assert issubclass(EngineError, ValueError)


def test_rulesets_are_values() -> None:
    assert ruleset("chinkway") == ruleset("chinkway", {})
    assert len({ruleset("chinkway"), ruleset("chinkway")}) == 1


def test_tests_leave_out_no_game_and_no_option() -> None:
    played = {(game, option) for game, options in ALL for option in options}
    assert {game for game, _ in ALL} == set(GAMES)
    assert played == {(game, option) for game, kind in GAMES.items() for option in kind.options}


def test_the_pairwise_ones_have_every_value_and_each_kind_of_game_with_each_variant() -> None:
    kinds = [("chinkway", "five-hand"), ("basic", "four"), ("three", "three-short", "two"), ("farrago",)]

    def met(games: list[tuple[str, dict[str, str]]]) -> set[object]:
        values = {value for _, options in games for value in options.items()}
        variants = {
            (next(kind for kind in kinds if game in kind), *sorted(options.keys() & {"double_you", "burnin"}))
            for game, options in games
        }
        return {game for game, _ in games} | values | variants

    assert met(PAIRWISE) == met(ALL)


@pytest.mark.parametrize("deals", [2, pytest.param(11, marks=pytest.mark.prove)])
@pytest.mark.parametrize("game", ALL, ids=label)
def test_a_match_can_begin_with_any_deal_and_goes_on_to_its_end(game: tuple[str, dict[str, str]], deals: int) -> None:
    rules, random = ruleset(*game), Random(1)
    later = range(2, min(rules.last_deal, 12) + 1)
    for deal in sorted(random.sample(later, min(deals, len(later)))):
        state = rules.new_match(Deals(random.randbytes(32)), deal)
        assert (state.deal, sum(state.totals), len(state.scores)) == (deal, 0, rules.seats * (deal - 1))
        while state.pending and state.deal == deal:
            seat = state.pending.seats[0]
            observation = state.observation(seat)
            assert observation.sample(random).observation(seat) == observation
            state.apply(random.choice(state.legal_actions()))
        while state.pending:
            state.apply(random.choice(state.legal_actions()))
        assert state.outcome
        assert [set(points) for points in state.outcome.deals[: deal - 1]] == [{0}] * (deal - 1)


@pytest.mark.parametrize("deal", [0, 12, -1, 1.5, "2", True])
def test_a_deal_that_a_match_does_not_have_is_refused(deal: int) -> None:
    with pytest.raises(RulesetError, match=f"^chinkway has no deal {deal!r}, expected 1 to 11$"):
        ruleset("chinkway").new_match(Deals(bytes(32)), deal)


def test_a_deal_may_be_an_integer_of_numpy() -> None:
    assert ruleset("chinkway").new_match(Deals(bytes(32)), np.int64(3)).deal == 3  # type: ignore[arg-type]
