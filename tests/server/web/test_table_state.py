"""The scripts that make tables out of events: run by node on real matches, and compared with the engine."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import played
from tests.engine.games import label, pairwise

from farfalia_engine import FAMILIES, Kind, Record, State, replay
from farfalia_server.records.codec import to_message
from farfalia_server.records.deal_views import deals_of
from farfalia_server.records.spectator_events import SpectatorEvents
from farfalia_server.web import played_deal
from farfalia_server.web.static_files import FOLDER
from farfalia_server.wording.amounts import duration
from farfalia_server.wording.player import player_words
from farfalia_server.wording.table import told

Game = tuple[str, dict[str, str]]
Step = dict[str, Any]

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no node here; CI has it")


class Scripts:
    """The pages' scripts in a node that makes tables of one list of events after another."""

    def __init__(self, folder: Path, node: subprocess.Popen[str]) -> None:
        self.folder = folder
        self._node = node

    def steps(self, events: list[dict[str, Any]]) -> list[Step]:
        """The tables that the scripts make of events."""
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps({"events": events, "texts": player_words()}) + "\n")
        self._node.stdin.flush()
        answer = self._node.stdout.readline()
        assert answer, "node has failed; it says why on its standard error"
        found: list[Step] = json.loads(answer)
        return found


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripts]:
    """The scripts where node takes them as modules."""
    folder = tmp_path_factory.mktemp("scripts")
    for script in FOLDER.glob("*.js"):
        shutil.copy(script, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    command = ["node", str(Path(__file__).with_name("table_steps.mjs")), str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        yield Scripts(folder, node)


@cache
def match(game: str, options: tuple[tuple[str, str], ...]) -> Record:
    return played(1, game=game, options=dict(options))


def record_of(game: Game) -> Record:
    return match(game[0], tuple(game[1].items()))


def after_each_card(record: Record) -> list[tuple[int, State]]:
    """The deal of each card, and the state when all that follows from the card is done."""
    states, found, deal = replay(record), [], 0
    before = next(states).clone()
    for action, state in zip(record.actions, states, strict=True):
        assert before.pending is not None
        kind, deal = before.pending.kind, before.deal
        if kind is Kind.PLAY:
            found.append((deal, state.clone()))
        elif kind is Kind.COLLECT:
            found[-1] = deal, state.clone()
        before = state.clone()
        del action
    return found


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_played_deal_stands_at_every_card_as_in_the_record(scripts: Scripts, game: Game) -> None:
    record = record_of(game)
    views, after = deals_of(record), after_each_card(record)
    for view in (views[0], views[-1]):
        found = scripts.steps(played_deal.played_deal(to_message(record), len(views), view.number)["events"])
        states = [state for deal, state in after if deal == view.number]
        assert len(found) == 1 + len(states)
        assert found[0]["dealt"] is not None
        for step, state in zip(found[1:], states, strict=True):
            if state.deal != view.number or state.pending is None:
                continue  # the deal is over, and the state is of the next one
            check_table(step, state)
        last = found[-1]
        assert any(last["hands"]) == ("burnin" in game[1]), "whoever has wild cards has two more than there are tricks"
        assert not any(card for stacks in last["stacks"].values() for stack in stacks for card in stack)
        assert last["points"] == list(view.scores)
        assert [trick["winner"] for trick in last["tricks"]] == [trick.winner for trick in view.tricks]
        for side in set(view.sides):
            assert last["collections"][view.sides.index(side)] == [face.text for face in view.collected(side)]
        for position, places in enumerate(last["slots"]):
            assert "".join(place["family"] for place in places) == last["proposal"]
            taken = [place for place in places if place["card"]]
            assert sorted(place["card"] for place in taken) == sorted(last["collections"][position])
            families = {face.text: face.family for face in view.collected(view.sides[position])}
            assert all(families[place["card"]] == place["family"] for place in taken)
        for trick, shown in zip(last["tricks"], view.tricks, strict=True):
            assert trick["why"] == shown.why != ""
            assert trick["may"] == [face.text for face in shown.may]
            assert trick["burned"] == [face.text for face in shown.burned]


def check_table(step: Step, state: State) -> None:
    """Compare one table with the engine's state."""
    observation, text = state.public_observation(), state.rules.card_text
    assert step["held"] == list(observation.held)
    assert step["totals"] == list(observation.totals)
    assert step["proposal"] == "".join(FAMILIES[family] for family in observation.subjects)
    assert step["trumps"] == state.rules.game.wording.trumps(observation.trumps)[0]
    assert [trick["winner"] for trick in step["tricks"] if trick["winner"] is not None] == list(observation.winners)
    assert state.pending is not None
    assert step["turn"] == state.pending.position
    for position, seat in enumerate(observation.seats):
        if position in observation.dummies:
            cards = [card for stack in step["stacks"][str(position)] for card in stack]
            face_up = {card["card"] for card in cards if card["up"]}
            assert face_up == {text(card) for card in observation.face_up[observation.dummies.index(position)]}
            assert len(cards) == observation.held[position]
        else:
            assert Counter(step["hands"][position]) == Counter(map(text, state.observation(seat).hand))


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_table_that_plays_stands_as_one_that_is_replayed_but_for_what_is_hidden(scripts: Scripts, game: Game) -> None:
    record = record_of(game)
    state = next(replay(record))
    live = SpectatorEvents(state, [seat.name for seat in record.seats], match=record.match)
    live.follow_all(record.actions)
    found = [step for step in scripts.steps([event.values for event in live.events]) if step["deal"] == 1]
    events = played_deal.played_deal(to_message(record), len(deals_of(record)), 1)["events"]
    replayed = scripts.steps(events)
    assert len(found) == len(replayed)
    for ours, theirs in zip(found[:-1], replayed, strict=False):
        assert ours["hands"] is None, "no hand is shown while a deal is played"
        for name in ("held", "seats", "sides", "trumps", "proposal", "totals", "turn", "collections", "worth", "said"):
            assert ours[name] == theirs[name], name
        for position, stacks in theirs["stacks"].items():
            shown = [[card["card"] for card in stack if card["up"]] for stack in stacks]
            assert [[card["card"] for card in stack if card["up"]] for stack in ours["stacks"][position]] == shown
    assert found[-1]["dealt"] is not None, "the hands are shown when the deal is over"


def test_the_reader_s_own_hand_is_without_what_it_has_played(scripts: Scripts) -> None:
    record = played(1, game="four")
    state = next(replay(record))
    live = SpectatorEvents(state, [seat.name for seat in record.seats], match=1)
    live.follow_all(record.actions[:8])
    events = [event.values for event in live.events]
    hand = ["S1", *(event["card"] for event in events if event["type"] == "play" and event["seat"] == 2)]
    dealt = next(at for at, event in enumerate(events) if event["type"] == "deal")
    events.insert(dealt + 1, {"type": "own", "seat": 2, "cards": hand})
    found = scripts.steps(events)
    assert found[0]["own"]["cards"] == hand
    assert found[-1]["own"]["cards"] == ["S1"]


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_the_terminal_says_what_the_pages_say(scripts: Scripts, game: Game) -> None:
    record = record_of(game)
    events = played_deal.played_deal(to_message(record), len(deals_of(record)), 2)["events"]
    first, *found = scripts.steps(events)
    deal = told(events)
    assert deal.opening == first["opening"]
    for step, card in zip(found, deal.cards, strict=True):
        said = [sentence for sentence in card.sentences if not sentence.startswith(("Trumps: ", "Points of "))]
        assert said == step["said"]
        assert card.note == step["note"]


def test_the_sentences_of_a_trick_name_who_won_it_why_and_what_was_left(scripts: Scripts) -> None:
    record = played(1)
    found = scripts.steps(played_deal.played_deal(to_message(record), 11, 2)["events"])
    assert found[0]["opening"][:2] == ["ben deals deal 2.", "ben discards 1 of fishes; 12 of fishes, a butterfly."]
    ended = [step for step in found if len(step["said"]) > 1]
    trick = next(step["tricks"][-1] for step in ended if step["tricks"][-1].get("collected"))
    (said,) = [step["said"] for step in ended if step["tricks"][-1]["number"] == trick["number"]]
    assert said[1].endswith(f"wins trick {trick['number']}: {trick['why']}.")
    assert " collects " in said[2]
    assert found[-1]["score"].startswith("Points of deal 2: ada ")


def test_scripts_write_times_as_the_terminal_does(scripts: Scripts) -> None:
    times = [0, 999, 1000, 1250, 59_940, 59_960, 60_000, 60_500, 90_000, 3_599_600, 3_630_000, 3_900_000, 7_200_000]
    program = (
        'import { time } from "./table_words.js";'
        f"console.log(JSON.stringify({times}.map((ms) => time(ms, {json.dumps(player_words())}))));"
    )
    command = ["node", "--input-type=module", "--eval", program]
    done = subprocess.run(command, cwd=scripts.folder, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == [duration(ms) for ms in times]
