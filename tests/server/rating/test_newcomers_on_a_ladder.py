"""Settled bots learn nothing from newcomers, and database, chain, `verify` and strangers come to the same ratings."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToJson
from tests.server.store_world import five_bots, match_ids, play_out, started

from farfalia_server.rating.rater import Rater
from farfalia_server.rating.rebuilding import RebuildReport, rebuild
from farfalia_server.records.chain_checking import verify_ladders
from farfalia_server.records.codec import from_message
from farfalia_server.store import Bot, Store
from farfalia_tournaments import read_entry
from farfalia_tournaments.ratings import settling

#: Entries with which the ladder is young here, so that a few matches tell.
YOUNG = 12
SCRIPT = Path(__file__).parents[2] / "strangers" / "recompute_ratings.py"


@pytest.fixture(autouse=True)
def _soon_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "YOUNG", YOUNG)


async def mu(store: Store, bot: Bot) -> float:
    return (await store.ratings.of("chinkway", [bot.id]))[bot.id].mu


async def newcomers_played(store: Store) -> list[Bot]:
    """Five bots with twelve matches each, and then two newcomers among them, one of whom settles."""
    old = await five_bots(store)
    new = [(await store.bots.register(f"new-{number}"))[0] for number in range(4)]
    for bots, matches in (
        (old, YOUNG),
        ([old[0], *new], 2),
        ([*old[:3], *new[:2]], 1),
        ([*old[:4], new[0]], 10),
        ([*new[:3], *old[:2]], 2),
    ):
        for match in await match_ids(store, await started(store, bots, matches)):
            await play_out(store, match)
            await Rater(store).rate_all()
    return [*old, *new]


async def test_one_bot_among_newcomers_keeps_its_rating_and_they_get_theirs(store: Store) -> None:
    old = await five_bots(store)
    new = [(await store.bots.register(f"new-{number}"))[0] for number in range(4)]
    for match in await match_ids(store, await started(store, old, YOUNG)):
        await play_out(store, match)
    await Rater(store).rate_all()
    before = await mu(store, old[0])
    for match in await match_ids(store, await started(store, [old[0], *new], 3)):
        await play_out(store, match)
    await Rater(store).rate_all()
    assert await mu(store, old[0]) == before
    assert 25 not in [await mu(store, bot) for bot in new]
    ratings = await store.ratings.of("chinkway", [bot.id for bot in (*old, *new)])
    assert [ratings[bot.id].settled for bot in (*old, *new)] == [True] * 5 + [False] * 4
    assert [ratings[bot.id].counted for bot in new] == [0] * 4
    assert ratings[old[0].id].matches == YOUNG + 3


async def test_a_rebuild_and_verify_come_to_the_same(store: Store, tmp_path: Path) -> None:
    bots = await newcomers_played(store)
    async with aclosing(rebuild(store)) as steps:
        found = [step async for step in steps]
    assert found[-1] == RebuildReport(YOUNG + 15, YOUNG + 15, over=True)
    ratings = await store.ratings.of("chinkway", [bot.id for bot in bots])
    assert [ratings[bot.id].settled for bot in bots] == [True] * 6 + [False] * 3
    lines = [line.line for line in await store.rating_chain.page("chinkway", 0, 100)]
    published = [read_entry(line) for line in lines]
    records = {one.entry.match: await store.records.get(one.entry.match) for one in published}
    (verdict,) = verify_ladders(published, {match: from_message(record) for match, record in records.items()})
    assert verdict.holds, verdict.violations
    a_stranger_agrees(
        lines,
        [MessageToJson(one, indent=None, always_print_fields_with_no_presence=True) for one in records.values()],
        tmp_path,
    )


def a_stranger_agrees(chain: list[str], records: list[str], folder: Path) -> None:
    """The script that strangers have, for a ladder that is grown as soon as this one."""
    script = folder / "recompute.py"
    script.write_text(SCRIPT.read_text().replace("YOUNG, SETTLED = 100,", f"YOUNG, SETTLED = {YOUNG},"))
    (folder / "chain.ndjson").write_text("\n".join(chain))
    (folder / "ladder.ndjson").write_text("\n".join(records))
    (folder / "ratings.json").write_text(json.dumps({"bots": []}))
    command = [sys.executable, "-I", "-S", str(script), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout == f"{len(chain)} matches of a ladder agree\n"
