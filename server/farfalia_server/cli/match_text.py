"""A match on a terminal: deal by deal, all hands open, one line per trick."""

from collections.abc import Iterable

from rich.text import Text

import farfalia_engine as engine
from farfalia_engine import CardFace, Record
from farfalia_engine.record import Cause
from farfalia_server.cli.output import prose, say, table
from farfalia_server.records.deal_views import DealView, TrickView
from farfalia_server.wording.columns import LUCK
from farfalia_server.wording.phrases import game_label, side_name, signed

COLOURS = {
    "S": "red",
    "L": "green",
    "F": "bright_blue",
    "O": "yellow",
    "W": "magenta",
    "hearts": "red",
    "diamonds": "red",
}

#: What a card that its seat did not choose is marked with.
MARKS = {Cause.TIMEOUT: "t", Cause.ILLEGAL: "i", Cause.FAILURE: "f", Cause.ABSENT: "a", Cause.HOUSE: "h"}

LEGEND = (
    "° marks a butterfly; > leads, * wins the trick. A letter after a card: the bot did not choose it itself, because"
    " of a timeout (t), an illegal answer (i), a failure of its own (f), its absence (a), or having lost the seat (h)."
)


def print_match(record: Record, deals: Iterable[DealView]) -> None:
    """Print what was played, by whom, these deals of it, and how it ended."""
    names = [seat.name for seat in record.seats]
    prose(
        f"Match {record.match}: {game_label(record.ruleset, record.options)} on {record.source.board}, "
        f"between {', '.join(names)}."
    )
    for deal in deals:
        _print_deal(record, names, deal)
    say("")
    prose(LEGEND)
    if record.outcome:
        say("")
        luck = engine.luck(record)
        rows = zip(record.outcome.places, names, record.outcome.points, strict=True)
        if luck is None:
            table(["place", "<entrant", "points"], sorted(rows))
        else:
            lucky = zip(rows, luck, strict=True)
            table(["place", "<entrant", "points", "luck"], sorted((*row, signed(float(own), 1)) for row, own in lucky))
            prose(LUCK)


def _print_deal(record: Record, names: list[str], deal: DealView) -> None:
    say("", f"Deal {deal.number}: {names[deal.dealer]} deals, {_opening(deal)}.")
    if deal.wilds:
        doubling = ", ".join(names[seat] for seat in deal.doubled) or "nobody"
        left = ", ".join(f"{name} {wilds}" for name, wilds in zip(names, deal.wilds, strict=True))
        say(f"Doubled by {doubling}; wild cards left: {left}.")
    say("")
    players = [deal.who(position, names) for position in range(len(deal.seats))]
    rows = [
        [
            name,
            f"side {side_name(deal.sides[at])}",
            _cards(deal.hands[at], deal.face_down),
            _cards(deal.discarded) if at == 0 else "",
        ]
        for at, name in enumerate(players)
    ]
    heads = ["<bot", "<side", "<hand as dealt", "<discarded"]
    if deal.discarded:
        table(heads, rows)
    elif deal.collecting:
        table(heads[:-1], [row[:-1] for row in rows])
    else:
        table([heads[0], heads[2]], [[name, hand] for name, _, hand, _ in rows])
    if deal.face_down:
        say("Cards in brackets start face down.")
    if not deal.tricks:
        return
    say("")
    heads = ["trick", *(f"<{name}" for name in players), *(["<collected"] if deal.collecting else [])]
    table(heads, [_trick(record, deal, trick) for trick in deal.tricks])
    for side in sorted(set(deal.sides)):
        places = [place for place, other in enumerate(deal.sides) if other == side]
        gain = (_cards(deal.collected(side)) or "nothing") if deal.collecting else _tricks(deal.won(places[0]))
        members = " + ".join(players[place] for place in places)
        say(Text.assemble(f"{members}: ", gain, f", {_points(names, deal, places)}"))


def _opening(deal: DealView) -> str:
    """Return what came before the first trick."""
    trumps = {"": "not declared" if deal.collecting else "not known", "NT": "none"}.get(deal.trumps, deal.trumps)
    how = f" ({deal.trumps_how})" if deal.trumps_how else ""
    if not deal.collecting:
        return f"{deal.type or 'type not picked'}, trumps {trumps}{how}"
    return f"trumps {trumps}{how}, proposal {' '.join(deal.subjects) or '–'}"


def _points(names: list[str], deal: DealView, places: list[int]) -> str:
    """Return the points of those who hold these positions of a side: one number, unless some of them have doubled."""
    if not deal.scores:
        return "– points"
    points = {names[deal.seats[place]]: deal.scores[deal.seats[place]] for place in places}
    if len(set(points.values())) == 1:
        scored = deal.scores[deal.seats[places[0]]]
        return "1 point" if scored == 1 else f"{scored} points"
    return f"{', '.join(f'{name} {own}' for name, own in points.items())} points"


def _tricks(won: int) -> str:
    return "1 trick" if won == 1 else f"{won} tricks"


def _trick(record: Record, deal: DealView, trick: TrickView) -> list[str | int | Text]:
    plays = {play.position: play for play in trick.plays}
    row: list[str | int | Text] = [trick.number]
    for position, seat in enumerate(deal.seats):
        play = plays.get(position)
        if play is None:
            row.append("")
            continue
        mark = "" if record.seats[seat].house else MARKS.get(record.actions[play.index].cause, "")
        lead = ">" if position == trick.leader else " "
        row.append(
            Text.assemble(lead, _card(play.card), "*" if position == trick.winner else "", f" {mark}" if mark else "")
        )
    return [*row, _collected(trick)] if deal.collecting else row


def _collected(trick: TrickView) -> Text:
    """Return what became of a trick, and what wild cards have burned of it."""
    taken = _card(trick.collected) if trick.collected else Text("declined" if trick.declined else "")
    if not trick.burned:
        return taken
    return Text.assemble(taken, ", " if taken else "", "burned ", _cards(trick.burned))


def _cards(cards: Iterable[CardFace], face_down: Iterable[CardFace] = ()) -> Text:
    hidden = set(face_down)
    return Text(" ").join(Text.assemble("(", _card(card), ")") if card in hidden else _card(card) for card in cards)


def _card(card: CardFace) -> Text:
    return Text(f"{card.text}°" if card.butterfly else card.text, style=COLOURS.get(card.suit, ""))
