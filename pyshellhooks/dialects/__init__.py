"""The dialects, one package each, and their registry: look-up by name, by file name, or by a configuration's shape.

Other packages add dialects by the entry-point group ``pyshellhooks.dialects`` (docs/howto/hook-system.md). They never replace ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from ..errors import UnknownDialectError
from ..hooks.dialect import Dialect
from ..hooks.places import has_name
from ..hooks.suggest import did_you_mean
from ..jsontext.compact import JSON

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pyshellhooks.dialects"  # the entry points of other packages

# name -> module, class; imported on first use. ``detect`` tries the shapes in this order.
_DIALECTS: dict[str, tuple[str, str]] = {
    "gemini": ("gemini", "Gemini"),
    "docker_agent": ("docker_agent", "DockerAgent"),
    "firebender": ("firebender", "Firebender"),
    "cursor": ("cursor", "Cursor"),
    "everruns": ("everruns", "Everruns"),
    "codex": ("codex", "Codex"),
    "qwen": ("qwen", "Qwen"),
    "openhands": ("openhands", "OpenHands"),
    "deepagents": ("deepagents", "DeepAgents"),
    "vibe": ("vibe", "Vibe"),
    "claude_code": ("claude_code", "ClaudeCode"),
    "copilot": ("copilot", "Copilot"),
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
    "qwen": (".qwen/settings.json", "qwen-code/settings.json"),
    "openhands": (".openhands/hooks.json",),
    "deepagents": (".deepagents/hooks.json",),
    "vibe": (".vibe/hooks.toml",),
    "claude_code": (".claude/settings.json", ".claude/settings.local.json", "managed-settings.json"),
    "copilot": (
        ".github/copilot/settings.json",
        ".github/copilot/settings.local.json",
        ".copilot/settings.json",
        ".github/hooks/*.json",
        ".copilot/hooks/*.json",
        "github-copilot/policy.d/*.json",
    ),
    "crush": ("crush.json", ".crush.json"),
}
_known: dict[str, type[Dialect]] = {}


def built_in() -> tuple[str, ...]:
    """Return the names of the dialects of this package."""
    return tuple(_DIALECTS)


def names() -> tuple[str, ...]:
    """Return the names of all dialects: ours, then those that were registered or that other packages have."""
    return tuple(dict.fromkeys([*_DIALECTS, *_known, *_installed()]))


@cache
def _installed() -> Mapping[str, EntryPoint]:
    """Return the entry points of the dialects of other packages, by name."""
    from importlib.metadata import entry_points  # 30 ms, which a hook of a dialect of ours does not pay

    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in _DIALECTS}


def register(dialect: type[Dialect]) -> type[Dialect]:
    """Register a custom dialect; a class decorator."""
    _known[dialect.name] = dialect
    return dialect


def dialect_class(name: str) -> type[Dialect]:
    """Return the class of a dialect. Raises ``UnknownDialectError``."""
    if name in _known:
        return _known[name]
    if name in _DIALECTS:
        from importlib import import_module

        module, attribute = _DIALECTS[name]
        dialect: type[Dialect] = getattr(import_module(f".{module}", __name__), attribute)
    elif name in _installed():
        dialect = _load(_installed()[name])
    else:
        hint = did_you_mean(name, names())
        raise UnknownDialectError(
            f"unknown hook system {name!r}; {hint + ' ' if hint else ''}expected one of: {', '.join(names())}"
        )
    _known[name] = dialect
    return dialect


def _load(entry: EntryPoint) -> type[Dialect]:
    """Import the dialect of another package. Raises ``UnknownDialectError`` for any fault of that package."""
    package = f"the package {entry.dist.name}" if entry.dist is not None else "another package"
    try:
        dialect = entry.load()
    except Exception as error:  # whatever the import of foreign code raises
        message = f"the hook system {entry.name!r} of {package} can't be loaded: {error!r}; correct it or uninstall it"
        raise UnknownDialectError(message) from error
    if not isinstance(dialect, type) or not issubclass(dialect, Dialect) or dialect.name != entry.name:
        message = f"{entry.value} of {package} does not have a Dialect named {entry.name!r}; correct it or uninstall it"
        raise UnknownDialectError(message)
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
    by_path = _of_file_name(path)
    if by_path:
        return get(by_path)
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


def _of_file_name(path: str) -> str:
    """Return the dialect whose configuration files have this path; ours first, which needs no import. ``""``: unknown."""
    for name, file_names in _FILE_NAMES.items():
        if has_name(path, file_names):
            return name
    for name in names():
        if name not in _DIALECTS and has_name(path, dialect_class(name).file_names):
            return name
    return ""


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
