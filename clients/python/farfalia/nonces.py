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

#: Secrets that are remembered; a bot that plays for ever is asked for ever.
_REMEMBERED = 4096


class Nonces:
    """The nonces that a bot has given; asked again, it gives the same one."""

    def __init__(self, bot: Bot, outbox: Outbox) -> None:
        self._bot = bot
        self._outbox = outbox
        #: By tournament and match: the commitment that was shown, and the nonce.
        self._given: OrderedDict[tuple[int, int], tuple[bytes, bytes]] = OrderedDict()

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
        self._outbox.give(pb.Nonce(tournament=entered.tournament, match=entered.match, nonce=self._given[key][1]))

    def notice(self, notice: pb.Notice) -> None:
        """Forget a nonce that does not stand: a process of this bot that ended before gave another one."""
        if notice.reason == "NONCE_GIVEN":
            self._given.pop((notice.tournament, notice.match), None)

    def check(self, seated: pb.Seated) -> None:
        """Warn of a server that has left the nonce out or has another secret than it said; once for each secret."""
        key = (seated.tournament, 0) if seated.tournament else (0, seated.match)
        if key not in self._given:
            return
        commitment, nonce = self._given[key]
        of = f"tournament {seated.tournament}" if seated.tournament else f"match {seated.match}"
        if seated.commitment != commitment:
            fault = f"the commitment is {seated.commitment.hex()}, but it was {commitment.hex()} at entry"
        elif nonce not in seated.nonces:
            fault = f"the nonce {nonce.hex()} that this bot gave is not among those that the server used"
        else:
            return
        del self._given[key]
        report.log.warning("%s: %s; the server may have chosen the deals", of, fault)
