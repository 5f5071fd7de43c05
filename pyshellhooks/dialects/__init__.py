"""The dialects, one package each, and their registry: look-up by name, by file name, or by a configuration's shape."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import UnknownDialectError
from ..hooks.dialect import Dialect
from ..hooks.suggest import did_you_mean
from ..jsontext.compact import JSON

# name -> module, class; imported on first use. ``detect`` tries the shapes in this order.
_DIALECTS: dict[str, tuple[str, str]] = {
    "gemini": ("gemini", "Gemini"),
    "docker_agent": ("docker_agent", "DockerAgent"),
    "firebender": ("firebender", "Firebender"),
    "cursor": ("cursor", "Cursor"),
    "everruns": ("everruns", "Everruns"),
    "codex": ("codex", "Codex"),
    "openhands": ("openhands", "OpenHands"),
    "kimi": ("kimi", "Kimi"),
    "claude_code": ("claude_code", "ClaudeCode"),
    "crush": ("crush", "Crush"),
}

# A copy of the classes' ``file_names``, so that ``detect`` finds a file's system without importing every dialect.
# A test checks that the copy is equal.
_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "gemini": (".gemini/settings.json",),
    "docker_agent": ("agent.yaml", "agent.yml", "cagent.yaml", "docker-agent.yaml"),
    "firebender": (".firebender/hooks.json",),
    "cursor": (".cursor/hooks.json", "Cursor/hooks.json", "etc/cursor/hooks.json"),
    "everruns": (".agents/hooks.json", "yolop/hooks.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml", "codex/requirements.toml"),
    "openhands": (".openhands/hooks.json",),
    "kimi": (".kimi-code/config.toml", ".kimi/config.toml"),
    "claude_code": (".claude/settings.json", ".claude/settings.local.json", "managed-settings.json"),
    "crush": ("crush.json", ".crush.json"),
}
_known: dict[str, type[Dialect]] = {}


def names() -> tuple[str, ...]:
    """Return the names of all dialects."""
    return (*_DIALECTS, *(name for name in _known if name not in _DIALECTS))


def register(dialect: type[Dialect]) -> type[Dialect]:
    """Register a custom dialect; a class decorator."""
    _known[dialect.name] = dialect
    return dialect


def dialect_class(name: str) -> type[Dialect]:
    """Return the class of a dialect. Raises ``UnknownDialectError``."""
    dialect = _known.get(name)
    if dialect is None:
        if name not in _DIALECTS:
            hint = did_you_mean(name, names())
            raise UnknownDialectError(
                f"unknown hook system {name!r}; {hint + ' ' if hint else ''}expected one of: {', '.join(names())}"
            )
        from importlib import import_module

        module, attribute = _DIALECTS[name]
        dialect = _known[name] = getattr(import_module(f".{module}", __name__), attribute)
    return dialect


def get(name: str | Dialect) -> Dialect:
    """Return a dialect by ``name`` or ``name@edition``. Raises ``UnknownDialectError``."""
    if isinstance(name, Dialect):
        return name
    base, _, edition = name.partition("@")
    return dialect_class(base.replace("-", "_"))(edition)


def detect(file_name: str, root: JSON, *, plugin: bool = False) -> Dialect | None:
    """Return the dialect of a configuration file: by its path, else by its shape; None if neither is known.

    ``plugin``: the file's directory is beside the ``.claude-plugin`` of a plugin.
    """
    path = "/" + file_name.replace("\\", "/").lstrip("/")
    for name in names():
        known = _known[name].file_names if name in _known else _FILE_NAMES[name]
        if any(path.endswith("/" + name) for name in known):
            return dialect_class(name)()
    if path.endswith("/.claude-plugin/plugin.json"):
        return get("claude_code")
    if not isinstance(root, Mapping):
        return None
    dialects = (dialect_class(name)() for name in names())
    found = next((dialect for dialect in dialects if dialect.recognises(root)), None)
    if path.endswith("/hooks/hooks.json") and (found is None or found.name == "crush" or _is_list_of_commands(root)):
        claude = get("claude_code")
        if plugin or not claude.events.keys().isdisjoint(_event_names(root)):
            return claude
    return found


def _is_list_of_commands(root: Mapping[str, JSON]) -> bool:
    """Return whether the hooks are a list in which no hook has the ``executor`` that Everruns requires."""
    hooks = root.get("hooks")
    return isinstance(hooks, list) and not any(isinstance(hook, Mapping) and "executor" in hook for hook in hooks)


def _event_names(root: Mapping[str, JSON]) -> list[str]:
    """Return possible event names: the keys of the hooks or of the top level, or the values of ``event``."""
    hooks = root.get("hooks", root)
    if isinstance(hooks, list):
        return [str(hook.get("event")) for hook in hooks if isinstance(hook, Mapping)]
    return list(hooks) if isinstance(hooks, Mapping) else []
