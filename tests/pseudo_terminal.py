"""A program on a terminal of its own, and somebody who types. POSIX only."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from time import monotonic
from types import TracebackType

from tests.clock import patient

SECONDS = 30.0  # for an answer
AGAIN = 8.0


class Typist:
    """Starts a program on a pseudo-terminal; ``shown`` is what stands on it so far."""

    def __init__(self, words: Sequence[str], *, cwd: str, env: Mapping[str, str], columns: int = 80) -> None:
        self.shown = ""
        self._read = 0
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._process = subprocess.Popen(
            words, stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=dict(env), start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Typist:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def types(self, keys: str) -> None:
        """Type; what was shown before is no answer to it."""
        self._read = len(self.shown)
        os.write(self._master, keys.encode())

    def sees(self, *texts: str, again: str = "") -> str:
        """Wait until the texts are shown, in this order, since the last keys; gives what was shown since then.

        ``again`` is typed once more where nothing comes of it: an interrupt that comes between two keys is heard at the
        next one (CPython looks for signals where readline waits, and not just before).
        """
        until = monotonic() + patient(SECONDS)
        next_time = monotonic() + AGAIN
        while not _in_order(self.shown[self._read :], texts):
            assert monotonic() < until, f"{texts} were not shown: {self.shown!r}"
            if again and monotonic() > next_time:
                os.write(self._master, again.encode())
                next_time = until
            assert self._more(0.1), f"the program has ended: {self.shown!r}"
        return self.shown[self._read :]

    def ends(self, again: str = "") -> int:
        """Wait for the end of the program and give its status; ``again`` is typed once more where nothing comes of it."""
        until = monotonic() + patient(SECONDS)
        next_time = monotonic() + AGAIN
        while self._more(0.1):
            if again and monotonic() > next_time:
                os.write(self._master, again.encode())
                next_time = until
            assert monotonic() < until, f"it does not end: {self.shown!r}"
        return self._process.wait(patient(SECONDS))

    def _more(self, seconds: float) -> bool:
        """Read what comes within that time; False at the end."""
        if not select.select([self._master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux's end of a terminal
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


def _in_order(text: str, parts: Sequence[str]) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True
