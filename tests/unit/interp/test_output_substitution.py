"""What goes through ``>( )`` is not lost when the script ends: a guard may answer that way."""

from __future__ import annotations

import pytest

from pyshellhooks import MemoryFS, Shell


# bash 5.2.15 with its output read to the end (``bash -c … | cat``) prints the same.
@pytest.mark.parametrize(
    ("script", "stdout", "status"),
    [
        ("{ echo 1; echo 2; } > >(sort -r)", "2\n1\n", 0),
        ('exec > >(tee log); echo \'{"decision":"deny"}\'', '{"decision":"deny"}\n', 0),
        ('exec > >(while read -r l; do echo "<$l>"; done); echo a; exit 2', "<a>\n", 2),
        ("trap 'echo bye' EXIT; exec > >(tr a-z A-Z); echo x", "X\nBYE\n", 0),
        ("(exec > >(cat); echo in)", "in\n", 0),
        ("exec 5> >(cat); echo a >&5; false", "a\n", 1),
    ],
)
def test_nothing_is_lost(script: str, stdout: str, status: int) -> None:
    for _ in range(20):
        result = Shell(fs=MemoryFS(), spawn=False).run(script, timeout=60)
        assert (result.stdout.decode(), result.status) == (stdout, status), result


def test_one_that_never_ends_is_stopped() -> None:
    result = Shell(fs=MemoryFS(), spawn=False).run("exec > >(sleep 60); echo a", timeout=0.2)
    assert (result.ended.kind, result.ended.reason) == ("stopped", "deadline")


def test_it_does_not_hide_a_no() -> None:
    result = Shell(fs=MemoryFS(), spawn=False).run("exec > >(sleep 60); exit 2", timeout=1)
    assert (result.ended.kind, result.status) == ("exited", 2)
