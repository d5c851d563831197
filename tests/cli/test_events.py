"""`farfalia event`: a course from its draft to its end, by commands alone."""

from pathlib import Path

from tests.cli.asked_server import admin, server
from tests.cli.command import Command
from tests.server.live import LiveServer

__all__ = ["admin", "server"]


def test_a_course_is_run_by_commands(admin: Command, server: LiveServer, tmp_path: Path) -> None:
    otto = account(admin, server, tmp_path, "otto", "--role", "organiser")
    ada = account(admin, server, tmp_path, "ada")
    times = ("--zone", "Europe/Rome", "--starts", "2031-07-01 09:00", "--ends", "2031-07-02")
    shown = otto.told("event", "create", "course", "--title", "Card bots", *times, "--rated-on", "own").splitlines()
    assert "Card bots (course): draft, open to everybody, 1 members" in shown[0]
    assert "2031-07-01 09:00 Europe/Rome: start." in shown
    assert "there is no event 'course'" in ada("event", "show", "course").stderr
    otto.told("event", "publish", "course")
    assert ada.told("event", "join", "course") == "You are a member of course.\n"
    ada.told("bot", "register", "ant")
    otto.told("event", "member", "course", "ada", "--team", "Red")
    otto.told("tournament", "create", "Finals", "ant", "--event", "course", "--game", "two")
    opened = otto.told("ladder", "open", "two", "--event", "course", "--as-played")
    assert " ".join(opened.split()).endswith(", rated with luck.")
    shown = otto.told("event", "show", "course").splitlines()
    assert "Ladders: course-two." in shown
    assert "Tournaments: 1." in shown
    assert next(line.split() for line in shown if line.startswith("ada")) == ["ada", "member", "Red", "ant"]
    assert "2031-08-01 10:00 Europe/Rome: end." in otto.told("event", "change", "course", "--ends", "2031-08-01 10:00")
    assert ": start." not in otto.told("event", "change", "course", "--starts", "")
    assert "tournaments of course that are not over: 1; finish" in otto("event", "close", "course").stderr.replace(
        "\n", " "
    )
    otto.told("tournament", "cancel", "1")
    done = [line.split()[3:5] for line in otto.told("event", "log", "course").splitlines()[1:]]
    assert done[:3] == [["otto", "created"], ["otto", "published"], ["ada", "joined"]]
    assert "member set: ada (member, team Red)" in otto.told("event", "log", "course", "--who", "otto")
    assert "expected the token of an organiser" in " ".join(ada("event", "log", "course").stderr.split())
    assert otto.told("event", "close", "course") == "The event course is closed.\n"
    assert otto.told("event", "list").splitlines()[1].split()[:4] == ["course", "Card", "bots", "closed"]
    assert "No ladder is open." in otto.told("ladder", "show")
    made = otto.told("event", "create", "course-32", "--like", "course")
    assert made.startswith("Card bots (course-32): draft")
    assert "on ladders of its own" in made


def test_what_is_wrong_with_an_event_is_said_before_a_server_is_asked(admin: Command) -> None:
    for options, text in (
        (("--starts", "tomorrow"), "expected a time such as 2026-12-01 09:00"),
        (("--zone", "Mars", "--starts", "2031-01-01"), "expected a time zone such as Europe/Rome"),
        (("--rated-on", "all"), "expected one of none, own, game"),
    ):
        found = admin("event", "create", "cup", *options)
        assert found.returncode == 2
        assert text in " ".join(found.stderr.replace("│", " ").split())


def account(admin: Command, server: LiveServer, folder: Path, name: str, *options: str) -> Command:
    """Commands that show the token of a new account."""
    token = admin.told("account", "register", name, *options).strip()
    return Command(folder, FARFALIA_SERVER=server.grpc_address, FARFALIA_ACCOUNT_TOKEN=token)
