"""What a bot may be called, and what one tournament may hold: known before a server is asked."""

import re

#: The name of a bot.
BOT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
#: Most characters of its version.
LONGEST_VERSION = 40
#: Rated matches after which it has a place on a ladder.
SETTLED = 10
MOST_ENTRANTS, MOST_ROUNDS, MOST_MATCHES = 500, 10_000, 20_000
#: Of one tournament.
MOST_STAGES = 20
