"""The settings files that ``--install`` changes, their scopes, and the names of the files beside them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ... import dialects
from ...engine.config.host_context import read_host_context
from ...errors import PyShellHooksError
from ...hooks.dialect import Dialect, HostContext
from ...hooks.installed import beside
from ..project import UNNAMED

#: The paths of the settings files in a project; the longest names first.
TAILS: dict[str, tuple[str, ...]] = {
    "claude_code": (".claude/settings.local.json", ".claude/settings.json"),
    "gemini": (".gemini/settings.json",),
    "crush": (".crush/crush.json", ".crush.json", "crush.json"),
    "cursor": (".cursor/hooks.json",),
    "firebender": (".firebender/hooks.json",),
    "codex": (".codex/hooks.json",),
}
ALIASES = {"claude": "claude_code"}
#: Why an agent does not run the entries at once, and the fix.
REVIEWED = {"codex": "Codex does not run these hooks before their review: start codex now, and review them with /hooks"}
REFUSED = {
    "qwen": "moving its hooks is not supported; write `pyshellhooks-hook qwen` into .qwen/settings.json yourself",
    "vibe": "its hooks are in TOML, which is not rewritten here; write `pyshellhooks-hook vibe` into your hooks.toml",
    "deepagents": "moving its hooks is not supported; write `pyshellhooks-hook deepagents` into your hooks.json",
    "kimi": "its hooks are in config.toml, beside the other settings; write an entry with `pyshellhooks-hook kimi` there "
    "yourself",
    "openhands": "its hooks may be at the top level of their file, or in `hooks`; write `pyshellhooks-hook openhands` into "
    "your hooks.json",
    "copilot": "a payload under a camelCase key does not name its event; write `pyshellhooks-hook copilot` under "
    "PascalCase keys of .github/hooks/hooks.json yourself",
    "droid": "its hooks.json has events at the top level, and no room for the command of an entry; write "
    "`pyshellhooks-hook droid` into your hooks.json yourself",
    "everruns": "its hooks run in Everruns' own virtual shell, where no program of this machine can be started",
    "docker_agent": "its hooks are in an agent's YAML, which may be published with the agent; write "
    "`pyshellhooks-hook docker_agent --config FILE` there yourself",
}


class Refused(PyShellHooksError):
    """The request can't be fulfilled; the message has the reason and the fix.

    ``path``, ``before``, ``now``: a text that was edited after ``--install``; ``now`` is None for other reasons.
    """

    def __init__(self, message: str, path: str = "", before: str = "", now: str | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.before = before
        self.now = now


class Target(NamedTuple):
    """One settings file. ``scope``: "project" "user" "system", or "given" for one at a path of no system."""

    dialect: Dialect
    path: str  # absolute, with "/"
    scope: str
    root: str  # of the project; "" in other scopes

    @property
    def ours(self) -> str:
        """The path of the file with the moved hooks."""
        return beside(self.path)

    @property
    def undo(self) -> str:
        """The path of the file with the original hooks of the settings file."""
        return self.ours.removesuffix(".json") + ".undo.json"

    @property
    def real(self) -> str:
        """The path of the settings file with all links resolved, which is the one that is written."""
        return os.path.realpath(self.path).replace(os.sep, "/")

    def named(self, absolute: bool) -> str:
        """Return the path of the file of hooks for the entry.

        It is relative to the project, unless ``absolute``, or its system does not name the project to its hooks.
        """
        if absolute or not self.root or self.dialect.name in UNNAMED:
            return self.ours
        return self.ours[len(self.root.rstrip("/")) + 1 :]


def dialect_of(system: str) -> Dialect:
    """Return the dialect of a system to install for. Raises ``Refused``, ``UnknownDialectError``."""
    dialect = dialects.get(ALIASES.get(system, system))
    if dialect.name in REFUSED:
        raise Refused(f"{dialect.title}: {REFUSED[dialect.name]}")
    if dialect.name not in TAILS:
        raise Refused(f"{dialect.title}: changing its settings is not supported")
    return dialect


def targets(
    dialect: Dialect, configs: Iterable[str], cwd: str, env: Mapping[str, str], *, user: bool = False
) -> list[Target]:
    """Return the files of ``configs``; without them the existing ones of the project, or of the user with ``user``.

    Raises ``Refused`` if no file exists.
    """
    place = read_host_context(cwd.replace(os.sep, "/"), env)
    named = [os.path.abspath(os.path.join(cwd, config)).replace(os.sep, "/") for config in configs]
    if named:
        for path in named:
            if not os.path.isfile(path):
                raise Refused(f"{path}: no such file")
        return [_target(dialect, path, place) for path in dict.fromkeys(named)]
    scope = "user" if user else "project"
    places = _places(dialect, place, scope)
    paths = [path for path in dict.fromkeys(places) if os.path.isfile(path)]
    if not paths:
        hint = "" if user else "; --user selects your own settings, --config FILE another file"
        raise Refused(f"no settings file of {dialect.title} found: looked for {', '.join(places) or 'none'}{hint}")
    return [_target(dialect, path, place) for path in paths]


def _places(dialect: Dialect, place: HostContext, scope: str) -> list[str]:
    """Return the paths of the settings files of a scope. Only JSON is rewritten, so TOML files are left out."""
    files = [file.path for file in dialect.places(place) if file.scope == scope and file.supported]
    return [path for path in files if not path.endswith(".toml")]


def _target(dialect: Dialect, path: str, place: HostContext) -> Target:
    folder, _, name = path.rpartition("/")
    if path.endswith("/hooks/hooks.json"):
        raise Refused(
            f"{path}: the hooks of a plugin or an extension get its own variables, so they stay where they are"
        )
    if folder.endswith(".d"):
        raise Refused(f"{path}: the system reads every file in {folder}, so it would also read the file of moved hooks")
    is_ours = path == beside(path) or ".pyshellhooks." in name
    if is_ours or not name.endswith(".json"):
        raise Refused(f"{path}: not a settings file")
    real = os.path.realpath(path)
    for file in dialect.places(place):
        if file.scope in ("user", "system") and os.path.realpath(file.path) == real:
            return Target(dialect, path, file.scope, "")
    for tail in TAILS[dialect.name]:
        if path.endswith(f"/{tail}"):
            return Target(dialect, path, "project", path[: -len(tail) - 1] or "/")
    return Target(dialect, path, "given", "")
