"""grep and sed on streams: how much they read, when they stop, what they leave."""

import os
from collections.abc import Callable

import pytest

from pyshellhooks import Limits, MemoryFS, Shell
from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.streams import BytesReader, Stream

RunUtility = Callable[..., tuple[int, bytes, bytes]]


class Endless(Stream):
    """Gives lines for ever, and fails the test if somebody wants too many."""

    def __init__(self, line: bytes, most: int) -> None:
        super().__init__()
        self.line = line
        self.left = most

    def read(self, size: int = 65536, /) -> bytes:
        self.left -= 1
        assert self.left >= 0, "read on after the answer was known"
        return self.line


def test_grep_q_does_not_wait_for_the_end(run_utility: RunUtility) -> None:
    assert run_utility(["grep", "-q", "x"], Endless(b"x\n", 1))[0] == 0
    assert run_utility(["grep", "-l", "x"], Endless(b"x\n", 1))[1] == b"(standard input)\n"
    assert run_utility(["grep", "-m2", "x"], Endless(b"x\n", 2))[1] == b"x\nx\n"


def test_grep_m_leaves_the_rest(run_utility: RunUtility) -> None:
    # (grep -m1 b; cat) <file goes on behind the line: GNU grep 3.8
    stdin = BytesReader(b"a\nb\nc\nd\n")
    stdin.retain()
    assert run_utility(["grep", "-m1", "b"], stdin) == (0, b"b\n", b"")
    assert stdin.read() == b"c\nd\n"


def test_sed_q_leaves_the_rest_and_does_not_wait(run_utility: RunUtility) -> None:
    # (sed 1q; cat) <file goes on behind the line: GNU sed 4.9
    stdin = BytesReader(b"a\nb\nc\n")
    stdin.retain()
    assert run_utility(["sed", "1q"], stdin) == (0, b"a\n", b"")
    assert stdin.read() == b"b\nc\n"
    assert run_utility(["sed", "2q"], Endless(b"x\n", 2)) == (0, b"x\nx\n", b"")


def test_blocks_join_at_lines(run_utility: RunUtility) -> None:
    data = b"".join(b"%06d line\n" % number for number in range(20_000))
    assert run_utility(["grep", "-n", "9999 line"], data)[1] == b"10000:009999 line\n20000:019999 line\n"
    context = run_utility(["grep", "-B2", "-A1", "012345"], data)[1]
    assert context == b"012343 line\n012344 line\n012345 line\n012346 line\n"
    assert run_utility(["grep", "-c", "."], data)[1] == b"20000\n"
    assert run_utility(["grep", "-vc", "9"], data)[1] == b"%d\n" % sum(b"9" not in x for x in data.splitlines())
    assert run_utility(["grep", "-bo", "019999"], data)[1] == b"239988:019999\n"
    assert run_utility(["sed", "-n", "$="], data)[1] == b"20000\n"


@pytest.mark.parametrize("argv", [["sed", ":a;ba"], ["sed", ":a;s/x/&/;ta"], ["sed", "s/^/\\n/;D"], ["grep", "y"]])
def test_a_cancelled_run_ends(run_utility: RunUtility, argv: list[str]) -> None:
    stdin = Endless(b"x\n", 1 << 60)
    with pytest.raises(Stop) as caught:
        run_utility(argv, stdin, scope=CancelScope(timeout=0.1))
    assert caught.value.reason == "deadline"


def test_an_edit_in_place_that_is_cancelled_leaves_the_file(run_utility: RunUtility) -> None:
    from pyshellhooks.fs import MemoryFS

    fs = MemoryFS()
    with pytest.raises(Stop):
        run_utility(["sed", "-i", "2{:a;ba}", "f"], files={"f": b"1\n2\n3\n"}, fs=fs, scope=CancelScope(timeout=0.1))
    assert fs.open("/w/f", os.O_RDONLY).read() == b"1\n2\n3\n"
    assert [entry.name for entry in fs.scandir("/w")] == ["f"]


def test_sed_runs_commands_through_start(run_utility: RunUtility) -> None:
    started = []

    class Done:
        def wait(self) -> int:
            return 0

    def start(argv: list[str], *, stdin: Stream, stdout: Stream) -> Done:
        started.append(argv)
        stdout.write(b"out\n")
        return Done()

    assert run_utility(["sed", "1e date"], b"a\n", start=start)[1] == b"out\na\n"
    assert run_utility(["sed", "s/.*/echo &/e"], b"a\n", start=start)[1] == b"out\n"
    assert started == [["sh", "-c", "date"], ["sh", "-c", "echo a"]]


def test_a_buffer_that_grows_for_ever_is_a_breach() -> None:
    shell = Shell(fs=MemoryFS(), limits=Limits(string=1 << 16))
    ended = shell.run("sed ':a;s/.*/&&/;ba'", stdin=b"x" * 1000 + b"\n", timeout=60).ended
    assert (ended.reason, ended.limit) == ("limit", "string")


@pytest.mark.parametrize(
    ("argv", "status", "stderr"),
    [
        # The status and the first line are those of GNU grep 3.8 and GNU sed 4.9; after it each prints its own usage.
        (["grep"], 2, b"Usage: grep [OPTION]... PATTERNS [FILE]..."),
        (["grep", "-e"], 2, b"grep: option requires an argument -- 'e'"),
        (["grep", "-k", "x"], 2, b"grep: invalid option -- 'k'"),
        (["grep", "--foo", "x"], 2, b"grep: unrecognized option '--foo'"),
        (["sed"], 1, b"Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]..."),
        (["sed", "-k", "p"], 1, b"sed: invalid option -- 'k'"),
        (["sed", "--frob", "p"], 1, b"sed: unrecognized option '--frob'"),
    ],
)
def test_wrong_calls(run_utility: RunUtility, argv: list[str], status: int, stderr: bytes) -> None:
    answer = run_utility(argv)
    assert (answer[0], answer[1], answer[2].splitlines()[0]) == (status, b"", stderr)
