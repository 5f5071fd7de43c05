"""ls where times, sizes and numbers of files count, which no case says (conformance/cases/utilities/ls.toml has the rest)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyshellhooks import Shell


@pytest.mark.not_on_windows("wine")  # it keeps no access times
def test_access_times_sort_alone_and_are_only_shown_with_l(tmp_path: Path) -> None:
    # GNU coreutils 9.1, ls.c: without -l and without a sort option -u sorts by the time that it names.
    for number, name in enumerate(("old", "new")):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (1_000_000_000 + number, 1_000_000_000 - number))
    shell = Shell(cwd=str(tmp_path))
    assert shell.run("ls -u").stdout == b"new\nold\n"
    assert [line.split()[-1] for line in shell.run("ls -lu").stdout.splitlines()[1:]] == [b"new", b"old"]


def test_a_directory_among_the_operands_widens_the_columns_of_the_files(tmp_path: Path) -> None:
    # As GNU's: what is listed by its content has its say about the widths all the same.
    (tmp_path / "d").mkdir()
    (tmp_path / "x").write_bytes(b"1")
    shown = Shell(cwd=str(tmp_path), env={"TZ": "UTC0"}).run("ls -l x d").stdout.splitlines()[0]
    size = (tmp_path / "d").stat().st_size
    assert shown.split(b" ")[4:-4] == [b""] * (len(str(size)) - 1) + [b"1"]


@pytest.mark.not_on_windows("wine")  # it takes a minute for 30,000 names
@pytest.mark.slow
def test_many_operands_cost_no_square(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"")
    result = Shell(cwd=str(tmp_path)).run(f"ls {'x ' * 30000} | wc -l", timeout=60)
    assert (result.status, result.stdout.strip()) == (0, b"30000")
