"""What a bot may be called, and what one tournament may hold: known before a server is asked."""

import re

#: The name of a bot.
BOT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
#: The name of a ladder, which addresses and files have in theirs.
LADDER_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
#: The name of an event: with that of a game it makes one of a ladder.
EVENT_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,26}[a-z0-9])?")
#: Most characters of a bot's version.
LONGEST_VERSION = 40
MOST_ENTRANTS, MOST_ROUNDS, MOST_MATCHES = 500, 10_000, 20_000
#: Of one tournament.
MOST_STAGES = 20
#: Most bytes of an archive with a program, and of the part that one call takes.
LARGEST_ARCHIVE, LARGEST_PART = 50 << 20, 128 << 10
