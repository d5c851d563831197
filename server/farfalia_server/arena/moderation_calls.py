"""The calls that suspend, hide, rename and remove bots and accounts, and those of accounts' further tokens."""

from __future__ import annotations

from datetime import timedelta

from farfalia.v1 import accounts_pb2, bots_pb2
from farfalia_server.arena.account_calls import LONGEST_SECONDS
from farfalia_server.arena.account_messages import TOKEN_SCOPES, api_token_message
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.mail_calls import MailCalls
from farfalia_server.arena.messages import CHALLENGERS
from farfalia_server.arena.registering import check_name
from farfalia_server.arena.request_checks import bot_named, checked_number
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound
from farfalia_server.contract.said import either, said
from farfalia_server.organising.validation import checked_text
from farfalia_server.play.play_service import bearer_token
from farfalia_server.store import Account, Bot, TokenScope

#: Most characters of a reason, and of the name of a token.
_REASON, _TOKEN_NAME = 200, 40


class ModerationCalls(MailCalls):
    """A part of the arena's service: who may play and be seen, under which name, with which tokens."""

    @errors_as_status
    async def ModerateAccount(  # noqa: N802 - the contract's name
        self, request: accounts_pb2.ModerateAccountRequest, context: Context
    ) -> accounts_pb2.ModerateAccountResponse:
        """Suspend an account, or let it back in."""
        caller, account = await self._managed(bearer_token(context), request.name)
        reason, suspended = _reason(request.reason), request.suspended
        if caller.account is not None and caller.account.id == account.id:
            raise InvalidArgument(
                "name", said("name is %(account)s, which is your own; expected another account", account=account.name)
            )
        await self._store.moderation.suspend_account(account.name, suspended=suspended, who=caller.name, reason=reason)
        return accounts_pb2.ModerateAccountResponse(account=self._message(await self._named(account.name)))

    @errors_as_status
    async def RenameAccount(  # noqa: N802
        self, request: accounts_pb2.RenameAccountRequest, context: Context
    ) -> accounts_pb2.RenameAccountResponse:
        """Give an account another name."""
        account, caller = await self._own_or_any(bearer_token(context), request.name), await self._caller(context)
        reason = _reason(request.reason)
        check_name("new_name", request.new_name)
        await self._store.renaming.rename_account(account.name, request.new_name, who=caller, reason=reason)
        return accounts_pb2.RenameAccountResponse(account=self._message(await self._named(request.new_name)))

    @errors_as_status
    async def RemoveAccount(  # noqa: N802
        self, request: accounts_pb2.RemoveAccountRequest, context: Context
    ) -> accounts_pb2.RemoveAccountResponse:
        """Remove an account with its bots."""
        token = bearer_token(context)
        account, caller = await self._own_or_any(token, request.name), await self._caller(context)
        if request.strike:
            await self._managed(token, account.name)
        reason = _reason(request.reason)
        for bot in await self._store.accounts.bots(account.id):
            await self._leave(bot, caller, reason, strike=request.strike)
        placeholder = await self._store.renaming.remove_account(account.name, who=caller, reason=reason)
        return accounts_pb2.RemoveAccountResponse(placeholder=placeholder)

    @errors_as_status
    async def CreateApiToken(  # noqa: N802
        self, request: accounts_pb2.CreateApiTokenRequest, context: Context
    ) -> accounts_pb2.CreateApiTokenResponse:
        """Make a token that is good for a part of what the account may do."""
        _, account = await self._access.whole(bearer_token(context))
        name = checked_text("name", request.name.strip(), _TOKEN_NAME)
        if not name:
            raise InvalidArgument("name", said("name is empty; expected what you call the token"))
        if request.scope not in TOKEN_SCOPES:
            expected = ", ".join(TokenScope)
            raise InvalidArgument(
                "scope",
                said(
                    "%(field)s is %(value)s; expected one of %(choices)s",
                    field="scope",
                    value=request.scope,
                    choices=expected,
                ),
            )
        scope = TOKEN_SCOPES[request.scope]
        if request.seconds > LONGEST_SECONDS:
            raise InvalidArgument(
                "seconds",
                said(
                    "%(field)s is %(value)s; expected at most %(most)s",
                    field="seconds",
                    value=request.seconds,
                    most=LONGEST_SECONDS,
                ),
            )
        for field, value, wanted in (("bot", request.bot, TokenScope.BOT), ("event", request.event, TokenScope.EVENT)):
            if bool(value) != (scope is wanted):
                raise InvalidArgument(
                    field,
                    said(
                        "%(field)s is %(value)r; expected the name of one, for the scope %(scope)s",
                        field=field,
                        value=value[:80],
                        scope=scope,
                    )
                    if scope is wanted
                    else said(
                        "%(field)s is %(value)r; expected none for the scope %(scope)s",
                        field=field,
                        value=value[:80],
                        scope=scope,
                    ),
                )
        made, token = await self._store.api_tokens.create(
            account,
            name,
            scope,
            bot=await self._own_bot(account, request.bot) if request.bot else None,
            event=(await self._store.events.get(request.event)).name if request.event else "",
            lasting=timedelta(seconds=request.seconds) if request.seconds else None,
        )
        return accounts_pb2.CreateApiTokenResponse(info=api_token_message(made), token=token)

    @errors_as_status
    async def ListApiTokens(  # noqa: N802
        self, request: accounts_pb2.ListApiTokensRequest, context: Context
    ) -> accounts_pb2.ListApiTokensResponse:
        """Return the account's further tokens."""
        del request
        _, account = await self._access.whole(bearer_token(context))
        tokens = await self._store.api_tokens.of(account.id)
        return accounts_pb2.ListApiTokensResponse(tokens=map(api_token_message, tokens))

    @errors_as_status
    async def RevokeApiToken(  # noqa: N802
        self, request: accounts_pb2.RevokeApiTokenRequest, context: Context
    ) -> accounts_pb2.RevokeApiTokenResponse:
        """End one of the account's further tokens."""
        _, account = await self._access.whole(bearer_token(context))
        await self._store.api_tokens.revoke(account, checked_number(request.id, "id"))
        return accounts_pb2.RevokeApiTokenResponse()

    @errors_as_status
    async def ModerateBot(  # noqa: N802
        self, request: bots_pb2.ModerateBotRequest, context: Context
    ) -> bots_pb2.ModerateBotResponse:
        """Suspend a bot, hide it, or strike its results."""
        caller = await self._access.require_manager_alone(bearer_token(context), request.name)
        bot, reason = await self._remaining_bot(request.name), _reason(request.reason)
        done, struck = self._store.moderation, 0
        if request.HasField("suspended"):
            await done.suspend_bot(bot.name, suspended=request.suspended, who=caller.name, reason=reason)
        if request.HasField("hidden"):
            await done.hide_bot(bot.name, hidden=request.hidden, who=caller.name, reason=reason)
        if request.strike:
            struck = await done.strike(bot.name, who=caller.name, reason=reason)
        return bots_pb2.ModerateBotResponse(bot=await self._reader.bots.one(bot.name), struck=struck)

    @errors_as_status
    async def RenameBot(  # noqa: N802
        self, request: bots_pb2.RenameBotRequest, context: Context
    ) -> bots_pb2.RenameBotResponse:
        """Give a bot another name."""
        caller = await self._access.require_manager(bearer_token(context), request.name)
        bot, reason = await self._remaining_bot(request.name), _reason(request.reason)
        check_name("new_name", request.new_name, of_bot=True)
        if bot.name in await self._presence.connected():
            text = said("%(bot)s is connected, and what it plays has its name; end it first", bot=bot.name)
            raise FailedPrecondition(text, "BOT_CONNECTED")
        await self._store.renaming.rename_bot(bot.name, request.new_name, who=caller.name, reason=reason)
        return bots_pb2.RenameBotResponse(bot=await self._reader.bots.one(request.new_name))

    @errors_as_status
    async def RemoveBot(  # noqa: N802
        self, request: bots_pb2.RemoveBotRequest, context: Context
    ) -> bots_pb2.RemoveBotResponse:
        """Remove a bot."""
        token = bearer_token(context)
        caller = await self._access.require_manager(token, request.name)
        if request.strike:
            await self._access.require_manager_alone(token, request.name)
        bot, reason = await self._remaining_bot(request.name), _reason(request.reason)
        await self._leave(bot, caller.name, reason, strike=request.strike)
        placeholder = await self._store.renaming.remove_bot(bot.name, who=caller.name, reason=reason)
        return bots_pb2.RemoveBotResponse(placeholder=placeholder)

    @errors_as_status
    async def SetChallengers(  # noqa: N802
        self, request: bots_pb2.SetChallengersRequest, context: Context
    ) -> bots_pb2.SetChallengersResponse:
        """Say who may ask a bot for a match."""
        await self._access.require_owner(bearer_token(context), request.name)
        bot = await self._remaining_bot(request.name)
        kept = next((kept for kept, shown in CHALLENGERS.items() if shown == request.challengers), None)
        if kept is None:
            expected = either(list(CHALLENGERS))
            raise InvalidArgument(
                "challengers",
                said(
                    "%(field)s is %(value)s; expected %(expected)s",
                    field="challengers",
                    value=request.challengers,
                    expected=expected,
                ),
            )
        await self._store.moderation.set_challengers(bot.name, kept)
        return bots_pb2.SetChallengersResponse(bot=await self._reader.bots.one(bot.name))

    async def _leave(self, bot: Bot, who: str, reason: str, *, strike: bool) -> None:
        """End the stream of a bot that will be removed, and strike its results if that is asked for."""
        if strike:
            await self._store.moderation.strike(bot.name, who=who, reason=reason)
        await self._store.bots.revoke_token(bot.name)
        await self._presence.dismiss(bot.name)

    async def _caller(self, context: Context) -> str:
        return (await self._access.caller(bearer_token(context))).name

    async def _remaining_bot(self, name: str) -> Bot:
        """Return a bot that is neither the house's nor removed; NotFound."""
        bot = await bot_named(self._store, name)
        if bot.house or bot.removed:
            raise NotFound(
                said("%(bot)s is a house bot", bot=bot.name) if bot.house else said("%(bot)s is removed", bot=bot.name),
                "BOT_UNKNOWN",
            )
        return bot

    async def _own_bot(self, account: Account, name: str) -> Bot:
        found = next((bot for bot in await self._store.accounts.bots(account.id) if bot.name == name), None)
        if found is None:
            raise NotFound(
                said("the account %(account)s owns no bot %(name)r", account=account.name, name=name[:80]),
                "BOT_UNKNOWN",
            )
        return found


def _reason(text: str) -> str:
    return checked_text("reason", text.strip(), _REASON)
