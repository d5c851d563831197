"""What the commands say of a tournament that waits for its network."""

import asyncio
from pathlib import Path

from tests.cli.command import Command
from tests.server.arena_client import serving

from farfalia.arena import Arena
from farfalia.v1 import tournaments_pb2
from farfalia_server.store import PauseCause

NAMES = [f"team{number:02}" for number in range(40)]


async def test_the_commands_say_who_is_missing_and_what_ends_the_wait(tmp_path: Path) -> None:
    async with serving(tmp_path) as arena:
        admin = Command(tmp_path, FARFALIA_SERVER=arena.address, FARFALIA_ADMIN_TOKEN=arena.admin)

        async def ask(*arguments: object) -> str:
            return " ".join((await asyncio.to_thread(admin.told, *arguments)).split())

        store = arena.here.store
        await arena.here.register(*NAMES)
        final = await arena.here.plan("final", NAMES, rounds=1, ruleset="two")
        await store.tournaments.start(final.id)
        arena.here.crowd.names = {NAMES[0]}
        gone = [bot.id for bot in await store.bots.all() if bot.name in NAMES[1:]]
        await store.pauses.pause(final.id, PauseCause.NETWORK, "39 of 40 bots were lost within 30 s", gone=gone)

        shown = await ask("tournament", "show", final.id)
        assert "0 of 20 matches, paused." in shown
        assert (
            "Paused: 39 of 40 bots were lost within 30 s. Missing: team01, team02, team03, team04, team05 and 34 "
            "others. It goes on by itself when they are back. To end the wait, withdraw them, or run: farfalia "
            f"tournament resume {final.id}"
        ) in shown
        assert "paused" in await ask("tournament", "list")
        assert "39 of 40 bots were lost within 30 s" in await ask("tournament", "log", final.id)
        await ask("tournament", "withdraw", final.id, NAMES[6])
        async with Arena(arena.address, arena.admin) as calls:
            for name in NAMES[7:]:
                withdrawn = tournaments_pb2.WithdrawFromTournamentRequest(id=final.id, bot=name)
                await calls.ask("WithdrawFromTournament", withdrawn)
        assert "Missing: team01, team02, team03, team04 and team05. It" in await ask("tournament", "show", final.id)
        assert "Paused" not in await ask("tournament", "resume", final.id)
        assert "Waiting for team01, team02" in await ask("tournament", "show", final.id)
