"""What no table shows: endless output ends with its reader, breaches end the run, mktemp's names are fresh."""

from __future__ import annotations

import re

import pytest
from utility_runs import run as run_alone

from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, Registry, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture, MemoryPipe, Stream
from pyshellhooks.utilities._index import INDEX
from pyshellhooks.utilities.printf import format_printf


def run(argv: list[str], stdout: Stream, scope: CancelScope, stdin: bytes = b"", limits: Limits | None = None) -> int:
    call = Call(
        argv,
        env={},
        cwd="/",
        fs=MemoryFS(),
        stdin=BytesReader(stdin),
        stdout=stdout,
        stderr=Capture(1 << 20),
        scope=scope,
        limits=limits or Limits(),
        start=None,  # type: ignore[arg-type]
    )
    command = Registry(INDEX).get(argv[0])
    assert command is not None
    return execute(command, call)


@pytest.mark.parametrize("argv", [["yes"], ["seq", "inf"], ["cat", "/dev/zero"], ["tail", "-c", "+1", "/dev/zero"]])
def test_a_reader_that_has_gone_ends_endless_output(argv: list[str]) -> None:
    with CancelScope(timeout=60) as scope:
        pipe = MemoryPipe(scope)
        pipe.reader.close()
        assert run(argv, pipe.writer, scope) == 141


@pytest.mark.parametrize("argv", [["sleep", "infinity"], ["seq", "inf"], ["wc", "/dev/zero"]])
def test_the_deadline_ends_endless_runs(argv: list[str]) -> None:
    with CancelScope(timeout=0.1) as scope, pytest.raises(Stop, match="deadline"):
        run(argv, Capture(1 << 40), scope)


@pytest.mark.parametrize("argv", [["cut", "-c1"], ["sort"], ["uniq"]])
def test_a_line_past_the_limit_stops_the_run(argv: list[str]) -> None:
    with CancelScope() as scope, pytest.raises(Stop, match="limit"):
        run(argv, Capture(1 << 20), scope, b"x" * 200_000, Limits(string=100_000))


@pytest.mark.parametrize(
    "argv", [["grep", "-c", "b"], ["grep", "-v", "b"], ["sed", "-n", "p"], ["sed", "$!N"], ["tac"]]
)
def test_a_line_that_fills_the_memory_stops_the_run(argv: list[str]) -> None:
    """What an endless line is to be held in: a sixteenth of it."""
    with CancelScope() as scope, pytest.raises(Stop, match="holds more than 100000 bytes"):
        run(argv, Capture(1 << 20), scope, b"a\n" + b"x" * 400_000, Limits(memory=1_600_000))
    with CancelScope() as scope:
        assert run(argv, Capture(1 << 20), scope, b"x" * 90_000 + b"\n", Limits(memory=1_600_000)) in (0, 1)


def test_printf_bounds_its_widths() -> None:
    for fmt in ("%999999999d", "%.999999999f", "%*s"):
        with pytest.raises(Stop, match="limit"):
            format_printf(fmt, ["999999999", "x"], limit=1000)


def test_mktemp_makes_the_file_that_it_prints() -> None:
    fs = MemoryFS()
    name = run_alone(["mktemp", "-d", "x.XXXXXX"], fs=fs)[1].decode().rstrip("\n")
    assert re.fullmatch(r"x\.[A-Za-z0-9]{6}", name)
    assert [(entry.name, entry.kind) for entry in fs.scandir("/w")] == [(name, "d")]
    assert re.fullmatch(rb"/tmp/tmp\.[A-Za-z0-9]{10}\n", run_alone(["mktemp"])[1])
