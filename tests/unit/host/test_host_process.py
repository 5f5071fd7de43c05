"""Native children on POSIX: statuses (XCU 2.8.2: 128 + signal), descriptors, errors, waiting under a scope."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from time import monotonic

import pytest
from clock import patient
from host_runs import Run

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from tests import oracles

pytestmark = [pytest.mark.not_on_windows("needs-signal"), oracles.BIN_SH]


@pytest.mark.parametrize(
    ("script", "status", "signaled"),
    [("exit 0", 0, None), ("exit 3", 3, None), ("exit 255", 255, None), ("kill -9 $$", 137, 9), ("kill $$", 143, 15)],
)
def test_status(script: str, status: int, signaled: int | None) -> None:
    with Run() as run:
        child = run.start(script)
        assert child.wait(run.scope) == status
        assert child.signaled == signaled
        assert child.poll() == status


def test_poll_returns_none_while_it_runs() -> None:
    with Run() as run:
        child = run.start("sleep 5")
        assert child.poll() is None
        child.signal(15)
        assert child.wait(run.scope) == 143
        child.signal(9)  # reaped: goes nowhere


def test_environment_directory_and_mask() -> None:
    with Run() as run:
        run.start('echo "$PYSHELLHOOKS_RUN"; pwd; umask', cwd="/usr", umask=0o027).wait(run.scope)
        run.pipe_bridges.sync(run.out)
        assert run.out.getvalue() == f"{run.cookie}\n/usr\n0027\n".encode()


def test_nested_runs_keep_the_outer_cookie() -> None:
    with Run() as run:
        env = {**run.host.environ(), "PYSHELLHOOKS_RUN": "outer"}
        child = run.host.spawn(
            ["sh", "-c", "echo $PYSHELLHOOKS_RUN"],
            executable="/bin/sh", env=env, cwd="/", gate=run.gate, cookie=run.cookie,
            fds={1: run.pipe_bridges.output_fd(run.out)},
        )  # fmt: skip
        child.wait(run.scope)
        run.pipe_bridges.sync(run.out)
        assert run.out.getvalue() == f"outer,{run.cookie}\n".encode()


@pytest.mark.parametrize("crowded", [False, True])
@pytest.mark.parametrize(("cwd", "umask"), [("/", -1), ("/usr", 0o077)])
def test_descriptors_above_two_are_renumbered(crowded: bool, cwd: str, umask: int) -> None:
    with Run() as run:
        busy = [os.open("/dev/null", os.O_RDONLY) for _ in range(12)] if crowded else []
        reader, writer = os.pipe()
        out = run.pipe_bridges.output_fd(run.out)
        fds = {0: run.null(), 1: out, 2: 2, 3: writer, 7: out}
        child = run.start("echo three >&3; echo seven >&7; pwd; umask", fds, cwd=cwd, umask=umask)
        assert child.wait(run.scope) == 0
        run.pipe_bridges.sync(run.out)
        assert os.read(reader, 100) == b"three\n"
        mask = subprocess.run(["/bin/sh", "-c", "umask"], capture_output=True, check=True).stdout
        assert run.out.getvalue() == b"seven\n" + cwd.encode() + b"\n" + (b"0077\n" if umask >= 0 else mask)
        for fd in (*busy, reader, writer):
            os.close(fd)


def test_the_child_gets_no_other_descriptors() -> None:
    with Run() as run:
        leak = os.open("/dev/null", os.O_RDONLY)
        os.set_inheritable(leak, True)
        try:
            for fds in (
                {1: run.pipe_bridges.output_fd(run.out)},
                {1: run.pipe_bridges.output_fd(run.out), 9: run.null()},
            ):
                run.start(f"[ -e /dev/fd/{leak} ] && echo leak; :", fds).wait(run.scope)
        finally:
            os.close(leak)
        run.pipe_bridges.sync(run.out)
        assert run.out.getvalue() == b""


def test_missing_descriptors_are_closed_to_the_child() -> None:
    with Run() as run:
        out = run.pipe_bridges.output_fd(run.out)
        assert run.start("cat", {1: out, 2: run.null()}).wait(run.scope) == 1
        assert run.start("echo x", {0: run.null(), 2: run.null()}).wait(run.scope) != 0
        assert run.start("echo x", {0: run.null(), 1: run.null()}).wait(run.scope) == 0


@pytest.mark.parametrize(
    ("executable", "argv", "code"),
    [
        ("/nonexistent/program", ["x"], errno.ENOENT),
        ("/etc/passwd", ["x"], errno.EACCES),
        ("/", ["x"], errno.EACCES),
        ("/bin/sh", ["sh", "a\0b"], errno.EINVAL),
        ("/bin/sh", ["sh", "x" * 3_000_000], errno.E2BIG),
    ],
)
def test_errors_of_spawn(executable: str, argv: list[str], code: int) -> None:
    with Run() as run, pytest.raises(OSError) as caught:
        run.host.spawn(argv, executable=executable, env={}, cwd="/", fds={}, gate=run.gate, cookie=run.cookie)
    assert caught.value.errno == code


def test_no_magic_is_enoexec(tmp_path: object) -> None:
    script = f"{tmp_path}/script"
    with open(script, "w") as file:
        file.write("echo hi\n")
    os.chmod(script, 0o755)
    with Run() as run, pytest.raises(OSError) as caught:
        run.host.spawn(["x"], executable=script, env={}, cwd="/", fds={}, gate=run.gate, cookie=run.cookie)
    assert caught.value.errno == errno.ENOEXEC


def test_nothing_starts_after_revoke() -> None:
    with Run() as run:
        run.gate.revoke()
        with pytest.raises(Stop):
            run.start("exit 0", {})


def test_any_byte_reaches_the_child() -> None:
    with Run() as run:
        child = run.host.spawn(
            ["sh", "-c", 'printf %s "$0"', "\udcff\udc80ü"], executable="/bin/sh", env={}, cwd="/",
            fds={1: run.pipe_bridges.output_fd(run.out)}, gate=run.gate, cookie=run.cookie,
        )  # fmt: skip
        child.wait(run.scope)
        run.pipe_bridges.sync(run.out)
        assert run.out.getvalue() == b"\xff\x80\xc3\xbc"


def test_a_polite_child_ends_in_its_own_time() -> None:
    with Run(grace=60) as run:
        child = run.start("trap 'exit 2' TERM; echo ready; while :; do sleep 0.01; done")
        run.wait_for_output(b"ready")
        run.scope.cancel("deadline")
        begun = monotonic()
        assert child.wait(run.scope) == 2
        assert monotonic() - begun < patient(5)


def test_a_stubborn_child_is_killed_when_the_grace_is_over() -> None:
    with Run(grace=0.2) as run:
        child = run.start("trap '' TERM; echo ready; while :; do sleep 0.01; done")
        run.wait_for_output(b"ready")
        run.scope.cancel("deadline")
        begun = monotonic()
        with pytest.raises(Stop) as caught:
            child.wait(run.scope)
        assert caught.value.reason == "deadline"
        assert 0.15 < monotonic() - begun < patient(0.7)
        assert child.signaled == 9
        assert run.alive() == []


def test_a_stopped_child_can_be_terminated() -> None:
    with Run(grace=20) as run:
        child = run.start("echo ready; kill -STOP $$; sleep 5")
        run.wait_for_output(b"ready")
        run.scope.cancel()
        assert child.wait(run.scope) == 143


def test_a_cancel_cuts_a_wait_short() -> None:
    with Run(timeout=0.05) as run:
        begun = monotonic()
        assert run.start("sleep 5").wait(run.scope) == 143
        assert monotonic() - begun < patient(0.5)


@pytest.mark.parametrize("gone", ["sleep 0.1", "exit 0"])
def test_a_lost_status_is_a_stop(gone: str) -> None:
    program = f"""
import signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
from pyshellhooks import host
from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.errors import Stop
child = host.current().spawn(["sh", "-c", {gone!r}], executable="/bin/sh", env={{}}, cwd="/", fds={{}}, gate=Gate(), cookie="c")
for attempt in (child.wait, lambda scope: child.poll()):
    try:
        print("status", attempt(CancelScope(timeout=3)))
    except Stop as stop:
        print(stop.reason)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["lost", "lost"], done.stderr


def test_waiting_without_pidfd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    with Run() as run:
        assert run.start("sleep 0.05; exit 4").wait(run.scope) == 4
    with Run(timeout=0.05, grace=0.1) as run, pytest.raises(Stop):
        run.start("trap '' TERM; while :; do sleep 0.01; done").wait(run.scope)


def test_an_own_scope_ends_only_its_child() -> None:
    with Run() as run:
        other = run.start("sleep 5")
        with CancelScope(timeout=0.05, grace=0.1) as inner:
            assert run.start("sleep 5").wait(inner) == 143
        assert other.poll() is None


def test_a_forked_host_starts_fresh() -> None:
    program = """
import os
from time import monotonic
from pyshellhooks import host
from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.host import terminate, threads
def run(script, timeout=None):
    child = host.current().spawn(
        ["sh", "-c", script], executable="/bin/sh", env={}, cwd="/", fds={}, gate=Gate(), cookie="c")
    return child if timeout is None else child.wait(CancelScope(timeout=timeout))
assert run("exec sleep 5", 0.05) == 143  # the watchdog runs
threads.submit(lambda: None)
mine = run("exec sleep 5")
pid = os.fork()
if not pid:
    assert host.current().children.of("c") == []
    assert threads.pool.stats()["alive"] == 0
    os._exit(run("exec sleep 5", 0.05) - 100)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), mine.poll(), host.current().children.of("c") == [mine])
terminate.end([], grace_until=0, sweep="c")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["43", "None", "True"], done.stderr
