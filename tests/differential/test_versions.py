"""``--version`` of every program: where the real one answers, ours does. Guards ask it to find out whether a tool is there."""

from __future__ import annotations

import subprocess

import pytest

from pyshellhooks import Shell
from pyshellhooks.command.usual_places import SHELL_NAMES
from pyshellhooks.utilities._index import INDEX
from tests import oracles

pytestmark = pytest.mark.oracle

NAMES = sorted({*INDEX, *SHELL_NAMES} - {"dash", "xq"})  # Debian has no xq
# Names of builtins: bash answers itself, with 2.
BUILTINS = {"[", "printf", "pwd", "test", "echo", "true", "false"}


@pytest.mark.parametrize("name", NAMES)
def test_our_command_has_a_version_if_the_real_one_does(name: str) -> None:
    oracles.need("bash", *({name} - BUILTINS))
    real = subprocess.run(
        ["bash", "-c", f"{name} --version"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    ours = Shell(spawn=False).run(f"{name} --version", stdin=b"")
    if real.returncode == 0:
        assert (ours.status, ours.stderr) == (0, b"") and (ours.stdout or name in BUILTINS)


def test_of_bash() -> None:
    oracles.need("bash")
    real = subprocess.run(["bash", "--version"], capture_output=True, text=True, check=True).stdout
    assert Shell.sandbox().run("bash --version").text.split(" (")[0].split("(")[0] == real.split("(")[0]
    assert Shell.sandbox().run("bash --norc --version; bash --help; bash -c 'echo $0' --version").status == 0
    assert Shell.sandbox().run("bash -c 'echo $0' --version").text == "--version\n"
