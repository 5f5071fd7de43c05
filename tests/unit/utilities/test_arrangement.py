"""Sed's scripts that write every few lines in one order: what they are, and that their bounds hold.

That they answer as the cycle does is shown in test_many_lines.py.
"""

from __future__ import annotations

import pytest
from utility_runs import run

from pyshellhooks import Limits, Shell, Stopped
from pyshellhooks.utilities.sed.arrangement import arrangement_of
from pyshellhooks.utilities.sed.parser import Mode, parse_script

LINES = b"".join(b"%d line\n" % number for number in range(5000))


@pytest.mark.parametrize(
    ("script", "step"),
    [
        ("=", 1),
        ("G", 1),
        ("n;d", 2),
        ("$!N;s/\\n/ /", 2),
        ("N;N;s/\\n/,/g", 3),
        ("h;n;G;p", 2),
        ("$!h;$G;=", 1),
        ("p", None),  # plan_of knows it
        ("s/x/y/", None),
        ("/x/N", None),
        ("2,$N", None),
        ("N;P;D", None),
        ("N;s/\\n/a\\nb/", None),
        ("N;s/\\n/&&/", None),
        ("G;h", None),  # the hold space is from another cycle
        ("x;p;x", None),
        ("N;y/a/b/", None),
        ("n;q", None),
        (";".join("N" * 70), None),
    ],
)
def test_scripts_with_an_arrangement(script: str, step: int | None) -> None:
    made = arrangement_of(parse_script(((script, "", Mode(False, False, False, True, True)),)), False)
    assert (None if made is None else made.step) == step


@pytest.mark.parametrize("script", ["=", "N;s/\\n/ /", "n;d", "h;n;G"])
def test_each_file_starts_fresh(script: str) -> None:
    files = {"a": LINES, "b": LINES + b"open"}
    alone = [run(["sed", script, name], files=files)[1] for name in files]
    assert run(["sed", "-s", script, "a", "b"], files=files)[1] == b"".join(alone)


def test_the_hold_space_is_as_the_cycle_leaves_it() -> None:
    assert run(["sed", "-n", "$!h;$G;$p;$!{=;=}", "f"], files={"f": LINES})[1].endswith(b"4999 line\n4998 line\n")


def test_a_buffer_that_is_too_long_ends_the_run() -> None:
    shell = Shell(spawn=False, limits=Limits(string=5000))
    result = shell.run("sed -n 'N;N;s/\\n/ /g'", stdin=(b"x" * 3000 + b"\n") * 30)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "limit"


def test_the_deadline_is_polled() -> None:
    result = Shell(spawn=False).run("yes | sed 'N;s/\\n/ /' > /dev/null", timeout=0.5)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "deadline"
