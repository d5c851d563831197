"""The webhook of a bot in a browser: set, tested and taken away, and what became of what it was told."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import webhooks_pb2
from farfalia_server.contract.errors import InvalidArgument, PermissionDenied, Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages
from farfalia_server.web.forms import Visitor
from farfalia_server.wording.webhooks import DELIVERY_KINDS, delivery_kind

_PATH = "/account/webhook"


class WebhookPages(FormPages):
    """The page `/account/webhook?name=BOT`: the calls refuse strangers."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {"set": self._set, "test": self._test, "end": self._end}
        return [
            Route(_PATH, self._webhook, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _webhook(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page; sends those who are not signed in to where they can."""
        typed = refused.typed.get("bot", "") if refused is not None else ""
        return await self._page_of(request, visitor, typed or request.query_params.get("name", ""), refused)

    async def _page_of(
        self, request: Request, visitor: Visitor, bot: str, refused: Refused | None = None, secret: str = ""
    ) -> Response:
        try:
            found = await self._call(request, visitor, "GetWebhook", webhooks_pb2.GetWebhookRequest(bot=bot))
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        except PermissionDenied:
            if refused is None:
                raise
            return self._page("refused.html", visitor, request, refused)
        webhook = found.webhook if found.HasField("webhook") else None
        chosen = DELIVERY_KINDS.values() if webhook is None else webhook.kinds
        return self._page(
            "webhook.html",
            visitor,
            request,
            refused,
            bot=bot,
            webhook=webhook,
            deliveries=found.deliveries,
            kinds=[(name, delivery_kind(kind), kind in chosen) for name, kind in DELIVERY_KINDS.items()],
            secret=secret,
        )

    async def _set(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Set it, and show a new secret once."""
        bot, url = fields.get("bot", ""), fields.get("url", "").strip()
        if not url:  # which would take the webhook away
            raise InvalidArgument("url", said("url is empty; expected where your program listens"))
        kinds = [kind for name, kind in DELIVERY_KINDS.items() if fields.get(name) == "yes"]
        if not kinds:  # which would mean all of them
            raise InvalidArgument("kinds", said("nothing is chosen; expected at least one thing that it is told"))
        wanted = webhooks_pb2.SetWebhookRequest(
            bot=bot, url=url, kinds=kinds, renew_secret=fields.get("renew") == "yes"
        )
        made = await self._call(request, visitor, "SetWebhook", wanted)
        if not made.secret:
            return RedirectResponse(f"{_PATH}?name={bot}", 303)
        return await self._page_of(request, visitor, bot, secret=made.secret)

    async def _test(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        bot = fields.get("bot", "")
        await self._call(request, visitor, "TestWebhook", webhooks_pb2.TestWebhookRequest(bot=bot))
        return RedirectResponse(f"{_PATH}?name={bot}", 303)

    async def _end(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        bot = fields.get("bot", "")
        await self._call(request, visitor, "SetWebhook", webhooks_pb2.SetWebhookRequest(bot=bot))
        return RedirectResponse(f"{_PATH}?name={bot}", 303)
