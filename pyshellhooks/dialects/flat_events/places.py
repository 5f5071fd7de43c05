"""Locations of files of the flat form, the directories in which their hooks run, and detection of the form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import normpath

from ...hooks.dialect import ConfigFile, HostContext
from ...hooks.installed import beside
from ...hooks.model import Origin
from ...jsontext.compact import JSON
from .vendor import Vendor

_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|$)")
_ROOT_KEYS = frozenset({"version", "hooks", "$schema"})
#: Keys of entries of equally named events in other systems: Claude Code's groups, Copilot's commands per shell and its timeout.
_COPILOTS_KEYS = frozenset({"bash", "powershell", "timeoutSec"})
_FOREIGN_KEYS = _COPILOTS_KEYS | {"hooks"}

_ORDER = {"system": 0, "team": 1, "project": 2, "given": 2, "user": 3}


class Location:
    """The location of a configuration file: its scope, its project or home, and the directory of its hooks."""

    __slots__ = ("cwd", "root", "scope")

    def __init__(self, scope: str, root: str, cwd: str) -> None:
        self.scope = scope
        self.root = root
        self.cwd = cwd

    @property
    def rank(self) -> int:
        """The rank of its hooks: the computer's owner's, the project's, the user's (firebender 1, cursor 1)."""
        return _ORDER.get(self.scope, 2)


def slashes(path: str) -> str:
    """Return a path with ``/`` as separator; a backslash is a separator in Windows paths only."""
    return path.replace("\\", "/") if _DRIVE.match(path) or path.startswith("\\\\") else path


def absolute(path: str, cwd: str) -> str:
    """Return an absolute path without ``.`` and ``..``, from its text alone: symbolic links are not resolved."""
    cwd, path = slashes(cwd), slashes(path)
    windows = bool(_DRIVE.match(cwd)) or cwd.startswith("//")
    if windows:
        path = path.replace("\\", "/")
    if not path.startswith("/") and not _DRIVE.match(path):
        path = f"{cwd.rstrip('/')}/{path}"
    whole = normpath(path)
    # Two slashes begin a share on Windows, and mean one anywhere else: a guard of /etc must match //etc.
    return whole[1:] if whole.startswith("//") and not windows else whole


def same(path: str, other: str) -> bool:
    """Return whether two absolute paths are the same; with a drive, letter case does not matter."""
    path, other = slashes(path).rstrip("/"), slashes(other).rstrip("/")
    return path.lower() == other.lower() if _DRIVE.match(path) else path == other


def locate(origin: Origin, vendor: Vendor, host_context: HostContext) -> Location:
    """Return the location of a file, from its path (firebender 1, 4).

    A text without such a path belongs to the project of the event: its ``cwd`` is ``""``.
    """
    file = absolute(origin.file, host_context.cwd)
    if origin.scope == "system" or any(same(file, known) for known in vendor.system_files):
        folder = file.rpartition("/")[0] or "/"
        return Location("system", folder, folder)
    own = f"/{vendor.file_name}"
    tail = next((suffix for suffix in (own, beside(own)) if file.endswith(suffix)), "")
    if not tail:
        return Location(origin.scope, "", "")
    root = file[: -len(tail)] or "/"
    if origin.scope == "user" or same(root, host_context.home):
        return Location("user", root, f"{root.rstrip('/')}/{vendor.folder}")
    return Location("project", root, root)


def places(place: HostContext, vendor: Vendor) -> list[ConfigFile]:
    """Return the files, lowest first: the user's, those of the project from its root down, the computer's owner's."""
    files = [ConfigFile(place.join(place.home, vendor.file_name), "user")]
    for directory in place.directories():
        if not same(directory, place.home):  # if the home is a git worktree, its file is the user's
            files.append(ConfigFile(place.join(directory, vendor.file_name), "project"))
    files += [ConfigFile(path, "system") for path in vendor.system_files if bool(_DRIVE.match(path)) is place.windows]
    return files


def is_flat(root: Mapping[str, JSON], vendor: Vendor) -> bool:
    """Return whether a configuration has the flat form: known events in exact camel case, with flat entries.

    Other systems have events of the same names, so that any key of theirs excludes the flat form.
    """
    hooks = root.get("hooks")
    if not isinstance(hooks, dict) or not root.keys() <= _ROOT_KEYS:
        return False
    known = [entries for event, entries in hooks.items() if event in vendor.events]
    if not known or not all(isinstance(entries, list) for entries in known):
        return False
    entries = [entry for entries in known for entry in entries]
    if not all(isinstance(entry, dict) for entry in entries):
        return False
    if "version" not in root and root["hooks"].keys() == {"stop"} and all("type" in entry for entry in entries):
        return False  # ``stop`` is also an event of Docker Agent, whose entries always have a type
    if any(_FOREIGN_KEYS & entry.keys() for entry in entries):
        # Groups under these event names are a mistake in the flat form if the file has a version.
        return "version" in root and not any(_COPILOTS_KEYS & entry.keys() for entry in entries)
    return True


def mentions(root: Mapping[str, JSON], folder: str) -> bool:
    """Return whether the command of a hook names a path in a vendor's folder."""
    hooks = root.get("hooks")
    for entries in hooks.values() if isinstance(hooks, dict) else ():
        for entry in entries if isinstance(entries, list) else ():
            command = entry.get("command") if isinstance(entry, dict) else None
            if isinstance(command, str) and f"{folder}/" in command:
                return True
    return False
