"""Why a ladder's two orders, by rating and by strength, differ."""

from typing import Final

#: Of two whose skill and strength agree, and the rating does not.
LESS_CERTAIN: Final = (
    "{below} has the higher skill and the higher strength but ranks behind {above}: its skill is less certain, and the "
    "rating counts only what is certain."
)
#: Of two whose places say something else than their points.
POINTS_NOT_PLACES: Final = (
    "{below} makes more points per match than {above} but ranks behind it: it wins by more or loses by less, and the "
    "rating counts places only."
)
