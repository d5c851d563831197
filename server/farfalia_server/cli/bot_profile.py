"""How a bot plays, on a terminal: in which deals, its luck, and whom it beats beyond or below what chance explains."""

from farfalia.v1 import bots_pb2
from farfalia_server.cli.output import say, table
from farfalia_server.wording.bots import expectation
from farfalia_server.wording.phrases import signed
from farfalia_server.wording.profile import part_points, part_words, split_words


def print_profile(answer: bots_pb2.GetBotResponse) -> None:
    """Print what the page of the bot shows of its last matches, by game."""
    for result in answer.results:
        if result.HasField("luck"):
            say(f"{result.ruleset}, version {result.version}: {signed(result.luck, 1)} points of luck a match.")
    if answer.profile:
        say("", "Points per deal, with half of the 95 % interval:")
        rows = [
            [one.ruleset, split_words(one.split), part_words(one), one.deals, part_points(one)]
            for one in answer.profile
        ]
        table(["<game", "<deals", "<which", "number", "points"], rows)
    if told := [one for one in answer.opponents if one.stands_out]:
        say("", "Opponents against whom it stands out among all of them, beside what ratings expect:")
        table(["<game", "<opponent", "ahead", "expected", "<"], [_opponent(one) for one in told])


def _opponent(one: bots_pb2.Opponent) -> list[str]:
    share = f"{100 * one.share:.0f} % ({100 * one.low:.0f}–{100 * one.high:.0f})"
    return [one.ruleset, one.bot, share, f"{100 * one.expected:.0f} %", expectation(one)]
