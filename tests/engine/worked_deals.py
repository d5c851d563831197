"""The worked deals of docs/rules.md: played by any policy, written as the page has them, and read back from it.

`python -m tests.engine.worked_deals four 5 1` prints deal 1 from the key 5, played by the sample bot `cautious`.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random

from farfalia_engine import DECLINED, NOTHING, PICK_TYPE, Deals, FarragoObservation, Observation, State, ruleset

#: What the page calls a decision that comes before the play, by what stands before the `=` of its text.
VERBS = {
    "aside": "discards",
    "discard": "discards",
    "trump": "declares",
    "type": "picks",
    "bar": "bars",
    "show": "shows",
    "double": "doubles",
}

#: What came of a trick from which no card was collected.
RESULTS = {DECLINED: "none", NOTHING: "-"}


def written(name: str, options: Mapping[str, str], key: int, deal: int, policy: Callable[[State], int]) -> str:
    """Play one deal of a match whose cards come from the key that is this byte 32 times; its block on the page."""
    state = ruleset(name, options).new_match(Deals(bytes([key]) * 32), deal)
    state.end_with_deal()
    opening: list[str] = []
    hands: dict[int, bytes] = {}
    below = FaceDown()
    while (pending := state.pending) is not None:
        observation = state.observation(pending.seats[0])
        if not hands and observation.hand:
            hands = {position: state.observation(seat).hand for position, seat in enumerate(observation.seats)}
            hands |= dict(zip(observation.dummies, observation.face_up, strict=True))
        below.look(observation)
        action = policy(state)
        verb, equals, value = state.rules.text(action).partition("=")
        if equals:
            opening.append(f"{pending.position} {VERBS[verb]:<12} {value.replace(',', ' ')}")
        state.apply(action)
    view, text = state.observation(0), state.rules.card_text
    lines = opening[:]
    for position, hand in sorted(hands.items()):
        names = [text(card) + (f"({text(below.under[card])})" if card in below.under else "") for card in hand]
        lines.insert(position, f"{position} {'dummy' if position in view.dummies else 'hand':<12} {' '.join(names)}")
    return "\n".join([*lines, *result(view, state)]) + "\n"


class FaceDown:
    """Which card lies under which one of the dummies' cards, as far as has been seen."""

    def __init__(self) -> None:
        self.under: dict[int, int] = {}
        self.faces: dict[int, set[int]] = {}

    def look(self, view: Observation) -> None:
        """Take in a card that has been turned up since the last look, if there is one."""
        for dummy, face_up in zip(view.dummies, view.face_up, strict=True):
            before = self.faces.get(dummy, set(face_up))
            self.faces[dummy] = set(face_up)
            for card in set(face_up) - before:
                self.under[self.played(view, dummy)] = card

    def played(self, view: Observation, dummy: int) -> int:
        """The card that a dummy played to the last complete trick."""
        n = len(view.seats)
        return view.plays[n * (len(view.winners) - 1) + (dummy - view.leaders[len(view.winners) - 1]) % n]


def result(view: Observation, state: State) -> Iterator[str]:
    """Trumps, proposal, tricks and points of a deal that is over."""
    farrago, n, text = isinstance(view, FarragoObservation), len(view.seats), state.rules.card_text
    suits = "SHDC" if farrago else "SLFO"
    yield f"- {'trumps':<12} {('none', *suits, 'none')[view.trumps]}"
    if not farrago:
        yield f"- {'proposal':<12} {' '.join('BSLFO'[family] for family in view.subjects)}"
    order = [*range(1, n), 0]
    yield ""
    yield columns("trick", *map(str, order), "winner", *([] if farrago else ["collects"]))
    for trick, (leader, winner) in enumerate(zip(view.leaders, view.winners, strict=True)):
        cards = [text(view.plays[n * trick + (position - leader) % n]) for position in order]
        marked = [card + "*" * (position == leader) for card, position in zip(cards, order, strict=True)]
        collected = [] if farrago else [RESULTS.get(view.collected[trick]) or text(view.collected[trick])]
        yield columns(str(trick + 1), *marked, str(winner), *collected)
    yield ""
    points = [state.scores[-state.rules.seats :][seat] for seat in view.seats]
    yield columns("position", "points", "tricks") if farrago else columns("side", "points", "collected")
    for side in sorted(set(view.sides), key=view.sides.index):
        positions = [position for position in range(n) if view.sides[position] == side]
        won = [trick for trick, winner in enumerate(view.winners) if winner in positions]
        cards = [text(view.collected[trick]) for trick in won if not farrago and view.collected[trick] not in RESULTS]
        gained = str(len(won)) if farrago else " ".join(cards) or "-"
        yield columns("+".join(map(str, positions)), str(points[positions[0]]), gained)


def columns(first: str, *others: str) -> str:
    """A line of the table of tricks."""
    return "".join([f"{first:<10}", *(f"{other:<8}" for other in others)]).rstrip()


class Script:
    """A policy that does what a block of the page says."""

    def __init__(self, block: str) -> None:
        head, table, _ = (part.splitlines() for part in block.split("\n\n"))
        self.opening = [line.split()[2:] for line in head if line.split()[1] in VERBS.values()]
        self.order = [int(cell) for cell in table[0].split() if cell.isdigit()]
        self.tricks = [line.split()[1:] for line in table[1:]]
        self.plays = 0

    def __call__(self, state: State) -> int:
        """The action that comes next; raises StopIteration if the page has none that is legal."""
        assert state.pending
        legal = {state.rules.text(action): action for action in state.legal_actions()}
        if any("=" in text for text in legal):
            value = ",".join(self.opening.pop(0))
            return next(action for text, action in legal.items() if text.partition("=")[2] == value)
        trick = self.tricks[(self.plays - ("none" in legal)) // len(self.order)]
        if "none" in legal:
            return legal[trick[-1]] if trick[-1] == "none" else legal[f"+{trick[-1]}"]
        self.plays += 1
        return legal[trick[self.order.index(state.pending.position)].rstrip("*")]


def match(name: str, options: Mapping[str, str], seed: int) -> str:
    """The points of a match at random, deal by deal; those who doubled in it are marked."""
    rows: list[tuple[int, bytes]] = []
    for state in at_random(name, options, seed):
        view = state.observation(0)
        rows[state.deal - 1 :] = [(view.seats[0], view.doubled)]
    assert state.outcome
    lines = ["| deal | dealer | " + " | ".join(f"seat {seat}" for seat in range(state.rules.seats)) + " |"]
    lines.append("|---" * (2 + state.rules.seats) + "|")
    for number, ((dealer, doubled), points) in enumerate(zip(rows, state.outcome.deals, strict=True), 1):
        cells = [f"{each}" + " ×2" * (seat in doubled) for seat, each in enumerate(points)]
        lines.append(f"| {number} | seat {dealer} | {' | '.join(cells)} |")
    totals = " | ".join(f"**{total}**" for total in state.outcome.points)
    winners = state.rules.winners(state.outcome.points)
    won_by = f"won by seat{'s' * (len(winners) > 1)} {', '.join(map(str, winners))}"
    return "\n".join([*lines, f"| total | {won_by} | {totals} |"]) + "\n"


def last_deal(seed: int) -> str:
    """Who sits where in the eleventh deal of that match of Chinkway, and the totals before it."""
    view = next(
        state.observation(0) for state in at_random("chinkway", {}, seed) if state.deal == state.rules.last_deal
    )
    rows = [
        ["position", *map(str, range(5))],
        ["---"] * 6,
        ["seat", *map(str, view.seats)],
        ["total after ten deals", *(str(view.totals[seat]) for seat in view.seats)],
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def at_random(name: str, options: Mapping[str, str], seed: int) -> Iterator[State]:
    """Every state of a match in which all choices are drawn from the seed; one state that moves on."""
    random = Random(seed)
    state = ruleset(name, options).new_match(Deals(random.randbytes(32)))
    yield state
    while state.pending:
        seat = random.choice(state.pending.seats)
        state.apply(random.choice(state.legal_actions(seat)), seat)
        yield state


def partners() -> str:
    """Which seats are partners in each deal of the games whose deal passes to the left, by dealer."""
    lines = ["| dealer | `chinkway`, deals 1 to 5 | `chinkway`, deals 6 to 10 | `five-hand` |", "|---|---|---|---|"]
    for dealer in range(5):
        cells = []
        for name, deal in (("chinkway", dealer + 1), ("chinkway", dealer + 6), ("five-hand", dealer + 1)):
            view = ruleset(name).new_match(Deals(bytes(32)), deal).observation(0)
            assert (view.seats[0], view.sides.count(view.sides[0])) == (dealer, 1)
            pairs = [[seat for seat, of in zip(view.seats, view.sides, strict=True) if of == side] for side in (1, 2)]
            cells.append(", ".join(f"{one}+{other}" for one, other in sorted(map(sorted, pairs))))
        lines.append(f"| seat {dealer} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def farrago_points() -> str:
    """What each number of tricks is worth in Farrago."""
    lines = ["| tricks won | " + " | ".join(map(str, range(8))) + " |", "|---" * 9 + "|"]
    for players in "345":
        observation = ruleset("farrago", {"players": players}).new_match(Deals(bytes(32))).observation(0)
        worth = [replace(observation, winners=bytes(won)).points(0) for won in range(8)]
        lines.append(f"| {players} players | {' | '.join(map(str, worth))} |")
    return "\n".join(lines) + "\n"


def farrago_winner(kind: str, trumps: str, cards: str) -> str:
    """The card that wins this trick in a deal of this type, with four players."""
    rules = ruleset("farrago")
    observation = rules.new_match(Deals(bytes(32))).observation(0)
    plays = bytes(map(rules.parse, cards.split()))
    number = rules.parse(f"type={kind}") - PICK_TYPE + 1
    trick = replace(observation, types=bytes((number,)), trumps=" SHDC".find(trumps) or 5, plays=plays, leaders=b"\1")
    assert trick.best is not None
    return rules.card_text(trick.best)


def settings(options: Iterable[str]) -> dict[str, str]:
    """Options as the engine takes them."""
    return dict(option.split("=", 1) for option in options)


def cautious(state: State) -> int:
    """What the sample bot does. Printing a deal needs the SDK; the tests read deals from the page."""
    from farfalia.bots import create

    assert state.pending
    return create("cautious").decide(state.observation(state.pending.seats[0]))


if __name__ == "__main__":
    game, byte, number, *given = sys.argv[1:]
    print(written(game, settings(given), int(byte), int(number), cautious), end="")
