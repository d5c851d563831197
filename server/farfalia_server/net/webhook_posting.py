"""Sends what a webhook is told: one signed request, to the address that was checked, with nothing followed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import httpx2

from farfalia_server.contract.untrusted import clean
from farfalia_server.net.webhook_signing import signature
from farfalia_server.net.webhook_urls import UrlRefused, WebhookTargets, address_of, checked_url

#: Seconds for a request, from the look-up of the host to the last header of the answer.
PATIENCE: Final = 10.0
#: Most characters of what is said about a failure.
_SAID = 200


class PostFailed(Exception):
    """Raised when the address has not taken what it was sent: a fragment that says why."""


class WebhookPosting:
    """Posts JSON to the addresses that webhooks may lead to, under the name of this program and its `version`."""

    def __init__(self, targets: WebhookTargets, version: str) -> None:
        self._targets = targets
        self._agent = f"Farfalia/{version}"
        self._tls = httpx2.create_ssl_context()

    async def post(self, url: str, secret: str, id: str, timestamp: int, body: bytes) -> str:
        """Send a body and return the status of the answer, which is 200 to 299; PostFailed."""
        try:
            async with asyncio.timeout(PATIENCE):
                status = await self._status(url, secret, id, timestamp, body)
        except UrlRefused as error:
            raise PostFailed(str(error)) from None
        except TimeoutError:
            raise PostFailed(f"no answer within {PATIENCE:.0f} s") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            raise PostFailed(clean(str(error) or type(error).__name__, _SAID)) from None
        if not 200 <= status < 300:
            raise PostFailed(f"{status}; expected 200 to 299")
        return str(status)

    async def _status(self, url: str, secret: str, id: str, timestamp: int, body: bytes) -> int:
        parts = checked_url(url, self._targets)
        host = parts.hostname or ""
        address = await address_of(parts, self._targets)
        headers = {
            "host": parts.netloc,
            "user-agent": self._agent,
            "content-type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(secret, id, timestamp, body),
        }
        # The certificate has to be that of the name, although the address is asked.
        asked = httpx2.URL(url).copy_with(host=address)
        client = httpx2.AsyncClient(verify=self._tls, trust_env=False, follow_redirects=False, timeout=PATIENCE)
        async with client:
            request = client.build_request("POST", asked, content=body, headers=headers)
            request.extensions["sni_hostname"] = host
            answer = await client.send(request, stream=True)
            with suppress(httpx2.HTTPError):  # what it says in the body is not read
                await answer.aclose()
            return answer.status_code
