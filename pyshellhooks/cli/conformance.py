"""``pyshellhooks conformance``: find the cases, in the wheel or in the clone, and run them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from .parsers import Parser

SHIPPED = "pyshellhooks._conformance"


def package() -> ModuleType:
    """Import the conformance package: a wheel contains it, an editable install has it beside ``pyshellhooks``.

    Both get the same module name, so that its own relative imports work in both places.
    """
    if SHIPPED in sys.modules or find_spec(SHIPPED) is not None:
        return import_module(SHIPPED)
    home = Path(__file__).resolve().parents[2] / "conformance"
    spec = spec_from_file_location(SHIPPED, home / "__init__.py", submodule_search_locations=[str(home)])
    if spec is None or spec.loader is None or not (home / "__init__.py").is_file():
        raise FileNotFoundError(2, "the conformance cases are not installed", str(home))
    module = module_from_spec(spec)
    sys.modules[SHIPPED] = module
    spec.loader.exec_module(module)
    return module


def parser() -> Parser:
    """Return the parser of the command."""
    package()
    command_parser: Parser = import_module(f"{SHIPPED}.runner").parser()
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    package()
    status: int = import_module(f"{SHIPPED}.runner").command(argv)
    return status
