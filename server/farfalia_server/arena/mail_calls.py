"""The calls of e-mail addresses, and of links that are sent to them."""

from __future__ import annotations

from farfalia.v1 import accounts_pb2
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.identity_calls import IdentityCalls
from farfalia_server.arena.registering import checked_email
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import said
from farfalia_server.play.play_service import bearer_token


class MailCalls(IdentityCalls):
    """A part of the arena's service: where a lost password is replaced by e-mail."""

    @errors_as_status
    async def SetEmail(  # noqa: N802 - the contract's name
        self, request: accounts_pb2.SetEmailRequest, context: Context
    ) -> accounts_pb2.SetEmailResponse:
        """Give an account an e-mail address, or none."""
        caller = await self._access.caller(bearer_token(context))
        account = await self._own_or_any(bearer_token(context), request.name)
        email = checked_email(request.email)
        if email:
            self._check_mail()
        own = caller.account is not None and caller.account.id == account.id
        if own and caller.session and account.password:  # a new address is a way to a new password
            await self.signing_in.account(account.name, request.password, self.call_limits.address_of(context))
        await self._store.accounts.set_email(account.name, email, "" if own else caller.name)
        return accounts_pb2.SetEmailResponse()

    @errors_as_status
    async def RequestPasswordLink(  # noqa: N802
        self, request: accounts_pb2.RequestPasswordLinkRequest, context: Context
    ) -> accounts_pb2.RequestPasswordLinkResponse:
        """Send a link to an account, if there is one that has an address."""
        if self._mail is None:
            raise FailedPrecondition(said("this server sends no mail; ask an organiser for a link"), "MAIL_OFF")
        self._mail.request(request.name, self.call_limits.address_of(context))
        return accounts_pb2.RequestPasswordLinkResponse()
