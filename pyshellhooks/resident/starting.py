"""Starting an engine that stays, and the directory where client and engine meet."""

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
    """Make the meeting place, for this user alone. Raises ``PermissionError`` if somebody else can write there."""
    os.makedirs(place, mode=0o700, exist_ok=True)
    if not address.is_private(place):
        hint = "remove it, or set PYSHELLHOOKS_ENGINE_DIR"
        raise PermissionError(1, f"it must belong to you, and only you may write there: {hint}", place)


def log_path(place: str) -> str:
    """Return the path of the log of an engine in a directory."""
    return os.path.join(place, f"{address.name()}.log")


def marker_path(place: str) -> str:
    """Return the path of the file that says when an engine was last started."""
    return os.path.join(place, f"{address.name()}.starting")


def start(env: Mapping[str, str], idle: float = IDLE) -> bool:
    """Start an engine that outlives us; False if that was tried a moment ago. Raises ``OSError``."""
    place = address.directory(env)
    make_directory(place)
    if not _is_due(marker_path(place)):
        return False
    words = [sys.executable, "-I", "-m", "pyshellhooks", "serve", "--idle", f"{idle:g}"]
    if "site-packages" not in __file__:
        words.remove("-I")  # it was found by PYTHONPATH, or in the working directory
    detach(words, env, log_path(place))
    return True


def _is_due(marker: str) -> bool:
    """Say whether to try, and write down that it was tried: of many clients at once, one starts the engine."""
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
