"""`farfalia account`: who owns bots, organises, or looks on, and their tokens."""

import sys
from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import accounts_pb2
from farfalia_server.cli.moderation import ReasonOption, StrikeOption, YesOption, confirm
from farfalia_server.cli.output import note, print_json, say, table
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask, ask_all
from farfalia_server.wording.phrases import ROLES, TOKEN_SCOPES, date

accounts = typer.Typer(
    help="Accounts: register, show, rename, suspend, remove, tokens. An account owns bots.", no_args_is_help=True
)
tokens = typer.Typer(help="Tokens of your account, each good for a part: create, list, revoke.", no_args_is_help=True)
accounts.add_typer(tokens, name="token")
_DAY = 86_400

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
    email: Annotated[str, typer.Option(metavar="ADDRESS", help="For links to a new password, if you like.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Register an account and print its token, shown only once.

    Pass the token to `farfalia bot register`: the bot is then yours, and you rotate and revoke its token.
    """
    request = accounts_pb2.CreateAccountRequest(name=name, role=_role(role), invitation=invitation, email=email)
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
    if answer.email:
        say(f"Links to a new password go to {answer.email}.")
    if answer.bots:
        rows = [(bot.name, _yes(bot.has_token), _yes(bot.connected)) for bot in answer.bots]
        table(["<bot", "<token", "<connected"], rows)
    for cap in answer.connection_caps:
        whose = f"of the team {cap.team}" if cap.team else f"of {account.name}"
        say(f"{cap.event}: {len(cap.connected)} of at most {cap.most} bots {whose} are connected.")


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
def password_link(name: Name, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "") -> None:
    """Print a link by which somebody chooses a new password, once.

    For organisers, for somebody who has lost theirs; it is good for seven days. Open it at the server's pages.
    Where the server sends mail and the account has an e-mail address, it is sent there, too.
    """
    made = ask(server, "CreatePasswordLink", accounts_pb2.CreatePasswordLinkRequest(name=name), admin_token)
    if made.status == accounts_pb2.MAIL_STATUS_SENT:
        note("It was sent to the e-mail address of the account.")
    elif made.status == accounts_pb2.MAIL_STATUS_FAILED:
        note(f"It was not sent by e-mail: {made.text}.")
    note(f"Good once, until {date(made.expires)}; put the address of the server's pages before it:")
    say(f"/account/new-password?link={made.token}")


@accounts.command()
def lost_password(name: Name, server: ServerOption = DEFAULT_SERVER) -> None:
    """Have a link to a new password sent to the e-mail address of an account.

    It needs no token, and says nothing of whether there is such an account. The link is good once, for a day.
    """
    ask(server, "RequestPasswordLink", accounts_pb2.RequestPasswordLinkRequest(name=name))
    note("If there is such an account, and it has an e-mail address, a link is on its way there.")


@accounts.command()
def email(
    address: Annotated[str, typer.Argument(help="The address; without one the account has none.")] = "",
    name: Annotated[str, typer.Option(metavar="NAME", help="The account; by default that of the token.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Give an account an e-mail address, or take it away.

    Links to a new password go there, if it is lost. The account and its organisers see it, nobody else.
    """
    ask(server, "SetEmail", accounts_pb2.SetEmailRequest(name=name, email=address), admin_token)
    note(f"Links to a new password go to {address} now." if address else "The account has no e-mail address now.")


@accounts.command()
def revoke(name: Name, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "") -> None:
    """Revoke the tokens of an account and of its bots.

    So are its password and its sessions. Streams end at once. Bots, matches and ratings stay.
    """
    ask(server, "RevokeAccount", accounts_pb2.RevokeAccountRequest(name=name), admin_token)
    say(f"The account {name} and its bots no longer have tokens.")


@accounts.command()
def suspend(
    name: Name,
    undo: Annotated[bool, typer.Option("--undo", help="Let it back in.")] = False,
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Suspend an account: its sessions and its bots' streams end.

    House bots finish what its bots play. It keeps its password and its tokens, which work again with --undo.
    """
    request = accounts_pb2.ModerateAccountRequest(name=name, suspended=not undo, reason=reason)
    ask(server, "ModerateAccount", request, admin_token)
    say(f"The account {name} is let back in." if undo else f"The account {name} and its bots are suspended.")


@accounts.command()
def rename(
    new_name: Annotated[str, typer.Argument(help="Its new name.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="The account; by default that of the token.")] = "",
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Give an account another name, also as owner of its bots."""
    request = accounts_pb2.RenameAccountRequest(name=name, new_name=new_name, reason=reason)
    ask(server, "RenameAccount", request, admin_token)
    say(f"The account is called {new_name} now.")


@accounts.command()
def remove(
    name: Name,
    strike: StrikeOption = False,
    reason: ReasonOption = "",
    yes: YesOption = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Remove an account with its bots. This cannot be undone.

    Placeholders stand for the names everywhere, in records some seconds later. What was played stays.
    """
    confirm(yes, f"Remove the account {name} and its bots?")
    request = accounts_pb2.RemoveAccountRequest(name=name, strike=strike, reason=reason)
    say(f"Removed. {ask(server, 'RemoveAccount', request, admin_token).placeholder} stands for the name now.")


@tokens.command("create")
def create_token(
    name: Annotated[str, typer.Argument(help="What you call it.")],
    scope: Annotated[str, typer.Option(help=f"What it is good for: {', '.join(TOKEN_SCOPES.values())}.")] = "bots",
    bot: Annotated[str, typer.Option(metavar="NAME", help="The bot, for the scope bot.")] = "",
    event: Annotated[str, typer.Option(metavar="NAME", help="The event, for the scope event.")] = "",
    days: Annotated[int, typer.Option(min=0, max=366, help="Days until it expires; 0 for never.")] = 0,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Make another token of your account, good for a part of what it may do, and print it."""
    number = next((number for number, word in TOKEN_SCOPES.items() if word == scope), None)
    if number is None:
        raise typer.BadParameter(f"--scope is {scope!r}; expected one of {', '.join(TOKEN_SCOPES.values())}.")
    request = accounts_pb2.CreateApiTokenRequest(name=name, scope=number, bot=bot, event=event, seconds=days * _DAY)
    made = ask(server, "CreateApiToken", request, admin_token)
    if json:
        print_json(made)
    else:
        note("The token, shown only once:")
        say(made.token)


@tokens.command("list")
def list_tokens(server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "", json: JsonOption = False) -> None:
    """Print these tokens of your account, by name, without themselves."""
    answer = ask(server, "ListApiTokens", accounts_pb2.ListApiTokensRequest(), admin_token)
    if json:
        print_json(answer)
        return
    rows = [
        (
            one.id,
            one.name,
            f"{TOKEN_SCOPES[one.scope]} {one.bot or one.event}".strip(),
            date(one.expires) if one.HasField("expires") else "",
            date(one.used) if one.HasField("used") else "",
        )
        for one in answer.tokens
    ]
    table(["token", "<name", "<good for", "<until", "<last used"], rows)


@tokens.command("revoke")
def revoke_token(
    number: Annotated[int, typer.Argument(min=1, help="Number of the token, from the list.")],
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """End one of these tokens, and no other."""
    ask(server, "RevokeApiToken", accounts_pb2.RevokeApiTokenRequest(id=number), admin_token)
    say(f"Token {number} is no longer good.")


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
