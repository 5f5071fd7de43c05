"""nohup where it stands at a terminal (GNU coreutils 9.1, asked under script(1) as root and as a user who may not write)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from utility_runs import make_files

from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture
from pyshellhooks.utilities.nohup import nohup


class Terminal(Capture):
    """A screen that is nobody's keyboard."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int | None:
        return None


class Keyboard(BytesReader):
    """What one types; nobody does."""

    def isatty(self) -> bool:
        return True


class Started:
    """Writes down what it is given to start, and lets it say "hi"."""

    def __init__(self, call: list[Call]) -> None:
        self.call = call
        self.given: dict[str, Any] = {}
        self.signaled: int | None = None

    def __call__(self, argv: Sequence[str], **given: Any) -> Started:
        if argv[0] == "nosuch":
            raise FileNotFoundError(2, "No such file or directory", argv[0])
        self.given = given
        return self

    def wait(self) -> int:
        (self.given["stdout"] or self.call[0].stdout).write(b"hi\n")
        return 0


def run(
    terminals: str, *argv: str, fs: MemoryFS | None = None, env: dict[str, str] | None = None
) -> tuple[int, str, bytes, Started]:
    """Run it with terminals on some of ``0``, ``1`` and ``2``: status, what it says, what stdout got, what started."""
    fs = fs or MemoryFS()
    make_files(fs, {})
    calls: list[Call] = []
    started = Started(calls)
    out, err = (Terminal(999) if number in terminals else Capture(999) for number in "12")
    with CancelScope() as scope:
        call = Call(
            ["nohup", *(argv or ("echo", "hi"))],
            env=env or {},
            cwd="/w",
            fs=fs,
            stdin=(Keyboard(b"") if "0" in terminals else BytesReader(b"")).retain(),
            stdout=out,
            stderr=err,
            scope=scope,
            limits=Limits(),
            start=started,  # type: ignore[arg-type]
        )
        calls.append(call)
        status = execute(nohup, call)
    return status, err.getvalue().decode(), out.getvalue(), started


def content(fs: MemoryFS, path: str) -> bytes:
    """Read a file."""
    stream = fs.open(path, 0).retain()
    try:
        return stream.read()
    finally:
        stream.release()


@pytest.mark.parametrize(
    ("terminals", "said", "shown"),
    [
        ("", "", b"hi\n"),
        ("0", "nohup: ignoring input\n", b"hi\n"),
        ("1", "nohup: appending output to 'nohup.out'\n", b""),
        ("01", "nohup: ignoring input and appending output to 'nohup.out'\n", b""),
        ("012", "nohup: ignoring input and appending output to 'nohup.out'\n", b""),
        ("02", "nohup: ignoring input and redirecting stderr to stdout\n", b"hi\n"),
        ("2", "nohup: redirecting stderr to stdout\n", b"hi\n"),
    ],
)
def test_terminals(terminals: str, said: str, shown: bytes) -> None:
    fs = MemoryFS()
    status, err, out, started = run(terminals, fs=fs)
    assert (status, err, out) == (0, said, shown)
    assert (started.given["stdin"] is None) is ("0" not in terminals)
    assert (started.given["stderr"] is None) is ("2" not in terminals)
    assert fs.exists("/w/nohup.out") is ("1" in terminals)
    if "1" in terminals:
        assert content(fs, "/w/nohup.out") == b"hi\n"
        assert fs.stat("/w/nohup.out").st_mode & 0o777 == 0o600


def test_a_command_that_is_not_there() -> None:
    assert run("2", "nosuch")[:2] == (
        127,
        "nohup: redirecting stderr to stdout\nnohup: failed to run command 'nosuch': No such file or directory\n",
    )


@pytest.mark.parametrize(
    ("env", "status", "said"),
    [
        ({"HOME": "/home"}, 0, "nohup: ignoring input and appending output to '/home/nohup.out'\n"),
        ({}, 125, "nohup: failed to open 'nohup.out': Permission denied\n"),
        ({"HOME": ""}, 125, "nohup: failed to open 'nohup.out': Permission denied\n" * 2),
        (
            {"HOME": "/none", "POSIXLY_CORRECT": "1"},
            127,
            "nohup: failed to open 'nohup.out': Permission denied\n"
            "nohup: failed to open '/none/nohup.out': No such file or directory\n",
        ),
    ],
)
def test_where_one_may_not_write(env: dict[str, str], status: int, said: str) -> None:
    fs = MemoryFS({"/home/": b"", "/w/": b""})
    fs.chmod("/w", 0o555)
    assert run("012", fs=fs, env=env)[:2] == (status, said)
