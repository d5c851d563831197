"""Guests at tables that no form lays: with any options, several at one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from tests.browser.chromium import Visit, violations
from tests.browser.ways import Forms, Mouse, asked, kind_of
from tests.server.live import LiveServer, until

from farfalia.v1 import bots_pb2, matches_pb2, record_pb2
from farfalia_engine import ruleset

#: Ranks of cards by their names, those that win little first.
_RANKS = (*map(str, range(1, 14)), "jack", "queen", "king", "ace", "wild")
#: Timers of the page are brief: what is played is drawn at once. What is told to those who listen is kept.
_PREPARED = """
const later = setTimeout;
globalThis.setTimeout = (does, wait = 0, ...more) => later(does, Math.min(wait, 5), ...more);
globalThis.heard = [];
new MutationObserver((found) => {
  for (const { target } of found) {
    const region = (target.nodeType === 1 ? target : target.parentElement)?.closest("[role=status]");
    const said = region?.textContent.trim();
    if (said && said !== globalThis.heard.at(-1)) globalThis.heard.push(said);
  }
}).observe(document, { childList: true, characterData: true, subtree: true });
"""
#: The button that several cards have to be marked for.
_MARKS = ".stage .choices [aria-disabled=true]"
#: The names of what the forms offer, which are behind the stage.
_OFFERED = """(seat) => [...seat.querySelectorAll("button[name=action], .pick .face")]
  .map((one) => one.getAttribute("aria-label") ?? one.textContent.trim())"""
_IN_WORDS = "document.querySelector('.bill [data-words]').click()"


class Person:
    """Plays in a window in one way, and looks at each question as it is shown and said."""

    def __init__(self, way: Mouse, window: Visit, prefers: str = "") -> None:
        self.way, self.window, self.page = way, window, window.page
        self.prefers = prefers
        self.met: set[str] = set()
        self.random = Random(1)
        if not isinstance(way, Forms):
            window.context.add_init_script(_PREPARED)

    def play(self, until: frozenset[str] = frozenset()) -> bool:
        """Answer what is asked, until all of these kinds have come, or the match is over; whether it is not."""
        number = asked(self.page)
        while number:
            self.answer()
            if until and until <= self.met:
                return True
            number = asked(self.page, number)
        return False

    def answer(self) -> None:
        """Answer what is asked now."""
        names = self.way.choices(self.page)
        question = self.way.asked(self.page)
        kind = kind_of(question)
        if kind not in self.met:
            self.met.add(kind)
            self._look(names)
        self.way.take(self.page, self._chosen(kind, names))

    def _look(self, names: list[str]) -> None:
        """A decision of a new kind: everything is named, once, and nothing is wrong with the page."""
        assert names
        assert len(set(names)) == len(names), names
        if isinstance(self.way, Forms):
            return  # axe needs script; the same words beside the stage are looked at instead
        assert violations(self.page) == []
        offered = self.page.locator("#seat").evaluate(_OFFERED)
        assert sorted(names) == sorted(offered), "the stage offers what the forms offer"
        self.window.run(_IN_WORDS)
        assert violations(self.page) == []
        self.window.run(_IN_WORDS)

    def _chosen(self, kind: str, names: list[str]) -> list[str]:
        if kind == "discard":
            # Where one card is left over, it is discarded at once; of two, a button says that they are to be marked.
            several = bool(self.page.locator(_MARKS).count())
            if isinstance(self.way, Forms):
                several = "Three short" not in self.page.locator("h1").inner_text()
            return self.random.sample(names, 2 if several else 1)
        if self.prefers and kind in ("lead", "follow"):
            return [min(names, key=lambda name: _RANKS.index(name.split(" ")[0]))]
        if kind == "type" and self.prefers in names:
            return [self.prefers]
        return [self.random.choice(names)]


def guest(server: LiveServer, window: Visit) -> str:
    """Make the window that of a new guest, who is connected; return its name."""
    made = server.call("RegisterBot", bots_pb2.RegisterBotRequest(person=True))
    window.context.add_cookies([{"name": "farfalia-seat", "value": made.token, "url": window.address}])
    window.go("/play")
    shown = bots_pb2.GetBotRequest(name=made.bot.name)
    until(lambda: server.call("GetBot", shown).bot.connected)
    name: str = made.bot.name
    return name


def table_with(server: LiveServer, bots: Sequence[str], game: str, options: Mapping[str, str]) -> int:
    """Lay a table for these bots, guests among them, from seat 0 on, with house bots beside them; return its match."""
    house = matches_pb2.ChallengeSeat(house="random")
    seats = [matches_pb2.ChallengeSeat(bot=name) for name in bots]
    seats += [house] * (ruleset(game, options).seats - len(seats))
    control = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=3)
    wanted = matches_pb2.CreateChallengeRequest(ruleset=game, options=options, seats=seats, time_control=control)
    match: int = server.call("CreateChallenge", wanted).match.id
    return match
