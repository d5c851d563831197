"""The order in which tests that take longest begin, and which files one process runs together."""

#: The files that take longest, in this order: one that began last would keep a process busy when all others have ended.
LONGEST = (
    # of `make slow`
    "clients/test_starters.py",
    "browser/test_everyone_can_use_it.py",
    "server/system/test_secrecy.py",
    "server/system/test_cluster.py",
    "browser/test_a_course_of_forty.py",
    "browser/test_ways_to_play.py",
    "browser/test_stories.py",
    "server/system/test_failovers.py",
    "tools/torment/test_suite.py",
    "server/system/test_workers.py",
    "server/system/test_daily_secrecy.py",
    "server/upgrade/test_upgrade.py",
    "browser/test_live_table.py",
    "server/system/test_outages.py",
    "tools/bench/server/test_benchmark.py",
    "server/organising/test_ladder.py",
    "tools/bench/server/test_cluster.py",
    "server/simulation/test_nodes.py",
    "server/system/test_cluster_run.py",
    "tools/bench/web/test_benchmark.py",
    "server/system/test_crash.py",
    "tools/bench/server/test_crowd.py",
    # of `make test`
    "server/conformance/test_conform.py",
    "cli/test_run.py",
    "server/nodes/test_membership.py",
    "server/system/test_access.py",
    "server/store/sql/test_backups.py",
    "cli/test_serve.py",
    "cli/test_compare.py",
    "server/nodes/test_gateway_keeper.py",
    "server/system/test_bad_input.py",
    "cli/test_tournament_commands.py",
    "tournaments/schedules/test_round_robin.py",
    "server/web/test_table_state.py",
    "server/web/test_pages.py",
    "server/net/test_supervision.py",
    "server/nodes/test_seater.py",
    "server/store/matches/test_matches.py",
)

#: Files that one process runs, one after another: they look at one season, which takes ten seconds to play.
TOGETHER = {
    f"tests/browser/test_{name}.py": "tests/browser"
    for name in ("stories", "strangers_questions", "player", "budgets", "pictures")
}
