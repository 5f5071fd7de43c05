"""The identity, time zone and environment of a script, which depend on its file system."""

from __future__ import annotations

from collections.abc import Mapping
from os.path import isdir

from ..host import current
from ..host.identity import NOBODY, Identity
from ..windows_paths import script_path_or_relative
from .base import FileSystem


def identity(fs: FileSystem) -> Identity:
    """Return this process's identity for scripts on the host's disk, otherwise a fixed one."""
    if fs.is_virtual():
        return NOBODY
    return current()


def time_zone(fs: FileSystem, tz: str | None) -> str | None:
    """Return the effective TZ. If it is not set: UTC for scripts without the host's disk, else None, the machine's."""
    if tz is None and fs.is_virtual():
        return "UTC"
    return tz


def environment(fs: FileSystem | None = None) -> dict[str, str]:
    """Return this process's environment for scripts on the host's disk (or ``fs=None``), otherwise ``{}``."""
    host = current()
    if fs is not None and fs.is_virtual():
        return {}
    return host.shell_env(host.environ())


def script_environment(env: Mapping[str, str], fs: FileSystem | None = None) -> dict[str, str]:
    """Return a caller's environment for scripts: on Windows it may be ``dict(os.environ)``."""
    host = current()
    return host.shell_env(env, None if fs is None else fs.exists)


def home_directory(env: Mapping[str, str]) -> str:
    """Return the user's home, with ``/`` also on Windows."""
    if not current().windows:
        return env.get("HOME") or "/"
    return script_path_or_relative(env.get("USERPROFILE") or env.get("HOME") or "/", isdir)
