"""What a script can see of the host: on a virtual file system nothing but the clock."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest

from pyshellhooks import FileSystem, HookEngine, HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted, Shell

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
    "date +%Z%z; date -d '2024-07-01 12:00' +%s; date -u +%Z; TZ=CET-1 date -d @0 +%R": "UTC+0000\n1719835200\nUTC\n01:00",
    "printf '%(%Z)T'; jq -n '0 | localtime | mktime, (0 | strflocaltime(\"%Z\"))'": 'UTC0\n"UTC"',
    "awk 'BEGIN { print strftime(\"%Z %H\", 0) }'": "UTC 00",
    "nproc; nproc --all; nice": "1\n1\n0",
    "ulimit -s; ulimit -t": "8192\nunlimited",
    "cat /etc/localtime /etc/timezone /proc/cpuinfo /proc/meminfo /proc/uptime /proc/mounts 2>/dev/null": "",
    "df; getconf ARG_MAX; locale; uptime; groups; logname; who; free": "\n".join(
        f"bash: line 1: {name}: command not found"
        for name in "df getconf locale uptime groups logname who free".split()
    ),
    "tty": "not a tty",
    "cat /etc/passwd /etc/hostname /proc/version 2>/dev/null": "",
}
OWNED = {
    "stat -c '%u %g %U %G' f; ls -l f | cut -c 1-26; ls -n f | cut -c 1-26": "1000 1000 user user\n-rw-r--r-- 1 user user 0 J\n-rw-r--r-- 1 1000 1000 0 J",
    "find f -printf '%u %g %U\\n'; find f -ls | grep -o 'user *user'": "user user 1000\nuser     user",
    "find f -user user; find f -user 1000; find f -group user; find f -nouser -o -nogroup": "f\nf\nf",
    "find f -user root; find f -group root": "find: 'root' is not the name of a known user\nfind: 'root' is not the name of an existing group",
    "test -O f && test -G f && [[ -O f && -G f ]] && echo mine": "mine",
    "stat -c %y f; ls --full-time f; find f -printf '%TZ %Tz %t\\n'; date -r f": "2024-01-02 03:04:05.000000000 +0000\n-rw-r--r-- 1 user user 0 2024-01-02 03:04:05.000000000 +0000 f\nUTC +0000 Tue Jan  2 03:04:05.0000000000 2024\nTue Jan  2 03:04:05 UTC 2024",
    "echo | diff -u f - | grep -o '^--- .*'": "--- f\t2024-01-02 03:04:05.000000000 +0000",
    "find f -newermt '2024-01-02 03:04' ! -newermt '2024-01-02 03:05'": "f",
}


@pytest.fixture
def forbid_reading_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever asks for the host's users, zone or size hear that it is wrong."""
    monkeypatch.setenv("OF_THE_HOST", "1")
    monkeypatch.setenv("TZ", "Asia/Tokyo")

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("the host was asked")

    for module, names in ASKED.items():
        for name in names:
            if hasattr(_there(module), name):
                monkeypatch.setattr(f"{module}.{name}", fail)


ASKED = {
    "pwd": ("getpwnam", "getpwuid", "getpwall"),
    "grp": ("getgrnam", "getgrgid", "getgrall"),
    "os": ("cpu_count", "sched_getaffinity", "getpriority", "getlogin", "uname", "geteuid", "getegid", "getgroups"),
    "time": ("localtime",),
}


def _there(module: str) -> object:
    try:
        return import_module(module)
    except ImportError:  # Windows has no such list
        return None


@pytest.mark.usefixtures("forbid_reading_host")
@pytest.mark.parametrize("kind", VIRTUAL)
def test_a_virtual_file_system_shows_nothing_of_the_host(kind: str) -> None:
    shell = Shell(fs=VIRTUAL[kind](), spawn=False)
    found = {script: shell.run(f"{{ {script}; }} 2>&1").stdout.decode().strip() for script in SEEN}
    assert found == SEEN


@pytest.mark.usefixtures("forbid_reading_host")
@pytest.mark.parametrize("kind", [kind for kind in VIRTUAL if "read only" not in kind])
def test_files_there_belong_to_its_one_user_and_their_times_are_utc(kind: str) -> None:
    shell = Shell(fs=VIRTUAL[kind](), spawn=False)
    before = "touch -d '2024-01-02 03:04:05' f; "
    found = {script: shell.run(f"{{ {before}{script}; }} 2>&1").stdout.decode().strip() for script in OWNED}
    assert found == OWNED


@pytest.mark.not_on_windows("machine")
@pytest.mark.parametrize("wrap", [HostFS, lambda: ReadOnly(HostFS()), lambda: OverlayFS(HostFS())])
def test_the_disk_is_the_users_own(wrap: type[FileSystem], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_HOST", "1")
    monkeypatch.setenv("HOME", "/home/of/the/host")
    result = Shell(fs=wrap(), spawn=False).run("echo $OF_THE_HOST ~ $UID; id -u; uname -n")
    assert result.stdout.decode().split() == ["1", "/home/of/the/host", *[str(os.getuid())] * 2, os.uname().nodename]


def test_a_part_of_the_disk_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_HOST", "1")
    assert Shell(fs=Rooted(HostFS(), str(tmp_path)), spawn=False).run("echo $OF_THE_HOST").stdout == b"1\n"


def test_passed_values_count() -> None:
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
