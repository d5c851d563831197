"""Entries of a tournament: each keeps its results when another bot takes it over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from farfalia_server.store import Bot, Entrant, Match


def numbers_of(entrants: Iterable[Entrant]) -> dict[int, int]:
    """Return the numbers of the entries, by each bot that has played for them."""
    return {bot: entrant.number for entrant in entrants for bot in entrant.held_by}


def holders_of(entrants: Iterable[Entrant]) -> dict[int, str]:
    """Return the names of those that hold entries now, by each bot that they have replaced."""
    return {former.bot_id: entrant.name for entrant in entrants for former in entrant.former}


def entry_names(match: Match, now: Mapping[int, str]) -> list[str]:
    """Return for whom the bots of a match have played, by seat; `now` is of `holders_of`."""
    return [now.get(seat.bot_id, seat.name) for seat in match.seats]


def families_of(entrants: Iterable[Entrant], bots: Mapping[int, Bot]) -> dict[str, str]:
    """Return by name what entrants have in common with those that are nearly like them; `bots` are by their numbers."""
    return {entrant.name: bots[entrant.bot_id].family for entrant in entrants}
