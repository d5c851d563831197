"""The lowest versions that pyproject.toml promises for the base and the server, as constraints on standard output."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

for text in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]):
    requirement = Requirement(text)
    [floor] = [bound.version for bound in requirement.specifier if bound.operator in (">=", "==")]
    print(f"{requirement.name}=={floor}")
