"""How good a bot is, in words that pages and terminal share."""

from __future__ import annotations

from collections.abc import Iterable

from farfalia.v1 import bots_pb2
from farfalia_server.wording.crosstable import percent
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import game_name, ordinal
from farfalia_tournaments import TOLD_APART

#: The probability below which one version may well be no stronger than another.
_MAY_BE_LUCK = 0.75


def place_words(place: bots_pb2.LadderPlace) -> str:
    """Return where a bot stands: `7th of 17 at Chinkway`."""
    return gettext("{place} of {placed} at {ladder}").format(
        place=ordinal(place.place), placed=place.placed, ladder=game_name(place.ladder)
    )


def verdict(result: bots_pb2.VersionResult) -> str:
    """Return whether a version is stronger than the one before; empty if nothing is known of that."""
    if not result.HasField("stronger"):
        return ""
    likely = result.stronger
    if likely >= TOLD_APART:
        said = gettext("clearly stronger than {before}: with {percent} %")
    elif likely >= _MAY_BE_LUCK:
        said = gettext("stronger than {before} with {percent} %")
    elif likely > 1 - _MAY_BE_LUCK:
        said = gettext("stronger than {before} with {percent} %, which may be luck")
    elif likely > 1 - TOLD_APART:
        said = gettext("weaker than {before} with {percent} %")
    else:
        said = gettext("clearly weaker than {before}: with {percent} %")
    return said.format(before=result.before, percent=percent(max(likely, 1 - likely) if likely < 0.25 else likely))


def standing_words(bot: bots_pb2.BotInfo, places: Iterable[bots_pb2.LadderPlace], newest: str) -> str:
    """Return a bot's places and what is known of its newest version: `ada 2.0: 7th of 17 at Chinkway; stronger …`."""
    said = [*map(place_words, places), *([newest] if newest else [])]
    return f"{bot.name} {bot.version}: {'; '.join(said)}." if said else ""


def expectation(opponent: bots_pb2.Opponent) -> str:
    """Return whether a bot is ahead of another one as often as ratings expect, by its own interval, or beyond what
    chance makes among all opponents; empty if ratings expect nothing.
    """
    if not opponent.HasField("expected"):
        return ""
    if opponent.stands_out:
        more = opponent.share > opponent.expected
        return gettext("beyond chance, more") if more else gettext("beyond chance, less")
    if opponent.low > opponent.expected:
        return gettext("more than expected")
    return gettext("less than expected") if opponent.high < opponent.expected else gettext("as expected")


#: What templates say of bots.
BOT_FILTERS = {"expectation": expectation, "verdict": verdict}
