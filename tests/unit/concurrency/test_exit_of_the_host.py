"""The host ends, or is interrupted, in the middle of a hook: at once, in silence, and nothing stays."""

from __future__ import annotations

import os
import time

import pytest
from clock import patient
from host_program import gone, run

linux = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks into /proc")

#: On the command line of a child; each worker of a parallel run has its own, for it looks at all of the machine.
MARK = f"53.{os.getpid()}"
NAMED = "53.MARK"  # what stands for it in the names of tests, which all workers must know

# What a hook may be doing on another thread when the interpreter goes; re2 once aborted the process there.
BUSY = {
    "loop": "while :; do :; done",
    "sleep": "sleep 60",
    "pipeline": "yes | grep -E '(a|b)*c'",
    "sed": "yes aaaaaaaaaaaaaaaab | sed -E 's/(a*)*b/x/' | tail -1",
    "jobs": "sleep 60 & sleep 61 | sleep 62",
    "write": "while :; do echo x; done > /dev/null",
}


@pytest.mark.not_on_windows("wine")  # its processes end late
@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("script", BUSY.values(), ids=BUSY)
def test_exit_in_the_middle_of_a_hook(script: str) -> None:
    ended = run(f"""
        threading.Thread(target=lambda: Shell().run({script!r}), daemon=True).start()
        time.sleep(0.25)
        ready()
    """)
    assert (ended.status, ended.stderr, ended.stdout) == (0, "", "")
    assert ended.seconds < patient(3)  # 0.05


@pytest.mark.one_in(2, slow=2)
@pytest.mark.not_on_windows("needs-device")
@linux
@pytest.mark.parametrize(
    "script",
    [
        f"/bin/sleep {NAMED}",
        f"/bin/sh -c 'trap : TERM; while :; do /bin/sleep {NAMED}; done'",
        f"setsid -w /bin/sleep {NAMED}",
    ],
)
@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_exit_ends_the_children_of_running_hooks(script: str, isolation: str) -> None:
    script = script.replace(NAMED, MARK)
    ended = run(f"""
        shell = Shell(isolation={isolation!r})
        threading.Thread(target=lambda: shell.run({script!r}), daemon=True).start()
        time.sleep(0.3 if {isolation!r} == "thread" else 0.6)
        ready()
    """)
    assert (ended.status, ended.stderr) == (0, "")
    assert gone(MARK, 0.5)
    assert ended.seconds < patient(3)


@pytest.mark.not_on_windows("needs-device")
@linux
def test_exit_leaves_the_processes_of_a_finished_run() -> None:
    ended = run(f"""
        assert Shell().run("/bin/sleep {MARK} & sleep 0.1").status == 0
        ready()
    """)
    assert (ended.status, ended.stderr) == (0, "")
    assert not gone(MARK, 0.0)


def test_exit_with_idle_threads_and_a_watchdog() -> None:
    ended = run("""
        shell = Shell()
        shell.run("sleep 0.01 & sleep 0.01 | cat; wait", timeout=1000)
        engine = HookEngine.load({"hooks": {"PreToolUse": [{"command": "echo '{}'"}] * 1}}, "crush")
        asyncio.run(engine.afire("PreToolUse", tool_name="x"))
        assert engine.stats()["threads_idle"] > 0
        ready()
    """)
    assert (ended.status, ended.stderr) == (0, "")
    assert ended.seconds < patient(3)


def test_an_exit_from_a_signal_handler_of_the_host() -> None:
    if os.name == "nt":
        pytest.skip("no such signals")
    ended = run(f"""
        signal.signal(signal.SIGINT, lambda *_: sys.exit(7))
        ready()
        Shell().run("/bin/sleep {MARK} | sleep 60")
    """, interrupt=0.4)  # fmt: skip
    assert (ended.status, ended.stderr) == (7, "")
    assert gone(MARK, 0.5)


INTERRUPTED = [
    "sleep 60",
    "while :; do :; done",
    "sleep 60 | cat",
    "echo a | (sleep 60; echo b) | sleep 60",
    "x=$(sleep 60) || sleep 60",
    "sleep 60 & wait",
    "trap 'sleep 60' EXIT INT; sleep 60",
    f"/bin/sleep {NAMED}; sleep 60",
    f"/bin/sleep {NAMED} | cat; sleep 60",
    f"/bin/sh -c 'trap \"\" TERM INT; while :; do /bin/sleep {NAMED}; done'",
]


@pytest.mark.one_in(2, slow=2)
@pytest.mark.not_on_windows("needs-signal")
@pytest.mark.parametrize("script", INTERRUPTED)
def test_keyboard_interrupt_ends_the_run_and_is_raised(script: str) -> None:
    script = script.replace(NAMED, MARK)
    ended = run(f"""
        shell = Shell()
        ready()
        try:
            print(shell.run({script!r}))
        except KeyboardInterrupt:
            print("interrupted", shell.run("echo on").stdout)
    """, interrupt=0.25)  # fmt: skip
    assert (ended.stdout, ended.stderr, ended.status) == ("interrupted b'on\\n'\n", "", 0)
    assert ended.seconds < patient(3)  # 0.3, or 0.5 with a child that ignores TERM
    if os.path.isdir("/proc/self"):
        assert gone(MARK, 0.5)


@pytest.mark.not_on_windows("needs-device")
@linux
def test_keyboard_interrupt_ends_all_hooks_of_an_event() -> None:
    config = {"hooks": {"PreToolUse": [{"command": f"/bin/sleep {MARK}"}, {"command": f"exec /bin/sleep {MARK}"}]}}
    for isolation in ("thread", "process"):
        ended = run(f"""
            engine = HookEngine.load({config!r}, "crush", isolation={isolation!r})
            ready()
            try:
                engine.fire("PreToolUse", tool_name="x")
            except KeyboardInterrupt:
                print("interrupted")
        """, interrupt=0.6)  # fmt: skip
        assert (ended.stdout, ended.stderr, ended.status) == ("interrupted\n", "", 0)
        assert ended.seconds < patient(3)
        assert gone(MARK, 2.0)


@pytest.mark.not_on_windows("needs-device")
@linux
def test_the_deadline_holds_when_the_host_ignores_the_ends_of_children() -> None:
    ended = run("""
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for script in ("/bin/false; exit 0", "/bin/true || exit 3; exit 0", "x=$(/bin/false); exit 0",
                       "/bin/false | cat; exit 0", "if /bin/false; then exit 2; fi; exit 0", "/bin/false & wait $!; exit 0"):
            result = Shell().run(script, timeout=20)
            assert (result.ended.kind, result.ended.reason) == ("stopped", "lost") and result.status != 0, (script, result)
        begun = time.monotonic()
        assert Shell().run("/bin/sleep 30", timeout=0.2).ended.reason == "deadline"
        assert time.monotonic() - begun < patient(2)
        # A worker has its own say about its children.
        isolated = Shell(isolation="process")
        assert isolated.run("/bin/false; echo $?", timeout=20).stdout == b"1\\n"
    """)
    assert (ended.status, ended.stderr) == (0, "")


def test_the_programs_of_these_tests_can_fail() -> None:
    begun = time.monotonic()
    ended = run("time.sleep(0.2); raise SystemExit('x')")
    assert (ended.status, ended.stderr) == (1, "x\n") and time.monotonic() - begun >= 0.2
