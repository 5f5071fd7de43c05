"""Texts of many commands: what comes late is kept when it is met again, and nobody can tell."""

from __future__ import annotations

import gc
from collections import OrderedDict

import pytest

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.interp.compile import units


def test_texts_that_are_not_cached_run_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "KEPT", 3)
    shell = Shell(fs=MemoryFS(), spawn=False)
    lines = [f"x=$((x + {number})); f{number}() {{ echo $x-{number}; }}" for number in range(8)]
    text = "\n".join([*lines, "shopt -s expand_aliases", "alias say=echo", "say $x", "f2; f7", "unalias say", "say"])
    kept = []
    for _ in range(4):
        result = shell.run(text)
        assert (result.stdout, result.status) == (b"28\n28-2\n28-7\n", 127)
        kept.append(sum(map(len, units.program(text, "bash", 1, False)._units.values())))
    assert kept == [3, 15, 15, 15]


@pytest.mark.slow
def test_a_line_leaves_nothing_behind_for_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "_programs", OrderedDict())  # a full one drops a program for each that comes
    monkeypatch.setattr(units, "_cached_size", 0)
    shell = Shell(fs=MemoryFS(), spawn=False)
    many = 3 * units.KEPT

    def left(count: int, mark: str) -> int:
        gc.collect()
        before = len(gc.get_objects())
        assert shell.run("".join(f'x=a{number}; echo "$x{mark}" >/dev/null\n' for number in range(count))).status == 0
        gc.collect()
        return len(gc.get_objects()) - before

    left(10, "warm")
    assert left(many, "b") < 1.5 * left(units.KEPT, "a")


def test_verbose_shows_each_command_once() -> None:
    # bash -c 'set -v
    # echo 1
    # if :; then
    #   echo 2
    # fi; echo 3
    # ' 2>&1 >/dev/null
    text = "set -v\necho 1\nif :; then\n  echo 2\nfi; echo 3\n"
    shell = Shell(fs=MemoryFS(), spawn=False)
    for _ in range(2):
        result = shell.run(text)
        assert result.stderr == text.removeprefix("set -v\n").encode() and result.stdout == b"1\n2\n3\n"
