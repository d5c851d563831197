"""The games as OpenSpiel's own simulation sees them, and as the rules want them."""

import pickle
import subprocess
import sys
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation
from tests.clients.openspiel import Game, load, play, step
from tests.engine.games import label, pairwise

from farfalia_engine import BadOption


@pytest.mark.parametrize(
    "game", [("two", {"double_you": "on"}), ("basic", {"burnin": "on"}), ("farrago", {"players": "3"})], ids=label
)
def test_a_match_passes_the_random_simulation(game: Game) -> None:
    pyspiel.random_sim_test(load(game, reward="points"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_what_is_returned_is_the_matchs_points_less_their_mean(game: Game) -> None:
    state = play(load(game).new_initial_state(), Random(1))
    points = state.episode.state.outcome.points
    assert state.returns() == pytest.approx([each - sum(points) / len(points) for each in points])


def test_points_themselves_can_be_returned() -> None:
    game = load(("chinkway", {}), reward="points")
    state = play(game.new_initial_state(), Random(1))
    assert state.returns() == [float(points) for points in state.episode.state.outcome.points]
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert (game.min_utility(), game.max_utility()) == (0, 165)


def test_winning_itself_can_be_returned() -> None:
    game = load(("four", {}), reward="win")
    state = play(game.new_initial_state(), Random(1))
    assert state.returns() in ([0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0.25] * 4)
    assert game.get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (0, 1, 1)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_an_episode_can_be_any_deal_and_nobody_has_points_yet(game: Game) -> None:
    last = load(game).rules.last_deal
    spiel = load(game, horizon="deal", deal=last)
    pyspiel.random_sim_test(spiel, num_sims=1, serialize=True, verbose=False)
    state = play(spiel.new_initial_state(), Random(4))
    assert state.episode.state.deal == last
    points = state.episode.state.scores[-spiel.num_players() :]
    assert state.returns() == pytest.approx([each - sum(points) / len(points) for each in points])


def test_a_search_of_openspiel_plays_a_deal() -> None:
    game = load(("two", {}), horizon="deal")
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=5.0,
        max_simulations=5,
        random_state=np.random.RandomState(2),
    )
    state, random = game.new_initial_state(), Random(15)
    while not state.is_terminal():
        if not state.is_chance_node() and state.current_player() == 0:
            state.apply_action(int(bot.step(state)))
        else:
            step(state, random)
    assert sum(state.returns()) == 0


def test_games_and_states_go_to_another_process() -> None:
    game = load(("four", {"burnin": "on"}), horizon="deal", deal=3)
    state = play(game.new_initial_state(), Random(16), lambda state: len(state.history()) == 70)
    program = (
        "import pickle, sys\n"
        "game, state = pickle.loads(sys.stdin.buffer.read())\n"
        "print(game, state.get_game(), state.information_state_string(1), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps((game, state)), capture_output=True, check=True
    )
    assert done.stdout.decode().splitlines() == [str(game), str(game), *state.information_state_string(1).splitlines()]


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_cards_are_drawn_as_they_are_dealt(game: Game) -> None:
    """Every card is drawn once, and the seat that it fell to holds it."""
    state = load(game, horizon="deal").new_initial_state()
    random = Random(2)
    play(state, random, lambda state: bool(state.is_chance_node()))
    drawn: dict[str, list[str]] = {}
    while state.is_chance_node():
        before = state.clone()
        step(state, random)
        what, _, text = before.action_to_string(state.history()[-1]).partition("=")
        drawn.setdefault(what, []).append(text)
    match = state.episode.state
    views = [match.observation(seat) for seat in range(match.rules.seats)]
    deck = drawn["deal"]
    n = len(views[0].seats)
    assert len(deck) == len(set(deck))
    for view in views:
        names = {match.rules.card_text(card) for card in view.hand}
        if view.position:
            dealt = {card for number, card in enumerate(deck) if number % n == view.position - 1}
            assert {name for name in names if name in deck} <= dealt
            assert len(dealt) - len(deck) // n in (0, 1)
    if "subject" in drawn:
        assert len(drawn["subject"]) == 5
    assert len(drawn.get("wild", "")) == (match.rules.seats if match.rules.options.get("burnin") else 0)
    assert len(drawn.get("type", "")) == (10 if match.rules.options.get("order") == "random" else 0)


def test_subjects_are_drawn_by_family_and_as_likely_as_there_are_cards_of_it() -> None:
    state = load(("four", {"burnin": "on"})).new_initial_state()
    random = Random(3)
    play(state, random, lambda state: "subject=" in state.action_to_string(state.legal_actions()[0]))
    assert state.chance_outcomes() == [(family, pytest.approx(1 / 5)) for family in range(5)]
    for _ in range(4):
        state.apply_action(0)
    others = [(family, pytest.approx(5 / 21)) for family in range(1, 5)]
    assert state.chance_outcomes() == [(0, pytest.approx(1 / 21)), *others]
    state.apply_action(0)
    assert state.episode.state.subjects == bytes(5)


def test_a_deck_is_drawn_only_once_it_is_needed() -> None:
    """Doubling comes before the cards."""
    state = load(("chinkway", {"double_you": "on"})).new_initial_state()
    for seat in range(5):
        assert state.current_player() == seat
        state.apply_action(126 if seat == 3 else 125)
    assert state.is_chance_node()
    play(state, Random(4), lambda state: not state.is_chance_node())
    assert state.episode.state.doubled == bytes([3])


def test_players_are_asked_only_what_has_more_than_one_answer() -> None:
    state = load(("two", {})).new_initial_state()
    random = Random(5)
    while not state.is_terminal():
        assert state.is_chance_node() or len(state.legal_actions()) > 1
        step(state, random)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_clone_goes_its_own_way_and_a_copy_by_text_is_the_same(game: Game) -> None:
    random = Random(6)
    state = load(game).new_initial_state()
    for _ in range(random.randrange(150, 250)):
        step(state, random)
    before = str(state), state.history(), state.information_state_string(1)
    clone = state.clone()
    for _ in range(80):
        step(clone, random)
    assert (str(state), state.history(), state.information_state_string(1)) == before
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, other = pyspiel.deserialize_game_and_state(text)
    assert (str(other), other.history(), other.information_state_string(1)) == before
    for _ in range(80):
        action = random.choice(state.legal_actions())
        state.apply_action(action)
        other.apply_action(action)
    assert str(state) == str(other)


def test_players_of_python_learn_with_it() -> None:
    environment = rl_environment.Environment(load(("four", {}), horizon="deal"), seed=1)
    time_step = environment.reset()
    while not time_step.last():
        player = time_step.observations["current_player"]
        assert len(time_step.observations["info_state"][player]) == 1544
        time_step = environment.step([time_step.observations["legal_actions"][player][0]])
    assert sum(time_step.rewards) == pytest.approx(0)


@pytest.mark.parametrize("horizon", ["match", "deal"])
@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_decisions_and_draws_stay_within_what_is_announced(game: Game, horizon: str) -> None:
    spiel = load(game, horizon=horizon)
    state = play(spiel.new_initial_state(), Random(11))
    players = [item.player for item in state.full_history()]
    draws = players.count(pyspiel.PlayerId.CHANCE)
    assert draws <= spiel.max_chance_nodes_in_history()
    assert len(players) - draws <= spiel.max_game_length()
    assert all(spiel.min_utility() <= each <= spiel.max_utility() for each in state.returns())


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("python_farfalia_two(horizon=hand)", ValueError, "horizon is 'hand', expected one of: match, deal"),
        ("python_farfalia_two(reward=rank)", ValueError, "reward is 'rank', expected one of: centred, points, win"),
        ("python_farfalia_two(horizon=deal,deal=5)", ValueError, "two has no deal 5, expected 1 to 4"),
        ("python_farfalia_two(deal=2)", ValueError, "deal is 2 where an episode is a match, expected horizon 'deal' "),
        ("python_farfalia_four(hands=6)", BadOption, "option 'hands' of four is '6', expected a multiple of 4"),
    ],
)
def test_what_cannot_be_set_up_is_refused_in_a_sentence(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        pyspiel.load_game(text)


def test_a_view_that_no_player_has_is_refused_in_a_sentence() -> None:
    nobody = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    with pytest.raises(ValueError, match=r"^observers see what one player sees, expected "):
        make_observation(load(("two", {})), nobody)


def test_without_openspiel_its_extra_is_named() -> None:
    program = "import sys; sys.modules['pyspiel'] = None; import farfalia.learning.openspiel_game"
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: farfalia.learning.openspiel_game needs OpenSpiel: pip install 'open_spiel>=1.6.11'"
    )


def test_an_interpreter_that_has_the_games_ends_in_peace() -> None:
    program = "import pyspiel, farfalia.learning.openspiel_game; game = pyspiel.load_game('python_farfalia_two')"
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
