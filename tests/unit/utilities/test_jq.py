"""What jq does beyond its answers: what it costs, refuses and never does to the host."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from utility_runs import Alone, RunUtility

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.streams import BytesReader, Stream


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
# What is asked for most is compiled without the parser, and read without what follows a first piece.
unloaded = ("parser.syntax", "parser.lexer", "compiler.compiler", "inputs", "json.ordering")
assert not {f"pyshellhooks.utilities.jq.{name}" for name in unloaded} & set(sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_input_in_pieces(run_utility: RunUtility, size: int) -> None:
    data = '{"a":"h\u00e9\u2603\U0001f600"} [1.0]\n"x"123 true\n{"a":null}'.encode()
    pieces = Chunks(data[at : at + size] for at in range(0, len(data), size))
    status, out, error = run_utility(["jq", "-c", "."], pieces)
    assert (status, error) == (0, b"")
    assert out.decode() == '{"a":"h\u00e9\u2603\U0001f600"}\n[1.0]\n"x"\n123\ntrue\n{"a":null}\n'


def test_an_endless_input_is_answered_as_it_arrives(run_utility: RunUtility) -> None:
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
    ("filter_", "status", "words"),
    [
        ('import "a" as a; .', 3, b"jq: error: module not found: a"),
        ('include "a"; .', 3, b"jq: error: module not found: a"),
        ('import "/etc/passwd" as $d; $d', 3, b"jq: error: module not found: /etc/passwd"),
        ('  # c\n import "a" as a; .', 3, b"jq: error: module not found: a"),
        ('import "../a" as a; .', 3, b"jq: error: Relative paths to modules may not traverse to parent directories"),
        ('"a" | modulemeta', 5, b"module not found: a"),
        ('1) | (import "a" as a; 2', 3, b"jq: error: syntax error, unexpected INVALID_CHARACTER"),
    ],
)
def test_modules_of_the_host_are_out_of_reach(run_utility: RunUtility, filter_: str, status: int, words: bytes) -> None:
    got, out, error = run_utility(["jq", "-n", filter_])
    assert (got, out) == (status, b"")
    assert words in error


def test_modules_are_files_of_the_call(run_utility: RunUtility) -> None:
    files = {"lib/a.jq": b'def f: "a"; def g($x): f + $x;', "d.json": b"[1, 2.50]"}
    for options in (["-L", "lib"], ["-Llib"], ["--library-path", "lib"]):
        argv = ["jq", "-nr", *options, 'import "a" as a; a::g("b")']
        assert run_utility(argv, files=files) == (0, b"ab\n", b"")
    assert run_utility(["jq", "-nc", "-L.", 'import "d" as $d; $d, $d::d'], files=files)[1] == b"[[1,2.50]]\n" * 2


@pytest.mark.parametrize("filter_", ["1) | (2", "1)|(2)", ". as [$a] | $a) // (1", "1 # )\\"])
def test_brackets_cant_leave_the_program(run_utility: RunUtility, filter_: str) -> None:
    status, out, _ = run_utility(["jq", "-n", filter_])
    assert (status, out) == ((0, b"1\n") if "#" in filter_ else (3, b""))


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "filter_",
    ["repeat(1)", "last(range(1e12))", "def f: f; f", "until(false; .)", "[def f: 1, f; f]", "def f: 1 + f; f"],
)
def test_a_loop_ends_with_its_deadline_without_processes(run_utility: RunUtility, filter_: str) -> None:
    with CancelScope(timeout=0.3) as scope, pytest.raises(Stop) as caught:
        run_utility(["jq", "-n", filter_], start=Alone(), scope=scope)
    assert caught.value.reason in ("deadline", "limit")


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
def test_values_that_are_too_large_end_the_run(run_utility: RunUtility) -> None:
    for filter_ in ('"a" * 1e9', "[range(1e5)] | tojson | [limit(50; repeat(.))] | add", "def f: f, 1; f"):
        with pytest.raises(Stop) as caught:
            run_utility(["jq", "-n", filter_], start=Alone())
        assert caught.value.reason == "limit"


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


@pytest.mark.parametrize("filter_", [".", "[.. | length] | length", "tojson", ". == ."])
def test_deep_input(run_utility: RunUtility, filter_: str) -> None:
    for depth in (600, 9999):
        status, out, error = run_utility(["jq", "-c", filter_], b"[" * depth + b"]" * depth)
        assert (status, error) == (0, b"")
        assert len(out) > 3
    # jq gives nothing then, with status 5, and the guard that waits for something lets everything pass.
    with pytest.raises(Stop) as caught:
        run_utility(["jq", filter_], b"[" * 100_000 + b"]" * 100_000)
    assert caught.value.reason == "limit"
    assert caught.value.detail == "jq: Exceeds depth limit for parsing at line 1, column 10001"


def test_the_depth_of_unread_values_does_not_matter(run_utility: RunUtility) -> None:
    deep = b"[" * 5000 + b"]" * 5000
    data = b'{"deep":' + deep + b',"tool_input":{"command":"rm -rf /"}}'
    assert run_utility(["jq", "-r", ".tool_input.command"], data) == (0, b"rm -rf /\n", b"")


def test_inputs_are_read_on_demand(run_utility: RunUtility) -> None:
    for filter_, answer in (
        ("def f: input; [f, f]", b"[[2],[3]]\n"),
        ("if . then input else 1 end", b"[2]\n"),
        ("[.[] | input]", b"[[2]]\n"),
        ("first(inputs)", b"[2]\n"),
        ("limit(1; inputs)", b"[2]\n"),
    ):
        status, out, _ = run_utility(["jq", "-c", filter_], b"[1] [2] [3]")
        assert (filter_, out.splitlines(keepends=True)[0]) == (filter_, answer)


def test_messages_of_debug_and_stderr(run_utility: RunUtility) -> None:
    assert run_utility(["jq", "-n", '1 | debug | . + 1 | ("x", [.] | stderr) | empty']) == (
        0,
        b"",
        b'["DEBUG:",1]\nx[2]',
    )


def test_halt_within_try(run_utility: RunUtility) -> None:
    for filter_ in (
        '1, (try error("x") catch .), ("bye" | halt_error(3)), 2',
        '1, "x", (try ("bye" | halt_error(3)) catch .)',
    ):
        assert run_utility(["jq", "-n", filter_]) == (3, b'1\n"x"\n', b"bye")


def test_a_home_module_may_define_the_default(run_utility: RunUtility) -> None:
    files = {".jq": b'def empty: "home";'}
    argv = ["jq", "-r", ".a // empty"]
    assert run_utility(argv, stdin=b"{}") == (0, b"", b"")
    assert run_utility(argv, stdin=b"{}", files=files, env={"HOME": "."})[:2] == (0, b"home\n")
    assert run_utility(argv, stdin=b"{}") == (0, b"", b"")


def test_help_and_version(run_utility: RunUtility) -> None:
    status, out, _ = run_utility(["jq", "--help"])
    assert status == 0
    assert b"--slurpfile" in out
    assert run_utility(["jq", "-V"]) == (0, b"jq-1.8.2\n", b"")


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
