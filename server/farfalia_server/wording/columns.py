"""What the columns of standings mean, in the words that pages and terminals share."""

from collections.abc import Collection

MEANINGS = {
    "adjusted": "points per match above the table's mean, corrected for the effect of the cards",
    "±": "half its 95 % confidence interval, wider until all is played",
    "relative": "the same, not corrected",
    "rating": "conservative rating, mu − 3 sigma, from this tournament alone",
}

#: What the column of luck means, in the result of a match.
LUCK = "Luck: the points that an entrant's cards were worth more than those of an average deal; scores are freed of it."


def legend(columns: Collection[str] = tuple(MEANINGS)) -> str:
    """Return one line on those of these columns whose titles do not say enough."""
    told = [f"{column}: {meaning}" for column, meaning in MEANINGS.items() if column in columns]
    return f"{'; '.join(told)}." if told else ""
