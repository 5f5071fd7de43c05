"""What no table shows of the text utilities: they stop with their reader, their deadline and their bounds."""

from __future__ import annotations

import pytest

from pyshellhooks import Limits, MemoryFS, Shell, Stopped
from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, Registry, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs import MemoryFS as Files
from pyshellhooks.streams import BytesReader, Capture, MemoryPipe, Stream
from pyshellhooks.utilities._index import INDEX


def run(argv: list[str], stdout: Stream, scope: CancelScope, stdin: bytes = b"", limits: Limits | None = None) -> int:
    call = Call(
        argv,
        env={},
        cwd="/",
        fs=Files({"/empty": b""}),
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


@pytest.mark.parametrize(
    "argv",
    [
        ["od", "-v", "/dev/zero"],
        ["xxd", "/dev/zero"],
        ["xxd", "-p", "/dev/zero"],
        ["base64", "/dev/zero"],
        ["base64", "-w0", "/dev/zero"],
        ["cmp", "-l", "/dev/zero", "/dev/urandom"],
        ["shuf", "-re", "a"],
        ["shuf", "-i", "1-1000000000"],
        ["split", "-n", "r/1/1", "-t", "\\0", "/dev/zero"],
    ],
    ids=" ".join,
)
def test_a_reader_that_has_gone_ends_endless_output(argv: list[str]) -> None:
    with CancelScope(timeout=60) as scope:
        pipe = MemoryPipe(scope)
        pipe.reader.close()
        assert run(argv, pipe.writer, scope) == 141


@pytest.mark.parametrize(
    "argv",
    [
        ["cmp", "-i0:1", "/dev/zero", "/dev/zero"],
        ["od", "/dev/zero"],
        ["xxd", "-a", "/dev/zero"],
        ["strings", "/dev/zero"],
    ],
    ids=" ".join,
)
def test_the_deadline_ends_endless_runs(argv: list[str]) -> None:
    with CancelScope(timeout=0.2) as scope, pytest.raises(Stop, match="deadline"):
        run(argv, Capture(1 << 40), scope)


@pytest.mark.parametrize(
    "argv",
    [
        ["tac", "/dev/zero"],
        ["shuf", "/dev/zero"],
        ["diff", "/dev/zero", "/empty"],
        ["column"],
        ["split", "--filter=cat", "-b", "1G", "/dev/zero"],
        ["shuf", "-i", "1-9000000"],
    ],
    ids=" ".join,
)
def test_held_memory_is_bounded(argv: list[str]) -> None:
    bounds = Limits(memory=16 * 100_000)
    with CancelScope(timeout=60) as scope, pytest.raises(Stop, match="limit"):
        run(argv, Capture(1 << 30), scope, b"some words\n" * 20_000, bounds)


@pytest.mark.parametrize(
    "argv", [["fold"], ["paste"], ["nl"], ["rev"], ["comm", "-", "/empty"], ["join", "-", "/empty"]]
)
def test_a_line_past_the_limit_stops_the_run(argv: list[str]) -> None:
    with CancelScope() as scope, pytest.raises(Stop, match="limit"):
        run(argv, Capture(1 << 20), scope, b"x" * 200_000, Limits(string=100_000))


def test_a_format_cannot_exceed_the_bounds() -> None:
    for argv in (["nl", "-w", "999999999"], ["od", "-w999999998"]):
        with CancelScope() as scope, pytest.raises(Stop, match="limit"):
            run(argv, Capture(1 << 20), scope, b"x\n")


def test_expr_bounds_depth_and_digits() -> None:
    for words in (["("] * 2000, ["9" * 5000, "+", "1"], ["9" * 3000, "*", "9" * 3000]):
        with CancelScope() as scope, pytest.raises(Stop, match="limit"):
            run(["expr", *words], Capture(1 << 20), scope)


def test_a_hex_dump_cannot_seek_past_the_output_bound() -> None:
    with CancelScope() as scope, pytest.raises(Stop, match="limit"):
        run(["xxd", "-r"], Capture(1 << 40), scope, b"ffffffffff: 41\n")


@pytest.mark.slow
def test_an_edit_of_two_unlike_files_obeys_the_deadline() -> None:
    left = b"".join(b"%d\n" % (number * 7 % 1013) for number in range(60_000))
    fs = MemoryFS({"/a": left, "/b": left[::-1].replace(b"\n", b"\n1")})
    result = Shell(fs=fs, cwd="/", spawn=False).run("diff -d a b || true", timeout=1)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "deadline"


@pytest.mark.parametrize(
    ("argv", "named"),
    [
        (["column", "-J"], "invalid option -- 'J'"),
        (["strings", "-T", "elf", "/empty"], "invalid option -- 'T'"),
        (["xxd", "-z"], "invalid option -- 'z'"),
    ],
)
def test_omitted_options_are_refused_by_name(argv: list[str], named: str) -> None:
    result = Shell(fs=MemoryFS({"/empty": b""}), cwd="/", spawn=False).run(" ".join(argv), timeout=60)
    assert result.status != 0 and named in result.stderr.decode()


def test_pipelines_end_with_their_reader() -> None:
    shell = Shell(fs=MemoryFS(), cwd="/", spawn=False)
    for stage, first in (("paste - -", b"y\ty\n"), ("fold -w 1", b"y\n"), ("nl -w1 -s:", b"1:y\n"), ("rev", b"y\n")):
        assert shell.run(f"yes | {stage} | head -n 1", timeout=60).stdout == first


@pytest.mark.parametrize("stage", ["tac", "shuf", "column -t", "tac 2>/dev/null || true", "diff - /dev/null"])
def test_no_position_hides_a_breach(stage: str) -> None:
    """A guard that asks ``if yes | tac | grep -q``: the run stops, it neither allows nor denies."""
    shell = Shell(fs=MemoryFS(), cwd="/", spawn=False, limits=Limits(memory=16 * 1_000_000))
    result = shell.run(f"if yes | {{ {stage}; }} | grep -q zzz; then exit 2; fi; exit 0", timeout=60)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "limit"
