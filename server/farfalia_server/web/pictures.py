"""What the pictures of a match, a card, a bot and a tournament show: for links that people share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from farfalia.v1 import bots_pb2, matches_pb2, tournaments_pb2
from farfalia_server.records.deal_views import DealView
from farfalia_server.web.drawing import ACCENT, FAINT, HEIGHT, INK, LINE, WIDTH, Drawing
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import decimal, ordinal, round_of, sentence, tournament_status

_EDGE: Final = 60
_ROOM: Final = WIDTH - 2 * _EDGE
#: Rows of a match or tournament.
_ROWS: Final = 5


def card_picture(match: matches_pb2.Match, deal: DealView, trick: int, card: int) -> Drawing:
    """Return a trick as it was after a card, with a sentence that says which one it is."""
    shown, names = deal.tricks[trick - 1], list(match.entrants)
    plays = shown.plays[:card]
    drawing = _begin(gettext("Deal {deal}, trick {trick}").format(deal=deal.number, trick=trick), f"#{match.id}")
    trumps = gettext("Trumps: {trumps}").format(trumps=deal.trumps_words)
    drawing.text(_EDGE, 160, trumps, 30, colour=FAINT, room=_ROOM)
    width = min(150.0, _ROOM / max(len(shown.plays), 1) - 30)
    step = _ROOM / len(shown.plays)
    over = card == len(shown.plays)
    for number, play in enumerate(plays):
        middle, wins = _EDGE + step * (number + 0.5), over and play.position == shown.winner
        drawing.card(play.card, middle - width / 2, 210, width)
        drawing.text(
            middle,
            260 + width * 1.4,
            f"★ {deal.who(play.position, names)}" if wins else deal.who(play.position, names),
            26,
            room=step - 16,
            colour=ACCENT if wins else INK,
            anchor="middle",
        )
    last = plays[-1]
    said = gettext("{name} plays {card}.").format(name=deal.who(last.position, names), card=last.card.words)
    drawing.text(_EDGE, HEIGHT - 60, said, 38, room=_ROOM)
    return drawing


def match_picture(match: matches_pb2.Match) -> Drawing:
    """Return who played a match, best first, with their points once they are shown."""
    title = gettext("Match {number}").format(number=match.id)
    if match.round:
        title = gettext("Match {number}, round {round}").format(number=match.id, round=round_of(match))
    drawing = _begin(title, match.ruleset)
    places, points = list(match.outcome.places), list(match.outcome.points)
    order = sorted(range(len(match.entrants)), key=lambda seat: places[seat] if places else seat)
    rows = [
        (ordinal(places[seat]) if places else "", match.entrants[seat], f"{points[seat]}" if points else "")
        for seat in order
    ]
    _rows(drawing, rows, [points[seat] for seat in order] if points else ())
    return drawing


def bot_picture(bot: bots_pb2.BotInfo) -> Drawing:
    """Return a bot with its owner, and how good it is at the games that it has played most."""
    drawing = _begin(bot.name, gettext("version {version}").format(version=bot.version) if bot.version else "")
    if bot.owner:
        owner = gettext("of {owner}").format(owner=bot.owner)
        drawing.text(_EDGE, 160, owner, 32, colour=FAINT, room=_ROOM)
    rated = sorted(bot.ratings, key=lambda rating: -rating.matches)
    rows = [
        (
            rating.ladder,
            gettext("skill {mu}").format(mu=decimal(rating.mu, 1)),
            gettext("matches: {number}").format(number=rating.matches),
        )
        for rating in rated
    ]
    _rows(drawing, rows, (), first=340)
    if len(rows) < 3:
        drawing.symbol("B", WIDTH - _EDGE - 260, HEIGHT - 300, 260, colour=LINE)
    return drawing


def tournament_picture(row: tournaments_pb2.Tournament) -> Drawing:
    """Return the first of a tournament, or who has entered as long as nobody has played."""
    drawing = _begin(row.name, row.ruleset)
    drawing.text(_EDGE, 160, sentence(tournament_status(row)), 30, colour=FAINT, room=_ROOM)
    played = [one for one in row.standings if one.matches]
    rows = [(f"{one.place}", one.entrant, f"{one.points}") for one in played]
    _rows(drawing, rows or [("", one.entrant, "") for one in row.standings], ())
    return drawing


def _begin(title: str, beside: str) -> Drawing:
    drawing = Drawing()
    drawing.symbol("B", WIDTH - _EDGE - 64, 44, 64, colour=ACCENT)
    drawing.text(WIDTH - _EDGE - 84, 88, "Farfalia", 30, colour=ACCENT, anchor="end", bold=True)
    drawing.text(_EDGE, 104, title, 56, room=700, bold=True)
    if beside:
        drawing.text(WIDTH - _EDGE, 160, beside, 28, colour=FAINT, room=400, anchor="end")
    return drawing


def _rows(drawing: Drawing, rows: Sequence[tuple[str, str, str]], bars: Sequence[int], *, first: float = 130) -> None:
    """Write some rows, each with a short text, a name and a figure, and below it a bar."""
    most = max([*bars, 1])
    for number, (short, name, figure) in enumerate(rows[:_ROWS]):
        y = 240 + 80 * number
        drawing.text(_EDGE, y, short, 34, colour=FAINT, room=first - 20)
        drawing.text(_EDGE + first, y, name, 42, room=_ROOM - first - 220, bold=True)
        drawing.text(WIDTH - _EDGE, y, figure, 42, room=200, anchor="end")
        if bars:
            drawing.box(_EDGE + first, y + 14, _ROOM - first, 10, fill=LINE)
            drawing.box(_EDGE + first, y + 14, max(10.0, (_ROOM - first) * bars[number] / most), 10, fill=ACCENT)
