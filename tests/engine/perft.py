"""How many ways there are to go on: `python -m tests.engine.perft` writes tests/playthroughs/perft.json anew.

A count of depth n is the number of action sequences of length n; where several seats decide at once, the first
of them is next. Two engines that count the same agree on what is legal, and on what follows from it.
"""

import json
from collections.abc import Iterator
from typing import Any

from tests.engine.playthrough import FOLDER, KEY, MATCHES

from farfalia_engine import Deals, Kind, State, ruleset
from farfalia_engine.deals import WordStream

FILE = FOLDER / "perft.json"
#: Counting stops at the depth that would exceed this.
MOST = 20_000


def perft(state: State, depth: int) -> int:
    """The number of action sequences of this length."""
    if depth == 0 or state.pending is None:
        return int(depth == 0)
    legal = state.legal_actions()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = state.clone()
        after.apply(action)
        total += perft(after, depth - 1)
    return total


def positions(name: str, options: dict[str, str]) -> Iterator[list[str]]:
    """What is done before counting begins: nothing, and what leads to the last tricks of the first deal."""
    yield []
    rules, deals = ruleset(name, options), Deals(KEY)
    stream, state, actions = WordStream(deals, "playthrough"), rules.new_match(deals), list[str]()
    while state.pending and not (state.pending.kind is Kind.PLAY and max(state.observation(0).held) <= 4):
        legal = state.legal_actions()
        action = legal[stream.uniform(len(legal))]
        actions.append(rules.text(action))
        state.apply(action)
    yield actions


def counts(state: State) -> list[int]:
    """From depth 1 on, as long as they are not too many."""
    found: list[int] = []
    while not found or (found[-1] * 5 < MOST and len(found) < 16):
        found.append(perft(state, len(found) + 1))
    return found


def at(entry: dict[str, Any]) -> State:
    """The state from which an entry counts."""
    state = ruleset(entry["ruleset"], entry["options"]).new_match(Deals(bytes.fromhex(entry["key"])))
    for text in entry["after"].split():
        state.apply(state.rules.parse(text))
    return state


if __name__ == "__main__":
    entries = []
    for name, options in MATCHES.values():
        for after in positions(name, options):
            entry = {"ruleset": name, "options": options, "key": KEY.hex(), "after": " ".join(after)}
            entries.append(entry | {"counts": counts(at(entry))})
    lines = ",\n".join(f"  {json.dumps(entry)}" for entry in entries)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
