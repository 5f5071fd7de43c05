"""Start pytest as a process of its own, read its closing lines, and end it with every process that it started."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Key = TypeVar("Key")
GRACE = 10.0  # seconds in which pytest may end by itself


@dataclass(frozen=True)
class Outcome:
    """The counts of one run of pytest."""

    passed: int
    skipped: int
    failed: int
    seconds: float
    failures: tuple[str, ...]

    @classmethod
    def read(cls, text: str, status: int, seconds: float) -> Outcome:
        """Read the output of pytest; a run that ended without its closing line, or with no test at all, has failed."""
        closing = re.findall(
            r"^(?:=+ )?(\d+ (?:passed|failed|skipped|deselected|errors?)\b.*) in [\d.]+s", text, re.MULTILINE
        )
        counts = {
            word.rstrip("s"): int(count) for count, word in re.findall(r"(\d+) (\w+)", closing[-1] if closing else "")
        }
        failed = counts.get("failed", 0) + counts.get("error", 0)
        failures = tuple(re.findall(r"^(?:FAILED|ERROR) (.+)$", text, re.MULTILINE))
        if status and not failed:
            lines = text.split("\n")
            reason = next((line for line in lines if "ERROR" in line), lines[-1])
            failed, failures = 1, (f"pytest ended with status {status}: {reason}", *failures)
        return cls(counts.get("passed", 0), counts.get("skipped", 0), failed, seconds, failures)


class Run:
    """A pytest that runs; ``outcome`` waits for its end."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process, self.log, self._began = process, log, time.monotonic()
        self._seconds: float | None = None
        self._over = False

    def running(self) -> bool:
        """Return whether it is still at work, and note when it ended."""
        if self.process.poll() is None:
            return True
        if self._seconds is None:
            self._seconds = time.monotonic() - self._began
        return False

    def outcome(self) -> Outcome:
        """Wait for the end, end the processes that are left, and count."""
        self.process.wait()
        self.running()
        self.end()
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return Outcome.read(text, self.process.returncode, self._seconds or 0.0)

    def end(self) -> None:
        """End the process and its group: it may ignore SIGINT, so the terminal's Ctrl-C is not enough."""
        if self._over:  # the number may be another process's by now
            return
        self._over = True
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:  # the group has ended
            pass
        self.process.wait()


def first_ended(runs: Mapping[Key, Run]) -> Key:
    """Wait until one of the runs has ended, and return its key."""
    while True:
        for key, run in runs.items():
            if not run.running():
                return key
        time.sleep(0.1)


@contextmanager
def started(
    command: Sequence[str | Path],
    log: Path,
    *,
    cwd: Path,
    env: Mapping[str, str],
    user: int | None = None,
    before: Callable[[], object] | None = None,
) -> Iterator[Run]:
    """Start a command in a group of its own, its output in ``log``; leaving the block ends it.

    ``user`` is the number of another user, with no group but its own; ``before`` is called in the child.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd, env=dict(env), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True, preexec_fn=before,
            user=user, group=user, extra_groups=None if user is None else [],
        )  # fmt: skip
    run = Run(process, log)
    try:
        yield run
    finally:
        run.end()


def end_on_sigterm() -> None:
    """End the children on SIGTERM too, as on Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # `nohup … &` ignores it


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the variables of CI, of a venv and of a user's Python settings."""
    own_variables = {
        name: value
        for name, value in environ.items()
        if name not in ("CI", "ROTATION", "TABLES", "TEST_TIMINGS", "JQ182", "VIRTUAL_ENV", "LANG", "LANGUAGE", "TZ")
        and not name.startswith(("LC_", "PYTHON", "PYTEST_", "XDG_"))
    }
    folder = str(Path(sys.executable).parent)
    own_variables["PATH"] = os.pathsep.join(
        part for part in own_variables.get("PATH", os.defpath).split(os.pathsep) if part != folder
    )
    return own_variables
