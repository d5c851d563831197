"""Errors of the JSON, as `application/problem+json` (RFC 9457) with a reason for programs."""

from __future__ import annotations

import json

PROBLEM_JSON = "application/problem+json"
TITLES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    429: "Too many requests",
    500: "Internal server error",
    503: "Service unavailable",
}


#: What is said of a fault of the server.
FAULT = "the server could not make this page; its log says why"


def is_for_programs(path: str) -> bool:
    """Return whether programs read what is at this path: scripts of any site may, and errors are for programs, too."""
    return path.startswith(("/api/", "/records/"))


def problem(status: int, detail: str, reason: str) -> bytes:
    """Return an error as JSON; `detail` is a sentence for people, `reason` is stable."""
    title = TITLES.get(status, "Error")
    return json.dumps({"title": title, "status": status, "detail": detail, "reason": reason}).encode()
