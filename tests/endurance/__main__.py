"""The long run: thousands of matches with a server that is killed again and again, hostile bots, and outages.

`make endurance` runs it on SQLite, and on PostgreSQL with PostgreSQL and Redis stopped and started as well. The table
at its end says what held; the exit code is 1 if anything did not.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.endurance.long_run import LongRun, Plan
from tests.endurance.verdict import Verdict, table
from tests.server.postgres_fixture import cluster, find_programs


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # then everything that was started is ended
    plan, databases, folder = _asked()
    verdicts: list[Verdict] = []
    for database in databases:
        place = folder / database
        place.mkdir()
        with ExitStack() as stack:
            postgres = None
            if database == "postgresql":
                programs = find_programs()
                if programs is None:
                    sys.exit("endurance: PostgreSQL is not installed; --database sqlite does without")
                postgres = stack.enter_context(cluster(programs))
            verdicts.append(LongRun(place, plan, postgres).run())
        print(table(verdicts[-1:]), flush=True)
    if len(verdicts) > 1:
        print(table(verdicts), flush=True)
    if all(verdict.holds for verdict in verdicts):
        shutil.rmtree(folder)
        return 0
    print(f"The logs are in {folder}.")
    return 1


def _asked() -> tuple[Plan, list[str], Path]:
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches to play on each database (default: 10000)")
    parser.add_argument("--kills", type=int, default=50, help="times that the server is killed (default: 50)")
    parser.add_argument("--outages", type=int, default=10, help="times that PostgreSQL, and Redis, stop (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="decides when what happens (default: 1)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), help="only one of them; both if left out")
    parser.add_argument("--folder", type=Path, help="where databases and logs go; a temporary one if left out")
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="farfalia-endurance-"))
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(given.matches, given.kills, given.outages, given.seed)
    return plan, [given.database] if given.database else ["sqlite", "postgresql"], folder


if __name__ == "__main__":
    sys.exit(main())
