"""`farfalia bot webhook`: where a bot's owner is told what happened."""

from __future__ import annotations

from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import webhooks_pb2
from farfalia_server.cli.output import note, print_json, say, table
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask
from farfalia_server.wording.phrases import date
from farfalia_server.wording.webhooks import DELIVERY_KINDS, delivery_kind, delivery_state

webhooks = typer.Typer(help="Webhooks, which tell your program what happens.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Name of the bot.")]
TokenOption = Annotated[
    str, typer.Option("--token", envvar="FARFALIA_TOKEN", metavar="TOKEN", help="The bot's own token.")
]


@webhooks.command("set")
def set_webhook(
    name: Name,
    url: Annotated[str, typer.Argument(metavar="URL", help="https://HOST/PATH")],
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            "--kind", metavar="KIND", help=f"What it is told, again for more; all of {', '.join(DELIVERY_KINDS)}."
        ),
    ] = None,
    new_secret: Annotated[bool, typer.Option("--new-secret", help="Make a new secret; the old one ends.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Set a bot's webhook, or turn it on again, and print a new secret, shown only once.

    The secret signs what is sent; docs/webhooks.md says how to check it.
    """
    for kind in kinds or ():
        if kind not in DELIVERY_KINDS:
            raise typer.BadParameter(f"--kind is {kind!r}; expected one of {', '.join(DELIVERY_KINDS)}.")
    if not url:
        raise typer.BadParameter("URL is empty; `farfalia bot webhook remove` takes a webhook away.")
    chosen = [DELIVERY_KINDS[kind] for kind in kinds or ()]
    request = webhooks_pb2.SetWebhookRequest(bot=name, url=url, kinds=chosen, renew_secret=new_secret)
    made = ask(server, "SetWebhook", request, admin_token or token)
    if json:
        print_json(made)
    elif made.secret:
        note(f"{name} has a webhook. Its secret, shown only once:")
        say(made.secret)
    else:
        say(f"{name} has a webhook, with the secret that it had.")


@webhooks.command()
def show(
    name: Name,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Print a bot's webhook, and what became of its last deliveries."""
    found = ask(server, "GetWebhook", webhooks_pb2.GetWebhookRequest(bot=name), admin_token or token)
    if json:
        print_json(found)
        return
    if not found.HasField("webhook"):
        say(f"{name} has no webhook.")
        return
    webhook = found.webhook
    say(f"{webhook.url}: {', '.join(map(delivery_kind, webhook.kinds))}.")
    if webhook.HasField("disabled"):
        say(f"Turned off on {date(webhook.disabled)}: nothing was taken for days. Set it again to turn it on.")
    elif webhook.HasField("failing_since"):
        say(f"Nothing has been taken since {date(webhook.failing_since)}.")
    if found.deliveries:
        rows = [
            (
                str(one.id),
                date(one.happened),
                delivery_kind(one.kind),
                str(one.subject or ""),
                delivery_state(one.state),
                str(one.tries),
                one.answer,
            )
            for one in found.deliveries
        ]
        table(["id", "<happened", "<about", "number", "<state", "tries", "<answer"], rows)


@webhooks.command("test")
def send_test(
    name: Name,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Send a test to a bot's webhook; `show` prints what came of it."""
    made = ask(server, "TestWebhook", webhooks_pb2.TestWebhookRequest(bot=name), admin_token or token)
    if json:
        print_json(made)
    else:
        say(f"Test {made.delivery.id} is sent soon: see farfalia bot webhook show {name}.")


@webhooks.command()
def remove(
    name: Name, server: ServerOption = DEFAULT_SERVER, token: TokenOption = "", admin_token: AdminOption = ""
) -> None:
    """Take a bot's webhook away, with what waits for it."""
    ask(server, "SetWebhook", webhooks_pb2.SetWebhookRequest(bot=name), admin_token or token)
    say(f"{name} has no webhook any more.")
