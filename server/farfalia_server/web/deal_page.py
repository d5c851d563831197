"""One deal of a finished match, to step through card by card: everyone's page of it, and a person's own."""

from __future__ import annotations

from starlette.responses import Response

from farfalia.v1 import analysis_pb2, matches_pb2, record_pb2
from farfalia_engine import ruleset
from farfalia_server.contract.conduct import REPLACED
from farfalia_server.web.match_page import deals_shown, elsewhere, summary
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.played_deal import check_deal, played_deal
from farfalia_server.web.prices import band, price_rows
from farfalia_server.wording.player import player_words


def stepped(
    renderer: PageRenderer,
    match: matches_pb2.Match,
    record: record_pb2.Record,
    number: int,
    card: tuple[int, int] | None,
    *,
    name: str = "",
    pages: str = "",
    board: matches_pb2.Board | None = None,
    analysis: analysis_pb2.Analysis | None = None,
    own: bool = False,
) -> Response:
    """Return the page of a deal, from a card on; NotFound if it has no such card.

    `name` is that of the tournament, and `pages` the public address. The page that a person alone sees is its `own`.
    """
    analysis = analysis or analysis_pb2.Analysis()
    deals = deals_shown(record)
    check_deal(match.id, deals, number, card)
    decisions = [one for one in analysis.decisions if one.deal == number]
    rules = ruleset(record.ruleset, dict(record.options))
    prices = price_rows(decisions, rules, deals, match.entrants)
    return renderer.page(
        "replay.html",
        "play" if own else "matches",
        f"/api/matches/{match.id}",
        match=match,
        tournament=name,
        own=own,
        pages=pages,
        in_view=f"{card[0]}.{card[1]}" if card else "",
        record=record,
        deals=deals,
        deal=deals[number - 1],
        played=played_deal(record, len(deals), number),
        board=board,
        elsewhere=elsewhere(match, board, number),
        summary=summary(match, record.outcome.points),
        words=player_words(),
        priced=analysis.state == analysis_pb2.ANALYSIS_STATE_DONE,
        prices=prices,
        band=band(prices),
        causes=[action.cause for action in record.actions],
        replaced=REPLACED,
    )
