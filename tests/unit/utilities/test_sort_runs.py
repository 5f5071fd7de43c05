"""sort beyond what it may hold: temporary runs give the same order, and nothing is left behind."""

from __future__ import annotations

import random

import pytest

from pyshellhooks import Limits, MemoryFS, Shell

CHANCE = random.Random(7)
# More than 16 runs of 16 KB, so that runs are merged into runs.
LINES = [f"{CHANCE.randrange(300):03d} {CHANCE.randrange(10**6)} {'x' * CHANCE.randrange(40)}" for _ in range(9000)]
TEXT = ("\n".join(LINES) + "\n").encode()


def run(script: str, limits: Limits | None = None) -> tuple[int, bytes, bytes]:
    """Run a script over the lines; what is left in /tmp follows its output."""
    shell = Shell(fs=MemoryFS(), spawn=False, env={"LC_ALL": "C.UTF-8"}, limits=limits or Limits())
    result = shell.run(f"mkdir -p /tmp; {script}; echo left: $(ls /tmp)", stdin=TEXT, timeout=20)
    return result.status, result.stdout, result.stderr


def by_number(line: str) -> tuple[int, str]:
    return int(line.split()[1]), line


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", sorted(LINES)),
        ("-r", sorted(LINES, reverse=True)),
        ("-s -k1,1", sorted(LINES, key=lambda line: line[:3])),
        ("-s -r -k1,1", sorted(LINES, key=lambda line: line[:3], reverse=True)),
        ("-k2,2n", sorted(LINES, key=by_number)),
        ("-u -k1,1", [*{line[:3]: line for line in sorted(reversed(LINES), key=lambda line: line[:3])}.values()]),
    ],
)
@pytest.mark.parametrize("how", ["-S 1b", "-S 100K", ""])
def test_the_order_is_the_same(options: str, expected: list[str], how: str) -> None:
    status, out, err = run(f"sort {how} {options}")
    assert (status, err) == (0, b"")
    assert out.decode() == "\n".join(expected) + "\nleft:\n"


def test_the_bound_is_the_runs_memory() -> None:
    """A sixteenth of it is held; the rest goes to the disk, so a small bound sorts what a large one does."""
    assert run("sort", Limits(memory=1 << 20)) == run("sort")


def test_a_reader_that_leaves_leaves_no_files() -> None:
    assert run("sort -S 1b | head -n 1") == (0, min(LINES).encode() + b"\nleft:\n", b"")


def test_no_place_for_the_runs_is_an_error() -> None:
    status, out, err = run("sort -S 1b -T /none; echo $?")
    assert (status, out) == (0, b"2\nleft:\n")
    assert err == b"sort: cannot create temporary file in '/none': No such file or directory\n"
