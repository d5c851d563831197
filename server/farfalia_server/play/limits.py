"""How much a bot, an address or an account may send: every limit on text, lists and rates, of calls and pages, too.

Those of bots are also in `clients/README.md`.
"""

from __future__ import annotations

from farfalia_server.play.token_bucket import TokenBucket

# -- text, in characters --------------------------------------------------------------------

#: A bot's reason why it could not decide.
FAILURE = 300
#: A log line; bytes.
LOG_LINE_BYTES = 4096
#: Name and version of a client.
CLIENT, CLIENT_VERSION = 64, 32
#: Names from outside that a sentence repeats, one name or a list of them.
QUOTED = 80
#: Names in a hello that are read: rulesets, features.
NAMES_IN_HELLO = 64

# -- lists: entries of one message that are read; the others are only counted ----------------

ACTIONS_IN_MESSAGE = 2048
LOGS_IN_MESSAGE = 256
NONCES_IN_MESSAGE = 1024
#: Results per message for actions without effect.
REFUSALS_IN_MESSAGE = 100

# -- rates: tokens at once, and tokens a second ----------------------------------------------

#: Things without effect: an action, a message, a log line too many, a pong without a ping.
USELESS_BURST, USELESS_RATE = 1000, 100
LOGS_BURST, LOGS_RATE = 200, 10
STREAMS_BURST, STREAMS_RATE = 30, 0.5
#: Seconds before a stream above this rate is refused, so that a bot that keeps opening streams costs little.
STREAM_REFUSED_AFTER = 1.0
#: Unknown tokens, by address of the peer; above this rate the answer comes from memory.
WRONG_TOKENS_BURST, WRONG_TOKENS_RATE = 30, 1
#: Wrong passwords, by account and by address.
WRONG_PASSWORDS_BURST, WRONG_PASSWORDS_RATE = 10, 0.1
#: Links to a new password that are asked for by e-mail, by account, by address, and by recipient.
PASSWORD_LINKS_BURST, PASSWORD_LINKS_RATE = 5, 1 / 600
#: What these cost: a new number of matches, after which the server looks for matches, and an unsolicited nonce.
MATCHES_COST, NONCE_COST = 10, 10

# -- other calls and pages, by address and by token; this machine's own are not counted -----------------

#: Calls of the arena's service, and how many per address or token may be open at a time.
CALLS_BURST, CALLS_RATE, WATCHES = 500, 50, 64
#: CPU seconds of the playing process, at once and a second, for reading calls of all callers without a token together,
#: and as much again for those of bots and their owners; and most rows of an answer for the former.
CALLS_CPU_BURST, CALLS_CPU_RATE, STRANGERS_ROWS = 0.5, 0.1, 100
#: How many calls a second are refused because a budget is spent, and seconds within which each one is: a connection
#: has 64 calls open, and makes another only when one has ended.
REFUSALS_RATE, REFUSED_WITHIN = 100, 10.0
#: Pages and their files.
VIEWS_BURST, VIEWS_RATE = 200, 10

# -- what waits ------------------------------------------------------------------------------

#: Messages and bytes of a bot between its hello and the welcome.
EARLY_MESSAGES, EARLY_BYTES = 16, 256 << 10
#: Unsolicited nonces of one bot that wait to be looked up.
UNASKED_NONCES = 8
#: Log lines of one bot that wait for the database.
LOG_LINES_KEPT = 1000


def most_matches(max_tables: int) -> int:
    """Return how many matches one bot may have at a time on a node with `max_tables` tables: a quarter, at least 8."""
    return max(8, max_tables // 4)


class BotLimits:
    """A token bucket for each thing that a bot may send only at a limited rate; `now` is by the monotonic clock.

    They outlive its streams: reconnecting does not reset them.
    """

    __slots__ = ("logs", "useless")

    def __init__(self, now: float) -> None:
        self.useless = TokenBucket(USELESS_BURST, USELESS_RATE, now)
        self.logs = TokenBucket(LOGS_BURST, LOGS_RATE, now)
