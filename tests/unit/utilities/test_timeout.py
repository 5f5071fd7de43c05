"""timeout's limit is real, and itself obeys the run's (conformance/cases/utilities/timeout.toml has the recorded cases)."""

from __future__ import annotations

from time import monotonic

import pytest
from clock import patient

from pyshellhooks import MemoryFS, Shell


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
def test_it_ends_its_command(script: str, status: int) -> None:
    began = monotonic()
    result = Shell(spawn=False).run(script, timeout=60)
    assert (result.status, str(result.ended)) == (status, f"Exited({status})")
    assert monotonic() - began < patient(3)


def test_a_program_is_ended_too() -> None:
    began = monotonic()
    result = Shell().run("timeout 0.2 python3 -c 'import time; time.sleep(9)'; echo $?", timeout=60)
    assert result.stdout == b"124\n"
    assert monotonic() - began < patient(4)


def test_the_end_of_the_run_ends_it() -> None:
    began = monotonic()
    result = Shell(spawn=False).run("timeout 9 sleep 9; echo never", timeout=0.3)
    assert result.stdout == b""
    assert "deadline" in str(result.ended)
    assert monotonic() - began < patient(3)


def test_a_breach_within_ends_the_run() -> None:
    result = Shell(spawn=False).run("timeout 5 sh -c 'echo 2^99999999 | bc' || echo allowed", timeout=60)
    assert b"allowed" not in result.stdout
    assert "limit" in str(result.ended)


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    ("script", "answer"),
    [
        # Recorded from bash 5.2.15, dash and coreutils 9.1 with a native sh in the place of ours.
        ("timeout -k 0.2 1 sh -c 'trap \"\" TERM; while :; do :; done'; echo $?", b"137\n"),
        ("timeout -k 0.2 1 sh -c 'trap \"\" TERM; sleep 9; echo no'; echo $?", b"137\n"),
        ("timeout -k 0.2 1 sh -c 'trap \"while :; do :; done\" TERM; while :; do :; done'; echo $?", b"137\n"),
        ("timeout 1 sh -c 'trap \"echo got; exit 3\" TERM; while :; do :; done'; echo $?", b"got\n124\n"),
        ("timeout 0.2 sh -c 'while :; do timeout 9 sh -c \"while :; do :; done\"; done'; echo $?", b"124\n"),
        ("echo 9 9 | timeout 0.2 xargs -n 1 -P 2 sleep; echo $?", b"124\n"),
        ('timeout 0.2 awk \'BEGIN { print 9 | "read x; sleep $x"; close("read x; sleep $x") }\'; echo $?', b"124\n"),
        ("sh -c 'sleep 1 | timeout 0.2 cat; echo $?' & wait", b"124\n"),
    ],
)
def test_whatever_runs_it_ends_in_time(script: str, answer: bytes) -> None:
    began = monotonic()
    result = Shell(spawn=False).run(script, timeout=60)
    assert (result.stdout, str(result.ended)) == (answer, "Exited(0)")
    assert monotonic() - began < patient(5)


def test_a_shell_that_waits_for_input_runs_its_trap() -> None:
    # dash runs the trap at once, bash after the line: nobody may wait for a line that never comes.
    script = """{ sleep 60 & echo $! > pid; wait; } | {
        timeout 1 sh -c 'trap "echo got; exit 3" TERM; read x; echo no'
        echo $?; until [ -s pid ]; do sleep 0.01; done; kill "$(cat pid)"; }"""
    began = monotonic()
    assert Shell(fs=MemoryFS(), cwd="/", spawn=False).run(script, timeout=100).stdout == b"got\n124\n"
    assert 1 <= monotonic() - began < patient(20)


@pytest.mark.slow
def test_the_deadline_of_the_run_ends_who_ignores() -> None:
    began = monotonic()
    result = Shell(spawn=False).run("timeout 1 sh -c 'trap \"\" TERM; while :; do :; done' || echo allowed", timeout=3)
    assert b"allowed" not in result.stdout
    assert "deadline" in str(result.ended)
    assert monotonic() - began < patient(8)


def test_a_breach_after_the_signal_ends_the_run() -> None:
    # The trap breaches a limit: no status of timeout may hide it (rule 1).
    script = "timeout 1 sh -c 'trap \"echo 2^99999999 | bc\" TERM; while :; do :; done' || echo allowed"
    result = Shell(spawn=False).run(script, timeout=60)
    assert b"allowed" not in result.stdout
    assert "limit" in str(result.ended)


AWAY = "setsid -f sleep 1000"


@pytest.mark.parametrize(
    "script",
    [
        f"timeout 5 {AWAY}", f"timeout -k 1 5 timeout 4 {AWAY}", f"exec timeout 4 {AWAY}", f"setsid -f timeout 3 {AWAY}",
        f"xargs -P 3 -I@ timeout 3 {AWAY} <<< $'a\nb'", f"env {AWAY}", f"nohup {AWAY}", f"xargs {AWAY} < /dev/null",
        f"find / -maxdepth 0 -exec {AWAY} \\;", f"awk 'BEGIN {{ system(\"{AWAY}\") }}'", f"echo a | sed '1e {AWAY}'",
        f"seq 9 | split --filter='{AWAY}' -l2", f"awk 'BEGIN {{ print 1 | \"{AWAY}\" }}'", f"trap '{AWAY}' EXIT",
        "timeout 5 sh -c '(sleep 1000 &)'", f"coproc {AWAY}", f": > >({AWAY})", f"sh -c '{AWAY}'",
    ],
)  # fmt: skip
def test_background_commands_end_with_the_run(script: str) -> None:
    """Its thread too: what is still at work after a test fails it (conftest.py)."""
    began = monotonic()
    result = Shell(fs=MemoryFS(), cwd="/", spawn=False).run(script, timeout=60)
    assert (result.stderr, str(result.ended)) == (b"", "Exited(0)")
    assert monotonic() - began < patient(5)


@pytest.mark.one_in(7)
@pytest.mark.not_on_windows("needs-signal")
@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("timeout -k 0.2 1 /bin/sh -c 'trap \"\" TERM; while :; do :; done'; echo $?", b"137\n"),
        ("timeout --foreground -k 0.2 1 /bin/sh -c 'trap \"\" TERM; while :; do :; done'; echo $?", b"137\n"),
        ('timeout -k 0.2 1 sh -c \'/bin/sh -c "trap \\"\\" TERM; while :; do :; done"\'; echo $?', b"137\n"),
        ("timeout --foreground -k 0.3 0.2 /bin/sh -c 'kill -STOP $$'; echo $?", b"137\n"),
        ("timeout 0.2 /bin/sh -c 'kill -STOP $$; exit 5'; echo $?", b"124\n"),
        ("timeout 0.2 /bin/sh -c '/bin/sleep 9 & wait' | cat; echo ${PIPESTATUS[0]}", b"124\n"),
        ("x=$(timeout 0.2 /bin/sh -c '/bin/sleep 9 & wait'); echo $?", b"124\n"),
    ],
)
def test_a_program_that_ignores_is_killed_in_time(script: str, answer: bytes) -> None:
    """Not after the run's grace: the second signal is timeout's own."""
    began = monotonic()
    result = Shell().run(script, timeout=60, grace=60)
    assert result.stdout == answer
    assert monotonic() - began < patient(5), "the grace was waited for"


@pytest.mark.not_on_windows("needs-signal")
@pytest.mark.parametrize("number", [1, 2, 10, 12, 14, 34])
def test_a_program_gets_the_requested_signal(number: int) -> None:
    result = Shell().run(f"timeout --preserve-status -s {number} 0.1 /bin/sleep 9; echo $?", timeout=60)
    assert result.stdout == f"{128 + number}\n".encode()
