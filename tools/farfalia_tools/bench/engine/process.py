"""A process that measures the loops of the engine's benchmark in slices, whenever it is told to.

Its first line names the loops. Each line that it is then given names a loop and CPU seconds, and is answered with units
and the seconds that they took.
"""

import json
import sys
from random import Random

from farfalia_tools.bench.engine.benchmark import TOPICS
from farfalia_tools.bench.engine.contest import work
from farfalia_tools.bench.engine.setting import setting

#: CPU seconds of each loop before anything is measured.
_WARM_UP = 0.02


def main(seed: int) -> None:
    """Measure until the input ends."""
    start = setting(Random(seed), alone=True)
    contestants = {contestant.loop: contestant for topic in TOPICS for contestant in topic(start)}
    for contestant in contestants.values():
        work(contestant, _WARM_UP)
    print(json.dumps(list(contestants)), flush=True)
    for line in sys.stdin:
        loop, seconds = json.loads(line)
        print(json.dumps(work(contestants[loop], seconds)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
