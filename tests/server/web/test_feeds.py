"""What readers' programs look at: feeds of results, and the start of a tournament as a calendar."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

import icalendar
import pytest
from tests.server.web_site import Site

_ATOM = {"": "http://www.w3.org/2005/Atom"}


@pytest.mark.parametrize(("path", "title"), [("bots/ant", "ant"), ("tournaments/1", "spring")])
async def test_a_feed_has_the_results_newest_first_with_their_pages(season: Site, path: str, title: str) -> None:
    answer = await season.get(f"/{path}/feed.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.text)
    assert root.findtext("title", namespaces=_ATOM) == title
    assert root.findtext("id", namespaces=_ATOM) == f"http://arena.example:7601/{path}"
    entries = root.findall("entry", _ATOM)
    filters = "bot=ant" if path.startswith("bots") else "tournament=1"
    shown = (await season.json(f"/api/matches?{filters}&state=finished"))["matches"]
    pages = [f"http://arena.example:7601/matches/{match['id']}" for match in shown]
    assert [entry.findtext("id", namespaces=_ATOM) for entry in entries] == pages
    times = [datetime.fromisoformat(entry.findtext("updated", "", _ATOM)) for entry in entries]
    assert times == sorted(times, reverse=True)
    assert datetime.fromisoformat(root.findtext("updated", "", _ATOM)) == times[0]
    page = (await season.get(f"/{path}")).text
    assert f'<link rel="alternate" type="application/atom+xml" href="/{path}/feed.atom">' in page


async def test_a_feed_says_no_result_before_the_page_does(site: Site) -> None:
    """Two tables have the same cards, and one of them still plays."""
    spring = await site.here.spring([f"bot-{number}" for number in range(4)], ruleset="two")
    await site.here.store.tournaments.start(spring.id)
    await site.here.play(1)
    feed = (await site.get("/tournaments/1/feed.atom")).text
    assert "<entry>" not in feed
    await site.here.play(2)
    assert (await site.get("/tournaments/1/feed.atom")).text.count("<entry>") == 2


async def test_the_start_of_a_tournament_is_had_for_a_calendar(season: Site) -> None:
    assert "does not start by itself" in await season.text("/tournaments/3/calendar.ics", 404)
    assert "/tournaments/3/calendar.ics" not in (await season.get("/tournaments/3")).text
    starts = datetime(2031, 7, 1, 7, 0, tzinfo=UTC)
    await season.here.store.tournaments.schedule(3, starts)
    (entry,) = icalendar.Calendar.from_ical((await season.get("/tournaments/3/calendar.ics")).text).walk("VEVENT")
    assert (str(entry["summary"]), entry["dtstart"].to_ical()) == ("autumn: start", b"20310701T070000Z")
    assert str(entry["uid"]) == "starts@arena.example:7601/tournaments/3"
    assert 'href="/tournaments/3/calendar.ics"' in (await season.get("/tournaments/3")).text


async def test_feeds_of_what_does_not_exist_say_so(season: Site) -> None:
    assert "There is no bot 'nobody'" in await season.text("/bots/nobody/feed.atom", 404)
    assert "There is no tournament 99" in await season.text("/tournaments/99/feed.atom", 404)
