"""What gives the cards of a board away, or what a table made of them, in whatever form it is written down."""

from __future__ import annotations

import base64
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from farfalia.v1 import record_pb2
from farfalia_engine import card_text, replay
from farfalia_server.records.codec import from_message

#: Numbers that have to follow one another to be a sequence of actions and no accident.
_ENOUGH = 12
#: Numbers that a document may hold for each action at most: seat, action, two times, cause, an index or two.
_STRIDES = range(1, 9)


#: Points by seat that no match makes and no other number is.
MARKED = (71_640_283, 58_390_417, 46_917_053)
#: A rating at a game, a place among all that a bot had at it, an entry of a chain, the event of a result.
_FOLLOWS = (
    '"ladder": ?"{game}", ?"mu": ?[1-9]',
    '"ruleset": ?"{game}", ?"seats": ?[1-9], ?"place": ?[1-9], ?"matches": ?[1-9]',
    r'"entry\\*": ?[1-9]',
    '"type":"result"',
)


class Traces:
    """Finds a board in bytes and in text: its key, its secret, the hands, the actions, what incidents quote, the points
    of a match whose points are `MARKED`, and what follows from any result at its game.
    """

    def __init__(self, record: record_pb2.Record, secret: bytes) -> None:
        self.board = record.source.board
        self._follows = re.compile("|".join(_FOLLOWS).replace("{game}", record.ruleset))
        self.hands = list(_hands(record))
        self._bytes: dict[str, set[bytes]] = {
            "key": {record.source.board_key},
            "secret": {secret},
            "hands": set(self.hands),
            "actions": {b"".join(b"\x52" + _field(action) for action in record.actions[:_ENOUGH])},
        }
        self._text: dict[str, set[str]] = {
            "key": _spellings(record.source.board_key),
            "secret": _spellings(secret),
            "hands": {spelling for hand in self.hands for spelling in _hand_spellings(hand)},
            "incidents": {incident.text for incident in record.incidents},
            "cards on a page": {'class="card '},
            "cards in events": {f'"type":"{kind}"' for kind in ("play", "known", "collect", "score", "hands", "over")},
        }
        self._sequences: dict[str, Sequence[Sequence[int]]] = {
            "actions": [[action.action for action in record.actions[:_ENOUGH]]],
            "hands": self.hands,
        }

    def found_in(self, data: bytes, text: str = "") -> set[str]:
        """Names of what these bytes, or this text, give away."""
        text = f"{text} {data.decode(errors='replace')}"
        found = {name for name, needles in self._bytes.items() if any(needle in data for needle in needles)}
        found |= {name for name, needles in self._text.items() if any(needle in text for needle in needles)}
        ungrouped = re.sub(r"(?<=\d)[,.\s](?=\d{3})", "", text)
        found |= {"points"} if any(str(points) in ungrouped for points in MARKED) else set()
        found |= {"what follows from a result"} if self._follows.search(re.sub(r"\s+", " ", text)) else set()
        numbers = re.findall(r"\d+", text)
        rows = [f" {' '.join(numbers[start::stride])} " for stride in _STRIDES for start in range(stride)]
        by_key: defaultdict[str, list[str]] = defaultdict(list)
        for key, number in re.findall(r'"(\w+)": ?(\d+)', text):
            by_key[key].append(number)
        rows += [f" {' '.join(values)} " for values in by_key.values()]
        for name, sequences in self._sequences.items():
            wanted = [f" {' '.join(map(str, sequence))} " for sequence in sequences]
            found |= {name for row in rows for one in wanted if one in row}
        return found


def _field(action: record_pb2.RecordAction) -> bytes:
    data = action.SerializeToString()
    return bytes((len(data),)) + data


def _hands(record: record_pb2.Record) -> Iterator[bytes]:
    """Every hand of every deal as it was dealt."""
    deal = 0
    for state in replay(from_message(record)):
        if state.pending is None or state.deal == deal:
            continue
        hands = [state.observation(seat).hand for seat in range(len(record.seats))]
        if all(hands):
            deal = state.deal
            yield from hands


def _spellings(data: bytes) -> set[str]:
    plain = base64.b64encode(data).decode()
    return {data.hex(), data.hex().upper(), plain, base64.urlsafe_b64encode(data).decode(), plain.rstrip("=")}


def _hand_spellings(hand: Sequence[int]) -> set[str]:
    names = [card_text(card) for card in hand]
    mask = sum(1 << card for card in hand)
    lists = {json.dumps(list(hand)), json.dumps(names), " ".join(names), ", ".join(names), ",".join(names)}
    return lists | _spellings(bytes(hand)) | {str(mask), f"{mask:x}"}
