"""In which deals a bot made how much, in words that pages and terminal share."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from farfalia.v1 import bots_pb2
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import decimal, ordinal

#: By what deals are told apart.
_SPLITS: Final = {
    bots_pb2.PROFILE_SPLIT_COMPANY: "alone or in company",
    bots_pb2.PROFILE_SPLIT_POSITION: "by position",
    bots_pb2.PROFILE_SPLIT_TRUMPS: "by trumps",
    bots_pb2.PROFILE_SPLIT_HELD: "by trumps in hand at the first lead",
}
_COMPANY: Final = {
    "alone": "alone",
    "dummy": "with a dummy",
    "partner": "with a partner",
    "dummy-partner": "with a dummy and with a partner",
}
_DEALER: Final = {
    "alone": "dealer, alone",
    "dummy": "dealer, with a dummy",
    "partner": "dealer, with a partner",
    "dummy-partner": "dealer, with a dummy and with a partner",
}
_AFTER_DEALER: Final = {
    "alone": "{place} after the dealer, alone",
    "dummy": "{place} after the dealer, with a dummy",
    "partner": "{place} after the dealer, with a partner",
    "dummy-partner": "{place} after the dealer, with a dummy and with a partner",
}
_TRUMPS: Final = {"none": "without trumps", "trumps": "with trumps"}


def splits(parts: Iterable[bots_pb2.ProfilePart]) -> list[tuple[str, list[bots_pb2.ProfilePart]]]:
    """Return the parts of one game by split, which is in words."""
    return [(split_words(split), list(own)) for split, own in groupby(parts, key=lambda part: part.split)]


def split_words(split: bots_pb2.ProfileSplit) -> str:
    """Return by what deals are told apart: `by position`."""
    return gettext(_SPLITS[split])


def part_words(part: bots_pb2.ProfilePart) -> str:
    """Return which deals these are: `2nd after the dealer, with a partner`, `without trumps`, `3`."""
    if part.split == bots_pb2.PROFILE_SPLIT_COMPANY:
        return gettext(_COMPANY[part.part])
    if part.split == bots_pb2.PROFILE_SPLIT_TRUMPS:
        return gettext(_TRUMPS[part.part])
    if part.split == bots_pb2.PROFILE_SPLIT_HELD:
        return part.part
    position, _, company = part.part.partition("-")
    said = (_AFTER_DEALER if int(position) else _DEALER)[company]
    return gettext(said).format(place=ordinal(int(position)))


def part_points(part: bots_pb2.ProfilePart) -> str:
    """Return the mean of the points with half of its 95 % interval: `5.2 ± 1.1`; the mean alone after one match."""
    mean = decimal(part.points, 1)
    return f"{mean} ± {decimal(part.high - part.points, 1)}" if part.HasField("high") else mean


#: What templates say of profiles.
PROFILE_FILTERS: Final = {"part_points": part_points, "part_words": part_words, "splits": splits}
