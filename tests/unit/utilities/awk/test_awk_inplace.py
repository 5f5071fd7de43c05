"""awk -i inplace: whatever ends the program, the file is the old one or the new one, and nothing is left beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from clock import patient

from pyshellhooks import Limits, MemoryFS, Shell

OLD = b"a\nb\nc\n"


def edit(shell: Shell, program: str, timeout: float = 10) -> tuple[int, str]:
    result = shell.run(f"awk -i inplace '{program}' f", timeout=timeout)
    assert b"Traceback" not in result.stderr
    return result.status, getattr(result.ended, "reason", "")


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ('{ print "new" } NR == 2 { while (1) n++ }', "deadline"),
        ('{ print "new" } NR == 2 { system("sleep 60") }', "deadline"),
        ('{ print "new" } NR == 2 { while (1) a[n++] }', "limit"),
        ('{ print "new" } NR == 2 { while (1) print "more and more and more and more and more" }', "limit"),
        ('{ print "new" } NR == 2 { print 1 / zero }', ""),
        ('{ print "new" } NR == 2 { print "x" > "/none/x" }', ""),
        ('{ print "new" } NR == 2 { print "x" ~ "(" }', ""),
    ],
)
@pytest.mark.parametrize("disk", [True, False])
def test_an_interrupted_run_leaves_the_file(tmp_path: Path, program: str, reason: str, disk: bool) -> None:
    limits = Limits(array=1000, written=100_000)
    shell = Shell(cwd=tmp_path, limits=limits) if disk else Shell(fs=MemoryFS(), cwd="/", env={}, limits=limits)
    shell.run("printf 'a\\nb\\nc\\n' > f")
    status, why = edit(shell, program, timeout=0.5 if reason == "deadline" else patient(20))
    assert (status != 0, why) == (True, reason)
    after = shell.run("cat f; echo *") if disk else Shell(fs=shell.fs, cwd="/", env={}).run("cat f; echo f gawk.*")
    assert after.stdout == OLD + (b"f\n" if disk else b"f gawk.*\n")


def test_a_file_that_is_done_stays_done(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(OLD)
    (tmp_path / "g").write_bytes(OLD)
    result = Shell(cwd=tmp_path).run("""awk -i inplace '{ print "new" } FILENAME == "g" { print 1 / zero }' f g""")
    assert result.status == 2
    assert (tmp_path / "f").read_bytes() == b"new\nnew\nnew\n"
    assert (tmp_path / "g").read_bytes() == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f", "g"]


def test_a_suffix_that_cannot_be_leaves_the_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(OLD)
    (tmp_path / "f.old").mkdir()
    result = Shell(cwd=tmp_path).run("awk -i inplace -v INPLACE_SUFFIX=.old '{ print 1 }' f")
    assert (result.status, result.stdout) == (2, b"")
    assert b"inplace::end: cannot put" in result.stderr
    assert (tmp_path / "f").read_bytes() == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f", "f.old"]


def test_in_a_pipeline_the_output_is_the_file_s(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(OLD)
    script = "awk -i inplace '{ print NR } END { print \"end\" }' f | sed 's/^/out /' | awk '{ print $0 \"!\" }'"
    assert Shell(cwd=tmp_path).run(script).stdout == b"out end!\n"
    assert (tmp_path / "f").read_bytes() == b"1\n2\n3\n"
