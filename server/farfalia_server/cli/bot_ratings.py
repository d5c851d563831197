"""The ratings of a bot on a terminal: each with its points, how one came about, and how far two bots are apart."""

from collections.abc import Sequence

from farfalia.v1 import bots_pb2, play_pb2
from farfalia_server.cli.output import prose, say, table
from farfalia_server.wording.phrases import decimal
from farfalia_server.wording.points import apart_words, in_points, made_more, no_points

#: What a narrow terminal leaves out.
_GIVES_WAY = ["matches", "ended", "from", "to"]


def print_ratings(answer: bots_pb2.GetBotResponse) -> None:
    """Print the ratings of all versions, those of the present one first."""
    older = [rating for version in answer.versions[1:] for rating in version.ratings]
    ratings = [*answer.bot.ratings, *older]
    if ratings:
        heads = ["<ladder", "<version", "rating", *_heads(ratings), "matches"]
        rows = [
            [one.ladder, one.version, decimal(one.conservative, 2), *_figures(one, ratings), one.matches]
            for one in ratings
        ]
        _print(heads, rows, ratings)


def print_histories(histories: Sequence[bots_pb2.RatingHistory]) -> None:
    """Print how ratings came about, the newest match first."""
    if not histories:
        say("No match has been rated.")
    for number, history in enumerate(histories):
        say(*([""] if number else []), f"On the ladder of {history.ladder}, the newest first:")
        heads = ["match", "<ended", "<version", *_heads(history.points), "from", "to"]
        rows = [
            [
                one.match,
                f"{one.finished.ToDatetime():%F %R}" if one.HasField("finished") else "",
                one.version,
                *_figures(one, history.points),
                decimal(one.low, 2),
                decimal(one.high, 2),
            ]
            for one in reversed(history.points)
        ]
        _print(heads, rows, history.points)


def print_pair(pair: bots_pb2.BotPair) -> None:
    """Print how far two bots are apart, and what they made against each other."""
    for one in pair.ratings:
        both = [one.rating, one.against_rating]
        prose(f"On the ladder of {one.ladder}: {apart_words(one, pair)}")
        names = (pair.bot, pair.against)
        rows = [[name, *_figures(rating, both), rating.matches] for name, rating in zip(names, both, strict=True)]
        _print(["<bot", *_heads(both), "matches"], rows, both)
        say("")
    if not pair.games:
        say("They have not finished a match with each other yet.")
        return
    prose("Their last 200 finished matches against each other; difference: points per match that it made more there.")
    rows = [
        [game.ruleset, game.better + game.worse + game.equal, game.better, game.worse, game.equal, made_more(game)]
        for game in pair.games
    ]
    table(["<game", "met", "better", "worse", "level", "difference"], rows)


def _print(heads: list[str], rows: list[list[object]], shown: Sequence[play_pb2.Rating | bots_pb2.RatingPoint]) -> None:
    table(heads, rows, gives_way=_GIVES_WAY)
    if told := no_points(shown):
        prose(told)


def _heads(shown: Sequence[play_pb2.Rating | bots_pb2.RatingPoint]) -> list[str]:
    return ["mu", "sigma", *["points"] * any(one.HasField("points") for one in shown)]


def _figures(
    one: play_pb2.Rating | bots_pb2.RatingPoint, shown: Sequence[play_pb2.Rating | bots_pb2.RatingPoint]
) -> list[object]:
    scaled = any(other.HasField("points") for other in shown)
    return [decimal(one.mu, 2), decimal(one.sigma, 2), *([in_points(one)] if scaled else [])]
