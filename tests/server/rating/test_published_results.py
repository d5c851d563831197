"""What follows from a ladder's results is the same from what the server publishes as from its database."""

import random
from pathlib import Path

from tests.server.migrated import sqlite_url
from tests.server.store_world import match_ids, play_out, seats, started

from farfalia.v1 import ratings_pb2
from farfalia_server.rating.effect_messages import effect_message
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.whole_history import report_collusion
from farfalia_server.records.codec import from_message
from farfalia_server.records.published_results import ladder_favours, ladder_results
from farfalia_server.store import NewMatch, Store
from farfalia_tournaments import collusion, read_entry


async def test_the_report_on_collusion_can_be_recomputed_from_chain_and_records(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots, chance = [(await store.bots.register(f"bot-{number}"))[0] for number in range(7)], random.Random(5)
        # Every board is played twice, so that hands are taken out, too.
        planned = [
            NewMatch(number, f"board-{number // 2}", seats(chance.sample(bots, 5)), table=number % 2)
            for number in range(1, 61)
        ]
        matches = await match_ids(store, await started(store, bots, planned))
        for match in chance.sample(matches, len(matches)):
            await play_out(store, match)
        await Rater(store).rate_all()
        kept = (await report_collusion(store, "chinkway")).effects
        published = [read_entry(line.line) for line in await store.rating_chain.page("chinkway", 0, 1000)]
        records = {match: from_message(await store.records.get(match)) for match in matches}
    results = ladder_results(reversed(published), records)
    assert list(results) == ["chinkway"]
    assert all(any(result.luck) for result in results["chinkway"])
    cards = ladder_favours(published, records)
    effects = collusion(results["chinkway"], cards=cards["chinkway"])
    recomputed = ratings_pb2.ReportCollusionResponse(effects=map(effect_message, effects))
    assert all(effect.favour_matches for effect in kept)
    assert len(kept) > 30
    assert list(recomputed.effects) == list(kept)


def test_matches_whose_records_are_missing_are_left_out() -> None:
    line = (
        '{"before":"","digest":"","entry":1,"hash":"' + "0" * 64 + '","ladder":"chinkway","match":7,"seats":[],'
        '"system":"trueskill"}'
    )
    assert ladder_results([read_entry(line)], {}) == {}
