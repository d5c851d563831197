"""A bot's methods, and what becomes of their answers."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable
from typing import Any

import pytest
from tests.clients.scripted import message, question
from tests.engine.games import label, pairwise

from farfalia import Bot
from farfalia.answers import checked
from farfalia.bots import HOUSE, create, missing
from farfalia.errors import BadAnswer
from farfalia.testing import play_match
from farfalia.v1 import play_pb2
from farfalia.view import View, from_message
from farfalia_engine import (
    Deals,
    DealType,
    FarragoObservation,
    Kind,
    Observation,
    State,
    parse_action,
    parse_card,
    ruleset,
)


def fresh() -> State:
    return ruleset("chinkway").new_match(Deals(bytes(32)))


#: Games in which decisions come up that Chinkway does not have.
GAMES: dict[Kind, tuple[str, dict[str, str]]] = {
    Kind.DOUBLE: ("two", {"double_you": "on"}),
    Kind.PICK_TYPE: ("farrago", {}),
    Kind.BAR: ("farrago", {}),
    Kind.NAME_TRUMPS: ("farrago", {}),
    Kind.SHOW: ("farrago", {}),
}
CHINKWAY = (Kind.DISCARD, Kind.DECLARE, Kind.PLAY, Kind.COLLECT)


def until(kind: Kind) -> Observation:
    """What is seen at the first question of this kind that has several answers."""
    state = fresh() if kind in CHINKWAY else ruleset(*GAMES[kind]).new_match(Deals(bytes(32)))
    while state.pending is not None:
        if state.pending.kind is kind and len(state.legal_actions()) > 1:
            return state.observation(state.pending.seats[0])
        state.apply(state.legal_actions()[0])
    raise AssertionError(f"no {kind.name} in this match")


@pytest.mark.parametrize("kind", [*CHINKWAY, *GAMES])
def test_a_bot_that_overrides_nothing_takes_the_first_legal_answer(kind: Kind) -> None:
    observation = until(kind)
    assert Bot().decide(observation) == observation.legal[0]


def test_each_method_answers_in_cards_and_suits() -> None:
    class Fixed(Bot):
        def discard(self, view: Observation) -> Iterable[int]:
            return parse_card("L13"), parse_card("S1")

        def declare(self, view: Observation) -> int | None:
            return 2

        def play(self, view: Observation) -> int:
            return parse_card("O7")

        def collect(self, view: Observation) -> int | None:
            return parse_card("F10")

    texts = {Kind.DISCARD: "discard=S1,L13", Kind.DECLARE: "trump=F", Kind.PLAY: "O7", Kind.COLLECT: "+F10"}
    assert {kind: Fixed().decide(until(kind)) for kind in CHINKWAY} == {
        kind: parse_action(text) for kind, text in texts.items()
    }


def test_each_method_of_the_other_games_answers_in_cards_suits_and_types() -> None:
    class Fixed(Bot):
        def discard(self, view: Observation) -> Iterable[int]:
            return view.hand[:1]

        def double(self, view: Observation) -> bool:
            return True

        def pick_type(self, view: Observation) -> int:
            return DealType.SECONDS

        def bar(self, view: Observation) -> int:
            return 3

        def name_trumps(self, view: Observation) -> int:
            return 1

        def show(self, view: Observation) -> int:
            return view.hand[-1]

    texts = {
        Kind.DOUBLE: "double=yes",
        Kind.PICK_TYPE: "type=seconds",
        Kind.BAR: "bar=C",
        Kind.NAME_TRUMPS: "trump=H",
    }
    assert {kind: until(kind).text(Fixed().decide(until(kind))) for kind in texts} == texts
    assert Fixed().decide(until(Kind.SHOW)) == 96 + until(Kind.SHOW).hand[-1]
    assert Fixed().decide(one_card_too_many()) == 128 + one_card_too_many().hand[0]
    assert Bot().decide(one_card_too_many()) == one_card_too_many().legal[0]


def one_card_too_many() -> Observation:
    """What the last dealer of three-short sees before it discards a card."""
    state = ruleset("three-short").new_match(Deals(bytes(32)))
    while state.pending is None or state.pending.kind is not Kind.DISCARD:
        state.apply(state.legal_actions()[0])
    return state.observation(state.pending.seats[0])


@pytest.mark.parametrize("bot", [name for name in HOUSE if not missing(name)])
@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_every_sample_bot_plays_every_game(game: tuple[str, dict[str, str]], bot: str) -> None:
    name, options = game
    seats = ruleset(name, options).seats
    played = play_match([create(bot, seat) for seat in range(seats)], 3, name, options)
    assert len(played.outcome.points) == seats


def test_a_view_of_farrago_knows_its_pack_and_its_types() -> None:
    observation = until(Kind.BAR)
    for view in (from_message(message(observation, 1, 1, play_pb2.Clock())), View.of(observation)):
        assert isinstance(view, FarragoObservation)
        assert (view.type, view.pack.names[view.hand[0]]) == (
            DealType.BARRED,
            view.rules.card_text(observation.hand[0]),
        )
        assert view.unseen == observation.unseen


def test_none_stands_for_no_trumps_and_for_declining() -> None:
    class Nothing(Bot):
        def declare(self, view: Observation) -> int | None:
            return None

        def collect(self, view: Observation) -> int | None:
            return None

    assert Nothing().decide(until(Kind.DECLARE)) == parse_action("trump=NT")
    assert Nothing().decide(until(Kind.COLLECT)) == parse_action("none")


@pytest.mark.parametrize(
    ("kind", "method", "returned", "sentence"),
    [
        (Kind.PLAY, "play", None, "play returned None; expected a number of view.legal, such as 4 (S5)"),
        (Kind.PLAY, "play", True, "play returned True; expected a number of view.legal, such as 4 (S5)"),
        (Kind.PLAY, "play", 60, "play returned 60; expected a number of view.legal, such as 4 (S5)"),
        (
            Kind.PLAY,
            "play",
            "S10",
            "play returned 'S10'; expected a number of view.legal, such as 4 (S5); S10 is 9",
        ),
        (Kind.PLAY, "play", "+S10", "play returned '+S10'; expected a number of view.legal, such as 4 (S5)"),
        (
            Kind.COLLECT,
            "collect",
            -1,
            "collect returned -1; expected None or a card of the trick, such as 0 (S1)",
        ),
        (
            Kind.COLLECT,
            "collect",
            "f10",
            "collect returned 'f10'; expected None or a card of the trick, such as 0 (S1); F10 is 35",
        ),
        (Kind.DECLARE, "declare", 4, "declare returned 4; expected None or a suit, 0 to 3"),
        (Kind.DECLARE, "declare", "L", "declare returned 'L'; expected None or a suit, 0 to 3; L is 1"),
        (
            Kind.DISCARD,
            "discard",
            (3, 3),
            "discard returned (3, 3); expected two different cards of view.hand, such as [3, 7]",
        ),
        (
            Kind.DISCARD,
            "discard",
            ["S1", "L13"],
            "discard returned ['S1', 'L13']; expected two different cards of view.hand, such as [3, 7]; "
            "S1 is 0, L13 is 25",
        ),
        (
            Kind.DISCARD,
            "discard",
            7,
            "discard returned 7; expected two different cards of view.hand, such as [3, 7]",
        ),
        (Kind.DOUBLE, "double", None, "double returned None; expected True or False"),
        (Kind.PICK_TYPE, "pick_type", 0, "pick_type returned 0; expected a type, 1 to 10"),
        (Kind.PICK_TYPE, "pick_type", 11, "pick_type returned 11; expected a type, 1 to 10"),
        (Kind.BAR, "bar", 4, "bar returned 4; expected a suit, 0 to 3"),
        (Kind.BAR, "bar", "C", "bar returned 'C'; expected a suit, 0 to 3; C is 3"),
        (Kind.NAME_TRUMPS, "name_trumps", None, "name_trumps returned None; expected a suit, 0 to 3"),
        (
            Kind.SHOW,
            "show",
            "QD",
            "show returned 'QD'; expected a card of view.hand, such as 4 (6S); QD is 36",
        ),
    ],
)
def test_an_answer_that_is_no_action_is_named_with_what_was_expected(
    kind: Kind, method: str, returned: object, sentence: str
) -> None:
    bot = Bot()
    setattr(bot, method, lambda view: returned)
    with pytest.raises(BadAnswer) as error:
        bot.decide(until(kind))
    assert str(error.value) == sentence


def test_the_one_card_that_some_dealers_discard_is_asked_for_in_a_list() -> None:
    bot = Bot()
    observation = one_card_too_many()
    bot.discard = lambda view: []  # type: ignore[method-assign]
    with pytest.raises(BadAnswer, match=r"expected a list of one card of view\.hand, such as \[\d+\]$"):
        bot.decide(observation)


def test_an_illegal_answer_is_named_with_the_legal_ones() -> None:
    observation = until(Kind.DECLARE)
    observation.legal = observation.legal[:2]
    with pytest.raises(BadAnswer, match=r"declare returned 3 \(trump=O\); legal were trump=S trump=L$"):
        checked(observation, parse_action("trump=O"))


def test_a_long_list_of_legal_answers_is_cut() -> None:
    with pytest.raises(BadAnswer, match=r"discard returned 0 \(S1\); legal were discard=.* …$"):
        checked(until(Kind.DISCARD), 0)


def test_an_answer_that_is_no_number_is_shown_as_it_is() -> None:
    with pytest.raises(BadAnswer, match="play returned 'x'; legal were"):
        checked(until(Kind.PLAY), "x")  # type: ignore[arg-type]  # what a careless bot does


@pytest.mark.parametrize("answer", [True, 1.0])
def test_what_only_equals_an_integer_is_none(answer: Any) -> None:
    observation = until(Kind.PLAY)
    observation.legal = (1, 2)
    with pytest.raises(BadAnswer, match=rf"play returned {re.escape(repr(answer))}; legal were S2 S3$"):
        checked(observation, answer)


def test_a_question_of_a_kind_unknown_to_this_client_gets_a_legal_answer() -> None:
    unknown = play_pb2.Question(match=1, number=1, kind=99, legal=[7, 9])  # type: ignore[arg-type]
    view = from_message(unknown)
    assert view.kind is None
    assert Bot().decide(view) == 7


def test_a_view_from_the_network_is_the_observation_that_was_sent() -> None:
    state = fresh()
    while state.pending is not None:
        observation = state.observation(state.pending.seats[0])
        view = from_message(message(observation, 5, 3, play_pb2.Clock()))
        for field in Observation.__dataclass_fields__:
            assert getattr(view, field) == getattr(observation, field), field
        assert (view.match, view.number, view.trick, view.open) == (5, 3, observation.trick, observation.open)
        state.apply(state.legal_actions()[-1])


def test_a_view_knows_how_much_time_is_left() -> None:
    asked = question(1)
    asked.clock.limit_ms, asked.clock.spent_ms = 3_600_000, 600_000
    assert 2990 < from_message(asked).time_left <= 3000
    assert View.of(until(Kind.PLAY)).time_left == float("inf")


def test_a_view_has_no_other_attributes_than_it_says() -> None:
    with pytest.raises(AttributeError, match="'FarfaliaView' object has no attribute 'cards'"):
        from_message(question(1)).cards  # noqa: B018


def test_a_view_can_be_sent_to_another_process() -> None:
    view = from_message(question(1))
    copy = pickle.loads(pickle.dumps(view))
    assert (copy.match, copy.legal, copy.hand) == (view.match, view.legal, view.hand)


def test_until_a_bot_is_connected_its_log_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    class Talking(Bot):
        def play(self, view: Observation) -> int:
            self.log("hm", 1)
            raise KeyError("no more words")

    with pytest.raises(KeyError):
        play_match([Talking()] * 5)
    assert capsys.readouterr().err == "hm\n"
