"""What jq does beyond its answers: what it costs, refuses and never does to the host."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from utility_runs import Alone, RunUtility

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.streams import BytesReader, Stream

pytestmark = pytest.mark.portable


class Chunks(Stream):
    """A stream that gives a piece at a time and counts them."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self.pieces = pieces
        self.given = 0

    def read(self, size: int = 65536, /) -> bytes:
        self.given += 1
        return next(self.pieces, b"")


def test_the_usual_hook_never_loads_libjq() -> None:
    code = """
import sys
import time
from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture
from pyshellhooks.utilities.jq import jq
out = Capture(1000)
call = Call(["jq", "-r", ".tool_input.command // empty"], env={}, cwd="/", fs=None, stdin=BytesReader(
    b'{"tool_input": {"command": "ls"}}').retain(), stdout=out, stderr=out, scope=CancelScope(), limits=Limits(), start=None)
assert execute(jq, call) == 0
assert out.getvalue() == b"ls\\n", out.getvalue()
assert not {"jq", "subprocess", "pyshellhooks.workers"} & set(sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_input_in_pieces(run_utility: RunUtility, size: int) -> None:
    data = '{"a":"h\u00e9\u2603\U0001f600"} [1.0]\n"x"123 true\n{"a":null}'.encode()
    pieces = Chunks(data[at : at + size] for at in range(0, len(data), size))
    status, out, error = run_utility(["jq", "-c", "."], pieces)
    assert (status, error) == (0, b"")
    assert out.decode() == '{"a":"h\u00e9\u2603\U0001f600"}\n[1.0]\n"x"\n123\ntrue\n{"a":null}\n'


def test_an_endless_input_is_answered_as_it_comes(run_utility: RunUtility) -> None:
    def endless() -> Iterator[bytes]:
        for count in range(100_000):
            yield b'{"a": %d}\n' % count * 100
        raise AssertionError("read on and on")

    pieces = Chunks(endless())
    with CancelScope() as scope:
        # The scope ends the run once the first answers have had time to be written.
        original = pieces.read

        def read(size: int = 65536, /) -> bytes:
            if pieces.given == 300:
                scope.cancel()
            return original(size)

        pieces.read = read  # type: ignore[method-assign]
        with pytest.raises(Stop):
            run_utility(["jq", ".a"], pieces, scope=scope)
    assert pieces.given < 310


def test_endless_nonsense_is_not_read_on(run_utility: RunUtility) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(2000):
            yield b"nonsense " * 1000
        raise AssertionError("read on and on")

    pieces = Chunks(endless())
    status, out, error = run_utility(["jq", "."], pieces)
    assert (status, out) == (5, b"")
    assert error == b"jq: parse error: Invalid numeric literal at line 1, column 9\n"
    assert pieces.given < 100


def test_nothing_is_written_twice(run_utility: RunUtility) -> None:
    # The second number is libjq's to spell, and so then is the first.
    assert run_utility(["jq", ".a, .b"], b'{"a":1,"b":1e5}') == (0, b"1\n1E+5\n", b"")
    assert run_utility(["jq", "-c", ".[]"], b'["x",[1E-9],null]') == (0, b'"x"\n[1E-9]\nnull\n', b"")


def test_the_environment_is_the_calls(run_utility: RunUtility, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSHELLHOOKS_HOST", "secret")
    for filter_ in ('env | has("PYSHELLHOOKS_HOST")', '$ENV | has("PYSHELLHOOKS_HOST")'):
        assert run_utility(["jq", "-n", filter_])[1] == b"false\n"
    assert run_utility(["jq", "-nr", "env.X, $ENV.X"], env={"X": "a\udcff\n"})[1] == "a\ufffd\n\n".encode() * 2
    # Values are data: the program is compiled once.
    assert run_utility(["jq", "-n", "--arg", "x", '") | error("', "$x"])[1] == b'"\\") | error(\\""\n'


@pytest.mark.parametrize(
    "filter_",
    [
        'import "a" as a; .',
        'include "a"; .',
        'import "/etc/passwd" as $d; $d',
        '  # c\n import "a" as a; .',
        '"a" | modulemeta',
        "module {}; .",
        '1) | (import "a" as a; 2',
    ],
)
def test_modules_of_the_host_are_out_of_reach(run_utility: RunUtility, filter_: str) -> None:
    status, out, error = run_utility(["jq", "-n", filter_])
    assert (status, out) == (3, b"")
    assert error.startswith(b"jq: error: ")


def test_no_module_path(run_utility: RunUtility) -> None:
    for argv in (["jq", "-L", "/x", "."], ["jq", "-L/x", "."], ["jq", "--library-path", "/x", "."]):
        status, _, error = run_utility(argv)
        assert status == 2
        assert b"modules are not available" in error


@pytest.mark.parametrize("filter_", ["1) | (2", "1)|(2)", ". as [$a] | $a) // (1", "1 # )\\"])
def test_brackets_cant_leave_the_program(run_utility: RunUtility, filter_: str) -> None:
    status, out, _ = run_utility(["jq", "-n", filter_])
    assert (status, out) == ((0, b"1\n") if "#" in filter_ else (3, b""))


@pytest.mark.parametrize("filter_", ["repeat(1)", "last(range(1e12))", "def f: f; f", '"a" * 1e9', "until(.; .)"])
def test_what_may_loop_is_refused_without_processes(run_utility: RunUtility, filter_: str) -> None:
    with pytest.raises(Stop) as caught:
        run_utility(["jq", "-n", filter_], start=Alone())
    assert caught.value.reason == "refused"
    assert "processes are not allowed" in caught.value.detail
    assert filter_ in caught.value.detail


def test_without_processes_mistakes_are_still_mistakes(run_utility: RunUtility) -> None:
    status, _, error = run_utility(["jq", "-n", "nosuch(1)"], start=Alone())
    assert status == 3
    assert error.startswith(b"jq: error: nosuch/1 is not defined at <top-level>, line 1, column 1:")


def test_without_processes_the_bounded_runs(run_utility: RunUtility) -> None:
    data = json.dumps({"items": [{"n": i, "k": f"k{i % 3}"} for i in range(200)]}).encode()
    for filter_, answer in (
        ("reduce .items[] as $x (0; . + $x.n)", b"19900\n"),
        (".items | group_by(.k) | map(length)", b"[67,67,66]\n"),
        ('[.items[].k | gsub("k"; "")] | unique', b'["0","1","2"]\n'),
        ("[range(.items[5].n)] | length", b"5\n"),
    ):
        assert run_utility(["jq", "-c", filter_], data, start=Alone()) == (0, answer, b"")


def test_a_loop_ends_with_its_deadline(run_utility: RunUtility) -> None:
    with CancelScope(timeout=0.3) as scope, pytest.raises(Stop) as caught:
        run_utility(["jq", "-n", "last(range(1e12))"], scope=scope)
    assert caught.value.reason == "deadline"


@pytest.mark.parametrize("filter_", [".", ".a", ".. | 1", "tojson"])
def test_deep_input_ends_the_run(run_utility: RunUtility, filter_: str) -> None:
    for depth in (600, 5000, 100_000):
        with pytest.raises(Stop) as caught:
            run_utility(["jq", filter_], b"[" * depth + b"]" * depth)
        assert caught.value.reason == "limit"
    assert run_utility(["jq", "-c", "."], b"[" * 400 + b"]" * 400) == (0, b"[" * 400 + b"]" * 400 + b"\n", b"")


def test_reading_inputs_in_ways_that_cant_be_foreseen_is_refused(run_utility: RunUtility) -> None:
    for filter_ in ("def f: input; f, f", "if . then input else 1 end", "[.[] | input]", "first(inputs)"):
        with pytest.raises(Stop) as caught:
            run_utility(["jq", filter_], b"[1] [2] [3]")
        assert caught.value.reason == "refused"


def test_lost_messages_are_said_to_be_lost(run_utility: RunUtility) -> None:
    status, out, error = run_utility(["jq", "-n", "1 | debug | . + 1"])
    assert (status, out) == (0, b"2\n")
    assert error == b"jq: note: messages of debug and stderr are not shown here\n"


def test_halt_within_try(run_utility: RunUtility) -> None:
    assert run_utility(["jq", "-n", '1, (try error("x") catch .), ("bye" | halt_error(3)), 2']) == (
        3,
        b'1\n"x"\n',
        b"bye",
    )
    with pytest.raises(Stop):
        run_utility(["jq", "-n", '1, (try ("bye" | halt_error(3)) catch .), 2'])


def test_help_and_version(run_utility: RunUtility) -> None:
    status, out, _ = run_utility(["jq", "--help"])
    assert status == 0
    assert b"--slurpfile" in out
    assert run_utility(["jq", "-V"]) == (0, b"jq-1.8.2\n", b"")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the C library has its own idea of TZ here")
def test_time_zone_of_the_call(run_utility: RunUtility) -> None:
    argv = ["jq", "-nr", '0 | strflocaltime("%H:%M %Z")']
    assert run_utility(argv, env={"TZ": "UTC"})[1] == b"00:00 UTC\n"
    assert run_utility(argv, env={"TZ": "XYZ-9"})[1] == b"09:00 XYZ\n"


def test_files_are_those_of_the_call(run_utility: RunUtility) -> None:
    files = {"a.json": b'{"a":1}', "d/b.json": b'{"a":2}', "f.jq": b".a"}
    assert run_utility(["jq", "-f", "f.jq", "a.json", "d/b.json", "-"], b'{"a":3}', files) == (0, b"1\n2\n3\n", b"")
    assert run_utility(["jq", ".", "/etc/passwd"])[0] == 2
    assert run_utility(["jq", ".", "d"], files={"d/": b""})[0] == 2


def test_one_stream_from_several_commands(run_utility: RunUtility) -> None:
    shared = BytesReader(b'{"a":1}')
    assert run_utility(["jq", "-n", "1"], shared)[1] == b"1\n"
    assert run_utility(["jq", ".a"], shared)[1] == b"1\n"
