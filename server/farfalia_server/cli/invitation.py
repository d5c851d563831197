"""`farfalia invitation`: codes by which people make accounts."""

from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import accounts_pb2
from farfalia_server.cli.output import note, print_json, say, table
from farfalia_server.cli.remote import AdminOption, EventOption, JsonOption, ServerOption, ask
from farfalia_server.wording.phrases import date

invitations = typer.Typer(
    help="Invitations: create, list, revoke. Needed where registration is by invitation.", no_args_is_help=True
)
_DAY = 86_400


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(invitations, name="invitation")


@invitations.command()
def create(
    uses: Annotated[int, typer.Option(min=1, max=10_000, help="How many accounts can be registered with it.")] = 1,
    days: Annotated[int, typer.Option(min=0, max=366, help="Days until it expires; 0 for never.")] = 0,
    text: Annotated[str, typer.Option("--note", help="What it is for; shown in the list.")] = "",
    event: EventOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Make an invitation and print its code, shown only once."""
    request = accounts_pb2.CreateInvitationRequest(note=text, uses=uses, seconds=days * _DAY, event=event)
    made = ask(server, "CreateInvitation", request, admin_token)
    if json:
        print_json(made)
    else:
        note("Hand out the code; with it: farfalia account register NAME --invitation CODE")
        say(made.code)


@invitations.command("list")
def list_all(server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "", json: JsonOption = False) -> None:
    """Print the invitations, newest first, without their codes."""
    answer = ask(server, "ListInvitations", accounts_pb2.ListInvitationsRequest(), admin_token)
    if json:
        print_json(answer)
        return
    rows = [
        (
            one.id,
            one.note,
            one.event,
            f"{one.used} of {one.uses}",
            date(one.created),
            date(one.expires) if one.HasField("expires") else "",
            "yes" if one.revoked else "no",
        )
        for one in answer.invitations
    ]
    table(["number", "<note", "<event", "used", "<made", "<expires", "<revoked"], rows)


@invitations.command()
def revoke(
    number: Annotated[int, typer.Argument(min=1, help="Number of the invitation.")],
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """End an invitation.

    The accounts registered with it stay.
    """
    ask(server, "RevokeInvitation", accounts_pb2.RevokeInvitationRequest(id=number), admin_token)
    say(f"Invitation {number} can no longer be used.")
