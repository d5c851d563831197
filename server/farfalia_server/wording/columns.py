"""What the columns of standings mean, in the words that pages and terminals share."""

from collections.abc import Collection

from farfalia_server.wording.language import gettext

MEANINGS = {
    "ranks": "possible places, all at once with 95 % certainty",
    "level": "entrants with a common letter may be level",
    "adjusted": "strength, in points per match above the field's mean",
    "±": "half its 95 % interval, wider until all is played",
    "relative": "points per match above the table's mean",
    "rating": "conservative rating, mu − 3 sigma, from this tournament alone",
}

#: What the column of luck means, in the result of a match.
LUCK = "Luck: how many more points the cards were worth than those of an average deal. Adjusted scores leave it out."

#: What is said of a tournament whose value function of luck this server does not have.
OTHER_VALUE_FUNCTION = (
    "This server does not have the value function of luck that the tournament has committed to, and uses no other:"
    " matches that end on this server are not adjusted for luck."
)


def legend(columns: Collection[str] = tuple(MEANINGS)) -> str:
    """Return one line on those of these columns whose titles do not say enough."""
    told = [f"{gettext(column)}: {gettext(meaning)}" for column, meaning in MEANINGS.items() if column in columns]
    return f"{'; '.join(told)}." if told else ""
