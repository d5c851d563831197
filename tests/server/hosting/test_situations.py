"""Programs are asked about every game, every option and every kind of decision."""

from farfalia_engine import GAMES, Kind
from farfalia_server.conformance.ground import Ground
from farfalia_server.hosting.situations import situations, variants


def test_the_variants_of_a_game_have_all_of_its_options() -> None:
    for name, game in GAMES.items():
        assert {option for rules in variants(name) for option in rules.options} == game.options.keys()


def test_a_game_is_examined_by_more_than_a_hundred_decisions_of_every_kind() -> None:
    found = {game: Ground(1.0, 1.0).situations(game) for game in GAMES}
    assert min(len(of_game) for of_game in found.values()) > 100
    assert {one.kind for of_game in found.values() for one in of_game} == set(Kind)
    assert all(len(one.legal) > 1 for of_game in found.values() for one in of_game)


def test_the_situations_are_the_same_each_time() -> None:
    rules = variants("farrago")[-1]
    assert [one.legal for one in situations(rules)] == [one.legal for one in situations(rules)]
