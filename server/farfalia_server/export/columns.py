"""The columns of each table, in their order, with what they mean; `docs/export.md` says the same."""

from __future__ import annotations

from typing import Final, NamedTuple

#: The version of the schema. It grows by one when a column changes its meaning or goes; new columns leave it.
SCHEMA: Final = 1


class Column(NamedTuple):
    """A column: its name, its type as Arrow calls it, and its meaning with the unit."""

    name: str
    type: str
    meaning: str


_MATCH: Final = Column("match", "uint64", "number of the match on its server")
_GAME: Final = Column("game", "string", "the ruleset, such as `chinkway`")
_OPTIONS: Final = Column("options", "string", "options of the ruleset that differ from its defaults, as a JSON object")
_SEAT: Final = Column("seat", "uint8", "the seat, from 0")
_BOT: Final = Column("bot", "string", "name of the bot at the seat")
_VERSION: Final = Column("version", "string", "the bot's version; empty if it has none")
_DEAL: Final = Column("deal", "uint16", "number of the deal, from 1")

TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "matches": (
        _MATCH,
        Column("tournament", "uint64", "number of its tournament; 0 if there was none"),
        _GAME,
        _OPTIONS,
        Column("board", "string", "name of the board; matches of one tournament on one board have equal cards"),
        Column("engine", "string", "version of the engine that played it"),
        Column("started", "timestamp[ms, tz=UTC]", "when the match began"),
        Column("finished", "timestamp[ms, tz=UTC]", "when the match ended"),
        Column("limit_ms", "uint32", "time for one decision before the bank pays, in milliseconds"),
        Column("bank_ms", "uint32", "time bank of each seat, in milliseconds"),
        Column("grace", "uint32", "strikes that a seat survives"),
        Column("digest", "string", "SHA-256 of the record, in hexadecimal digits"),
        _SEAT,
        Column("entrant", "string", "who played there, as the standings call it"),
        _BOT,
        _VERSION,
        Column("house", "bool", "a house bot held the seat from the start"),
        Column("points", "int32", "points of the seat in the match"),
        Column("place", "uint8", "place of the seat, 1 is best; equal points share one"),
        Column("strikes", "uint32", "strikes of the seat at the end"),
        Column("lost", "bool", "a house bot took the seat over"),
    ),
    "deals": (
        _MATCH,
        _GAME,
        _OPTIONS,
        _DEAL,
        Column("type", "string", "type of the deal, in Farrago; else empty"),
        Column("trumps", "string", "trumps at the end: the suit's letter, `NT` for none, empty if not known"),
        Column("proposal", "string", "families of the proposal, as they were turned up; empty in Farrago"),
        Column("position", "uint8", "position in the deal, clockwise from the dealer, who is 0"),
        _SEAT._replace(meaning="the seat that plays there; of a dummy its partner's"),
        Column("dummy", "bool", "a dummy lies there"),
        Column("side", "uint8", "positions of one side have one number"),
        Column("hand", "list<uint8>", "the cards that were dealt there, as numbers; of a dummy also those face down"),
        Column("discarded", "list<uint8>", "the cards that the dealer discarded; empty elsewhere"),
        Column("tricks", "uint8", "tricks that the position won"),
        Column("collected", "list<uint8>", "the cards that its side collected, in order"),
        Column("doubled", "bool", "the seat doubled its points of this deal"),
        Column("points", "int32", "points of the seat in this deal; a dummy's row has its partner's"),
    ),
    "decisions": (
        _MATCH,
        _GAME,
        _OPTIONS,
        _SEAT,
        _BOT,
        _VERSION,
        _DEAL,
        Column("trick", "uint8", "number of the trick, from 1; 0 before the first"),
        Column("question", "uint32", "number of the choice within match and seat, from 1"),
        Column("action_index", "uint32", "place of the action in the record, from 0"),
        Column("kind", "string", "what is decided: `discard`, `declare`, `play`, `collect`, …"),
        Column("position", "uint8", "the position that acts, which may be the seat's dummy's"),
        Column("legal", "list<uint16>", "the legal actions, as numbers, ascending; two or more"),
        Column("action", "uint16", "the action that was taken, one of these"),
        Column("text", "string", "the same action as text"),
        Column("cause", "string", "who chose: `bot`; or a house bot, because of `timeout`, `illegal`, `failure`, …"),
        Column("took_ms", "uint32", "time charged for the decision, in milliseconds"),
        Column("bank_ms", "uint32", "time left in the seat's bank before it, in milliseconds"),
        Column("strikes", "uint32", "strikes of the seat before it"),
        Column("deal_points", "int32", "points that the seat made in this deal"),
        Column("deal_margin", "float32", "the same less the mean of all seats, in points"),
        Column("place", "uint8", "place of the seat at the end of the match"),
        Column("view", "binary", "all that the seat knew: the message `View` of the contract"),
        Column("observation", "list<float32>", "the same as a tensor; null in games that have none"),
        Column("best", "uint16", "the best action as far as the seat could know; null if it was not priced"),
        Column("price", "float32", "points that this is worth more than what was done; null if it was not priced"),
        Column("price_error", "float32", "standard error of the price, in points; null if it was not priced"),
        Column("open_price", "float32", "the price for somebody who sees all cards; null if it was not priced"),
        Column("values", "list<float32>", "value of each of `legal`, in points above the others' mean; null likewise"),
        Column("place_best", "uint16", "the best action in places; null but in the last deal, and if not priced"),
        Column("place_price", "float32", "places that this is better than what was done; null likewise"),
        Column("place_price_error", "float32", "standard error of that, in places; null likewise"),
        Column("expected_places", "list<float32>", "the place to be expected after each of `legal`; null likewise"),
        Column("first_chances", "list<float32>", "chance of first place after each of `legal`; null likewise"),
    ),
}
