"""An environment of Windows that a caller passes on reaches scripts in their own form (decisions paths on Windows).

On other systems the host converts as on Windows here; the conversion itself is tested in ``test_windows_text``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

import pytest

from pyshellhooks import HookEngine, MemoryFS, Shell
from pyshellhooks.hooks.model import HookSpec
from pyshellhooks.host import current
from pyshellhooks.host.windows_text import shell_env

NATIVE = {"USERNAME": "me", "TEMP": "Q:\\t", "USERPROFILE": "Q:\\me", "PATH": "Q:\\x;Q:\\y"}
SCRIPT = 'echo "$USER $LOGNAME $TMPDIR $HOME"; IFS=:; for one in $PATH; do echo "$one"; done'
EXPECTED = b"me me Q:/t Q:/me\n/q/x\n/q/y\n"


def convert(self: object, env: Mapping[str, str], exists: Callable[[str], bool] | None = None) -> dict[str, str]:
    return shell_env(env, os.path.isdir if exists is None else exists)


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    if not current().windows:
        monkeypatch.setattr(type(current()), "shell_env", convert)


def test_the_environment_of_a_shell() -> None:
    assert Shell(env=NATIVE).run(SCRIPT).stdout == EXPECTED


def test_the_environment_of_a_run() -> None:
    assert Shell(env={}).run(SCRIPT, env=NATIVE).stdout == EXPECTED


def test_the_environment_of_a_virtual_file_system() -> None:
    assert Shell(fs=MemoryFS(), env=NATIVE).session().run(SCRIPT).stdout == EXPECTED


def test_the_environment_of_hooks() -> None:
    engine = HookEngine("claude_code", [HookSpec("PreToolUse", SCRIPT)], env=NATIVE)
    verdict = engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    assert verdict.hooks[0].stdout.encode() == EXPECTED


@pytest.mark.skipif(sys.platform != "win32", reason="a native child of Windows")
def test_a_native_child_gets_native_lists() -> None:
    script = "import os; print(os.environ['PATH'] == os.environ['WANTED'])"
    env = {**os.environ, "WANTED": os.environ["PATH"], "SCRIPT": script, "PYTHON": sys.executable}
    run = Shell(env=env).run('"$PYTHON" -c "$SCRIPT"')
    assert (run.stdout.strip(), run.stderr) == (b"True", b"")
