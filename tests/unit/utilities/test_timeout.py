"""timeout's limit is real, and itself obeys the run's (the recorded cases are in conformance/cases/shell)."""

from __future__ import annotations

from time import monotonic

import pytest

from pyshellhooks import Shell


@pytest.mark.portable
@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("timeout 0.1 sleep 9", 124),
        ("timeout -s KILL 0.1 sleep 9", 137),
        ("timeout --preserve-status -s INT 0.1 sleep 9", 130),
        ("timeout 0.1 sh -c 'while :; do :; done'", 124),
        ("timeout 0.1 yes >/dev/null", 124),
        ("timeout 0.1 timeout 9 sleep 9", 124),
        ("timeout 9 sh -c 'exit 5'", 5),
    ],
)
def test_it_ends_what_it_runs(script: str, status: int) -> None:
    began = monotonic()
    result = Shell(spawn=False).run(script, timeout=8)
    assert (result.status, str(result.ended)) == (status, f"Exited({status})")
    assert monotonic() - began < 3


def test_a_program_is_ended_too() -> None:
    began = monotonic()
    result = Shell().run("timeout 0.2 python3 -c 'import time; time.sleep(9)'; echo $?", timeout=8)
    assert result.stdout == b"124\n"
    assert monotonic() - began < 4


def test_the_end_of_the_run_ends_it() -> None:
    began = monotonic()
    result = Shell(spawn=False).run("timeout 9 sleep 9; echo never", timeout=0.3)
    assert result.stdout == b""
    assert "deadline" in str(result.ended)
    assert monotonic() - began < 3


def test_a_breach_within_ends_the_run() -> None:
    result = Shell(spawn=False).run("timeout 5 sh -c 'echo 2^99999999 | bc' || echo allowed", timeout=8)
    assert b"allowed" not in result.stdout
    assert "limit" in str(result.ended)
