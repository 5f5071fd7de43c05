"""awk's ``|&``: no pipe waits for the other, nothing outlives the run, and what cannot be is said."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pyshellhooks import Limits, MemoryFS, Shell


def run(program: str, *, timeout: float = 10, limits: Limits | None = None) -> tuple[int, bytes, bytes, str]:
    shell = Shell(fs=MemoryFS(), spawn=False, cwd="/", env={}, limits=limits or Limits())
    result = shell.run(f"awk '{program}'", timeout=timeout)
    assert b"Traceback" not in result.stderr
    return result.status, result.stdout, result.stderr, getattr(result.ended, "reason", "")


def test_more_than_both_pipes_hold() -> None:
    """The command answers each line while we still write: gawk and its command would wait for each other."""
    program = """BEGIN { c = "cat"; for (i = 0; i < 60000; i++) print "a line of the program " i |& c; close(c, "to")
        while ((c |& getline l) > 0) n++; print n, l, close(c) }"""
    assert run(program, timeout=60) == (0, b"60000 a line of the program 59999 0\n", b"", "")


def test_one_print_larger_than_a_pipe() -> None:
    program = """BEGIN { c = "cat"; x = sprintf("%300000s", "x"); print x |& c; print x |& c; close(c, "to")
        while ((c |& getline l) > 0) n += length(l); print n, close(c) }"""
    assert run(program, timeout=60) == (0, b"600000 0\n", b"", "")


def test_unread_answers_are_bounded() -> None:
    program = 'BEGIN { c = "cat"; while (1) print "some text that comes back and that nobody ever reads" |& c }'
    status, out, _, reason = run(program, timeout=60, limits=Limits(string=200_000))
    assert (out, reason) == (b"", "limit")
    assert status != 0


def test_an_endless_command_is_not_read_further_than_its_pipe() -> None:
    program = 'BEGIN { c = "yes"; for (i = 0; i < 3; i++) c |& getline x; print x, close(c) }'
    assert run(program, limits=Limits(string=200_000)) == (0, b"y 141\n", b"", "")


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    "program",
    [
        'BEGIN { "sort" |& getline }',  # it waits for its input, and we for its answer
        'BEGIN { print "x" |& "cat"; "cat" |& getline; "cat" |& getline }',
        'BEGIN { print "x" |& "sleep 60"; close("sleep 60") }',
        'BEGIN { print "x" |& "sleep 60" }',
        'BEGIN { while (1) print "a line that the command does not read" |& "sleep 60" }',
        'BEGIN { while (1) { c = "cat"; print "x" |& c; c |& getline; close(c) } }',
    ],
)
def test_the_deadline_ends_it(program: str) -> None:
    before = threading.active_count()
    status, out, _, reason = run(program, timeout=0.5)
    assert (out, reason) == (b"", "deadline")
    assert status != 0
    for thread in threading.enumerate():
        if "watchdog" not in thread.name and thread is not threading.current_thread():
            thread.join(0.2)
    assert threading.active_count() <= before + 8  # those that wait for work stay


def test_a_command_sees_the_end_when_the_program_fails() -> None:
    status, _, err, reason = run('BEGIN { print "x" |& "cat >&2; echo end >&2"; print 1 / zero }')
    assert (status, reason) == (2, "")
    assert sorted(err.splitlines()) == [b"awk: cmd. line:1: fatal: division by zero attempted", b"end", b"x"]


def test_many_at_once() -> None:
    program = """BEGIN { for (i = 0; i < 20; i++) { c[i] = "sed s/x/" i "/"; print "x" |& c[i] }
        for (i = 0; i < 20; i++) { close(c[i], "to"); c[i] |& getline l; s = s " " l; n += close(c[i]) } print s, n }"""
    expected = " " + " ".join(map(str, range(20))) + " 0\n"
    assert run(program, timeout=60) == (0, expected.encode(), b"", "")


def test_open_pipes_are_bounded() -> None:
    program = 'BEGIN { while (1) print "x" |& ("cat " ++i) }'
    status, _, _, reason = run(program, timeout=60, limits=Limits(open_files=10))
    assert (status != 0, reason) == (True, "limit")


@pytest.mark.parametrize("name", ["/inet/tcp/0/localhost/80", "/inet4/udp/0/localhost/53", "/inet6/tcp/0/::1/80"])
@pytest.mark.parametrize("form", ['print "x" |& "N"', '"N" |& getline', 'print "x" > "N"', 'getline < "N"'])
def test_the_network_is_refused_by_name(name: str, form: str) -> None:
    status, out, err, _ = run(f'BEGIN {{ {form.replace("N", name)}; print "on" }}')
    assert (status, out) == (2, b"")
    assert err == f"awk: cmd. line:1: fatal: cannot open `{name}': networking is not supported\n".encode()


def test_a_terminal_is_refused_by_name() -> None:
    status, out, err, _ = run('BEGIN { PROCINFO["cat", "pty"] = 1; print "x" |& "cat"; print "on" }')
    assert (status, out) == (2, b"")
    assert err == b"awk: cmd. line:1: fatal: `cat' cannot be run on a terminal: terminals are not supported\n"


def test_a_program_of_the_disk_without_processes(tmp_path: Path) -> None:
    """The command's status and message say that it did not run."""
    shell = Shell(spawn=False, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"})
    program = 'BEGIN { c = "nosuchprogram-of-the-disk"; r = c |& getline x; print r, "[" x "]", close(c) }'
    result = shell.run(f"awk '{program}'", timeout=20)
    assert (result.status, result.stdout) == (0, b"0 [] 127\n")
    assert b"nosuchprogram-of-the-disk: command not found" in result.stderr
