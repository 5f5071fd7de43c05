"""The hook systems: one module or package each, found by name, by file name, or by a configuration's shape."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import UnknownDialectError
from ..hooks.dialect import Dialect
from ..hooks.suggest import did_you_mean
from ..hooks.wire import JSON

# name -> module, class; imported when first asked for. In the order in which shapes are tried.
_DIALECTS: dict[str, tuple[str, str]] = {
    "gemini": ("gemini", "Gemini"),
    "docker_agent": ("docker_agent", "DockerAgent"),
    "firebender": ("firebender", "Firebender"),
    "cursor": ("cursor", "Cursor"),
    "everruns": ("everruns", "Everruns"),
    "claude_code": ("claude_code", "ClaudeCode"),
    "crush": ("crush", "Crush"),
}

# The classes' own file names once more, so that a file's name tells its system without importing all of them. A test
# holds the two together.
_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "gemini": (".gemini/settings.json",),
    "docker_agent": ("agent.yaml", "agent.yml", "cagent.yaml", "docker-agent.yaml"),
    "firebender": (".firebender/hooks.json",),
    "cursor": (".cursor/hooks.json", "Cursor/hooks.json", "etc/cursor/hooks.json"),
    "everruns": (".agents/hooks.json", "yolop/hooks.json"),
    "claude_code": (".claude/settings.json", ".claude/settings.local.json", "managed-settings.json"),
    "crush": ("crush.json", ".crush.json"),
}
_known: dict[str, type[Dialect]] = {}


def names() -> tuple[str, ...]:
    """Return the names of all dialects."""
    return (*_DIALECTS, *(name for name in _known if name not in _DIALECTS))


def register(dialect: type[Dialect]) -> type[Dialect]:
    """Add a dialect of one's own; a class decorator."""
    _known[dialect.name] = dialect
    return dialect


def dialect_class(name: str) -> type[Dialect]:
    """Return the class of a dialect. Raises ``UnknownDialectError``."""
    found = _known.get(name)
    if found is None:
        if name not in _DIALECTS:
            hint = did_you_mean(name, names())
            raise UnknownDialectError(
                f"no hook system {name!r}; {hint + ' ' if hint else ''}there are: {', '.join(names())}"
            )
        from importlib import import_module

        module, attribute = _DIALECTS[name]
        found = _known[name] = getattr(import_module(f".{module}", __name__), attribute)
    return found


def get(name: str | Dialect) -> Dialect:
    """Return a dialect by ``name`` or ``name@edition``. Raises ``UnknownDialectError``."""
    if isinstance(name, Dialect):
        return name
    base, _, edition = name.partition("@")
    return dialect_class(base.replace("-", "_"))(edition)


def detect(file_name: str, root: JSON) -> Dialect | None:
    """Tell the system from a configuration file's path, else from its shape; None if neither tells."""
    path = "/" + file_name.replace("\\", "/").lstrip("/")
    for name in names():
        known = _known[name].file_names if name in _known else _FILE_NAMES[name]
        if any(path.endswith("/" + one) for one in known):
            return dialect_class(name)()
    if isinstance(root, Mapping):
        for name in names():
            dialect = dialect_class(name)
            found = dialect()
            if found.recognises(root):
                return found
    return None
