"""``spawn=False``: no process is started, proven by an audit hook; and hosts where none could be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# The hook ends the process itself: nothing that catches exceptions can hide a start.
HOOK = """
import os, sys
sys.path.insert(0, ROOT)
STARTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system",
          "os.startfile", "os.startfile/2", "_winapi.CreateProcess", "pty.spawn")
def hook(event, args):
    if event in STARTS:
        sys.stderr.write(f"started: {event}")
        sys.stderr.flush()
        os._exit(97)
sys.addaudithook(hook)
from pyshellhooks import HookEngine, MemoryFS, Shell
"""


def run(code: str, **values: object) -> subprocess.CompletedProcess[str]:
    """Run code in a Python of its own, with these names bound."""
    bound = "".join(f"{name} = {value!r}\n" for name, value in {"ROOT": str(ROOT), **values}.items())
    return subprocess.run(
        [sys.executable, "-B", "-c", bound + code],
        capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


# (script, status, what its stderr says). Status and words of what is not there are the ones of POSIX XCU 2.8.2.
SCRIPTS = [
    ("echo a | tr a b | cat; { echo x; } | while read l; do echo $l; done", 0, ""),
    ("echo a & sleep 0.01 & wait; jobs", 0, ""),
    ("x=$(echo a; (echo b)); y=`echo c`; : <(echo d); cat <(echo e) >/dev/null; echo $x$y", 0, ""),
    ("coproc { cat; }; echo x >&${COPROC[1]}; kill $COPROC_PID; trap 'echo t' EXIT", 0, ""),
    ("sh -c 'bash -c \"dash -c : && echo in\"'; env X=1 sh -c 'echo $X'; command -p echo p; (exec echo e)", 0, ""),
    ("eval 'f() { \"$@\"; }'; f echo x; printf '%s\\n' 1 2 | sort | head -1; [[ ab =~ (.)b ]]", 0, ""),
    ("yes | head -2; seq 3 | grep -c .; echo aa | sed 's/\\(a\\)\\1/b/'", 0, ""),
    ("/no/such/program", 127, "No such file or directory"),
    ("no-such-command", 127, "command not found"),
    ("env no-such-command", 127, "no-such-command"),
    ("./native", 126, "native program"),
    ("exec ./native", 126, "native program"),
    ("./native | cat; exit ${PIPESTATUS[0]}", 126, "native program"),
    ("x=$(./native)", 126, "native program"),
    ("./native & wait $!", 126, "native program"),
    ("env ./native", 126, "native program"),
    ("command ./native", 126, "native program"),
    ("start ./native", 126, "native program"),
    ("start sh -c 'echo in'; start ./sh", 0, ""),
    ("./sh; ./bash; ./dash; ./envbash; ./plain; . ./plain", 0, ""),
    ("./python", 126, "needs /usr/bin/python3, and processes are not allowed (spawn=False)"),
    ("./envperl x", 126, "needs perl, and processes are not allowed"),
]

AUDITED = """
from pyshellhooks.command import utility
@utility("start", summary="run a command", flags=None)
def start(call):
    return call.start(call.argv[1:], scope=call.scope).wait() if "sh" in call.argv else call.start(call.argv[1:]).wait()

files = {"native": b"\\x7fELF\\0", "sh": b"#!/bin/sh\\necho sh", "bash": b"#!/bin/bash -e\\necho bash",
         "dash": b"#!/usr/bin/dash\\necho dash", "envbash": b"#!/usr/bin/env bash\\necho env", "plain": b"echo plain",
         "python": b"#!/usr/bin/python3\\nprint(1)", "envperl": b"#!/usr/bin/env perl\\nprint 1"}
for name, data in files.items():
    with open(os.path.join(DIRECTORY, name), "wb") as file:
        file.write(data)
    os.chmod(os.path.join(DIRECTORY, name), 0o755)
memory = MemoryFS()
disk = Shell(spawn=False, cwd=DIRECTORY.replace(os.sep, "/"), utilities=[start])
virtual = Shell(spawn=False, fs=memory, env={"PATH": "/bin"}, utilities=[start])
for name in files:
    virtual.run(f"cat > /{name}; chmod +x /{name}", stdin=files[name])
for shell in (disk, virtual):
    for script, status, words in SCRIPTS:
        result = shell.run(script, timeout=20)
        assert (result.status, words in result.stderr.decode()) == (status, True), (script, result)
        if words == "":
            assert result.stderr == b"", (script, result)
    result = shell.run("./bash")
    assert result.stdout == b"bash\\n" and "so /bin/bash did not run; the embedded shell ran the script" in result.notices[0]
"""


def test_no_script_starts_a_process(tmp_path: Path) -> None:
    done = run(HOOK + AUDITED, SCRIPTS=SCRIPTS, DIRECTORY=str(tmp_path))
    assert done.stderr == "" and done.returncode == 0


def test_no_hook_starts_a_process() -> None:
    done = run(
        HOOK
        + """
commands = ["cat | grep -q rm && exit 2", "python3 -c 1", "x=$(./no)", "sleep 0.01 & wait; echo '{}'"]
config = {"hooks": {"PreToolUse": [{"command": command} for command in commands]}}
with HookEngine.load(config, "crush", spawn=False) as engine:
    verdict = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "rm x"})
    assert verdict.decision == "deny", verdict
    assert [hook.ended for hook in verdict.hooks] == ["nonzero", "nonzero", "nonzero", "ok"], verdict.hooks
    assert engine.stats()["workers_alive"] == 0
"""
    )
    assert done.stderr == "" and done.returncode == 0


@pytest.mark.slow
def test_jq_that_loops_ends_with_the_deadline_and_the_guard_fails() -> None:
    done = run(
        HOOK
        + """
result = Shell(spawn=False).run("x=$(jq -n 'last(repeat(1))' 2>/dev/null || echo none); echo $x; exit 0", timeout=0.5)
assert (result.ended.kind, result.ended.reason, result.stdout) == ("stopped", "deadline", b""), result
assert Shell(spawn=False).run("jq -c '.a|to_entries'", stdin=b'{"a":{"b":1}}').stdout == b'[{"key":"b","value":1}]\\n'
engine = HookEngine.load({"hooks": {"PreToolUse": [{"command": "jq -n 'last(repeat(1))' || exit 0", "timeout": 1}]}},
                         "crush", spawn=False, strict=True)
verdict = engine.fire("PreToolUse", tool_name="bash")
assert verdict.decision == "deny" and verdict.hooks[0].ended == "timed_out", verdict
"""
    )
    assert done.stderr == "" and done.returncode == 0


def test_the_audit_hook_sees_a_start() -> None:
    done = run(HOOK + "Shell().run(COMMAND)", COMMAND="'" + sys.executable.replace("\\", "/") + "' -c 1")
    assert (done.returncode, done.stderr.partition(":")[0]) == (97, "started")


ABSENT = ("subprocess", "_posixsubprocess", "multiprocessing", "ctypes", "_ctypes", "signal", "pwd", "grp", "fcntl",
          "termios", "resource", "pty", "tty")  # fmt: skip


@pytest.mark.slow
def test_it_works_where_there_is_no_module_for_processes() -> None:
    absent = tuple(name for name in ABSENT if os.name != "nt" or name != "ctypes")
    done = run(
        """
import sys
sys.path.insert(0, ROOT)
for name in ABSENT:
    sys.modules[name] = None
from pyshellhooks import HookEngine, MemoryFS, Shell
script = '''
echo "$(echo hi | tr a-z A-Z)"; { sleep 0.01; echo bg; } & wait; echo a > /tmp/f; ls /tmp; date +%Y >/dev/null
printf '%s\\\\n' b a | sort | head -1; id() { echo ${UID:-0}; }; cd /tmp; pwd; kill -0 $$; trap 'echo bye' EXIT
jq -r .a <<< '{"a":"x"}'; [[ abc =~ b ]] && echo match; umask; times >/dev/null; ulimit -n >/dev/null; echo ~ >/dev/null
'''
shell = Shell(fs=MemoryFS(), spawn=False, env={"PATH": "/bin", "HOME": "/"})
shell.run("mkdir -p /tmp")
result = shell.run(script, timeout=60)
words = b"HI bg f a /tmp x match 0022 bye".split()
assert [word for word in words if word in result.stdout.split()] == words, result
assert (result.status, result.stderr) == (0, b""), result
assert Shell(spawn=False).run("echo hi; ls >/dev/null", timeout=60).stdout == b"hi\\n"
assert Shell(spawn=False).run("while :; do :; done", timeout=0.05).ended.reason == "deadline"
engine = HookEngine.load({"hooks": {"PreToolUse": [{"command": "echo no >&2; exit 2"}]}}, "crush", spawn=False)
assert engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "x"}).decision == "deny"
""",
        ABSENT=absent,
    )
    assert done.stderr == "" and done.returncode == 0
