"""A game of a family of its own, all of which is in one file: nothing else has to know it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from tests.engine.recorded import recorded
from tests.toy_game.high_card import CARDS, SIZE, HighCard, HighCardObservation

import farfalia_engine as engine
from farfalia.bots import NAMES, create
from farfalia.learning.tensor_layout import tensor_layout
from farfalia.testing import check
from farfalia.view import View, from_message
from farfalia_engine import Deals, Kind, Unsolvable, flat_monte_carlo, rollouts, ruleset
from farfalia_server.cli.match_text import print_match
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.records import codec
from farfalia_server.records.deal_views import deals_of
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.static_files import StaticAddresses

PACKAGE = Path(__file__).parent / "toy_game"


@pytest.fixture(autouse=True)
def high_card() -> Iterator[None]:
    engine.GAMES[HighCard.name] = HighCard
    yield
    del engine.GAMES[HighCard.name]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed the game and its bot as a package of their own."""
    source, target = tmp_path_factory.mktemp("source") / "package", tmp_path_factory.mktemp("target")
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", target, source], check=True)
    return target


def farfalia(where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command where this folder's packages are installed, too."""
    command = [sys.executable, "-m", "farfalia_server", *words]
    environment = {**os.environ, "PYTHONPATH": str(where)}
    return subprocess.run(command, env=environment, cwd=where, capture_output=True, text=True, check=False)


def test_an_installed_game_and_bot_play_a_tournament_whose_records_verify(installed: Path, tmp_path: Path) -> None:
    records = str(tmp_path / "all")
    command = ("run", "--bot", "highest", "--bot", "random", "--game", "high-card", "--rounds", "20")
    done = farfalia(installed, *command, "--records", records, "--json", "-")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)["tournament"]
    assert (shown["ruleset"], shown["finished"]) == ("high-card", 40)
    assert {row["entrant"] for row in shown["standings"]} == {"highest", "random"}
    checked = farfalia(installed, "verify", records)
    assert checked.returncode == 0, checked.stdout
    unknown = farfalia(tmp_path, "verify", records)
    assert unknown.returncode == 1
    assert "there is no game 'high-card'" in unknown.stdout + unknown.stderr


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("two", "os:getcwd", "the name is taken"),
        ("odd", "os:getcwd", "expected a subclass of Game, got <built-in function getcwd>"),
        ("odd", "no_such_module:Odd", "cannot be imported: ModuleNotFoundError"),
    ],
)
def test_what_an_installed_package_brings_and_cannot_be_used_is_left_out(
    tmp_path: Path, name: str, value: str, why: str
) -> None:
    described = tmp_path / "odd-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[farfalia.games]\n{name} = {value}\n")
    done = farfalia(tmp_path, "tournament", "plan", "--game", "two", "--entrants", "3")
    assert done.returncode == 0, done.stderr
    assert f"{name} of odd (farfalia.games) is left out: " in done.stderr
    assert why in done.stderr


def test_it_is_played_searched_and_sampled() -> None:
    state = ruleset("high-card").new_match(Deals(bytes(32)))
    observation = state.observation(1)
    assert observation.sample(Random(1)).observation(1) == observation
    assert flat_monte_carlo(observation, Random(1), 50).best in observation.legal
    assert sum(rollouts(state, 10, seed=1)) == SIZE
    with pytest.raises(Unsolvable, match="high-card has no endgame model"):
        engine.solve(state)
    with pytest.raises(engine.RulesetError, match="high-card has no tensors"):
        tensor_layout(observation.rules)
    assert (observation.missing(1), observation.burned, observation.barren, observation.deciding) == (
        b"",
        b"",
        True,
        False,
    )


def test_it_is_recorded_verified_and_replayed() -> None:
    record = recorded("high-card")
    assert engine.verify(record).violations == ()
    assert [len(state.plays) for state in engine.replay(record)][-1] == 2 * SIZE
    assert codec.from_message(codec.to_message(record)) == record


def test_it_is_shown_on_a_terminal_and_on_a_page() -> None:
    record = recorded("high-card")
    (deal,) = deals_of(record)
    assert (deal.type, deal.trumps_words, len(deal.tricks), deal.collecting) == ("high card", "no trumps", SIZE, False)
    out = StringIO()
    with redirect_stdout(out):
        print_match(record, [deal])
    assert "Deal 1: Ada deals, high card, trumps none." in " ".join(out.getvalue().split())
    assert all(name in out.getvalue() for name in CARDS)
    environment = PageRenderer("here", "1", StaticAddresses()).environment
    page = environment.from_string('{% from "macros.html" import card, family, named %}{% include "deal.html" %}')
    match = SimpleNamespace(id=1, entrants=[seat.name for seat in record.seats])
    shown = page.render(deal=deal, deals=[deal], match=match, record=record, causes=[0] * 6, replaced=())
    assert "<dt>Type</dt><dd>high card</dd>" in shown
    assert all(f'title="the {name}"' in shown for name in CARDS)


def test_it_is_played_through_the_view_of_the_sdk() -> None:
    observation = ruleset("high-card").new_match(Deals(bytes(32))).observation(1)
    encoded = QuestionEncoder(1).question(1, Kind.PLAY, observation, observation.legal)
    view = from_message(type(View.of(observation)._question).FromString(encoded))
    assert isinstance(view, HighCardObservation)
    assert (view.hand, view.legal, view.unseen) == (observation.hand, observation.legal, observation.unseen)
    assert view.would_win(view.legal[0])


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_bot_plays_it(name: str) -> None:
    report = check(create(name, 1), matches=2, name="high-card", opponents="cautious")
    assert report.ok, str(report)
