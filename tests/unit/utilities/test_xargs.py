"""xargs where the real one cannot be asked: pieces of input, parallel commands, ends that come from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from clock import patient
from utility_runs import run

from pyshellhooks import Shell
from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.fs import MemoryFS
from pyshellhooks.streams import Stream


class Pieces(Stream):
    """Gives its input byte by byte, and perhaps without end."""

    def __init__(self, data: bytes, endless: bool = False) -> None:
        super().__init__()
        self.data = data
        self.at = 0
        self.endless = endless

    def read(self, size: int = 65536, /) -> bytes:
        if self.at >= len(self.data) and self.endless:
            self.at = 0
        self.at += 1
        return self.data[self.at - 1 : self.at]


class Starter:
    """Remembers the command lines; each command takes a moment and ends with ``status``."""

    def __init__(self, status: int = 0, seconds: float = 0.0) -> None:
        self.lines: list[list[str]] = []
        self.status = status
        self.seconds = seconds
        self.running = self.most = 0
        self.lock = threading.Lock()

    def __call__(self, argv: Sequence[str], *, scope: CancelScope | None = None, **rest: Any) -> Running:
        self.lines.append(list(argv))
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        return Running(self)


class Running:
    signaled: int | None = None

    def __init__(self, starter: Starter) -> None:
        self.starter = starter

    def wait(self) -> int:
        time.sleep(self.starter.seconds)
        with self.starter.lock:
            self.starter.running -= 1
        return self.starter.status

    def signal(self, number: int) -> None:
        raise AssertionError("nobody is signalled")


@pytest.mark.parametrize("options", [[], ["-0"], ["-d", "\\n"], ["-L1"], ["-I{}"]])
def test_pieces_of_input_make_no_difference(options: list[str]) -> None:
    data = b"a 'b c' \\d\n e\"f\"\0x\ny\n"
    whole, pieces = Starter(), Starter()
    one = run(["xargs", *options, "echo", "{}"], stdin=data, start=whole)
    other = run(["xargs", *options, "echo", "{}"], stdin=Pieces(data), start=pieces)
    assert one == other
    assert whole.lines == pieces.lines
    assert whole.lines


def test_no_more_than_the_requested_number_run_at_once() -> None:
    starter = Starter(seconds=0.001)
    assert run(["xargs", "-P3", "-n1", "true"], stdin=b"1 2 3 4 5 6 7 8", start=starter)[0] == 0
    assert starter.most == 3
    assert len(starter.lines) == 8


def test_as_many_as_possible_is_bounded() -> None:
    starter = Starter()
    run(["xargs", "-P0", "-n1", "true"], stdin=b"x " * 200, start=starter)
    assert 1 < starter.most <= 32


def test_the_deadline_ends_input_without_end() -> None:
    with CancelScope(timeout=0.2) as scope, pytest.raises(Stop, match="deadline"):
        run(["xargs", "-n1", "true"], stdin=Pieces(b"a ", endless=True), start=Starter(), scope=scope)


def test_endless_blanks_are_not_held() -> None:
    with CancelScope(timeout=0.2) as scope, pytest.raises(Stop, match="deadline"):
        run(["xargs", "true"], stdin=Pieces(b" \n", endless=True), start=Starter(), scope=scope)


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
def test_an_item_without_end_is_refused() -> None:
    for options in ([], ["-0"]):
        status, _, err = run(["xargs", *options, "true"], stdin=Pieces(b"a", endless=True), start=Starter())
        assert (status, err) == (1, b"xargs: argument line too long\n")


def test_255_stops_the_following_commands() -> None:
    starter = Starter(status=255)
    status, _, err = run(["xargs", "-n1", "true"], stdin=b"1 2 3", start=starter)
    assert (status, err) == (124, b"xargs: true: exited with status 255; aborting\n")
    assert starter.lines == [["true", "1"]]


@pytest.mark.parametrize("option", ["-o", "--open-tty"])
def test_unsupported_options_are_named(option: str) -> None:
    status, _, err = run(["xargs", option, "true"], stdin=b"a", start=Starter())
    assert status == 1
    assert err == b"xargs: option -o is not supported: commands have no terminal\n"


@pytest.mark.parametrize("options", [["-p"], ["--interactive", "-n1"], ["-tp", "-P4", "-n1"], ["-p", "-I{}"]])
def test_commands_that_cannot_be_confirmed_are_not_run(options: list[str]) -> None:
    starter = Starter()
    status, _, err = run(["xargs", *options, "true"], stdin=b"a\nb\n", start=starter)
    assert (status, starter.lines) == (1, [])
    assert err.endswith(b"xargs: failed to open /dev/tty for reading: No such device or address\n")


def test_parallel_commands_in_the_shell() -> None:
    shell = Shell(fs=MemoryFS(), spawn=False)
    # Each waits for all others, so that none ends where one runs after another.
    script = "echo > $0; until [ -e 1 -a -e 2 -a -e 3 -a -e 4 ]; do sleep 0.01; done; echo $0"
    result = shell.run(f"printf '%s\\n' 1 2 3 4 | xargs -P4 -n1 sh -c '{script}' | sort", timeout=60)
    assert (result.status, result.stdout) == (0, b"1\n2\n3\n4\n"), result


def test_cancelling_ends_parallel_commands() -> None:
    began = time.monotonic()
    result = Shell(fs=MemoryFS(), spawn=False).run("seq 9 | xargs -P4 -n1 sh -c 'sleep 60'; echo never", timeout=0.3)
    assert result.stdout == b""
    assert time.monotonic() - began < patient(2.5)
    assert "deadline" in str(result.ended)


def test_a_missing_command_is_the_first_and_last() -> None:
    result = Shell(fs=MemoryFS(), spawn=False).run("seq 3 | xargs -n1 nosuch; echo $?")
    assert result.stdout == b"127\n"
    assert result.stderr == b"xargs: nosuch: No such file or directory\n"


def test_a_hosts_own_messages_are_passed_on() -> None:
    result = Shell(fs=MemoryFS(), spawn=False).run("echo x | xargs sh -c 'nosuch; exit 127'; echo $?")
    assert result.stdout == b"123\n"
    assert b"nosuch: command not found" in result.stderr


def test_functions_are_not_commands() -> None:
    result = Shell(fs=MemoryFS(), spawn=False).run("f() { echo no; }; export -f f; echo x | xargs f; echo $?")
    assert result.stdout == b"127\n"
