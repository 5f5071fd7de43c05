"""Texts that differ each time: what is compiled of them is bounded in bytes, not in characters of text."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator

import pytest

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.interp.compile import units

BYTES = 800_000
LINE = 'if [ "$x" = "rm -rf /tmp/N" ]; then echo "no N: ${y:-none} $(printf %s N)" >&2; exit 2; fi\n'


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """Return a shell that has run before, where memory is traced; the cache is a small one."""
    monkeypatch.setattr(units, "BYTES", BYTES)
    monkeypatch.setattr(units, "SHARE", BYTES // 2, raising=False)
    shell = Shell(fs=MemoryFS(), spawn=False)
    for number in range(3):
        shell.run(script(number))
    gc.collect()
    tracemalloc.start()
    yield shell
    tracemalloc.stop()


def script(number: int) -> str:
    return "x=1\n" + "".join(LINE.replace("N", f"{number}-{line}") for line in range(10))


def left() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_scripts_that_differ_take_no_more_than_their_bytes(shell: Shell) -> None:
    for number in range(100, 120):
        assert shell.run(script(number)).status == 0
    assert left() < 1.5 * BYTES


@pytest.mark.slow
def test_aliases_that_differ_make_no_program_grow(shell: Shell) -> None:
    """A command is compiled for each set of aliases; those of a script may have the time in them."""
    text = 'shopt -s expand_aliases; eval "$1"\n' + "".join(f'echo a{line} "$x" | cat\n' for line in range(10))
    units_of = units.program(text, "bash", 1, False)
    for number in range(50):
        assert shell.run(text, f"alias now='echo {number}'").status == 0
    assert units.program(text, "bash", 1, False) is units_of
    assert left() < 1.5 * BYTES


@pytest.mark.slow
def test_aliases_in_keys_count(shell: Shell) -> None:
    """Each new alias makes a key of all aliases."""
    text = "shopt -s expand_aliases\n" + "".join(f"alias a{number}=b\n" for number in range(400))
    for name in ("a", "b"):
        assert shell.run(f"{text}: {name}").status == 0
    assert left() < 1.5 * BYTES


def test_offsets_of_commands_count(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command after the first thousand leaves its offset, a hundred bytes."""
    monkeypatch.setattr(units, "KEPT", 3)
    monkeypatch.setattr(units, "SHARE", 40_000)
    text = ":\n" * 500
    assert shell.run(text).status == 0
    assert 0 < 100 * len(units.program(text, "bash", 1, False)._met) < units.SHARE


def test_a_script_that_is_run_again_is_still_cached(shell: Shell) -> None:
    again = script(7)
    shell.run(again)
    kept = units.program(again, "bash", 1, False)
    for number in range(200, 210):
        shell.run(script(number))
        shell.run(again)
    assert units.program(again, "bash", 1, False) is kept
