"""Attempts that are void, in a store."""

from tests.server.store_world import CONTROL, SECRET, claim, seats

from farfalia_engine import commitment
from farfalia_server.store import Bot, NewLadderMatch, NewMatch, Store, VoidReason

QUOTE = "card 17 is not in the hand 3, 9, 21"


async def void(store: Store, match_id: int, reason: str = QUOTE) -> None:
    claimed = await claim(store, match_id)
    assert await store.claims.void(match_id, claimed.match.epoch, VoidReason.SERVER_FAILED, reason)


async def ladder_match(store: Store, bots: list[Bot]) -> int:
    new = NewLadderMatch(NewMatch(0, "board-1", seats(bots)), SECRET, commitment(SECRET))
    (match,) = await store.matches.plan([new], ruleset="chinkway", options={}, time_control=CONTROL, ladder="chinkway")
    return match.id
