"""Commands for drafts of tournaments: made, changed by two, published, dropped; and a start with the event."""

import json

from tests.cli.asked_server import admin, numbered, server
from tests.cli.command import Command

__all__ = ["admin", "server"]


def test_a_draft_is_changed_until_it_is_published(admin: Command) -> None:
    made = json.loads(admin.told("tournament", "create", "Finals", "--draft", "--game", "four", "--json"))
    number = made["id"]
    changes = ("--rounds", 3, "--name", "Great Finals", "house-greedy-1", "house-random-1")
    changed = json.loads(admin.told("tournament", "change", number, *changes, "--json"))
    plan = changed["plan"]
    assert (plan["name"], plan["ruleset"], plan["rounds"]) == ("Great Finals", "four", 3)
    assert plan["bots"] == ["house-greedy-1", "house-random-1"]
    staged = json.loads(admin.told("tournament", "change", number, "--stages", "swiss:rounds=2", "--json"))
    assert (staged["plan"]["rounds"], len(staged["plan"]["stages"]), staged["plan"]["bots"]) == (0, 1, plan["bots"])
    for option, alone in (("--alone", True), ("--with-ladders", False)):
        plan = json.loads(admin.told("tournament", "change", number, option, "--json"))["plan"]
        assert plan["alone"] is alone
    assert "Great Finals" in admin.told("tournament", "drafts")
    assert "Great Finals" not in admin.told("tournament", "list")
    tournament = json.loads(admin.told("tournament", "publish", number, "--json"))
    assert (tournament["name"], tournament["state"]) == ("Great Finals", "TOURNAMENT_STATE_PLANNED")
    assert json.loads(admin.told("tournament", "publish", number, "--json"))["id"] == tournament["id"]
    assert "Great Finals" not in admin.told("tournament", "drafts")
    late = admin("tournament", "change", number, "--rounds", 4)
    assert (late.returncode, f"draft {number} is published" in late.stderr) == (1, True)


def test_a_draft_is_dropped(admin: Command) -> None:
    number = json.loads(admin.told("tournament", "create", "Nothing", "--draft", "--json"))["id"]
    admin.told("tournament", "drop", number)
    assert "Nothing" not in admin.told("tournament", "drafts")
    gone = admin("tournament", "publish", number)
    assert (gone.returncode, f"there is no draft {number}" in gone.stderr) == (1, True)


def test_what_contradicts_itself_is_refused(admin: Command) -> None:
    for words in (
        ("create", "Both", "--draft", "--start"),
        ("change", 1, "--rounds", 3, "--stages", "swiss:rounds=3"),
        ("change", 1, "--at", "2099-01-01 09:00", "--with-event"),
    ):
        admin.told("tournament", "create", "Any", "--draft")
        refused = admin("tournament", *words)
        assert (refused.returncode, "expected one of them" in refused.stderr) == (2, True), refused.stderr


def test_a_tournament_starts_with_its_event(admin: Command) -> None:
    made = numbered(admin.told("tournament", "create", "Opening", "house-greedy-1", "--game", "two", "--rounds", 1))
    assert "starts with its event" in admin.told("tournament", "start", made, "--with-event")
    assert "starts with its event" not in admin.told("tournament", "start", made, "--at", "by hand")
