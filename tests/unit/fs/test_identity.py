"""What a script can see of the host: on a virtual file system nothing but the clock and the number of processors."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pyshellhooks import FileSystem, HookEngine, HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted, Shell

pytestmark = pytest.mark.portable

VIRTUAL = {
    "memory": MemoryFS,
    "memory, read only": lambda: ReadOnly(MemoryFS()),
    "over memory": lambda: OverlayFS(MemoryFS()),
    "memory with a mount": lambda: MountFS(MemoryFS(), {"/host": HostFS()}),
}
SEEN = {
    "id": "uid=1000(user) gid=1000(user) groups=1000(user)",
    "id -un": "user",
    "id root": "id: 'root': no such user",
    "whoami": "user",
    "uname -a": "Linux localhost 6.0.0 #1 x86_64 GNU/Linux",
    "uname -n": "localhost",
    "hostname": "localhost",
    "hostname -s": "localhost",
    "env | sort": "PWD=/\nSHLVL=1",
    "printenv HOME USER LOGNAME HOSTNAME": "",
    'echo "$HOME|$USER|$LOGNAME|$MAIL|$SSH_AUTH_SOCK|$LANG|$TZ"': "||||||",
    "echo $HOSTNAME $OSTYPE $MACHTYPE": "localhost linux-gnu x86_64-pc-linux-gnu",
    "echo $UID $EUID ${GROUPS[0]}": "1000 1000 1000",
    "echo $PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "echo $TERM": "dumb",
    "echo ~ ~root ~user": "/ ~root /",
    'x="\\u@\\h \\H \\$"; echo "${x@P}"': "user@localhost localhost $",
    "umask": "0022",
    "pwd": "/",
    "date +%Z": "UTC",
    "tty": "not a tty",
    "cat /etc/passwd /etc/hostname /proc/version 2>/dev/null": "",
    "touch f; stat -c '%u %g' f": "1000 1000",
}


@pytest.mark.parametrize("kind", VIRTUAL)
def test_a_virtual_file_system_shows_nothing_of_the_host(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_HOST", "1")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    fs = VIRTUAL[kind]()
    shell = Shell(fs=fs, spawn=False)
    found = {}
    for script in SEEN:
        if script.startswith("touch") and kind != "memory":
            continue
        if script.startswith("date") and sys.platform == "win32":
            continue  # the clock there has a zone of its own, which no file tells
        found[script] = shell.run(f"{{ {script}; }} 2>&1").stdout.decode().strip()
    assert found == {script: SEEN[script] for script in found}


@pytest.mark.skipif(sys.platform == "win32", reason="who a user is there is Windows' own affair")
@pytest.mark.parametrize("wrap", [HostFS, lambda: ReadOnly(HostFS()), lambda: OverlayFS(HostFS())])
def test_the_disk_is_the_users_own(wrap: type[FileSystem], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_HOST", "1")
    monkeypatch.setenv("HOME", "/home/of/the/host")
    result = Shell(fs=wrap(), spawn=False).run("echo $OF_THE_HOST ~ $UID; id -u; uname -n")
    assert result.stdout.decode().split() == ["1", "/home/of/the/host", *[str(os.getuid())] * 2, os.uname().nodename]


def test_a_part_of_the_disk_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_HOST", "1")
    assert Shell(fs=Rooted(HostFS(), str(tmp_path)), spawn=False).run("echo $OF_THE_HOST").stdout == b"1\n"


def test_what_is_given_counts() -> None:
    shell = Shell(fs=MemoryFS(), spawn=False, env={"HOME": "/here", "HOSTNAME": "mine"})
    assert shell.run("echo ~ $HOSTNAME").stdout == b"/here mine\n"


def test_an_engine_s_hooks_on_a_virtual_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_HOST", "1")
    command = 'echo "${A_SECRET_OF_THE_HOST-none} $(whoami)" >&2; exit 2'
    config = {"hooks": {"PreToolUse": [{"command": command}]}}
    engine = HookEngine.load(config, "crush", fs=MemoryFS())
    assert engine.fire("PreToolUse", tool_name="bash", tool_input={}).reason == "none user"
    engine = HookEngine.load(config, "crush", fs=MemoryFS(), env={"A_SECRET_OF_THE_HOST": "given"})
    assert engine.fire("PreToolUse", tool_name="bash", tool_input={}).reason == "given user"
