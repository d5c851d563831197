"""What the columns of standings mean, in the words that pages and terminals share."""

from collections.abc import Collection

MEANINGS = {
    "ranks": "where it may truly stand, all at once with 95 %",
    "level": "two that share a letter are not told apart",
    "adjusted": "strength, in points per match above the field's mean",
    "±": "half its 95 % interval, wider until all is played",
    "relative": "points per match above the table's mean",
    "rating": "conservative rating, mu − 3 sigma, from this tournament alone",
}

#: What the column of luck means, in the result of a match.
LUCK = "Luck: how many points the cards were worth more than those of an average deal. Adjusted scores leave it out."

#: What is said of a tournament whose value function of luck this server does not have.
OTHER_VALUE_FUNCTION = (
    "This server does not have the value function of luck that the tournament has committed to: of matches that end on"
    " it no luck is taken out, and none by another function."
)


def legend(columns: Collection[str] = tuple(MEANINGS)) -> str:
    """Return one line on those of these columns whose titles do not say enough."""
    told = [f"{column}: {meaning}" for column, meaning in MEANINGS.items() if column in columns]
    return f"{'; '.join(told)}." if told else ""
