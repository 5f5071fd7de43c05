"""``/usr/bin/jq`` means our jq where nothing lies there: what ``command -v jq`` names can be run."""

from __future__ import annotations

import pytest

from pyshellhooks import HookEngine, MemoryFS, Shell
from pyshellhooks.engine.checks.doctor import examine

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


def test_a_file_at_the_path_is_run() -> None:
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


# How scripts ask whether a program is there. Each is 0 in bash 5.2.15 where the program is a file of the disk.
ASKED = [
    "command -v {0}", "command -V {0}", "type {0}", "type -P {0}", "hash {0}", "which {0}",
    '[ -x "$(command -v {0})" ]', '[ -x "$(which {0})" ]', 'test -x "$(type -P {0})"', '[[ -x $(command -v {0}) ]]', '[ -n "$(command -v {0})" ]',
    "[ -x {1}/{0} ]", "test -e {1}/{0}", "[ -f {1}/{0} ]", "[ -r {1}/{0} ]", "[ -s {1}/{0} ]", "[ -a {1}/{0} ]", "[[ -x {1}/{0} && -f {1}/{0} ]]", "[ -f {1}/{0} -a -x {1}/{0} ]",
    "[ ! -d {1}/{0} ]", "[ ! -L {1}/{0} ]", "[ ! -u {1}/{0} ]", "! [ -d {1}/{0} ]",
    "command -v {1}/{0}", "type {1}/{0}", "which {1}/{0}", 'which "$(which {0})"', "env test -x {1}/{0}", "find . -maxdepth 0 -exec [ -x {1}/{0} ] \\;", "echo {1}/{0} | xargs test -f",
    "for p in /opt/bin/{0} {1}/{0}; do [ -x \"$p\" ] && break; done && [ $p = {1}/{0} ]",
]  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("place", ["/bin", "/usr/bin"])
@pytest.mark.parametrize("name", ["jq", "cat", "sh", "bash"])
@pytest.mark.parametrize("asked", ASKED)
def test_a_script_that_tests_the_path_first_finds_it(asked: str, name: str, place: str) -> None:
    result = Shell.sandbox().run(f"if {asked.format(name, place)} >/dev/null; then echo there; else echo missing; fi")
    assert (result.text, result.stderr) == ("there\n", b"")


@pytest.mark.parametrize("path", ["/bin/frobnicate", "/opt/jq", "/usr/local/bin/jq", "/bin/", "/usr/bin", "bin/jq"])
def test_other_paths_are_not_found(path: str) -> None:
    shell = Shell.sandbox()
    assert shell.run(f"[ -x {path} ] || [[ -f {path} ]] || env test -e {path} || which {path}").status == 1


def test_tests_of_a_file_at_the_path_see_the_file() -> None:
    shell = Shell.sandbox({"/bin/cat": "", "/usr/bin/tr/": ""})
    asked = (
        "[ -x /bin/cat ]; echo $?; [ -s /bin/cat ]; echo $?; [ -f /usr/bin/tr ]; echo $?; [ -d /usr/bin/tr ]; echo $?"
    )
    shell.run("chmod a-x /bin/cat")
    assert shell.run(asked).text == "1\n1\n1\n0\n"


@pytest.mark.parametrize(
    "asked", ['[ -x "$(command -v jq)" ]', '[ -x "$(which jq)" ]', "[ -x /usr/bin/jq ]", "which jq"]
)
def test_a_guard_that_continues_only_with_jq_denies(asked: str) -> None:
    """A verdict, not a status: without the answer above the guard said nothing on a machine that has no jq."""
    script = f"{asked} >/dev/null || exit 0; [ \"$(jq -r .tool_input.command)\" = 'rm -rf /' ] && exit 2; exit 0"
    hooks = {"hooks": {"PreToolUse": [{"command": script}]}}
    with HookEngine.load(hooks, "crush", fs=MemoryFS(), spawn=False) as engine:
        assert engine.fire("before_tool", tool_name="bash", tool_input={"command": "rm -rf /"}).decision == "deny"
        assert engine.fire("before_tool", tool_name="bash", tool_input={"command": "ls"}).decision != "deny"
