"""What other packages bring: games and bots that an entry point names."""

import warnings
from collections.abc import Iterator, Mapping, MutableMapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any


class Installed(MutableMapping[str, Any]):
    """Classes of a kind by name: our own, and those that installed packages name in a group of entry points.

    Packages are looked for when this is first used, since they import us. What cannot be used is left out with a
    warning, so that a package does not keep everything else from working: a name that is taken, a class of another
    kind, code that fails when it is imported.
    """

    def __init__(self, group: str, kind: type, own: Mapping[str, Any]) -> None:
        self._group = group
        self._kind = kind
        self._own = own

    @cached_property
    def _all(self) -> dict[str, Any]:
        found = dict(self._own)
        for point in sorted(entry_points(group=self._group), key=lambda point: point.name):
            if point.name in found:
                self._leave_out(point, "the name is taken")
                continue
            try:
                loaded = point.load()
            except Exception as error:  # whatever code of others raises
                self._leave_out(point, f"{point.value} cannot be imported: {error!r}")
                continue
            if isinstance(loaded, type) and issubclass(loaded, self._kind):
                found[point.name] = loaded
            else:
                self._leave_out(point, f"expected a subclass of {self._kind.__name__}, got {loaded!r}")
        return found

    def _leave_out(self, point: EntryPoint, why: str) -> None:
        package = point.dist.name if point.dist is not None else point.value
        text = f"{point.name} of {package} ({self._group}) is left out: {why}"
        warnings.warn(text, RuntimeWarning, stacklevel=2)

    def __getitem__(self, name: str) -> Any:
        return self._all[name]

    def __setitem__(self, name: str, kind: Any) -> None:
        self._all[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)
