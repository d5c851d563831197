"""All checks, in the order in which a server needs what they look at."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

from farfalia_server.doctor.analyses import check_analyses
from farfalia_server.doctor.certificates import check_certificate
from farfalia_server.doctor.databases import check_database
from farfalia_server.doctor.finding import Finding
from farfalia_server.doctor.hosts import check_hosts
from farfalia_server.doctor.machine import check_disk, check_open_files
from farfalia_server.doctor.mail import check_mail
from farfalia_server.doctor.permissions import check_folders, check_secrets
from farfalia_server.doctor.processes import check_processes
from farfalia_server.doctor.redis_servers import check_redis
from farfalia_server.doctor.running import check_ports, check_server, running_server
from farfalia_server.doctor.sandboxes import check_sandbox
from farfalia_server.doctor.tokens import check_token
from farfalia_server.doctor.versions import check_versions
from farfalia_server.settings import Settings


async def examine(settings: Settings, config: Path | None = None) -> AsyncIterator[Finding]:
    """Yield what each check finds with these settings, beside a server that runs with them or without one.

    `config` is the file that some of them are from.

    Nothing is made or changed, and no check waits for longer than some seconds.
    """
    yield Finding.ok("settings", f"Every setting is valid; this is node {settings.effective_node}.")
    running = await running_server(settings)
    for finding in (*check_server(running), *check_ports(settings, running=running is not None)):
        yield finding
    for check in (check_database, check_redis):
        async for finding in check(settings):
            yield finding
    async for finding in check_mail(settings):
        yield finding
    for look in (check_certificate, check_token, check_disk, check_open_files, check_folders):
        for finding in look(settings):
            yield finding
    rest = (
        check_secrets(settings, config),
        check_processes(settings, running=running is not None),
        check_hosts(settings, os.environ),
        check_analyses(settings),
        check_versions(),
    )
    for findings in rest:
        for finding in findings:
            yield finding
    async for finding in check_sandbox():
        yield finding
