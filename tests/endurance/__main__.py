"""The long run: thousands of matches with a server that is killed again and again, hostile bots, and outages.

`make endurance` runs it on SQLite, and on PostgreSQL with PostgreSQL and Redis stopped and started as well. The table
at its end says what held; the exit code is 1 if anything did not.

With --nodes it is a cluster that plays, and each kind of trouble has an option of its own. Cutting nodes off takes
Linux and root. With --hosts, programs that were handed in play, and their hosts are killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.endurance.cluster_run import ClusterPlan, ClusterRun
from tests.endurance.hosted_run import HostedPlan, HostedRun
from tests.endurance.long_run import LongRun, Plan
from tests.endurance.troubles import CUTS, KINDS
from tests.endurance.verdict import Verdict, table
from tests.server.postgres_fixture import Postgres, cluster, find_programs

#: Set once this process has a network of its own.
_ALONE = "FARFALIA_ENDURANCE_ALONE"


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # then everything that was started is ended
    given = _asked()
    if any(getattr(given, _name(kind)) for kind in CUTS) and _ALONE not in os.environ:
        _begin_again_in_a_network_of_our_own()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="farfalia-endurance-"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        leftovers = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        sys.exit(f"endurance: the folder {folder} cannot be used: {error.strerror}")
    if leftovers:
        sys.exit(f"endurance: the folder {folder} is not empty, it has {leftovers[0]}; name a new one with --folder")
    verdicts: list[Verdict] = []
    for database in [given.database] if given.database else ["sqlite", "postgresql"]:
        place = folder / database
        place.mkdir()
        with ExitStack() as stack:
            postgres = None
            if database == "postgresql":
                programs = find_programs()
                if programs is None:
                    sys.exit("endurance: PostgreSQL is not installed; --database sqlite does without")
                postgres = stack.enter_context(cluster(programs, listens="*" if _ALONE in os.environ else ""))
            verdicts.append(_run(given, place, postgres))
        print(table(verdicts[-1:]), flush=True)
    if len(verdicts) > 1:
        print(table(verdicts), flush=True)
    if all(verdict.holds for verdict in verdicts):
        shutil.rmtree(folder)
        return 0
    print(f"The logs are in {folder}.")
    return 1


def _run(given: argparse.Namespace, place: Path, postgres: Postgres | None) -> Verdict:
    if given.hosts:
        return HostedRun(place, HostedPlan(given.hosts, given.matches, given.every, given.program)).run()
    if not given.nodes:
        return LongRun(place, Plan(given.matches, given.kills, given.outages, given.seed), postgres).run()
    troubles = {kind: getattr(given, _name(kind)) for kind in KINDS}
    if postgres is None:
        troubles |= {"postgres-stops": 0, "postgres-cuts": 0}
    return ClusterRun(place, ClusterPlan(given.nodes, given.matches, troubles, given.every, given.seed), postgres).run()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches to play on each database (default: 10000)")
    parser.add_argument("--kills", type=int, default=50, help="times that the server is killed (default: 50)")
    parser.add_argument("--outages", type=int, default=10, help="times that PostgreSQL, and Redis, stop (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="decides when what happens (default: 1)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), help="only one of them; both if left out")
    parser.add_argument("--folder", type=Path, help="where databases and logs go; a temporary one if left out")
    nodes = parser.add_argument_group("a cluster", "More matches begin while there is trouble to come.")
    nodes.add_argument("--nodes", type=int, default=0, help="servers that play together; 0 for one by itself")
    nodes.add_argument("--every", type=float, default=2.0, help="seconds from one trouble to the next (default: 2)")
    for kind, help in KINDS.items():
        if kind != "kills":
            nodes.add_argument(f"--{kind}", type=int, default=0, help=help)
    hosts = parser.add_argument_group("hosts", "Programs that were handed in play on hosts that are killed.")
    hosts.add_argument("--hosts", type=int, default=0, help="hosts, one of which is killed each --every seconds")
    hosts.add_argument("--program", type=Path, action="append", default=[], help="a folder to hand in as well")
    given = parser.parse_args()
    if given.hosts:
        given.database = "sqlite"
    return given


def _name(kind: str) -> str:
    return kind.replace("-", "_")


def _begin_again_in_a_network_of_our_own() -> None:
    """Replace this process by one that may do with its network what it likes; it is gone with the last process."""
    if shutil.which("unshare") is None or os.getuid() != 0:
        sys.exit("endurance: nodes can be cut off by root on Linux only, with unshare, nsenter and ip")
    os.environ[_ALONE] = "1"
    os.execvp("unshare", ["unshare", "--net", sys.executable, "-m", "tests.endurance", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
