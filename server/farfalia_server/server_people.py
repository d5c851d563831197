"""How people sign in, and how they are sent a link to a new password, as the settings say."""

# What is imported in the functions takes a moment, which a server without a provider or mail need not wait for.

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from farfalia_server.net.addresses import Addresses
from farfalia_server.settings import Settings
from farfalia_server.store import Store

if TYPE_CHECKING:
    from farfalia_server.arena.identifying import Identifying
    from farfalia_server.arena.password_mail import PasswordMail


def password_mail(settings: Settings, store: Store, addresses: Callable[[], Addresses]) -> PasswordMail | None:
    """Return what sends links to a new password; None where no mail is sent."""
    server = settings.mail_server
    if server is None:
        return None
    from farfalia_server.arena.password_mail import PasswordMail
    from farfalia_server.net.mailer import Mailer

    return PasswordMail(store, Mailer(server, settings.name), addresses, settings.name)


def identities(settings: Settings, store: Store, addresses: Callable[[], Addresses]) -> Identifying | None:
    """Return what asks the provider of OpenID Connect; None without one."""
    if not settings.oidc_issuer:
        return None
    from farfalia_server.arena.identifying import Identifying
    from farfalia_server.arena.oidc_provider import OidcClient, OidcProvider

    client = OidcClient(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret, settings.oidc_name)
    return Identifying(store, OidcProvider(client), addresses)
