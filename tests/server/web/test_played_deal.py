"""The deals of a match, for those who look at one after another."""

from __future__ import annotations

import pytest
from tests.cli.command import played

from farfalia.v1 import record_pb2
from farfalia_engine import Record
from farfalia_server.records.codec import to_message
from farfalia_server.records.deal_views import DealView, deals_of
from farfalia_server.records.played_events import deal_events
from farfalia_server.web import match_page
from farfalia_server.web.match_page import deals_shown
from farfalia_server.web.played_deal import played_deal
from farfalia_server.wording.phrases import cause


def test_a_match_is_played_again_once_for_all_its_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    replayed = []

    def counted(record: Record) -> list[DealView]:
        replayed.append(record.match)
        return deals_of(record)

    monkeypatch.setattr(match_page, "deals_of", counted)
    record = to_message(played(1, game="chinkway"))
    for number in (1, 2, 3):
        # Each request reads the record again.
        read = record_pb2.Record.FromString(record.SerializeToString())
        deals = deals_shown(read)
        assert [deal.number for deal in deals] == list(range(1, len(deals) + 1))
        shown = played_deal(read, len(deals), number)
        assert shown["events"] == list(deal_events(record, number, cause))
        assert shown["deal"] == number
    assert len(replayed) == 1

    record.actions.pop()
    assert deals_shown(record)[-1] != deals[-1]
    assert len(replayed) == 2
