"""Whether links to a new password can be sent, and where they lead."""

from __future__ import annotations

from collections.abc import AsyncIterator

from farfalia_server.doctor.finding import Finding
from farfalia_server.net.addresses import is_loopback
from farfalia_server.settings import Settings


async def check_mail(settings: Settings) -> AsyncIterator[Finding]:
    """Say how the mail server is, if one is named: connect and sign in there, and send nothing."""
    server = settings.mail_server
    if server is None:
        return
    from farfalia_server.net.mailer import Mailer, MailFailed

    try:
        await Mailer(server, settings.name).check()
    except MailFailed as error:
        text = str(error)
        remedy = "Start the mail server, or correct smtp_host and the other settings of that name."
        yield Finding.problem("mail", f"{text[:1].upper()}{text[1:]}.", remedy)
    else:
        who = f" and lets {server.user} sign in" if server.user else ""
        yield Finding.ok("mail", f"The mail server {server.address} answers{who}.")
    if not settings.public_url and not settings.public_address:
        reach = "on this machine alone" if is_loopback(settings.host) else "where this server listens"
        yield Finding.warning(
            "mail",
            f"Links in mails lead to {settings.host}, {reach}.",
            "Set public_url to the address at which people reach the pages.",
        )
