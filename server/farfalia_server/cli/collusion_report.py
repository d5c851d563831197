"""The report on collusion as a table, from a server or from published files."""

from collections.abc import Sequence

from farfalia.v1 import ratings_pb2
from farfalia_server.cli.output import table


def print_effects(effects: Sequence[ratings_pb2.TableEffect]) -> None:
    """Print what difference it makes to a bot that another one sits at its table."""
    if not effects:
        return
    styles = any(effect.by_styles for effect in effects)
    favours = any(effect.favour_matches for effect in effects)
    heads = [
        "<bot",
        "<with",
        "made",
        "expected",
        "more",
        "from",
        "to",
        *(["by styles"] if styles else []),
        "together",
        "apart",
        "p",
        *(["favours", "p of that"] if favours else []),
        "adjusted p",
        "%",
        "<",
    ]
    rows = [
        (
            effect.bot,
            effect.other,
            f"{effect.made:+.1f}",
            f"{effect.expected:+.1f}",
            f"{effect.difference:+.1f}",
            f"{effect.difference - 1.96 * effect.standard_error:+.1f}",
            f"{effect.difference + 1.96 * effect.standard_error:+.1f}",
            *([f"{effect.by_styles:+.1f}"] if styles else []),
            effect.together,
            effect.apart,
            f"{effect.p_value:.2g}",
            *(_favour(effect) if favours else ()),
            f"{effect.adjusted_p_value:.2g}",
            f"{100 * effect.probability:.0f}",
            "flagged" if effect.flagged else "",
        )
        for effect in effects
    ]
    table(
        heads,
        rows,
        gives_way=[
            *("apart", "by styles", "p", "p of that", "made", "expected", "together", "from", "to", "adjusted p", "%"),
            "favours",
        ],
    )


def _favour(effect: ratings_pb2.TableEffect) -> tuple[str, str]:
    if not effect.favour_matches:
        return "", ""
    return f"{effect.favour:+.1f}", f"{effect.favour_p_value:.2g}"


def about_cards(report: ratings_pb2.ReportCollusionResponse) -> list[str]:
    """Return what a report says of cards: what favours are, if it has any, and whether it has not read all cards."""
    said = []
    if any(effect.favour_matches for effect in report.effects):
        said.append(
            "favours: by how many points per match the cards of the bot favoured the other one, more than others."
        )
    if report.read < report.matches:
        said.append(f"The cards of {report.read} of {report.matches} matches have been read; ask again for more.")
    return said


def flagged_pairs(effects: Sequence[ratings_pb2.TableEffect]) -> str:
    """Return how many pairs of a report are flagged; each has two lines in it."""
    flags = sum(effect.flagged for effect in effects) // 2
    return f"{flags} of {len(effects) // 2} pairs with enough matches are flagged."
