"""What the command says of void attempts, and of a tournament that was cancelled."""

import asyncio
from functools import partial
from pathlib import Path

from tests.cli.command import Command
from tests.server.arena_client import FIVE, serving
from tests.server.void_attempts import QUOTE, ladder_match, void


async def test_the_command_shows_void_attempts_and_why_a_tournament_was_cancelled(tmp_path: Path) -> None:
    async with serving(tmp_path) as arena:
        admin = Command(tmp_path, FARFALIA_SERVER=arena.address, FARFALIA_ADMIN_TOKEN=arena.admin)
        ask = partial(asyncio.to_thread, admin.told)

        await arena.five()
        store = arena.here.store
        made = await arena.here.plan("spring", FIVE, rounds=1)
        assert "void" not in await ask("tournament", "show", made.id)
        await store.tournaments.start(made.id)
        (match,) = await store.matches.of_tournament(made.id)
        await void(store, match.id)
        (found,) = await store.void_attempts.newest()
        shown = await ask("tournament", "show", made.id)
        assert "1 void attempt, played again on other boards or given up.\n" in shown
        assert f"Match {match.id}, attempt 1, " in shown
        assert f"UTC: {QUOTE}. Key of {found.board}: {found.key.hex()}." in shown.replace("\n", " ")
        await void(store, await ladder_match(store, await store.bots.all()), "a fault")
        assert "chinkway: 1 void attempt" in await ask("ladder", "show")
        cancelled = await ask("tournament", "cancel", made.id, "--reason", "rain")
        assert "cancelled: rain." in cancelled
        assert "  secret      " in cancelled.partition("Deals:")[2]
        assert "cancelled: rain" in await ask("tournament", "list")
