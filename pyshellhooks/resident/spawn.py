"""Start of a resident engine, and the directory of its files."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from ..host.resident import detach
from . import address

RESTART = 60.0  # seconds between two attempts to start an engine
IDLE = 3600.0  # seconds without a request after which an engine that a client started ends


def make_directory(place: str) -> None:
    """Create the engine's directory for this user only. Raises ``PermissionError`` if other users can write to it."""
    os.makedirs(place, mode=0o700, exist_ok=True)
    if not address.is_private(place):
        hint = "remove it, or set PYSHELLHOOKS_ENGINE_DIR"
        raise PermissionError(1, f"it must belong to you, and only you may have write permission; {hint}", place)


def log_path(place: str) -> str:
    """Return the path of the log of an engine in a directory."""
    return os.path.join(place, f"{address.name()}.log")


def marker_path(place: str) -> str:
    """Return the path of the file whose mtime is the time of the last start of an engine."""
    return os.path.join(place, f"{address.name()}.starting")


def start(env: Mapping[str, str], idle: float = IDLE) -> bool:
    """Start an engine that outlives this process. Return False if that was tried a moment ago. Raises ``OSError``.

    ``idle``: seconds without a request after which the engine ends.
    """
    place = address.directory(env)
    make_directory(place)
    if not _is_due(marker_path(place)):
        return False
    words = [sys.executable, "-I", "-m", "pyshellhooks", "serve", "--idle", f"{idle:g}"]
    if "site-packages" not in __file__:
        words.remove("-I")  # the package was found through PYTHONPATH or the working directory
    detach(words, env, log_path(place))
    return True


def _is_due(marker: str) -> bool:
    """Return whether to start an engine, and record the attempt: of many clients at once, only one starts it."""
    try:
        if time.time() - os.stat(marker).st_mtime < RESTART:
            return False
        os.unlink(marker)
    except FileNotFoundError:
        pass
    try:
        os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True
