"""In which order `make test` begins what takes longest."""

#: The files that take longest, in this order: one that began last would keep a process busy when all others have ended.
LONGEST = (
    "cli/test_run.py",
    "server/system/test_crash.py",
    "cli/test_compare.py",
    "cli/test_serve.py",
    "server/system/test_secrecy.py",
    "server/torment/test_suite.py",
    "server/bench/test_loop.py",
    "server/bench/test_server.py",
    "server/system/test_outages.py",
    "cli/test_wrapper.py",
    "server/simulation/test_simulation.py",
    "server/rating/test_rebuilding.py",
    "server/organising/test_ladder.py",
    "server/system/test_bad_input.py",
    "server/system/test_games.py",
    "server/net/test_http_connections.py",
    "cli/test_tables.py",
    "server/queue/test_dispatcher.py",
    "server/web/test_pages.py",
    "test_site.py",
)
