"""A run of programs that were handed in, in several languages, on hosts that are killed one after the other."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from tests.endurance.memory import Memory
from tests.endurance.verdict import Verdict, judge
from tests.server.live import LiveServer, until
from tests.server.system.hosts import TEN_LINES, HostProcess, a_folder, is_connected, submit

from farfalia.v1 import stages_pb2, tournaments_pb2

#: Seconds for which a host is away, after which a run that stands still is given up, and between two lines.
_AWAY, _STILL, _SAY = 3.0, 240.0, 15.0
_HOUSE = "house-greedy-1"
_NODE_BOT = Path(__file__).parents[2] / "clients" / "node"


@dataclass(frozen=True)
class HostedPlan:
    """How many matches are played on how many hosts, of which one is killed every so many seconds.

    `programs` are folders that play beside a Python bot and the Node.js one, for example a compiled one's.
    """

    hosts: int
    matches: int
    every: float
    programs: Sequence[Path]


class HostedRun:
    """A run on SQLite."""

    def __init__(self, folder: Path, plan: HostedPlan) -> None:
        self._plan = plan
        self._server = LiveServer(folder, {"log_level": "warning"}, program=("-m", "farfalia_server"), patience=_STILL)
        self._verdict = Verdict(f"{plan.hosts} hosts")
        self._kills = 0

    def run(self) -> Verdict:
        """Hand in, play, and judge."""
        with ExitStack() as stack:
            self._server.start()
            stack.callback(self._server.stop)
            hosts = [stack.enter_context(HostProcess(self._server, f"host-{at}")) for at in range(self._plan.hosts)]
            bots = self._hand_in()
            for bot in bots:
                until(partial(is_connected, self._server, bot))
            began = time.monotonic()
            number = self._server.tournament(
                [*bots, _HOUSE], rounds=self._plan.matches, ruleset="four", options={"target": "20"},
                boards=stages_pb2.BOARDS_FRESH,
            )  # fmt: skip
            self._go_through(number, hosts)
            took = time.monotonic() - began
            self._verdict.figures |= {
                "kills": str(self._kills),
                "minutes": f"{took / 60:.1f}",
                "matches a second": f"{self._plan.matches / took:.1f}",
            }
            memory = Memory()
            memory.lives.append([])
            memory.look(self._server.process.pid, 0)
            judge(self._verdict, [self._server], {number: self._plan.matches}, [memory], honest=bots)
        return self._verdict

    def _hand_in(self) -> list[str]:
        """Hand in a program for each bot: most by the command, one by a request; note how long a check takes."""
        node = self._server.folder / "program-node"
        shutil.copytree(_NODE_BOT, node)
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=node, check=True)
        folders = {"python": a_folder(self._server, "python", {"bot.py": TEN_LINES}), "node": node}
        folders |= {f"other-{at}": folder for at, folder in enumerate(self._plan.programs)}
        while len(folders) < 3:
            folders["python-two"] = a_folder(self._server, "python-two", {"bot.py": TEN_LINES})
        for bot, folder in folders.items():
            token, began = self._server.register(bot), time.monotonic()
            if bot == "node":
                self._request(folder, bot, token)
            else:
                done = submit(self._server, token, str(folder), "--bot", bot)
                assert done.returncode == 0, done.stderr
            until(partial(is_connected, self._server, bot))
            self._verdict.figures[f"seconds until {bot} was ready"] = f"{time.monotonic() - began:.1f}"
        return list(folders)[:3]

    def _request(self, folder: Path, bot: str, token: str) -> None:
        archive = folder.with_suffix(".tar.gz")
        subprocess.run(["tar", "-czf", str(archive), "-C", str(folder), "."], check=True)
        answer = httpx.post(
            f"http://{self._server.http_address}/api/bots/{bot}/programs",
            content=archive.read_bytes(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/gzip"},
            timeout=60,
        )
        assert answer.status_code == 201, answer.text

    def _go_through(self, number: int, hosts: Sequence[HostProcess]) -> None:
        """Kill one host after the other until the tournament is over."""
        began = moved = said = time.monotonic()
        seen = 0
        while (shown := self._server.show(number)).state != tournaments_pb2.TOURNAMENT_STATE_FINISHED:
            now = time.monotonic()
            if shown.finished > seen:
                seen, moved = shown.finished, now
            if now - moved > _STILL:
                self._verdict.faults.append(f"nothing has ended for {_STILL:.0f} s")
                return
            if now - began > self._plan.every * (self._kills + 1):
                host = hosts[self._kills % len(hosts)]
                host.kill()
                time.sleep(_AWAY)
                host.start()
                self._kills += 1
            if now - said > _SAY:
                said = now
                print(f"{self._verdict.name}: {seen}/{self._plan.matches} matches, {self._kills} kills", flush=True)
            time.sleep(0.2)
