"""``tail -f``: it follows what is added, and ends with the run, with its reader, or where nothing is left to follow."""

from __future__ import annotations

import pytest

from pyshellhooks import MemoryFS, Shell

pytestmark = pytest.mark.portable


def shell() -> Shell:
    return Shell(fs=MemoryFS(), spawn=False)


@pytest.mark.parametrize("options", ["-f", "-F", "--follow=name", "-n1 -f", "-c +1 -f"])
def test_it_ends_with_the_run(options: str) -> None:
    result = shell().run(f"echo a > f; tail {options} f", timeout=0.3)
    assert result.status == 124
    assert result.stdout == b"a\n"


def following(tail: str, *acts: str) -> str:
    """Make a script that acts when a line of tail's comes: ``line) command``."""
    cases = ";; ".join(acts)
    return f'echo one > f; {tail} f | while read -r l; do echo "$l"; case $l in {cases};; last) break;; esac; done'


@pytest.mark.parametrize("tail", ["tail -f", "tail -F", "tail -n 1 -f", "tail -1f", "tail -c 100 --follow"])
def test_what_is_added_is_printed(tail: str) -> None:
    result = shell().run(following(tail, "one) echo two >> f", "two) echo last >> f"), timeout=30)
    assert (result.stdout, result.stderr) == (b"one\ntwo\nlast\n", b"")


def test_a_reader_that_goes_ends_it() -> None:
    result = shell().run("seq 3 > f; tail -f f | head -n 1; echo ${PIPESTATUS[@]}", timeout=30)
    assert (result.status, result.stdout) == (0, b"1\n141 0\n")


def test_a_file_that_is_cut_begins_anew() -> None:
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
