"""find on file systems that are no disk: what conformance/cases/utilities/find*.toml cannot show."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from utility_runs import run

from pyshellhooks import Shell
from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs import Entry, MemoryFS, ReadOnly
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture, MemoryPipe
from pyshellhooks.utilities.find import find

FILES = {"a/one.txt": b"1", "a/b/two.c": b"22", "empty/": b"", "x": b"12345"}


class Started:
    """Records what was started; gives the statuses it is told."""

    signaled: int | None = None

    def __init__(self, *statuses: int) -> None:
        self.calls: list[tuple[list[str], str | None]] = []
        self.statuses = list(statuses)

    def __call__(self, argv: Sequence[str], *, cwd: str | None = None, **rest: Any) -> Started:
        self.calls.append((list(argv), cwd))
        return self

    def wait(self) -> int:
        return self.statuses.pop(0) if self.statuses else 0

    def signal(self, number: int) -> None:
        raise AssertionError("nobody is signalled")


def test_entries_are_in_the_order_of_their_names() -> None:
    assert run(["find"], files=FILES) == (
        0,
        b".\n./a\n./a/b\n./a/b/two.c\n./a/one.txt\n./empty\n./x\n",
        b"",
    )


def test_contents_before_the_directory() -> None:
    assert run(["find", "a", "-depth"], files=FILES)[1] == b"a/b/two.c\na/b\na/one.txt\na\n"


def test_delete_leaves_nothing() -> None:
    fs = MemoryFS()
    assert run(["find", "a", "-delete"], files=FILES, fs=fs) == (0, b"", b"")
    assert not fs.exists("/w/a")
    assert fs.exists("/w/x")


def test_links_and_their_other_side() -> None:
    fs = MemoryFS({"/w/x": b"1"})
    fs.symlink("x", "/w/good")
    fs.symlink("nope", "/w/bad")
    fs.symlink(".", "/w/loop")
    assert run(["find", ".", "-type", "l", "-printf", "%f %Y %l\\n"], fs=fs)[1] == b"bad N nope\ngood f x\nloop d .\n"
    status, out, err = run(["find", "-L", "."], fs=fs)
    assert (status, out) == (1, b".\n./bad\n./good\n./x\n")
    assert err == b"find: File system loop detected; './loop' is part of the same file system loop as '.'.\n"


def test_files_in_memory_have_sizes_too() -> None:
    assert run(["find", "x", "-printf", "%s %b %k %m %y %u %S\\n"], files=FILES)[1] == b"5 2 1 666 f user 204.8\n"
    status, out, _ = run(["find", "x", "-ls"], files=FILES)
    assert status == 0
    assert out.split()[1:7] == [b"1", b"-rw-rw-rw-", b"1", b"user", b"user", b"5"]


def test_names_that_are_not_utf8_are_printed_unchanged() -> None:
    name = b"\xff\xfe".decode("utf-8", "surrogateescape")
    started = Started()
    argv = ["find", ".", "-name", name[0] + "*", "-print0", "-exec", "c", "{}", ";"]
    status, out, _ = run(argv, files={name: b""}, start=started)
    assert (status, out) == (0, b"./\xff\xfe\0")
    assert started.calls == [(["c", f"./{name}"], None)]


def test_commands_are_started_with_the_names() -> None:
    started = Started(0, 1)
    argv = ["find", ".", "-type", "f", "-exec", "true", "{}", ";", "-print"]
    assert run(argv, files=FILES, start=started)[1] == b"./a/b/two.c\n./x\n"
    assert [call[0] for call in started.calls] == [["true", f"./{n}"] for n in ("a/b/two.c", "a/one.txt", "x")]


def test_names_are_gathered_for_one_command() -> None:
    started = Started(3)
    status, _, _ = run(["find", ".", "-type", "f", "-exec", "true", "{}", "+"], files=FILES, start=started)
    assert status == 1
    assert started.calls == [(["true", "./a/b/two.c", "./a/one.txt", "./x"], None)]


def test_a_full_command_line_is_run_and_another_begun() -> None:
    started = Started()
    files = {f"{number:0200d}": b"" for number in range(1000)}
    run(["find", ".", "-type", "f", "-exec", "true", "{}", "+"], files=files, start=started)
    lines = [argv for argv, _ in started.calls]
    assert sum(len(argv) - 1 for argv in lines) == 1000
    assert [sum(len(word) + 1 for word in argv) <= 131072 for argv in lines] == [True, True]


def test_execdir_runs_beside_the_file() -> None:
    started = Started()
    run(["find", ".", "-name", "*.c", "-execdir", "true", "{}", ";"], files=FILES, start=started)
    assert started.calls == [(["true", "./two.c"], "/w/./a/b")]


class Guarded(MemoryFS):
    """Has a directory that may not be read and a file that may not be looked at."""

    def scandir(self, path: str) -> Iterator[Entry]:
        if path.endswith("/secret"):
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().scandir(path)

    def stat(self, path: str, *, follow: bool = True) -> os.stat_result:
        if path.endswith("/gone"):
            raise OSError(errno.ENOENT, "No such file or directory", path)
        return super().stat(path, follow=follow)


def test_unreadable_directories_are_reported_with_status_1() -> None:
    fs = Guarded({"/w/secret/x": b"", "/w/z": b""})
    expected = b"find: './secret': Permission denied\n"
    assert run(["find", "."], fs=fs) == (1, b".\n./secret\n./z\n", expected)
    assert run(["find", ".", "-depth"], fs=fs) == (1, b"./secret\n./z\n.\n", expected)
    assert run(["find", ".", "-name", "secret", "-prune", "-o", "-print"], fs=fs) == (0, b".\n./z\n", b"")
    assert run(["find", "secret", "-empty"], fs=fs)[::2] == (1, b"find: 'secret': Permission denied\n" * 2)


def test_vanishing_files_are_reported_unless_an_option_forbids_it() -> None:
    fs = Guarded({"/w/gone": b"", "/w/z": b""})
    assert run(["find", ".", "-type", "f", "-size", "0"], fs=fs) == (
        1,
        b"./z\n",
        b"find: './gone': No such file or directory\n",
    )
    assert run(["find", ".", "-ignore_readdir_race", "-type", "f", "-size", "0"], fs=fs) == (0, b"./z\n", b"")


def test_delete_reports_its_reason() -> None:
    inner = MemoryFS({"/w/a": b"", "/w/d/x": b""})
    fs: Any = ReadOnly(inner)
    out, err = Capture(1 << 20), Capture(1 << 20)
    call = _call(["find", "a", "d", "-delete"], fs=fs, stdout=out, stderr=err)
    assert execute(find, call) == 1
    assert err.getvalue() == b"".join(
        b"find: cannot delete '%s': Read-only file system\n" % n for n in (b"a", b"d/x", b"d")
    )


def _call(argv: Sequence[str], *, fs: Any, stdout: Any, stderr: Any, scope: CancelScope | None = None) -> Call:
    env: Mapping[str, str] = {"PATH": "/bin"}
    return Call(
        argv,
        env=env,
        cwd="/w",
        fs=fs,
        stdin=BytesReader(b""),
        stdout=stdout,
        stderr=stderr,
        scope=scope or CancelScope(),
        limits=Limits(),
        start=Started(),
    )


class Endless(MemoryFS):
    """Each directory holds another one."""

    def scandir(self, path: str) -> Iterator[Entry]:
        return iter([Entry("d", "d")])


def test_a_deadline_ends_a_walk_without_end() -> None:
    with CancelScope(timeout=0.05) as scope, pytest.raises(Stop, match="deadline"):
        execute(
            find,
            _call(["find", "/", "-name", "x"], fs=Endless(), stdout=Capture(1 << 30), stderr=Capture(99), scope=scope),
        )


def test_a_reader_that_has_gone_ends_the_walk() -> None:
    with CancelScope(timeout=60) as scope:
        pipe = MemoryPipe(scope)
        pipe.reader.close()
        call = _call(["find", "/"], fs=Endless(), stdout=pipe.writer, stderr=Capture(99), scope=scope)
        assert execute(find, call) == 141


def test_hundreds_of_operators_are_no_depth() -> None:
    names = " -o ".join(f"-name n{number}" for number in range(3000)).split()
    assert run(["find", ".", *names, "-o", "-name", "x"], files=FILES)[1] == b"./x\n"
    assert run(["find", ".", *["!"] * 2001, "-name", "x"], files={"x": b""})[1] == b".\n"


def test_too_many_parentheses_end_the_run() -> None:
    with pytest.raises(Stop, match="parentheses"):
        run(["find", ".", *["("] * 500, "-true", *[")"] * 500])


def test_a_regular_expression_that_takes_for_ever_ends_the_run() -> None:
    # A back-reference needs the engine that can be slow; its timeout is the run's own.
    with CancelScope(timeout=0.3) as scope, pytest.raises(Stop):
        argv = ["find", ".", "-regextype", "posix-extended", "-regex", "./((a|aa)+)+\\1\\2c"]
        run(argv, files={"a" * 200: b""}, scope=scope)


@pytest.mark.parametrize("word", ["-ok", "-okdir", "-fstype"])
def test_unsupported_options_are_named(word: str) -> None:
    status, out, err = run(["find", ".", word, "x", ";"])
    assert (status, out) == (1, b"")
    assert err.startswith(f"find: {word} is not supported: ".encode())


@pytest.mark.parametrize("letter", "FZB")
def test_directives_that_are_not_supported_are_named(letter: str) -> None:
    status, _, err = run(["find", ".", "-printf", f"%{letter}"])
    assert status == 1
    assert err.startswith(f"find: -printf %{letter} is not supported: ".encode())


def test_debugging_is_not_supported() -> None:
    assert run(["find", "-D", "tree", "."])[::2] == (1, b"find: -D is not supported\n")


def test_the_help_names_every_word() -> None:
    status, out, _ = run(["find", "--help"])
    assert status == 0
    for flag in find.flags or ():
        assert f"  -{flag.short[0]} ".encode() in out or f"  -{flag.short[0]}\n".encode() in out


def test_the_value_of_a_comma_is_the_second_one() -> None:
    """POSIX has no comma; GNU's manual 2.8: "the value of the list is that of expr2" (its 4.9 may swap the two)."""
    assert run(["find", ".", "-empty", ",", "-name", "x"], files=FILES)[1] == b"./x\n"


def test_find_needs_no_process() -> None:
    script = "find . -type f -exec grep -l needle {} + | xargs -n1 basename; find . -name '*.md' -exec cat {} \\;"
    fs = MemoryFS({"/w/a/x.py": b"needle\n", "/w/a/y.py": b"hay\n", "/w/r.md": b"read\n"})
    result = Shell(fs=fs, spawn=False, cwd="/w").run(script)
    assert (result.status, result.stdout) == (0, b"x.py\nread\n")


def test_a_missing_command_is_noticed() -> None:
    shell = Shell(fs=MemoryFS({"/w/x": b""}), spawn=False, cwd="/w", env={"LC_ALL": "C"})
    result = shell.run("find x -exec nosuch {} \\;")
    assert result.stderr == b"find: 'nosuch': No such file or directory\n"
    assert any("nosuch" in str(notice) for notice in result.notices)
