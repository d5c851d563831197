"""How even a schedule can be at best, by counting alone: an incomplete block design need not be balanced."""

from farfalia_tournaments.schedules.span import Span


def narrowest_meetings(entrants: int, seats: int, places: int) -> Span:
    """Return the narrowest span that the meetings of all pairs can have.

    `places` are all seats of all tables, dealt equally within one. An entrant with the fewest matches cannot meet
    everybody more often than the span's least; one with the most meets somebody at least as often as its most. A
    schedule that reaches the span need not exist; one as narrow is the best possible.
    """
    fewest, most = places // entrants, -(-places // entrants)
    others = entrants - 1
    return Span(fewest * (seats - 1) // others, -(-most * (seats - 1) // others))
