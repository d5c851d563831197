"""In which order `make test` begins what takes longest, and which files one process runs."""

#: The files that take longest, in this order: one that began last would keep a process busy when all others have ended.
LONGEST = (
    "browser/test_everyone_can_use_it.py",
    "browser/test_stories.py",
    "cli/test_run.py",
    "server/system/test_cluster.py",
    "server/system/test_failovers.py",
    "server/system/test_workers.py",
    "server/simulation/test_nodes.py",
    "cli/test_serve.py",
    "cli/test_tournament_commands.py",
    "server/store/test_backups.py",
    "server/system/test_secrecy.py",
    "server/bench/server/test_benchmark.py",
    "server/system/test_crash.py",
    "cli/test_compare.py",
    "server/torment/test_suite.py",
    "server/system/test_cluster_run.py",
    "server/simulation/test_simulation.py",
    "server/test_cluster.py",
    "server/bench/server/test_cluster.py",
    "server/queue/test_dispatcher.py",
    "clients/test_openspiel.py",
    "server/web/test_pages.py",
    "clients/test_node_bot.py",
    "test_site.py",
    "server/system/test_games.py",
    "server/system/test_outages.py",
    "server/organising/test_ladder.py",
    "test_base_install.py",
    "server/rating/test_rebuilding.py",
    "server/system/test_access.py",
    "cli/test_tables.py",
    "cli/test_wrapper.py",
)

#: Files that one process runs, one after another: they look at one season, which takes ten seconds to play.
TOGETHER = {
    f"tests/browser/test_{name}.py": "tests/browser"
    for name in ("stories", "strangers_questions", "player", "budgets", "pictures")
}
