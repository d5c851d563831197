"""`farfalia event`: courses, seasons and cups, with their members."""

from collections.abc import Mapping
from datetime import UTC
from pathlib import Path
from typing import Annotated, Any

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import acts_pb2, events_pb2
from farfalia_server.cli.output import note, print_json, prose, say, table
from farfalia_server.cli.remote import AdminOption, EventOption, JsonOption, ServerOption, ask
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.moments import moment_of, shown_in
from farfalia_server.wording.acts import act_who, act_words
from farfalia_server.wording.phrases import EVENT_STATES, EVENT_TIMES, MEMBER_ROLES, RATED_ON, date

events = typer.Typer(help="Events: create, change, publish, close; join, members.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Name of the event.")]
AccountName = Annotated[str, typer.Argument(metavar="ACCOUNT", help="Name of the account.")]
Title = Annotated[str | None, typer.Option(help="What it is called.", show_default=False)]
About = Annotated[str | None, typer.Option(help="What it is about, for everybody to read.", show_default=False)]
Zone = Annotated[
    str | None, typer.Option(metavar="ZONE", help="Its time zone, such as Europe/Rome.", show_default=False)
]
RatedOption = Annotated[
    str | None,
    typer.Option(
        "--rated-on",
        metavar="WHICH",
        help="Where its tournaments count: none, own (a ladder of the event) or game (that of the game).",
        show_default=False,
    ),
]
ByInvitation = Annotated[
    bool | None, typer.Option("--by-invitation/--open", help="Who may join: anyone with a code, or anyone.")
]
_WHEN = {"metavar": "TIME", "show_default": False}
Opens = Annotated[str | None, typer.Option(help="When it takes members, such as '2026-12-01 09:00'.", **_WHEN)]
Closes = Annotated[str | None, typer.Option(help="When it takes no more.", **_WHEN)]
Freezes = Annotated[str | None, typer.Option(help="When entrants keep their versions.", **_WHEN)]
Starts = Annotated[str | None, typer.Option(help="When it starts.", **_WHEN)]
Ends = Annotated[str | None, typer.Option(help="When it ends.", **_WHEN)]
MostBots = Annotated[int | None, typer.Option(min=0, help="Bots of a member in a tournament; 0 for no limit.")]
MostVersions = Annotated[int | None, typer.Option(min=0, help="New versions of a bot a day; 0 for no limit.")]
MostMatches = Annotated[
    int | None, typer.Option("--matches", min=0, help="Matches of a bot an hour on a ladder; 0 for no limit.")
]
MostConnections = Annotated[
    int | None,
    typer.Option(min=0, help="Bots of a member, or of a team, that are connected at a time; 0 for no limit."),
]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(events, name="event")


@events.command()
def create(
    name: Annotated[str, typer.Argument(help="Its name: up to 28 small letters, digits and hyphens.")],
    title: Title = None,
    about: About = None,
    zone: Zone = None,
    rated_on: RatedOption = None,
    by_invitation: ByInvitation = None,
    opens: Opens = None,
    closes: Closes = None,
    freezes: Freezes = None,
    starts: Starts = None,
    ends: Ends = None,
    bots: MostBots = None,
    versions: MostVersions = None,
    matches: MostMatches = None,
    connections: MostConnections = None,
    like: Annotated[
        str, typer.Option(metavar="EVENT", help="Copy all but members and times from this event.", show_default=False)
    ] = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Create an event, as a draft.

    `farfalia event publish` shows it to everybody. Times are in its time zone.
    """
    event = events_pb2.Event(name=name)
    times = {"opens": opens, "closes": closes, "freezes": freezes, "starts": starts, "ends": ends}
    _apply(event, title, about, zone, rated_on, by_invitation, times, bots, versions, matches, connections)
    made = ask(server, "CreateEvent", events_pb2.CreateEventRequest(event=event, like=like), admin_token).event
    if json:
        print_json(made)
    else:
        _print(made)
        note(f"Show it to everybody with: farfalia event publish {name}")


@events.command()
def change(
    name: Name,
    title: Title = None,
    about: About = None,
    zone: Zone = None,
    rated_on: RatedOption = None,
    by_invitation: ByInvitation = None,
    opens: Opens = None,
    closes: Closes = None,
    freezes: Freezes = None,
    starts: Starts = None,
    ends: Ends = None,
    bots: MostBots = None,
    versions: MostVersions = None,
    matches: MostMatches = None,
    connections: MostConnections = None,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Change what you name of an event.

    A time that is given as '' is left out from then on.
    """
    event = ask(server, "GetEvent", events_pb2.GetEventRequest(name=name), admin_token).event
    times = {"opens": opens, "closes": closes, "freezes": freezes, "starts": starts, "ends": ends}
    _apply(event, title, about, zone, rated_on, by_invitation, times, bots, versions, matches, connections)
    changed = ask(server, "ChangeEvent", events_pb2.ChangeEventRequest(event=event), admin_token).event
    if json:
        print_json(changed)
    else:
        _print(changed)


@events.command()
def publish(name: Name, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "") -> None:
    """Show an event to everybody."""
    event = ask(server, "GetEvent", events_pb2.GetEventRequest(name=name), admin_token).event
    ask(server, "ChangeEvent", events_pb2.ChangeEventRequest(event=event, publish=True), admin_token)
    say(f"Everybody can see {name} now.")


@events.command()
def close(name: Name, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "") -> None:
    """Close an event and its ladders, for good.

    All of it stays to be seen. Its tournaments have to be finished or cancelled before.
    """
    ask(server, "CloseEvent", events_pb2.CloseEventRequest(name=name), admin_token)
    say(f"The event {name} is closed.")


@events.command()
def show(
    name: Name, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "", json: JsonOption = False
) -> None:
    """Print an event with its ladders, tournaments and members."""
    answer = ask(server, "GetEvent", events_pb2.GetEventRequest(name=name), admin_token)
    if json:
        print_json(answer)
        return
    _print(answer.event)
    if answer.ladders:
        say(f"Ladders: {', '.join(answer.ladders)}.")
    if answer.tournaments:
        say(f"Tournaments: {', '.join(map(str, answer.tournaments))}.")
    if answer.members:
        rows = [(one.account, MEMBER_ROLES[one.role], one.team, ", ".join(one.bots)) for one in answer.members]
        table(["<member", "<role", "<team", "<bots"], rows)


@events.command("list")
def list_all(server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "", json: JsonOption = False) -> None:
    """Print the events that you may see, newest first."""
    answer = ask(server, "ListEvents", events_pb2.ListEventsRequest(), admin_token)
    if json:
        print_json(answer)
        return
    rows = [
        (
            one.name,
            one.title,
            EVENT_STATES[one.state],
            one.members,
            date(one.times.starts) if one.times.HasField("starts") else "",
        )
        for one in answer.events
    ]
    table(["<event", "<title", "<state", "members", "<starts"], rows)


@events.command()
def log(
    name: Annotated[str, typer.Argument(help="Name of the event; the whole arena's log if left out.")] = "",
    who: Annotated[str, typer.Option(metavar="ACCOUNT", help="Only what this account did.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many entries at most.")] = 100,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Print who did what in an event, when and why, oldest first."""
    request = acts_pb2.ListActsRequest(event=name, who=who, limit=limit)
    answer = ask(server, "ListActs", request, admin_token)
    if json:
        print_json(answer)
        return
    rows = [
        (date(act.time), act_who(act), act_words(act), f"tournament {act.tournament}" if act.tournament else act.event)
        for act in answer.acts
    ]
    table(["<when", "<who", "<what", "<where"], rows)


@events.command()
def archive(
    name: Name,
    directory: Annotated[Path, typer.Argument(file_okay=False, help="Where the files go; made if missing.")],
    pages: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Where the server's pages are, if it does not say.", show_default=False),
    ] = "",
    server: ServerOption = DEFAULT_SERVER,
) -> None:
    """Write the pages of an event, with all its records, as a static site.

    `farfalia verify --ratings DIRECTORY/records` checks its ladders without a server.
    """
    from farfalia_server.cli.event_archive import write_archive

    written, records, closed = write_archive(server, name, directory, pages)
    say(f"{written} files are in {directory}, with {records} records; {directory / 'index.html'} is the first page.")
    if closed:
        say(f"{closed} more records follow when their boards are no longer played; run the command again then.")


@events.command()
def announce(
    text: Annotated[str, typer.Argument(help="What everybody is told, up to 2000 characters.")],
    event: EventOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Tell everybody something on an event's page."""
    ask(server, "Announce", events_pb2.AnnounceRequest(event=event, text=text), admin_token)
    say("Announced.")


@events.command()
def retract(
    number: Annotated[int, typer.Argument(min=1, help="Number of the announcement, from `event show --json`.")],
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Take an announcement back."""
    ask(server, "RetractAnnouncement", events_pb2.RetractAnnouncementRequest(id=number), admin_token)
    say(f"Announcement {number} is taken back.")


@events.command()
def join(
    name: Name,
    invitation: Annotated[str, typer.Option(metavar="CODE", help="The code of an invitation to it.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Join an event with your account."""
    ask(server, "JoinEvent", events_pb2.JoinEventRequest(event=name, invitation=invitation), admin_token)
    say(f"You are a member of {name}.")


@events.command()
def member(
    name: Name,
    account: AccountName,
    role: Annotated[str, typer.Option(help=f"What it may do: {', '.join(MEMBER_ROLES.values())}.")] = "member",
    team: Annotated[str, typer.Option(help="Its team.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Make an account a member of an event, or change its role and team."""
    request = events_pb2.SetEventMemberRequest(
        event=name, account=account, role=_one_of("--role", role, MEMBER_ROLES), team=team
    )
    ask(server, "SetEventMember", request, admin_token)
    say(f"{account} is in {name}, as {role}.")


@events.command()
def remove(
    name: Name, account: AccountName, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = ""
) -> None:
    """Take an account out of an event.

    Its bots stay in tournaments that they have entered; `farfalia tournament withdraw` takes them out.
    """
    ask(server, "RemoveEventMember", events_pb2.RemoveEventMemberRequest(event=name, account=account), admin_token)
    say(f"{account} is no member of {name} any more.")


def _apply(
    event: events_pb2.Event,
    title: str | None,
    about: str | None,
    zone: str | None,
    rated_on: str | None,
    by_invitation: bool | None,
    times: Mapping[str, str | None],
    bots: int | None,
    versions: int | None,
    matches: int | None,
    connections: int | None,
) -> None:
    """Put what was given into an event; BadParameter names what is wrong."""
    for name, value in (("title", title), ("about", about), ("zone", zone), ("by_invitation", by_invitation)):
        if value is not None:
            setattr(event, name, value)
    if rated_on is not None:
        event.rated_on = _one_of("--rated-on", rated_on, RATED_ON)
    for name, text in times.items():
        if text == "":
            event.times.ClearField(name)
        elif text is not None:
            try:
                getattr(event.times, name).FromDatetime(moment_of(f"--{name}", text, event.zone))
            except InvalidArgument as error:
                raise typer.BadParameter(f"{error}.") from None
    if bots is not None:
        event.caps.bots = bots
    if versions is not None:
        event.caps.versions = versions
    if matches is not None:
        event.caps.matches = matches
    if connections is not None:
        event.caps.connections = connections


def _one_of(option: str, text: str, words: Mapping[Any, str]) -> Any:
    for value, word in words.items():
        if word == text:
            return value
    raise typer.BadParameter(f"{option} is {text!r}; expected one of {', '.join(words.values())}.")


def _print(event: events_pb2.Event) -> None:
    """Print a sentence about an event, and its times in its zone."""
    who = "by invitation" if event.by_invitation else "open to everybody"
    counts = {"none": "on no ladder", "own": "on ladders of its own", "game": "on the ladders of their games"}
    say(
        f"{event.title} ({event.name}): {EVENT_STATES[event.state]}, {who}, {event.members} members; its tournaments "
        f"count {counts[RATED_ON[event.rated_on]]}."
    )
    if event.about:
        prose(*event.about.splitlines())
    for name, what in EVENT_TIMES.items():
        if event.times.HasField(name):
            moment = shown_in(getattr(event.times, name).ToDatetime(UTC), event.zone)
            say(f"{moment} {event.zone}: {what}.")
