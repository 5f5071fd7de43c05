"""The rooms of the house, and what the source imports, read without importing it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "pyshellhooks"

# From the top of the house to the bottom: a room imports only rooms that stand before it.
ORDER = (
    "errors", "text", "notice", "regexes", "windows_paths", "forks", "limits", "ended", "cancel", "jsontext", "syntax", "analysis", "streams", "host", "fs", "command", "workers", "patterns", "times",
    "state", "expand", "interp", "utilities", "builtins", "aio", "shell", "tool", "hooks", "dialects", "types", "engine", "convert", "resident", "agent", "adapters", "mcp_proxy", "cli",
    "pytest_plugin",
)  # fmt: skip

# The rooms inside ``engine``, in the same order; "" is its own files.
ENGINE = ("scripts", "trust", "config", "", "checks")
# ``HookEngine`` has methods for two checks, and imports them when they are called.
FROM_ENGINE = frozenset({"pyshellhooks.engine.checks.doctor", "pyshellhooks.engine.checks.agent_tools"})

# What the hook half runs on, and only the engine knows.
_SHELL_HALF = {"shell", "interp", "builtins", "utilities", "expand", "workers", "command", "fs", "host", "streams"}

# What a room must not import although it stands before it. Dialects may parse a script; they never run one.
NEVER = {
    "syntax": {"cancel", "limits"},
    "utilities": {"interp", "expand"},
    "jsontext": {"cancel"},
    "hooks": {*_SHELL_HALF, "syntax", "analysis"},
    "dialects": _SHELL_HALF,
    "types": {*_SHELL_HALF, "syntax", "analysis"},
}


@cache
def sources() -> tuple[Path, ...]:
    """List the package's Python files."""
    return tuple(sorted(PACKAGE.rglob("*.py")))


def tree(path: Path) -> ast.Module:
    """Parse one file. Trees are not kept: those of the package take 230 MB, and what a test finds in them takes a few."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def room(path: Path) -> str:
    """Name the room of a file; the package's own files at the top are rooms too."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> tuple[tuple[str, int], ...]:
    """Return (absolute module, line) for every import in a file, wherever it stands.

    Imports under ``if TYPE_CHECKING:`` count: who needs a type must know the file that it stands in. So does a module that is
    imported by its literal name.
    """
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    package = ("pyshellhooks", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield f"{module}.{alias.name}", node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            if isinstance(node.args[0], ast.Constant):
                yield node.args[0].value, node.lineno


def room_imports(path: Path) -> Iterator[tuple[str, int]]:
    """Yield (room, line) for every import of another room."""
    for module, line in imports(path):
        parts = module.split(".")
        if parts[0] == "pyshellhooks" and len(parts) > 1 and parts[1] in ORDER and parts[1] != room(path):
            yield parts[1], line


def room_in_engine(module: str) -> str | None:
    """Return the room inside ``engine`` of a module or of a name in it; None for another module."""
    parts = module.split(".")
    if parts[:2] != ["pyshellhooks", "engine"] or len(parts) < 3:
        return None
    return parts[2] if parts[2] in ENGINE else ""
