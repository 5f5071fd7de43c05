"""Signal handlers, for the one command that owns its process (rule 2)."""

from __future__ import annotations

import signal
from collections.abc import Callable

_FORWARDED = ("SIGHUP", "SIGINT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGBREAK")


def forward(deliver: Callable[[int], None]) -> None:
    """Hand the signals that end or tell a shell to ``deliver``; SIGBREAK of Windows is a TERM."""

    def handle(number: int, _frame: object) -> None:
        deliver(15 if number == getattr(signal, "SIGBREAK", None) else number)

    for name in _FORWARDED:
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, handle)
