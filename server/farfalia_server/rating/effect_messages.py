"""A line of the collusion report as a message."""

from farfalia.v1 import ratings_pb2
from farfalia_tournaments import Effect


def effect_message(effect: Effect[str]) -> ratings_pb2.TableEffect:
    """Return a line of the report."""
    favour = effect.favour
    return ratings_pb2.TableEffect(
        bot=effect.entrant,
        other=effect.other,
        difference=effect.difference,
        standard_error=effect.standard_error,
        together=effect.together,
        apart=effect.apart,
        p_value=effect.p_value,
        flagged=effect.flagged,
        probability=effect.probability,
        made=effect.made,
        expected=effect.expected,
        by_styles=effect.by_styles,
        adjusted_p_value=effect.adjusted_p_value,
        favour=favour.points if favour else 0.0,
        favour_error=favour.standard_error if favour else 0.0,
        favour_matches=favour.matches if favour else 0,
        favour_p_value=favour.p_value if favour else 0.0,
    )
