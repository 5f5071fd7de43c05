"""``program & exit``: what was put in the background is started, as a fork before the exit starts it elsewhere."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clock import patient

from pyshellhooks import Shell
from pyshellhooks.host import current, pipe_bridge
from pyshellhooks.interp import native

pytestmark = pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a native program")

SCRIPTS = {
    "last": "/bin/sh -c 'echo x > {file}' &",
    "exit": "/bin/sh -c 'echo x > {file}' & exit 0",
    "group": "{{ /bin/sh -c 'echo x > {file}'; }} & :",
    "detached": "(setsid /bin/sh -c 'sleep 0.1; echo x > {file}' >/dev/null 2>&1 &)",
    "nohup": "nohup /bin/sh -c 'echo x > {file}' >/dev/null 2>&1 &",
}


def written(paths: list[Path]) -> bool:
    until = time.monotonic() + 60
    while not all(path.exists() for path in paths):
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


@pytest.mark.not_on_windows("needs-program")
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_it_is_started(script: str, tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(5)]
    for path in paths:
        assert Shell().run(script.format(file=path)).status == 0
    assert written(paths)


@pytest.mark.oracle
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_bash_starts_it(script: str, tmp_path: Path, program: Callable[[str], str]) -> None:
    path = tmp_path / "file"
    subprocess.run([program("bash"), "-c", script.format(file=path)], check=True, timeout=60)
    assert written([path])


def test_one_that_never_waits_holds_up_the_end_for_a_tenth_of_a_second() -> None:
    begun = time.monotonic()
    assert Shell(spawn=False).run("while :; do :; done & exit 3", timeout=30).status == 3
    assert time.monotonic() - begun < patient(1.5)


@pytest.mark.not_on_windows("needs-program")
def test_the_first_two_children_at_the_same_moment_share_their_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(pipe_bridge.PipeBridges):
        def __init__(self, *arguments: Any) -> None:
            time.sleep(0.2)
            super().__init__(*arguments)
            made.append(self)

    made: list[Slow] = []
    monkeypatch.setattr(pipe_bridge, "PipeBridges", Slow)
    result = Shell(env=dict(os.environ)).run("/bin/true & /bin/sh -c 'printf deny'", timeout=60)
    # A guard's answer was lost in a second one, and its threads stayed.
    assert (result.stdout, len(made)) == (b"deny", 1)


@pytest.mark.not_on_windows("needs-program")
def test_ended_background_children_are_reaped_when_others_start() -> None:
    cookies = current().children._by_cookie
    before = set(cookies)
    for _ in range(20):
        assert Shell().run("/bin/true & /bin/true", timeout=60).status == 0
    for _ in range(200):
        assert Shell().run("/bin/true", timeout=60).status == 0
        if before.issuperset(cookies):
            break
        time.sleep(0.01)
    assert before.issuperset(cookies)


@pytest.mark.not_on_windows("needs-program")
def test_a_late_child_gets_no_descriptor_that_is_anothers_by_now(monkeypatch: pytest.MonkeyPatch) -> None:
    main, over = threading.current_thread(), threading.Event()
    pipes: list[tuple[int, int]] = []
    close, functions = pipe_bridge.PipeBridges.close, native._exported_functions

    def closes(self: pipe_bridge.PipeBridges) -> None:
        close(self)
        pipes.extend(os.pipe() for _ in range(16))  # of another run
        over.set()
        time.sleep(0.5)  # the gate is still open

    def last_before_the_start(ctx: Any) -> dict[str, str]:
        if threading.current_thread() is not main:
            over.wait(60)
        return functions(ctx)

    monkeypatch.setattr(pipe_bridge.PipeBridges, "close", closes)
    monkeypatch.setattr(native, "_exported_functions", last_before_the_start)
    result = Shell().run("{ /bin/echo late; } & /bin/echo early", timeout=60)
    for reader, writer in pipes:
        os.close(writer)
        with open(reader, "rb") as file:
            assert file.read() == b""
    assert (result.stdout, result.stderr) == (b"early\n", b"")


@pytest.mark.not_on_windows("needs-program")
def test_a_substitution_waits_for_a_job_that_is_about_to_start_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    main, ready = threading.current_thread(), threading.Event()
    functions = native._exported_functions

    def last_before_the_start(ctx: Any) -> dict[str, str]:
        if threading.current_thread() is main:
            ready.wait(60)
        else:
            ready.set()
            time.sleep(0.3)
        return functions(ctx)

    monkeypatch.setattr(native, "_exported_functions", last_before_the_start)
    result = Shell().run("x=$( { /bin/echo job; } & /bin/echo main ); echo $x", timeout=60)
    # Its descriptor was closed by then, or another run's.
    assert (result.stdout, result.stderr) == (b"main job\n", b"")
