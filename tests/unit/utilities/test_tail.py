"""``tail -f``: it follows what is added, and ends with the run, with its reader, or where nothing is left to follow."""

from __future__ import annotations

import os

import pytest
from clock import patient

from pyshellhooks import MemoryFS, Shell


def shell() -> Shell:
    return Shell(fs=MemoryFS(), spawn=False)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("options", ["-f", "-F", "--follow=name", "-n1 -f", "-c +1 -f"])
def test_it_ends_with_the_run(options: str) -> None:
    result = shell().run(f"echo a > f; tail {options} f", timeout=patient(0.3))
    assert result.status == 124
    assert result.stdout == b"a\n"


def following(tail: str, *acts: str) -> str:
    """Make a script that acts when a line of tail's comes: ``line) command``."""
    cases = ";; ".join(acts)
    return f'echo one > f; {tail} f | while read -r l; do echo "$l"; case $l in {cases};; last) break;; esac; done'


@pytest.mark.parametrize("tail", ["tail -f", "tail -F", "tail -n 1 -f", "tail -1f", "tail -c 100 --follow"])
def test_added_lines_are_printed(tail: str) -> None:
    result = shell().run(following(tail, "one) echo two >> f", "two) echo last >> f"), timeout=30)
    assert (result.stdout, result.stderr) == (b"one\ntwo\nlast\n", b"")


def test_a_reader_that_closes_ends_it() -> None:
    result = shell().run("seq 3 > f; tail -f f | head -n 1; echo ${PIPESTATUS[@]}", timeout=30)
    assert (result.status, result.stdout) == (0, b"1\n141 0\n")


def test_a_truncated_file_is_read_from_its_start() -> None:
    result = shell().run(following("tail -f", "one) echo 2 > f", "2) echo last >> f"), timeout=30)
    assert (result.stdout, result.stderr) == (b"one\n2\nlast\n", b"tail: f: file truncated\n")


def test_a_name_is_followed_to_its_next_file() -> None:
    result = shell().run(following("tail -F", "one) echo two > g; mv g f", "two) echo last >> f"), timeout=30)
    assert result.stdout == b"one\ntwo\nlast\n"
    assert result.stderr == b"tail: 'f' has been replaced;  following new file\n"


@pytest.mark.parametrize(
    ("script", "status", "out", "err"),
    [
        ("echo a | tail -f", 0, b"a\n", b""),
        ("tail -f <<< a", 0, b"a\n", b""),
        ("tail -f none", 1, b"", b"tail: cannot open 'none' for reading: No such file or directory\ntail: no files remaining\n"),
    ],
)  # fmt: skip
def test_nothing_to_follow(script: str, status: int, out: bytes, err: bytes) -> None:
    result = shell().run(script, timeout=30)
    assert (result.status, result.stdout, result.stderr) == (status, out, err)


@pytest.mark.parametrize(
    ("script", "out"),
    [
        ("(sleep 0.2; echo b >> f; sleep 0.2; echo c >> f) & tail -f --pid=$! f", b"a\nb\nc\n"),
        ("sleep 30 & p=$!; (sleep 0.2; kill $p) & tail -F --pid $p f", b"a\n"),
        ("tail -f --pid=99999999 f", b"a\n"),
        ("(sleep 0.2; echo b >> f) & tail -f --pid=99999999 --pid=$! f | cat", b"a\nb\n"),
        ("sleep 0.1 & sleep 0.2; tail -f --pid=$! f", b"a\n"),
    ],
)
def test_it_ends_with_a_process_of_the_run(script: str, out: bytes) -> None:
    result = shell().run(f"echo a > f; {script}", timeout=30)
    assert (result.status, result.stdout, result.stderr) == (0, out, b"")


@pytest.mark.parametrize("pid", ["$$", "0"])
def test_a_process_that_stays_ends_nothing(pid: str) -> None:
    """The run's own is there; 0 is no process, as for GNU's."""
    assert shell().run(f"echo a > f; tail -f --pid={pid} f", timeout=0.4).status == 124


def test_processes_outside_the_run_are_not_known() -> None:
    """Rule 3: a sandboxed script cannot find out which processes the host has."""
    assert shell().run(f"echo a > f; tail -f --pid={os.getpid()} f", timeout=30).status == 0
