"""The tournament server: everything with a socket, a clock or a disk.

Begin with `app`: `Server` opens the places where it keeps what it knows (`server_places`), what plays (`server_play`),
its doors (`server_ports`) and its roles, and closes them. `play` is where bots play, `queue` brings it matches, and
`nodes` spreads both over several processes, which agree through `cluster`. `organising` plans matches, `rating` rates
what was played, `store` keeps everything, and `arena` tells the world of it, by gRPC and through `web`. `cli` is the
command line, and `local` a whole tournament on one machine. CONTRIBUTING says which package may import which.
"""

import os
from importlib.metadata import version

# Read once, when grpc is imported: otherwise it tells on stderr what it does not do when a process is started.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

#: What the names of all our environment variables begin with.
PREFIX = "FARFALIA_"

__version__ = version("farfalia")
