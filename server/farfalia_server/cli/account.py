"""`farfalia account`: who owns bots, organises, or looks on, and their tokens."""

import sys
from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import accounts_pb2
from farfalia_server.cli.output import note, print_json, say, table
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask, ask_all
from farfalia_server.wording.phrases import ROLES, date

accounts = typer.Typer(
    help="Accounts: register, show, list, password, revoke. An account owns bots.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="Name of the account.")]
OwnName = Annotated[str, typer.Argument(help="Name of the account; by default that of the token.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(accounts, name="account")


@accounts.command()
def register(
    name: Annotated[str, typer.Argument(help="Its name: 1 to 40 letters, digits, dots, hyphens or underscores.")],
    invitation: Annotated[str, typer.Option(metavar="CODE", help="The code of an invitation.")] = "",
    role: Annotated[str, typer.Option(help=f"What it may do: {', '.join(ROLES.values())}. The admin chooses.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Register an account and print its token, shown only once.

    Pass the token to `farfalia bot register`: the bot is then yours, and you rotate and revoke its token.
    """
    request = accounts_pb2.CreateAccountRequest(name=name, role=_role(role), invitation=invitation)
    made = ask(server, "CreateAccount", request, admin_token)
    if json:
        print_json(made)
    else:
        note(f"The account {name} is registered. Its token, shown only once; export it as FARFALIA_ACCOUNT_TOKEN:")
        say(made.token)


@accounts.command()
def show(
    name: OwnName = "", server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "", json: JsonOption = False
) -> None:
    """Print an account and its bots."""
    answer = ask(server, "GetAccount", accounts_pb2.GetAccountRequest(name=name), admin_token)
    if json:
        print_json(answer)
        return
    account = answer.account
    bots = f"{account.bots} of at most {account.quota} bots" if account.quota else f"{account.bots} bots"
    say(f"{account.name}, {ROLES[account.role]}, {bots} with a token{_revoked(account)}.")
    if answer.bots:
        rows = [(bot.name, _yes(bot.has_token), _yes(bot.connected)) for bot in answer.bots]
        table(["<bot", "<token", "<connected"], rows)


@accounts.command("list")
def list_all(server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "", json: JsonOption = False) -> None:
    """Print all accounts, by name."""
    answer = ask_all(server, "ListAccounts", accounts_pb2.ListAccountsRequest(), admin_token)
    if json:
        print_json(answer)
    else:
        rows = [
            (account.name, ROLES[account.role], account.bots, date(account.created), _yes(not _revoked(account)))
            for account in answer.accounts
        ]
        table(["<account", "<role", "bots", "<since", "<token"], rows)


@accounts.command()
def rotate_token(
    name: OwnName = "", server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "", json: JsonOption = False
) -> None:
    """Give an account a new token and print it.

    The old one ends at once; the bots keep theirs. An account that was revoked is let in again.
    """
    answer = ask(server, "RotateAccountToken", accounts_pb2.RotateAccountTokenRequest(name=name), admin_token)
    if json:
        print_json(answer)
    else:
        say(answer.token)


@accounts.command()
def password(name: OwnName = "", server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "") -> None:
    """Give an account a password, with which its owner signs in at the server's page /account.

    The command asks for it; in a pipe it is the first line of standard input. All sessions of the account end.
    """
    if sys.stdin.isatty():
        chosen = typer.prompt("New password", hide_input=True, confirmation_prompt=True)
    else:
        chosen = sys.stdin.readline().rstrip("\n")
    ask(server, "SetPassword", accounts_pb2.SetPasswordRequest(name=name, password=chosen), admin_token)
    note("The account has this password now. Its sessions have ended.")


@accounts.command()
def revoke(name: Name, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "") -> None:
    """Revoke the tokens of an account and of its bots.

    So are its password and its sessions. Streams end at once. Bots, matches and ratings stay.
    """
    ask(server, "RevokeAccount", accounts_pb2.RevokeAccountRequest(name=name), admin_token)
    say(f"The account {name} and its bots no longer have tokens.")


def _role(name: str) -> accounts_pb2.Role:
    if not name:
        return accounts_pb2.ROLE_UNSPECIFIED
    for role, word in ROLES.items():
        if word == name:
            return role
    raise typer.BadParameter(f"--role is {name!r}; expected one of {', '.join(ROLES.values())}.")


def _revoked(account: accounts_pb2.Account) -> str:
    return f", revoked {date(account.revoked)}" if account.HasField("revoked") else ""


def _yes(it: bool) -> str:
    return "yes" if it else "no"
