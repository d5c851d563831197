"""How even a schedule can be at best, by counting alone."""

from farfalia_tournaments.schedules.span import Span


def narrowest_meetings(entrants: int, seats: int, places: int) -> Span:
    """Return a span within which no schedule can keep the meetings of all pairs, except by filling it.

    `places` are all seats of all tables, dealt equally within one. Whoever has the fewest matches cannot meet everybody
    more often than the span's least, whoever has the most meets somebody as often as its most. There need not be a
    schedule that reaches it; one that is as narrow is the best there is.
    """
    fewest, most = places // entrants, -(-places // entrants)
    others = entrants - 1
    return Span(fewest * (seats - 1) // others, -(-most * (seats - 1) // others))
