"""Whole matches as text for people: `python -m tests.engine.playthrough` writes tests/playthroughs/*.txt anew.

Every choice follows from the match's own key: with the stream of the label `playthrough` the next action is
`legal[uniform(len(legal))]`, and where several seats decide at once, the first of them is next. So any engine,
in any language, can make the same text.
"""

from collections.abc import Iterator
from pathlib import Path

from farfalia_engine import FAMILIES, Deals, DealType, Kind, Observation, Ruleset, State, board_key, ruleset
from farfalia_engine.deals import WordStream
from farfalia_engine.farfalia.state import FarfaliaState

FOLDER = Path(__file__).parents[1] / "playthroughs"
KEY = board_key(bytes(range(32)), (), "board-1")
#: The matches that are written down, by the name of their file.
MATCHES: dict[str, tuple[str, dict[str, str]]] = {
    "chinkway": ("chinkway", {}),
    "chinkway-burnin": ("chinkway", {"burnin": "on"}),
    "chinkway-double-you": ("chinkway", {"double_you": "on"}),
    "five-hand": ("five-hand", {}),
    "basic": ("basic", {}),
    "basic-double-you": ("basic", {"double_you": "on"}),
    "four": ("four", {}),
    "four-target": ("four", {"target": "60"}),
    "four-burnin": ("four", {"burnin": "on"}),
    "three": ("three", {}),
    "three-short": ("three-short", {}),
    "three-short-burnin": ("three-short", {"burnin": "on"}),
    "two": ("two", {}),
    "two-burnin": ("two", {"burnin": "on"}),
    "farrago-3": ("farrago", {"players": "3"}),
    "farrago-4": ("farrago", {}),
    "farrago-4-random": ("farrago", {"order": "random"}),
    "farrago-5": ("farrago", {"players": "5"}),
    "farrago-5-five-hundred": ("farrago", {"players": "5", "pack": "five-hundred"}),
}


def playthrough(name: str, options: dict[str, str]) -> str:
    """The text of a match."""
    rules, deals = ruleset(name, options), Deals(KEY)
    stream, state = WordStream(deals, "playthrough"), rules.new_match(deals)
    lines = [f"ruleset {name}", *(f"option {option}={value}" for option, value in options.items()), f"key {KEY.hex()}"]
    told = Told(rules)
    while state.pending:
        lines += told.before(state)
        seat, legal = state.pending.seats[0], state.legal_actions()
        action = legal[stream.uniform(len(legal))]
        lines += told.action(state, seat, action)
        state.apply(action, seat)
    assert state.outcome
    lines += ["", f"points {numbers(state.outcome.points)}", f"places {numbers(state.outcome.places)}"]
    lines += [f"winners {numbers(rules.winners(state.outcome.points))}"]
    return "\n".join(lines) + "\n"


class Told:
    """What of the deal under way is written down already."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.deal = 0
        self.dealt = False
        self.facts: list[str] = []

    def before(self, state: State) -> Iterator[str]:
        """What has become known since the last action."""
        if state.deal != self.deal:
            self.deal, self.dealt, self.facts = state.deal, False, []
            view = state.observation(0)
            yield from ("", f"deal {state.deal}", f"  seats {numbers(view.seats)}  sides {numbers(view.sides)}")
        if not self.dealt and any(state.observation(0).held):
            self.dealt = True
            yield from self.hands(state)
        yield from self.news(state)

    def hands(self, state: State) -> Iterator[str]:
        view = state.observation(0)
        for position, seat in enumerate(view.seats):
            if position not in view.dummies:
                yield f"  position {position}, seat {seat}: {self.cards(state.observation(seat).hand)}"
        for dummy, face_up in zip(view.dummies, view.face_up, strict=True):
            yield f"  position {dummy}, dummy: {self.cards(face_up)}"
            assert isinstance(state, FarfaliaState)
            pairs = [(above, below) for position, above, below in state._covered if position == dummy]
            name = self.rules.card_text
            yield f"    face down: {', '.join(f'{name(below)} under {name(above)}' for above, below in pairs)}"

    def news(self, state: State) -> Iterator[str]:
        view = state.observation(0)
        facts = [
            f"doubled by seats {numbers(view.doubled)}" if view.doubled else "",
            f"type {DealType(view.types[-1]).text}" if len(view.types) == view.deal else "",
            f"shown {self.cards(view.shown)}" if view.shown else "",
            f"trumps {self.suit(view.trumps)}" if view.trumps else "",
            f"proposal {' '.join(FAMILIES[family] for family in view.subjects)}" if view.subjects else "",
        ]
        for fact in facts:
            if fact and fact not in self.facts:
                self.facts.append(fact)
                yield f"  {fact}"

    def action(self, state: State, seat: int, action: int) -> Iterator[str]:
        """The line of this action; a trick is a line, once it is over."""
        assert state.pending
        text = self.rules.text(action)
        if state.pending.kind not in (Kind.PLAY, Kind.COLLECT):
            yield f"  seat {seat}: {text}"
            return
        after = state.clone()
        after._stops = True
        after.apply(action, seat)
        view = after.observation(0)
        if state.pending.kind is Kind.COLLECT:
            yield self.trick(view, text)
        elif len(view.plays) % len(view.seats) == 0 and not (after.pending and after.pending.kind is Kind.COLLECT):
            yield self.trick(view, "")
        if after.pending is None:
            yield f"  points {numbers(after.scores[-state.rules.seats :])}"

    def trick(self, view: Observation, taken: str) -> str:
        n, number = len(view.seats), len(view.winners)
        cards = self.cards(view.plays[n * (number - 1) :][:n])
        line = f"  trick {number}: {view.leaders[number - 1]} leads {cards}, {view.winners[-1]} wins"
        return f"{line}, {taken}" if taken else line

    def cards(self, cards: bytes) -> str:
        return " ".join(map(self.rules.card_text, cards))

    def suit(self, trumps: int) -> str:
        return self.rules.game.wording.trumps(trumps)[0]


def numbers(values: bytes | tuple[int, ...]) -> str:
    return " ".join(map(str, values))


if __name__ == "__main__":
    for file, match in MATCHES.items():
        (FOLDER / f"{file}.txt").write_text(playthrough(*match), encoding="utf-8")
