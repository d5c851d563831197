"""Whether Python and the packages that are installed are those that are promised to work."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from importlib import metadata

from farfalia_server.doctor.finding import Finding

#: A requirement as our metadata has them: a name, perhaps extras, versions, perhaps an environment.
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,.-]+\])?\s*([^;]*)(?:;\s*(.*))?")
_EXTRA = 'extra == "server"'


def check_versions() -> Iterator[Finding]:
    """Name the packages that do not fit; there should be none."""
    wrong = []
    for text in metadata.requires("farfalia") or ():
        match = _REQUIREMENT.fullmatch(text.replace("'", '"'))
        if match is None or ("extra ==" in (match[3] or "") and _EXTRA not in match[3]):
            continue
        name, wanted = match[1], match[2].strip()
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            if _EXTRA in (match[3] or "").replace("and", "") and "platform" in match[3]:
                continue  # not for every platform
            wrong.append(f"{name} is missing")
            continue
        if not fits(version, wanted):
            wrong.append(f"{name} is {version}, expected {wanted}")
    if wrong:
        yield Finding.warning(
            "versions",
            f"Not tested together: {'; '.join(wrong)}.",
            "Install with the versions of requirements.lock: pip install -c requirements.lock '.[server]'.",
        )
    else:
        yield Finding.ok("versions", f"Python {platform.python_version()}, and every package fits.")


def fits(version: str, wanted: str) -> bool:
    """Return whether a version is within bounds such as `>=1.2,<2`; numbers are all that is compared."""
    return all(_fits(_numbers(version), *bound) for bound in re.findall(r"(>=|<=|==|!=|<|>)\s*([\w.]+)", wanted))


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(number) for number in found[0].split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _fits(version: tuple[int, ...], sign: str, text: str) -> bool:
    bound = _numbers(text)
    if sign == "==":
        return version == bound
    if sign == "!=":
        return version != bound
    if sign.startswith(">"):
        return version > bound or (sign == ">=" and version == bound)
    return version < bound or (sign == "<=" and version == bound)
