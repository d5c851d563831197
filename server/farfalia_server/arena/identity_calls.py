"""The calls of identities at a provider of OpenID Connect."""

from __future__ import annotations

from farfalia.v1 import accounts_pb2
from farfalia_server.arena.account_calls import AccountCalls
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.request_checks import checked_number
from farfalia_server.play.play_service import bearer_token


class IdentityCalls(AccountCalls):
    """A part of the arena's service: who somebody is elsewhere, and whose account that is."""

    @errors_as_status
    async def BeginOidc(  # noqa: N802 - the contract's name
        self, request: accounts_pb2.BeginOidcRequest, context: Context
    ) -> accounts_pb2.BeginOidcResponse:
        """Return the way to the provider."""
        account = (await self._access.whole(bearer_token(context)))[1].id if request.connect else 0
        return await self._identifying.begin(account)

    @errors_as_status
    async def FinishOidc(  # noqa: N802
        self, request: accounts_pb2.FinishOidcRequest, context: Context
    ) -> accounts_pb2.FinishOidcResponse:
        """Return who has come back from there."""
        return await self._identifying.finish(request)

    @errors_as_status
    async def ConnectIdentity(  # noqa: N802
        self, request: accounts_pb2.ConnectIdentityRequest, context: Context
    ) -> accounts_pb2.ConnectIdentityResponse:
        """Let the account sign in with an identity."""
        _, account = await self._access.whole(bearer_token(context))
        identity = await self._identifying.identity(request.identity, account.id)
        await self._store.identities.connect(account.id, *identity)
        return accounts_pb2.ConnectIdentityResponse()

    @errors_as_status
    async def DisconnectIdentity(  # noqa: N802
        self, request: accounts_pb2.DisconnectIdentityRequest, context: Context
    ) -> accounts_pb2.DisconnectIdentityResponse:
        """Let the account no longer sign in with it."""
        _, account = await self._access.whole(bearer_token(context))
        number = checked_number(request.id, "identity")
        issuer = "" if self._identities is None else self._identities.issuer
        await self._store.identities.disconnect(account.id, number, issuer)
        return accounts_pb2.DisconnectIdentityResponse()
