"""What callers pass in: ordinary types are taken, wrong ones are told at the call, with what to pass."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import CancelScope, Limits, MemoryFS, Shell, WorkingDirectoryError
from pyshellhooks.streams.base import BytesReader

TEXT = "grüße\nsecond\n"
DATA = TEXT.encode()

SOURCES: dict[str, Callable[[Path], Any]] = {
    "bytes": lambda path: DATA,
    "str": lambda path: TEXT,
    "bytearray": lambda path: bytearray(DATA),
    "memoryview": lambda path: memoryview(DATA),
    "Stream": lambda path: BytesReader(DATA),
    "BytesIO": lambda path: io.BytesIO(DATA),
    "file": lambda path: open(path, "rb"),
    "raw file": lambda path: open(path, "rb", buffering=0),
    "object with read": lambda path: type("Reads", (), {"read": io.BytesIO(DATA).read})(),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_inputs_of_a_script(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(DATA)
    given = SOURCES[kind](path)
    assert Shell(env={}).run("cat", stdin=given).stdout == DATA
    again = SOURCES[kind](path)
    assert Shell(fs=MemoryFS()).session().run("read -r first; echo $first", stdin=again).stdout == DATA[:8]
    for file in (given, again):
        if isinstance(file, io.IOBase):
            assert not file.closed
            file.close()


def test_a_file_is_read_from_its_position_up_to_the_scripts_last_byte(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(b"one\ntwo\nthree\nfour\n")
    with open(path, "rb") as file:
        assert file.readline() == b"one\n"
        assert Shell(env={}).run("head -n 1", stdin=file).stdout == b"two\n"


@pytest.mark.not_on_windows("needs-poll")
def test_waiting_for_a_pipe_ends_with_the_run() -> None:
    read, write = os.pipe()
    with open(read, "rb") as file, open(write, "wb"):
        result = Shell(env={}).run("cat", stdin=file, timeout=0.1, grace=0.1)
    assert result.ended.kind == "stopped"


def test_outputs_of_a_script(tmp_path: Path) -> None:
    out, path = io.BytesIO(), tmp_path / "errors"
    with open(path, "wb") as errors:
        errors.write(b"before\n")
        result = Shell(env={}).run("echo a; echo b >&2; echo c", stdout=out, stderr=errors)
        errors.write(b"behind\n")
    assert (out.getvalue(), path.read_bytes()) == (b"a\nc\n", b"before\nb\nbehind\n")
    assert (result.stdout, result.stderr) == (b"", b"")


def test_a_writer_that_takes_a_part_gets_the_rest() -> None:
    class Slow(io.RawIOBase):
        def __init__(self) -> None:
            self.taken: list[bytes] = []

        def write(self, data: Any, /) -> int:
            self.taken.append(bytes(data[:3]))
            return len(self.taken[-1])

    out = Slow()
    Shell(env={}).run("echo abcdefgh", stdout=out)
    assert b"".join(out.taken) == b"abcdefgh\n"


def test_files_that_fail_are_errors_of_the_script() -> None:
    texts = type("Reads", (), {"read": lambda self, size: "text"})()
    assert b"Invalid argument" in Shell(env={}).run("cat", stdin=texts).stderr
    full = type("Writes", (), {"write": lambda self, data: _fail()})()
    result = Shell(env={}).run("echo a; echo $? >&2", stdout=full)
    assert result.stderr.endswith(b"No space left on device\n1\n") and b"Traceback" not in result.stderr


def _fail() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def _closed() -> io.BytesIO:
    made = io.BytesIO()
    made.close()
    return made


# The call, and what its error says: what was given, and what to pass.
WRONG: dict[str, tuple[Callable[[Shell], Any], type[Exception], str]] = {
    "a list as script": (lambda shell: shell.run(["echo", "a b"]), TypeError, """run('"$@"', 'echo', 'a b')"""),
    "bytes as script": (lambda shell: shell.run(b"echo"), TypeError, "a script must be a str, not bytes; decode it"),
    "a path as script": (lambda shell: shell.run(Path("guard.sh")), TypeError, "'. guard.sh'"),
    "no script": (lambda shell: shell.run(None), TypeError, "got None"),
    "a number as argument": (
        lambda shell: shell.run("echo", "a", 2),
        TypeError,
        "argument 2 of the script must be a str",
    ),
    "no stdin": (
        lambda shell: shell.run("cat", stdin=None),
        TypeError,
        "stdin must be bytes, a str, a Stream or a file",
    ),
    "a number as stdin": (lambda shell: shell.run("cat", stdin=0), TypeError, "got an int"),
    "text as stdin": (lambda shell: shell.run("cat", stdin=io.StringIO("a")), TypeError, "mode ('rb')"),
    "text as stdout": (lambda shell: shell.run("cat", stdout=io.StringIO()), TypeError, "stdout is a text file"),
    "a closed stdin": (lambda shell: shell.run("cat", stdin=_closed()), ValueError, "stdin is a closed file"),
    "a closed stdout": (
        lambda shell: shell.run("cat", stdout=_closed()),
        ValueError,
        "stdout is a closed file",
    ),
    "a name as stderr": (
        lambda shell: shell.run("cat", stderr="errors.txt"),
        TypeError,
        "stderr must be a Stream or a writable file",
    ),
    "a missing cwd": (lambda shell: shell.run("pwd", cwd="/no/such"), WorkingDirectoryError, "cwd: /no/such: No such"),
    "a file as cwd": (lambda shell: shell.run("pwd", cwd=__file__), WorkingDirectoryError, "Not a directory"),
    "bytes as cwd": (lambda shell: shell.run("pwd", cwd=b"/"), TypeError, "cwd must be a path, got a bytes"),
    "a number in env": (lambda shell: shell.run("env", env={"A": 1}), TypeError, 'the value of "A" must be a str'),
    "a number as name": (lambda shell: shell.run("env", env={1: "A"}), TypeError, "env: a name must be a str"),
    "a list as env": (lambda shell: shell.run("env", env=["A=1"]), TypeError, "env must be a mapping"),
    "a text as timeout": (
        lambda shell: shell.run("env", timeout="1"),
        TypeError,
        "timeout must be a number of seconds",
    ),
    "a negative timeout": (lambda shell: shell.run("env", timeout=-1), ValueError, "at least 0 seconds, got -1"),
    "nan as timeout": (lambda shell: shell.run("env", timeout=float("nan")), ValueError, "got nan"),
    "a missing cwd of all": (lambda shell: Shell(cwd="/no/such"), WorkingDirectoryError, "cwd: /no/such"),
    "a wrong option": (lambda shell: shell.run("env", timout=1), TypeError, "timout"),
    "a mapping as limits": (lambda shell: Shell(limits={"output": 1}), TypeError, "Limits(output=…)"),
    "a path as fs": (lambda shell: Shell(fs="/tmp"), TypeError, "fs must be a FileSystem"),
    "a word as names": (lambda shell: Shell(prefer_host="git"), TypeError, '{"git"}'),
    "a list in env of all": (lambda shell: Shell(env=["A=1"]), TypeError, "env must be a mapping"),
    "a limit of no name": (lambda shell: Limits(outptu=1), TypeError, "outptu"),
    "a list for a session": (lambda shell: shell.session().run(["a"]), TypeError, "a script must be a str, got a list"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_reported_at_the_call(name: str) -> None:
    call, kind, words = WRONG[name]
    with pytest.raises(kind) as caught:
        call(Shell(env={}))
    assert words in str(caught.value).replace("\\", "/")


@pytest.mark.parametrize(
    "name",
    [name for name, (_, _, words) in WRONG.items() if "session" not in name and ("env" in words or "script" in words)],
)
def test_another_process_gets_no_wrong_arguments(name: str) -> None:
    call, kind, _ = WRONG[name]
    with CancelScope(timeout=60), pytest.raises(kind):
        call(Shell(env={}, isolation="process"))


def test_relative_directories_count_from_where_the_caller_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    shown = Shell(env={}).run("cd -P .; pwd", cwd="sub").stdout.decode().strip()
    assert os.path.samefile(shown, tmp_path / "sub")
    fs = MemoryFS({"/w/sub/": b""})
    assert Shell(fs=fs, cwd="w").run("pwd", cwd=Path("w") / "sub").stdout == b"/w/sub\n"
