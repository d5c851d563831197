"""What a bot adds to the secrets that its cards come from, and whether the server has taken it.

The method is that of `docs/deals.md`: the server alone cannot choose the deals of a bot that gave a nonce.
"""

from __future__ import annotations

from collections import OrderedDict

from farfalia import report
from farfalia.bot import Bot
from farfalia.errors import BadAnswer
from farfalia.outbox import Outbox
from farfalia.v1 import play_pb2 as pb
from farfalia_engine import NONCE_BYTES

#: Secrets that are remembered; a bot that plays forever is asked forever.
_REMEMBERED = 4096
#: Reasons of the notices that a nonce was not taken.
_NOT_TAKEN = frozenset({"NONCE_GIVEN", "NONCE_LATE", "NONCE_LENGTH", "NOT_ENTERED"})


class Nonces:
    """The nonces that a bot has given; asked again, it gives the same one."""

    def __init__(self, bot: Bot, outbox: Outbox) -> None:
        self._bot = bot
        self._outbox = outbox
        #: By tournament and match: the commitment that was shown, and the nonce.
        self._given: OrderedDict[tuple[int, int], tuple[bytes, bytes]] = OrderedDict()
        #: Of those, the ones that were given on a stream before this one, and perhaps not read.
        self._unsure: set[tuple[int, int]] = set()
        #: By match: the secret that it was dealt from without the nonce.
        self._left_out: dict[int, tuple[int, int]] = {}

    def welcome(self, welcome: pb.Welcome) -> None:
        """Begin a stream: what was given before and is not asked for again was taken, or came too late to be."""
        self._unsure = set(self._given)

    def enter(self, entered: pb.Entered) -> None:
        """Give a nonce, unless the bot wants to give none; BadAnswer if it is too short or too long."""
        key = (entered.tournament, entered.match)
        if key not in self._given:
            nonce = bytes(self._bot.nonce(entered))
            if not nonce:
                return
            if len(nonce) not in NONCE_BYTES:
                least, most = NONCE_BYTES[0], NONCE_BYTES[-1]
                raise BadAnswer(f"the nonce has {len(nonce)} bytes; expected {least} to {most}, or none")
            self._given[key] = (entered.commitment, nonce)
            if len(self._given) > _REMEMBERED:
                self._given.popitem(last=False)
        self._unsure.discard(key)
        self._outbox.give(pb.Nonce(tournament=entered.tournament, match=entered.match, nonce=self._given[key][1]))

    def notice(self, notice: pb.Notice) -> None:
        """Forget a nonce that was not taken: it came late, or a process of this bot that ended before gave another."""
        if notice.reason in _NOT_TAKEN:
            self._given.pop((notice.tournament, notice.match), None)

    def check(self, seated: pb.Seated) -> None:
        """Warn of a server that has another secret than it said; once for each secret.

        A nonce that is missing is spoken of at the end of the match: the notice that it came too late may follow.
        """
        key = (seated.tournament, 0) if seated.tournament else (0, seated.match)
        if key not in self._given:
            return
        commitment, nonce = self._given[key]
        if seated.commitment != commitment:
            fault = f"the commitment is {seated.commitment.hex()}, but it was {commitment.hex()} at entry"
            self._warn(key, f"{fault}; the server may have chosen the deals")
        elif nonce not in seated.nonces:
            self._left_out[seated.match] = key

    def finished(self, finished: pb.Finished) -> None:
        """Warn of a server that has left the nonce out; once for each secret."""
        key = self._left_out.pop(finished.match, None)
        if key is None or key not in self._given:
            return
        fault = f"the nonce {self._given[key][1].hex()} that this bot gave is not among those that the server used"
        if key in self._unsure:
            self._warn(key, f"{fault}; it may have been lost when the connection broke")
        else:
            self._warn(key, f"{fault}; the server may have chosen the deals")

    def _warn(self, key: tuple[int, int], fault: str) -> None:
        del self._given[key]
        tournament, match = key
        report.log.warning("%s: %s", f"tournament {tournament}" if tournament else f"match {match}", fault)
