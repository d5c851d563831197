"""How much one bot may send: every bound on text, lists and rates from bots. `clients/README.md` says the same."""

from __future__ import annotations

# -- text, in characters --------------------------------------------------------------------

#: Why a bot could not decide.
FAILURE = 300
#: A log line; bytes.
LOG_LINE_BYTES = 4096
#: Name and version of a client.
CLIENT, CLIENT_VERSION = 64, 32
#: Names from outside that a sentence repeats, one name or a list of them.
QUOTED = 80
#: Names in a hello that are looked at: rulesets, features.
NAMES_IN_HELLO = 64

# -- lists: entries of one message that are read; the others are only counted ----------------

ACTIONS_IN_MESSAGE = 2048
LOGS_IN_MESSAGE = 256
NONCES_IN_MESSAGE = 1024
#: Results per message that tell why an action changes nothing.
REFUSALS_IN_MESSAGE = 100

# -- rates: tokens at once, and tokens a second ----------------------------------------------

#: What changes nothing: an action, a message, a log line too many, a pong that answers no ping.
USELESS_BURST, USELESS_RATE = 1000, 100
LOGS_BURST, LOGS_RATE = 200, 10
STREAMS_BURST, STREAMS_RATE = 30, 0.5
#: Seconds that a stream beyond these waits for its refusal, so that a bot that opens one after the other costs little.
STREAM_REFUSED_AFTER = 1.0
#: Tokens nobody has, by address of the peer; beyond these the answer comes from memory.
WRONG_TOKENS_BURST, WRONG_TOKENS_RATE = 30, 1
#: What a new number of matches costs, which makes the server look for matches, and a nonce nobody asked for.
MATCHES_COST, NONCE_COST = 10, 10

# -- other calls and pages, by address and by token; this machine's own are not counted -----------------

#: Calls of the arena's service, and how many of an address or a token go on at once.
CALLS_BURST, CALLS_RATE, WATCHES = 500, 50, 64
#: Pages and what belongs to them.
VIEWS_BURST, VIEWS_RATE = 200, 10

# -- what waits ------------------------------------------------------------------------------

#: Messages and bytes of a bot that has said hello and is not welcomed yet.
EARLY_MESSAGES, EARLY_BYTES = 16, 256 << 10
#: Nonces of one bot that nobody asked for and that wait to be looked up.
UNASKED_NONCES = 8
#: Log lines of one bot that wait for the database.
LOG_LINES_KEPT = 1000


def most_matches(max_tables: int) -> int:
    """Return matches that one bot may have at once on a node with `tables` tables: a quarter of them,
    but at least 8.
    """
    return max(8, max_tables // 4)
