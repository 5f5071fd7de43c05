"""The system's signals: their numbers, and handlers for the one command that owns its process (rule 2).

Scripts see Linux's numbers on every system. Other systems differ from 7 on (USR1 is 10 on Linux, 30 on macOS).
"""

from __future__ import annotations

import sys
from collections.abc import Callable

# Signals whose numbers differ between POSIX systems.
_MOVED = {7: "SIGBUS", 10: "SIGUSR1", 12: "SIGUSR2", 16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP",
          20: "SIGTSTP", 23: "SIGURG", 29: "SIGIO", 30: "SIGPWR", 31: "SIGSYS"}  # fmt: skip

_FORWARDED = ("SIGHUP", "SIGINT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGBREAK")


def to_native(number: int) -> int | None:
    """Return this system's number of a signal (Linux's number); None if the system does not have it."""
    if sys.platform == "linux" or (number not in _MOVED and number < 32):
        return number
    import signal

    native = getattr(signal, _MOVED.get(number, ""), None)
    return None if native is None else int(native)


def from_native(number: int) -> int:
    """Return Linux's number of one of this system's signals."""
    if sys.platform != "linux":
        import signal

        for linux, name in _MOVED.items():
            if getattr(signal, name, None) == number:
                return linux
    return number


def forward(deliver: Callable[[int], None]) -> None:
    """Install handlers that pass signals of this process to ``deliver``. SIGBREAK of Windows is passed as TERM."""
    import signal

    def handle(number: int, _frame: object) -> None:
        deliver(15 if number == getattr(signal, "SIGBREAK", None) else number)

    for name in _FORWARDED:
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, handle)
