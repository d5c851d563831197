"""The sample bot that has learned: legal everywhere, the same everywhere, above cautious, and clear about its needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.engine.games import label, pairwise

from farfalia.bots import create
from farfalia.bots.learned import LearnedBot
from farfalia.learning.learned_networks import FILE, GAMES_OF, NETWORK_OF, network_for
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.self_play import SelfPlay, positions
from farfalia.learning.train_learned import COURSES, main, train
from farfalia.testing import play_match
from farfalia_engine import GAMES, Deals, Kind, ruleset


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_it_plays_every_game(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    seats = ruleset(name, options).seats
    bots = [create("learned"), *(create("random", seat) for seat in range(seats - 1))]
    assert len(play_match(bots, 3, name, options).outcome.points) == seats


@pytest.mark.parametrize("name", sorted(NETWORK_OF))
def test_questions_that_come_together_have_the_answers_of_single_ones(name: str) -> None:
    bot, cautious, views = LearnedBot(), create("cautious"), []
    for number in range(3):
        state = ruleset(name).new_match(Deals(bytes([number]) * 32))
        state.end_with_deal()
        while state.pending:
            seat = state.pending.seats[0]
            views.append(state.observation(seat))
            state.apply(cautious.decide(views[-1]), seat)
    assert list(bot.decide_batch(views)) == [bot.decide(view) for view in views]
    others = [view for view in views if view.kind is not Kind.PLAY]
    assert [bot.decide(view) for view in others] == [cautious.decide(view) for view in others]


def test_where_wild_cards_burn_it_plays_as_cautious() -> None:
    learned, cautious = (
        play_match([create(name)] * 4, 5, "four", {"burnin": "on"}).actions for name in ("learned", "cautious")
    )
    assert learned == cautious


@pytest.mark.parametrize("name", sorted(NETWORK_OF))
def test_it_gains_on_cautious_with_the_same_cards(name: str) -> None:
    game = SelfPlay(name)
    gains = np.concatenate([gained(game, deal, 2400 // len(game.deals)) for deal in game.deals])
    assert gains.mean() > 2 * gains.std() / len(gains) ** 0.5


def gained(game: SelfPlay, deal: int, deals: int) -> Floats:
    """What the dealer, or its team, gains by deal if the network plays it, and not cautious."""
    network = network_for(game.rules.name)
    assert network is not None
    weights, seats = game.weights(deal)[0], game.seats(deal)
    own = next((team for team in game.rules.teams or () if seats[0] in team), (seats[0],))
    mine = np.array([seat in own for seat in seats])
    before, table = (game.dealt(np.random.PCG64(7), deals, deal) for _ in range(2))
    while table.left:
        cards, values = table.values()
        chosen = cards[values.argmax(axis=0), table.rows]
        rows = np.flatnonzero(mine[table.acting])
        if len(rows):
            chosen[rows] = network.choose(positions(table.chosen(rows)))
        table.play(chosen)
    gains: Floats = weights @ (table.points.astype(float) - before.play_out())
    return gains


def test_every_game_of_the_package_has_a_network_in_the_file() -> None:
    assert set(NETWORK_OF) == {name for name, game in GAMES.items() if game.__module__.startswith("farfalia_engine.")}
    assert set(GAMES_OF) == set(COURSES)
    assert all(network_for(game) for game in NETWORK_OF)
    assert FILE.stat().st_size <= 2_000_000


def test_the_command_stores_the_same_networks_from_the_same_seed(tmp_path: Path) -> None:
    def stored(name: str, *words: str) -> dict[str, list[int]]:
        command = [sys.executable, "-m", "farfalia.learning.train_learned", *words, "--positions", "3000"]
        subprocess.run([*command, "--file", tmp_path / name], check=True, capture_output=True)
        with np.load(tmp_path / name) as file:
            return {key: file[key].tolist() for key in file.files}

    both = stored("a.npz", "two", "four")
    assert {key.partition("/")[0] for key in both} == {"two", "four"}
    again = stored("b.npz", "four")
    assert again == {key: array for key, array in both.items() if key.startswith("four/")}
    # What a file has no network for, cautious plays.
    bot = LearnedBot(file=tmp_path / "b.npz")
    assert play_match([bot] * 3, 1, "three").actions == play_match([create("cautious")] * 3, 1, "three").actions


def test_a_network_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["snap"])
    assert "there is no network 'snap', expected some of five, four" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["two", "--positions", "0"])
    assert "--positions is 0, expected 1 or more" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["two", "--file", "/nowhere/two.npz"])
    assert "networks cannot be stored in /nowhere/two.npz: [Errno 2] No such file" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["two", "--file", __file__])
    assert f"networks cannot be stored in {__file__}: it is no .npz file" in capsys.readouterr().err
    with pytest.raises(KeyError):
        train("snap", 10)


def test_without_numpy_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["numpy"] = None
from farfalia.bots import HOUSE, create, missing
from farfalia.errors import BadSetting
assert "learned" in HOUSE and not missing("cautious")
try:
    create("learned")
except BadSetting as error:
    print(error)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("The sample bot learned needs NumPy: pip install 'numpy>=2'.\n", "")
