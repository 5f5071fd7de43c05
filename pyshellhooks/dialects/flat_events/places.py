"""Where a file of the flat form lies, what that says about its hooks' directory, and how its shape is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import normpath

from ...hooks.dialect import ConfigFile, Surroundings
from ...hooks.installed import beside
from ...hooks.model import Origin
from ...hooks.wire import JSON
from .vendor import Vendor

_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|$)")
_ROOT_KEYS = frozenset({"version", "hooks", "$schema"})
#: Keys that entries of the same events have in other systems: Claude Code's groups, Copilot's commands per shell.
_FOREIGN_KEYS = frozenset({"hooks", "bash", "powershell"})

_ORDER = {"system": 0, "team": 1, "project": 2, "given": 2, "user": 3}


class Location:
    """Where a configuration file stands: its scope, the project or home that it is in, and where its hooks run."""

    __slots__ = ("cwd", "root", "scope")

    def __init__(self, scope: str, root: str, cwd: str) -> None:
        self.scope = scope
        self.root = root
        self.cwd = cwd

    @property
    def rank(self) -> int:
        """The place of its hooks in the order: the computer's owner, the project, the user (firebender 1, cursor 1)."""
        return _ORDER.get(self.scope, 2)


def slashes(path: str) -> str:
    """Return a path with ``/``; a backslash is a separator on Windows only."""
    return path.replace("\\", "/") if _DRIVE.match(path) or path.startswith("\\\\") else path


def absolute(path: str, cwd: str) -> str:
    """Return an absolute path without ``.`` and ``..``; pure, so that a link in it counts as a directory."""
    cwd, path = slashes(cwd), slashes(path)
    windows = bool(_DRIVE.match(cwd)) or cwd.startswith("//")
    if windows:
        path = path.replace("\\", "/")
    if not path.startswith("/") and not _DRIVE.match(path):
        path = f"{cwd.rstrip('/')}/{path}"
    whole = normpath(path)
    # Two slashes begin a share on Windows, and are one anywhere else: a guard of /etc must see //etc.
    return whole[1:] if whole.startswith("//") and not windows else whole


def same(one: str, other: str) -> bool:
    """Say whether two absolute paths are the same; letter case does not count behind a drive."""
    one, other = slashes(one).rstrip("/"), slashes(other).rstrip("/")
    return one.lower() == other.lower() if _DRIVE.match(one) else one == other


def locate(origin: Origin, vendor: Vendor, surroundings: Surroundings) -> Location:
    """Tell from a file's path whose it is (firebender 1, 4).

    A text without such a path belongs to the project that the event tells: its ``cwd`` is ``""``.
    """
    file = absolute(origin.file, surroundings.cwd)
    if origin.scope == "system" or any(same(file, known) for known in vendor.system_files):
        folder = file.rpartition("/")[0] or "/"
        return Location("system", folder, folder)
    own = f"/{vendor.file_name}"
    tail = next((one for one in (own, beside(own)) if file.endswith(one)), "")
    if not tail:
        return Location(origin.scope, "", "")
    root = file[: -len(tail)] or "/"
    if origin.scope == "user" or same(root, surroundings.home):
        return Location("user", root, f"{root.rstrip('/')}/{vendor.folder}")
    return Location("project", root, root)


def places(place: Surroundings, vendor: Vendor) -> list[ConfigFile]:
    """List the files, lowest first: the user's, those of the project from its root down, the computer's owner's."""
    found = [ConfigFile(place.join(place.home, vendor.file_name), "user")]
    for directory in place.directories():
        if not same(directory, place.home):  # a home under git: its file is the user's
            found.append(ConfigFile(place.join(directory, vendor.file_name), "project"))
    found += [ConfigFile(path, "system") for path in vendor.system_files if bool(_DRIVE.match(path)) is place.windows]
    return found


def is_flat(root: Mapping[str, JSON], vendor: Vendor) -> bool:
    """Say whether a configuration has the flat form: known events in exact camel case, with flat entries.

    Other systems have events of the same names, so that any key which is theirs says no.
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
        return False  # Docker Agent's only event of the same name; its entries always have a type
    if any(_FOREIGN_KEYS & entry.keys() for entry in entries):
        # Groups under these very names are a mistake of this form, if the file says its version.
        return "version" in root and not any({"bash", "powershell"} & entry.keys() for entry in entries)
    return True


def mentions(root: Mapping[str, JSON], folder: str) -> bool:
    """Say whether a hook's command names a path in a vendor's folder."""
    hooks = root.get("hooks")
    for entries in hooks.values() if isinstance(hooks, dict) else ():
        for entry in entries if isinstance(entries, list) else ():
            command = entry.get("command") if isinstance(entry, dict) else None
            if isinstance(command, str) and f"{folder}/" in command:
                return True
    return False
