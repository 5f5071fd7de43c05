"""The places of a system's configuration, and the facts of the host that discovery and jobs need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from errno import ENOENT
from fnmatch import fnmatchcase
from posixpath import normpath
from typing import Any

from ..errors import Diagnostic
from ..jsontext.compact import JSON


def has_name(path: str, names: Iterable[str]) -> bool:
    """Return whether a path ends with one of the names of a system's files, in which ``*`` is any text."""
    return any(fnmatchcase(path, f"*/{name}") for name in names)


class ConfigFile:
    """A place where a system looks for configuration, in merge order (later ranks higher).

    ``message``, ``hint`` and ``code``: those of its diagnostic; no message means that its hooks run.
    """

    __slots__ = ("diagnostic", "entry", "extra", "path", "plugin", "quiet", "scope", "supported")

    def __init__(
        self,
        path: str,
        scope: str,
        *,
        supported: bool = True,
        message: str = "",
        hint: str = "",
        code: str = "config-unsupported",
        plugin: str = "",
        entry: str = "",
        extra: Mapping[str, JSON] | None = None,
        quiet: bool = False,
    ) -> None:
        self.path = path
        self.scope = scope  # "system" | "user" | "project"
        self.supported = supported  # False: the file is not read, and the diagnostic is reported
        #: Why its hooks do not run; None if they do.
        self.diagnostic = Diagnostic(path, 0, 0, message, hint, "warning", code=code) if message else None
        self.plugin = plugin  # the directory of the plugin that the file belongs to
        self.entry = entry  # the plugin of a marketplace's list whose hooks are read
        self.extra = extra or {}  # facts for the dialect about each hook of the file
        self.quiet = quiet  # a person configured it so: no verdict reports it


#: Files below the directory of a plugin: its manifest, and its hooks unless the manifest names another file.
PLUGIN_MANIFEST = ".claude-plugin/plugin.json"
PLUGIN_HOOKS = "hooks/hooks.json"
EXTENSION_MANIFEST = "gemini-extension.json"  # hooks beside it are Gemini CLI's
_LARGEST = 1 << 24  # bytes of a text that discovery reads


def _nothing_to_read(path: str, most: int = -1) -> bytes:
    raise FileNotFoundError(ENOENT, "No such file or directory", path)


def _nothing_to_list(path: str) -> list[str]:
    return []


class HostContext:
    """The facts of the host that discovery and jobs need. The engine gathers them; dialects make no system calls."""

    __slots__ = (
        "base",
        "cwd",
        "env",
        "exists",
        "flat",
        "home",
        "is_of_project",
        "names",
        "project_dir",
        "read",
        "settings",
        "windows",
        "worktree",
        "worktree_of",
    )

    def __init__(
        self,
        cwd: str,
        *,
        env: Mapping[str, str],
        home: str = "",
        worktree: str = "",
        windows: bool = False,
        project_dir: str = "",
        settings: Mapping[str, JSON] | None = None,
        exists: Callable[[str], bool] = lambda path: False,
        read: Callable[..., bytes] = _nothing_to_read,
        names: Callable[[str], list[str]] = _nothing_to_list,
        worktree_of: Callable[[str], str] = str,
        flat: Callable[[str], str] = normpath,
    ) -> None:
        self.cwd = cwd
        self.env = env
        self.home = home
        self.worktree = worktree  # the root of the git worktree around cwd, or ""
        self.windows = windows
        self.project_dir = project_dir
        self.settings = settings or {}  # by the names of the dialect's ``settings``
        self.exists = exists  # whether a path exists on the file system that hooks see
        self.read = read  # reads at most ``most`` bytes of a regular file; raises OSError
        self.names = names  # the sorted names in a directory; empty if it does not exist
        self.worktree_of = worktree_of  # the root of the worktree around a directory, else the directory itself
        self.flat = flat  # the normal form of an absolute path
        self.is_of_project = False  # whether hooks run from files in the project itself
        self.base: Any = None  # a value that the dialect computes once from the above

    def join(self, *parts: str) -> str:
        """Join path parts with ``/``, which Windows accepts too."""
        return "/".join(part.rstrip("/\\") if i == 0 else part for i, part in enumerate(parts)) if parts else ""

    def text(self, path: str) -> str:
        """Return the text of a file as ``file_text`` does; ``""`` for one that can't be read."""
        try:
            return self.file_text(path)
        except (OSError, ValueError):
            return ""

    def file_text(self, path: str) -> str:
        """Return the text of a UTF-8 file, without its byte order mark; ``""`` if the file does not exist.

        Raises ``OSError`` and ``ValueError`` for one that can't be read, or that is larger than 16 MiB.
        """
        if not self.exists(path):  # the usual case, and fast
            return ""
        return self.read(path, _LARGEST).decode("utf-8-sig")

    def directories(self) -> list[str]:
        """Return the directories from the worktree's root down to cwd; cwd alone outside a worktree."""
        cwd = self.cwd.replace("\\", "/") if self.windows else self.cwd
        root = self.worktree.replace("\\", "/") if self.windows else self.worktree
        if not root or not (cwd == root or cwd.startswith(root.rstrip("/") + "/")):
            return [cwd]
        directories = [root]
        for part in cwd[len(root) :].strip("/").split("/"):
            if part:
                directories.append(self.join(directories[-1], part) if directories[-1] != "/" else "/" + part)
        return directories

    def project_of(self, cwd: str) -> str:
        """Return the project directory of an event without one (decisions project directory).

        It is the engine's own while the agent's ``cwd`` lies in it, and for hooks of the project's own files always: a
        model can change ``cwd``, and must not lead them to scripts of another directory. A host that serves several
        projects with one engine distinguishes them by ``cwd`` alone.
        """
        own = self.project_dir
        if self.is_of_project and own:
            return own
        if cwd[1:2] == ":":
            cwd = cwd.replace("\\", "/")  # scripts see C:/x (rule 12) in any spelling of the caller's
        if not cwd or cwd == self.cwd or cwd == own or (own.strip("/") and cwd.startswith(f"{own.rstrip('/')}/")):
            return own or cwd
        return self.worktree_of(cwd) if self.exists(cwd) else own or cwd  # a directory that is gone is no project
