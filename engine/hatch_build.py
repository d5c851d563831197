"""The compiled build: a wheel in which mypyc has compiled the engine where that pays.

Hatch calls this when a wheel is built with `HATCH_BUILD_HOOK_ENABLE_CUSTOM=true`; without it the wheel is pure. The
sources are the same, and they are in the wheel, too: what runs is the compiled module beside each.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: What is compiled: loops over their own lists and numbers, which playouts and searches spend their time in.
MODULES = (
    "farfalia/heuristic_playout",
    "farfalia/playout",
    "farfalia/sampling",
    "farrago/heuristic_playout",
    "farrago/playout",
    "farrago/sampling",
    "search/sampling",
)


class CompiledBuild(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; an editable wheel is left alone, since an old compiled module would hide what is edited."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory()
        built = Path(self._folder.name)
        compile_modules(Path(self.root), built)
        found = {path: path.relative_to(built / "lib").as_posix() for path in sorted(built.glob("lib/**/*.*"))}
        build_data["force_include"].update({str(path): name for path, name in found.items()})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled, which the wheel has."""
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()


def compile_modules(root: Path, built: Path) -> None:
    """Compile the modules of a checkout into `lib` in a folder.

    Raises an error of setuptools or SystemExit of mypyc, which have said why, if they cannot be compiled.
    """
    # Only this build needs them.
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    files = [f"engine/farfalia_engine/{module}.py" for module in MODULES]
    os.chdir(root)  # the paths of pyproject.toml are relative
    options = ["--config-file", "pyproject.toml", "--cache-dir", str(built / "cache")]
    # One name for the library that they share, whatever modules it has.
    extensions = mypycify([*options, *files], opt_level="3", target_dir=str(built / "c"), group_name="farfalia_engine")
    command = build_ext(Distribution({"name": "farfalia", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(built / "lib"), str(built / "temp")
    command.ensure_finalized()
    command.run()
