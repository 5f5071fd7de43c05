"""``/usr/bin/jq`` means our jq where nothing lies there: what ``command -v jq`` names can be run."""

from __future__ import annotations

import pytest

from pyshellhooks import HookEngine, MemoryFS, Shell
from pyshellhooks.engine.doctor import examine

pytestmark = pytest.mark.portable

WAYS = {
    "/bin/cat f": "x\n",
    "/usr/bin/tr x y < f": "y\n",
    "j=$(command -v jq); $j -n 2": "2\n",
    "j=$(which jq); $j -n 2": "2\n",
    "$(type -P cat) f": "x\n",
    "command /bin/cat f": "x\n",
    "(exec /bin/cat f)": "x\n",
    "xargs /bin/echo < f": "x\n",
    "find . -name f -exec /bin/cat {} +": "x\n",
    "env /bin/cat f": "x\n",
    "timeout 5 /bin/cat f": "x\n",
    "/usr/bin/env cat f": "x\n",
    "/bin/sh -c 'echo $0' n": "n\n",
    "/bin/bash s a": "a\n",
    "/usr/bin/env bash s a": "a\n",
    "env /bin/dash s a": "a\n",
    "(exec /bin/bash s a)": "a\n",
    "echo 'echo hi' | /bin/sh": "hi\n",
    "command -v /bin/sh; type /bin/bash": "/bin/sh\n/bin/bash is /bin/bash\n",
    "type /usr/bin/jq; type -a /bin/jq; command -v /bin/jq": "/usr/bin/jq is /usr/bin/jq\n/bin/jq is /bin/jq\n/bin/jq\n",
}


@pytest.mark.parametrize("script", WAYS)
def test_the_usual_places_lead_to_our_programs(script: str) -> None:
    shell = Shell.sandbox({"/home/user/f": "x\n", "/home/user/s": "echo $1\n"})
    result = shell.run(script)
    assert (result.text, result.stderr, result.notices) == (WAYS[script], b"", ())


@pytest.mark.parametrize(
    "script", ["/bin/frobnicate", "/opt/cat f", "/usr/local/bin/cat f", "/bin/./cat f", "bin/cat f"]
)
def test_other_paths_do_not(script: str) -> None:
    result = Shell.sandbox({"/home/user/f": "x\n"}).run(script)
    assert result.status == 127 and b"No such file or directory" in result.stderr and result.notices


def test_what_lies_there_is_run() -> None:
    shell = Shell.sandbox({"/bin/cat": "echo mine\n", "/bin/sh": "echo my shell\n", "/usr/bin/tr/": ""})
    assert shell.run("/bin/cat f; /bin/sh -c 'echo no'").text == "mine\nmy shell\n"
    assert shell.run("/usr/bin/tr a b").status == 126


def test_a_command_of_ones_own_has_such_a_path_too() -> None:
    from pyshellhooks import utility

    @utility("order", summary="Show an order.", flags=None)
    def order(call: object) -> str:
        return "an order\n"

    assert Shell.sandbox(utilities=[order]).run("$(command -v order)").text == "an order\n"


def test_doctor_knows_them() -> None:
    hooks = {"hooks": {"PreToolUse": [{"command": "/usr/bin/jq . | /bin/sh -c cat; /bin/frobnicate"}]}}
    with HookEngine.load(hooks, "crush", fs=MemoryFS(), spawn=False) as engine:
        found = {one.name: one.kind for one in examine(engine, spawn=False)}
    assert found["/usr/bin/jq"] == found["/bin/sh"] == "utility" and found["/bin/frobnicate"] == "missing"
