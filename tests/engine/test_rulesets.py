import pytest

from farfalia_engine import GAMES, BadOption, EngineError, RulesetError, UnknownRuleset, ruleset


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


def test_only_options_that_differ_from_their_defaults_are_kept_in_the_order_of_their_names() -> None:
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
