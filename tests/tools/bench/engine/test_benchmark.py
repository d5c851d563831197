import re
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from tests.tools.bench.engine.engine_loops import LOOPS, SELF_PLAY

from farfalia_engine import SUIT, cards_in
from farfalia_tools.bench.engine import contest
from farfalia_tools.bench.engine.benchmark import run
from farfalia_tools.bench.engine.contest import ContestReport, table
from farfalia_tools.bench.engine.determinizations import contradicts
from farfalia_tools.bench.engine.openspiel import REFERENCE
from farfalia_tools.bench.engine.setting import OURS, asked, setting


@pytest.fixture(scope="module", autouse=True)
def few_rounds() -> Iterator[None]:
    """Each loop is measured only a few times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contest, "ROUNDS", 2)
        yield


@pytest.fixture(scope="module")
def report() -> ContestReport:
    """What is measured with all engines that are installed."""
    return run(0.01, seed=1)


def test_every_loop_of_the_engine_is_measured(report: ContestReport) -> None:
    assert {row.loop for row in report.rows if row.name == OURS} == LOOPS
    assert all(row.per_second > 0 for row in report.rows)


def test_the_reference_is_compared_with_itself_where_it_is_installed(report: ContestReport) -> None:
    pytest.importorskip("pyspiel")
    assert {row.loop for row in report.rows if row.name == REFERENCE} == LOOPS - {SELF_PLAY}
    assert {row.ratio for row in report.rows if row.name == REFERENCE} == {1.0}
    assert all(row.ratio for row in report.rows if row.loop != SELF_PLAY)


def test_no_sampled_determinization_of_ours_contradicts_the_play(report: ContestReport) -> None:
    assert any(
        re.fullmatch(r"sample: of \d\d\d determinizations that chinkway sampled 0 contradict the play\.", note)
        for note in report.notes
    )


def test_a_world_contradicts_the_play_if_a_hand_has_a_suit_that_it_did_not_follow() -> None:
    found = Counter[bool]()
    for seed in range(5):
        start = setting(Random(seed))
        for state in start.states:
            observation, determinization = state.observation(asked(state)), state.clone()
            hands = determinization._hands
            one, other = [position for position in (1, 2, 3, 4) if position != observation.position][:2]
            hands[one], hands[other] = hands[other], hands[one]
            if hands[one].bit_count() == hands[other].bit_count():
                wrong = any(
                    SUIT[card] in observation.voids[place] for place in (one, other) for card in cards_in(hands[place])
                )
                assert contradicts(observation, determinization) == wrong
                found[wrong] += 1
    assert min(found[True], found[False]) > 10


def test_a_world_contradicts_the_play_if_it_looks_different() -> None:
    start = setting(Random(1))
    observation = start.midway.observation(asked(start.midway))
    assert not contradicts(observation, start.midway)
    assert contradicts(observation, start.states[-1])


def test_without_openspiel_the_engine_is_measured_alone_and_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    report = run(0.01, seed=1)
    assert {row.name for row in report.rows} == {OURS}
    assert {row.ratio for row in report.rows} == {None}
    assert "OpenSpiel is not installed" in table(report)
