"""How a bot plays, on a terminal: by role, its luck, and whom it beats more or less often than chance explains."""

from farfalia.v1 import bots_pb2
from farfalia_server.cli.output import say, table
from farfalia_server.wording.bots import expectation
from farfalia_server.wording.phrases import decimal, role, signed

#: Half of a 95 % interval, in standard errors.
_INTERVAL = 1.96


def print_profile(answer: bots_pb2.GetBotResponse) -> None:
    """Print what the page of the bot shows of its last matches, by game."""
    for result in answer.results:
        if result.HasField("luck"):
            say(f"{result.ruleset}, version {result.version}: {signed(result.luck, 1)} points of luck a match.")
    if answer.roles:
        say("", "Points per deal by role, with half of the 95 % interval:")
        rows = [[one.ruleset, role(one), one.deals, _points(one)] for one in answer.roles]
        table(["<game", "<role", "deals", "points"], rows)
    if told := [one for one in answer.opponents if one.stands_out]:
        say("", "Opponents against whom it stands out among all of them, beside what ratings expect:")
        table(["<game", "<opponent", "ahead", "expected", "<"], [_opponent(one) for one in told])


def _points(one: bots_pb2.RoleResult) -> str:
    margin = f" ± {decimal(_INTERVAL * one.error, 1)}" if one.error else ""
    return f"{decimal(one.points, 1)}{margin}"


def _opponent(one: bots_pb2.Opponent) -> list[str]:
    share = f"{100 * one.share:.0f} % ({100 * one.low:.0f}–{100 * one.high:.0f})"
    return [one.ruleset, one.bot, share, f"{100 * one.expected:.0f} %", expectation(one)]
