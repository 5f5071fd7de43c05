"""Nothing of the host's own process can be read or written by a script, however it is named (rule 6).

A quick part runs here. All of it: ``HOSTILE_PROC=whole python -m pytest tests/hostile/test_hostile_proc.py --timeout 0``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from clock import patient
from proc_table import SECRET

from pyshellhooks import Shell
from pyshellhooks.fs import HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted, proc
from pyshellhooks.fs.base import FileSystem
from pyshellhooks.fs.proc import SYSTEM
from tests import oracles

pytestmark = [
    pytest.mark.not_on_windows("needs-device"),
    pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="there is no /proc"),
]

PART = os.environ.get("HOSTILE_PROC", "quick")
GROUPS = [
    ("host", "spawnless", "readonly"),
    ("overlay", "overlay of readonly", "rooted", "mount"),
    ("mounted", "proc mounted", "memory", "session"),
    ("process",),
]
HOST = Path(__file__).with_name("proc_host.py")


def run_host(root: Path, command: list[str], kinds: tuple[str, ...], mounts: str = "") -> dict[str, Any]:
    """Run a host with its streams on files; they must be as they were."""
    streams = {name: root / name for name in ("stdin", "stdout", "stderr")}
    for path in streams.values():
        path.write_text("untouched\n")
    with (
        open(streams["stdin"], "rb+") as stdin,
        open(streams["stdout"], "ab") as out,
        open(streams["stderr"], "ab") as err,
    ):
        done = subprocess.run(
            [*command, str(root / "result"), PART, *kinds, SECRET],
            stdin=stdin,
            stdout=out,
            stderr=err,
            env={**os.environ, "SECRET_VARIABLE": SECRET, "PROC_MOUNTS": mounts},
            check=False,
        )
        assert os.lseek(stdin.fileno(), 0, os.SEEK_CUR) == 0
    assert done.returncode == 0, streams["stderr"].read_text()[-2000:]
    assert {path.read_text() for path in streams.values()} == {"untouched\n"}
    found: dict[str, Any] = json.loads((root / "result").read_text())
    return found


def assert_nothing_came_out(found: dict[str, Any], kinds: tuple[str, ...]) -> None:
    assert found["count"] > 3000 * len(kinds)
    assert found["given"] == []
    assert found["changed"] == []
    assert found["let"] == []


@pytest.mark.one_in(3, slow=3)
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kinds", GROUPS, ids=lambda kinds: kinds[0])
def test_no_name_leaks_anything(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    assert_nothing_came_out(run_host(tmp_path, [sys.executable, str(HOST)], kinds), kinds)


@pytest.mark.one_in(3, slow=3)
@pytest.mark.timeout(600)
def test_no_other_mount_leaks_anything(tmp_path: Path) -> None:
    probe = [oracles.native("unshare"), "-m", "sh", "-c", "mount -t proc proc /mnt"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    mounts = tmp_path / "mounts"
    for name in ("proc", "bound"):
        (mounts / name).mkdir(parents=True)
    script = f'mount -t proc proc {mounts}/proc && mount --bind /proc {mounts}/bound && exec "$@"'
    command = ["unshare", "-m", "sh", "-c", script, "sh", sys.executable, str(HOST)]
    kinds = ("another mount", "a bound directory")
    assert_nothing_came_out(run_host(tmp_path, command, kinds, str(mounts)), kinds)


# --- what there is to see ---------------------------------------------------------------------------------------------

WORDS = b"one\ntwo\n"
OWN = [
    "cat /dev/stdin", "cat /dev/fd/0", "cat /proc/self/fd/0", "cat /proc/thread-self/fd/0", "cat < /dev/fd/0", "cat //dev//stdin",
    "ln -s /dev/fd/0 l; cat l", "ln -s /proc/self/fd l; cat < l/0", "ln -s /dev l; cat l/stdin", "cd /dev; cat stdin",
    "cat /dev/./stdin", "ln -s /dev/stdin l; while read -r x; do echo $x; done < l", "exec 7<&0; cat /dev/fd/7",
    "exec 7<&0; ln -s /dev/fd/7 l; cat l <&-", "mapfile -t a < /dev/stdin; printf '%s\\n' \"${a[@]}\"",
    "ln -s /dev/fd/1 o; cat > o", "exec 3>&1; ln -s /dev/fd/3 o; tee o > /dev/null", "exec 3>&1; ln -s /dev/fd o; cat | tee o/3 > /dev/null",
    "cat /dev/fd/3 3<&0", "[[ -e /dev/fd/0 && ! -e /dev/fd/9 && -L /proc/self/fd/0 ]] && cat", "ls /dev/fd/ | grep -qx 0 && cat",
    "x=$(echo /dev/fd/*); [[ $x == '/dev/fd/0 /dev/fd/1 /dev/fd/2' ]] && cat", "[ -p /dev/fd/0 ] && cat", "bash -c 'cat /dev/stdin'",
    "cat <(cat)", "echo 'cat' | bash /dev/stdin; echo one; echo two",
    "test -d /dev/fd && test -d /proc/self/fd/. && cat", "xargs -a /dev/stdin -n1 echo", "find /dev/fd/0 -exec cat {} \\;",
]  # fmt: skip
KINDS: dict[str, Any] = {
    "host": lambda w: {"cwd": w},
    "spawnless": lambda w: {"cwd": w, "spawn": False},
    "overlay": lambda w: {"cwd": w, "fs": OverlayFS(HostFS())},
    "rooted": lambda w: {"cwd": w, "fs": Rooted(OverlayFS(HostFS()), "/")},
    "mount": lambda w: {"cwd": "/w", "fs": MountFS(OverlayFS(HostFS()), {"/w": MemoryFS()})},
    "memory": lambda w: {"cwd": "/tmp", "fs": MemoryFS()},
}


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("script", OWN)
def test_names_of_descriptors_lead_to_the_script_s_own(tmp_path: Path, kind: str, script: str) -> None:
    if kind in ("memory", "mount", "rooted") and "/proc/self/fd/." in script:
        pytest.skip("no /proc, or one that is laid out by texts")
    result = Shell(**KINDS[kind](tmp_path.as_posix())).run(script, stdin=WORDS, timeout=20)
    assert (result.stdout, result.stderr, result.status) == (WORDS, b"", 0)


BEHIND_NOTHING = (
    "realpath -m /nope/../proc/self/cwd", "readlink -m /nope/../proc/self/cwd/x", "realpath -m nope/../../../../../../../../proc/self/cwd",
    "ln -s nope/../../../../../../../../../proc/thread-self/cwd l; realpath -m l", "readlink -f nope/../../../../../../../../proc/self/cwd",
    "ln -s /proc l; realpath -m nope/../l/self/exe", "realpath -m /nope/../proc/$$/../self/cwd", "realpath -sm x --relative-to=/nope/../proc/self/cwd",
)  # fmt: skip


@pytest.mark.parametrize("spawn", [True, False])
@pytest.mark.parametrize("script", BEHIND_NOTHING)
def test_a_missing_entry_hides_no_link_of_the_host_s_own_process(script: str, spawn: bool, tmp_path: Path) -> None:
    """The rest of a name behind a missing part is resolved too, where a name is made canonical."""
    result = Shell(cwd=tmp_path.as_posix(), spawn=spawn).run(script, timeout=20)
    said = (result.stdout + result.stderr).decode()
    assert os.getcwd() not in said and os.path.realpath(sys.executable) not in said, said


# What a link leads to when it is looked at, and what it leads to when it is used: {fd} is an unlinked file of the host's.
SWAPS = {
    "own file for a listed one": ("/proc/version", "/proc/self/cmdline"), "own file for a plain one": ("plain", "/proc/self/cmdline"),
    "own directory": ("d", "/proc/self"), "a thread's directory": ("d", "/proc/thread-self"), "own descriptor": ("plain", "/proc/self/fd/{fd}"),
    "own descriptors": ("d", "/proc/self/fd"), "own pipe": ("plain", "/proc/self/fd/{pipe}"), "proc for a directory": ("d", "/proc"),
    "own for proc": ("/proc", "/proc/self"), "own directory of another mount": ("d", "/proc/1/root/proc/self"),
}  # fmt: skip
USES = [
    "cat l", "x=$(< l); echo \"$x\"", "cat l/cmdline", "cat l/comm l/{fd}", "cat l/self/cmdline", "ls -l l/", "ls -lR l/fd/ l/", "echo l/*", "readlink l/cwd l/exe",
    "readlink -f l/cwd", "realpath l/cwd l/exe", "(cd l/cwd && pwd -P)", "stat -L l", "stat l/{fd}", "grep -ra . l/", "find -L l", "cp l out && cat out", "cp -r l/ out2; cat out2/*",
    "ln l hard && cat hard", "mv l/cmdline moved; cat moved", "echo EVIL > l", "echo EVIL >> l", "echo EVIL <> l >&0", "tee l <<< EVIL", "touch l", "chmod 600 l", "echo EVIL > l/comm",
    "source l", "bash l", "jq -R . l", "sort -o l plain", "sed -i s/./X/ l/comm", "exec 7<> l; echo EVIL >&7",
]  # fmt: skip


@pytest.mark.parametrize("swap", SWAPS)
def test_a_link_that_is_swapped_after_the_check_leaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swap: str
) -> None:
    """A background job of the script can do that, at any moment: here it is done at each."""
    work = tmp_path / "w"
    (work / "d").mkdir(parents=True)
    for name in ("plain", "d/cmdline", "d/comm"):
        (work / name).write_text("plain\n")
    for name in ("cwd", "exe"):
        (work / "d" / name).symlink_to("comm")
    held = os.open(tmp_path / "gone", os.O_RDWR | os.O_CREAT)
    (tmp_path / "gone").unlink()
    os.write(held, SECRET.encode())
    reader, writer = os.pipe()
    os.write(writer, SECRET.encode())
    harmless, harmful = (target.format(fd=held, pipe=reader) for target in SWAPS[swap])
    monkeypatch.chdir(tmp_path)

    def lead(target: str) -> None:
        (work / "other").symlink_to(target)
        os.replace(work / "other", work / "l")

    def check(*args: Any) -> Any:
        lead(harmless)
        try:
            return original(*args)
        finally:
            lead(harmful)

    original = proc.check
    monkeypatch.setattr(proc, "check", check)
    secrets = [
        SECRET.encode(),
        Path("/proc/self/cmdline").read_bytes().split(b"\0")[0],
        os.path.realpath(sys.executable).encode(),
    ]
    own = [Path(f"/proc/self/{name}").read_bytes() for name in ("comm", "cmdline")]

    def state_of_it() -> tuple[int, ...]:
        facts = os.fstat(held)
        return facts.st_mode, facts.st_size, facts.st_mtime_ns, facts.st_nlink

    state = state_of_it()
    gave = []
    try:
        for use in USES:
            script = f"cd {work} || exit; {use.format(fd=held)}"
            run = Shell(spawn=False, env={"PATH": "/bin"}).run(script, timeout=patient(5), stdin=b"")
            output = run.stdout + run.stderr
            inside = any(line.endswith(b"/w") or line == b"/" for line in run.stdout.split(b"\n"))
            if (
                any(secret in output for secret in secrets)
                or (f"{tmp_path}".encode() in run.stdout and not inside)
                or b"kcore" in output
            ):
                gave.append(f"{use}: {output!r:.300}")
            if (now := state_of_it()) != state or os.pread(held, 100, 0) != SECRET.encode():
                gave.append(f"{use}: changed {now}")
                state = now
    finally:
        monkeypatch.undo()
        os.set_blocking(reader, False)
        waiting = os.read(reader, 100)
        for fd in (held, reader, writer):
            os.close(fd)
    assert gave == []
    assert waiting == SECRET.encode()
    assert own == [Path(f"/proc/self/{name}").read_bytes() for name in ("comm", "cmdline")]


def test_other_processes_are_as_the_system_allows() -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            until = time.monotonic() + patient(20)
            while Path(f"/proc/{other.pid}/comm").read_text() != "sleep\n" and time.monotonic() < until:
                time.sleep(0.01)  # Linux closes what closes on exec a moment before the program has its name
            script = (
                f"tr '\\0' ' ' < /proc/{other.pid}/cmdline; cat /proc/{other.pid}/comm; readlink /proc/{other.pid}/cwd"
            )
            result = Shell().run(script, timeout=20)
            assert result.stdout == f"sleep 60 sleep\n{os.getcwd()}\n".encode()
            spawnless = Shell(spawn=False).run(script, timeout=20)
            assert (spawnless.stdout, spawnless.status) == (b"", 1)
        finally:
            other.kill()


VIEWS: dict[str, FileSystem] = {
    "readonly": ReadOnly(HostFS()),
    "overlay": OverlayFS(HostFS()),
    "rooted": Rooted(HostFS(), "/"),
    "mount": MountFS(HostFS(), {"/mnt/m": MemoryFS()}),
}


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("view", [None, *VIEWS])
def test_without_processes_proc_has_the_entries_of_the_table(view: str | None) -> None:
    shell = Shell(spawn=False) if view is None else Shell(fs=VIEWS[view])
    result = shell.run("shopt -s globstar; cd /proc; for f in **; do [ -f $f ] && echo $f; done", timeout=60)
    shown = set(result.stdout.decode().split())
    assert shown == {
        name for name in map("/".join, SYSTEM) if os.path.isfile(f"/proc/{name}") and name != "self/mounts"
    }
    assert (
        shell.run("cat /proc/version /proc/mounts > /dev/null && : > /proc/sys/kernel/hostname", timeout=20).status == 1
    )
    assert b"EVIL" not in Path("/proc/sys/kernel/hostname").read_bytes()


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("view", [None, *VIEWS])
@pytest.mark.parametrize(
    "script",
    ["ls /proc", "ls /proc/", "cd /proc; ls", "cd /proc; echo *", "ls //proc", "ls /./proc/.", "cd /; ls proc", "cd /proc; find . -maxdepth 1"],
)  # fmt: skip
def test_without_processes_its_top_shows_no_process(view: str | None, script: str) -> None:
    shell = Shell(spawn=False) if view is None else Shell(fs=VIEWS[view])
    shown = {name.removeprefix("./") for name in shell.run(script, timeout=60).stdout.decode().split()}
    assert shown - {"."} == {path[0] for path in SYSTEM if os.path.exists(f"/proc/{path[0]}")}


CHANGES = (
    "chmod 711 {}", "chmod -R 711 {}", "touch -d @0 {}", "touch -h -d @0 {}", "mv {} moved", "rm -rf {}", "mkdir {}/new", "mkfifo {}/new", ": > {}/new", "ln -s a {}/new", "truncate {}",
    "ln {} new", ": >> {}", "cp plain {}", "sed -i s/a/b/ {}",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["spawnless", "rooted", "unbound"])
@pytest.mark.parametrize("place", ["/proc", "/proc/version", "/proc/sys", "/proc/sys/kernel", "l", "l/uptime"])
def test_nothing_in_proc_is_changed(tmp_path: Path, kind: str, place: str) -> None:
    """Root may set the mode of /proc itself: then nobody else on the machine can see a process."""
    (tmp_path / "l").symlink_to("/proc")
    (tmp_path / "plain").write_text("plain\n")
    seen = {name: os.stat(name) for name in ("/proc", "/proc/version", "/proc/sys", "/proc/sys/kernel", "/proc/uptime")}
    options = {"spawn": False} | ({"fs": Rooted(HostFS(), "/")} if kind == "rooted" else {})
    shell = (
        Shell(cwd=tmp_path.as_posix(), **options)
        if kind != "unbound"
        else Shell(cwd="/w", fs=MountFS(HostFS(), {"/w": MemoryFS({"/l": b""})}))
    )
    changed = []
    try:
        for change in CHANGES:
            shell.run(change.format(place), timeout=60, stdin=b"")
            changed += [(change, name) for name, was in seen.items() if os.stat(name).st_mode != was.st_mode]
    finally:
        for name, was in seen.items():
            if os.stat(name).st_mode != was.st_mode:
                os.chmod(name, was.st_mode & 0o7777)
    assert not changed


def test_the_host_s_terminal_is_not_the_script_s() -> None:
    program = (
        "import os, sys; from pyshellhooks import Shell; name = os.ttyname(0);"
        "scripts = ['echo EVIL > /dev/tty', f'echo EVIL > {name}', f'ln -sf {name} /tmp/l-tty.$$; echo EVIL > /tmp/l-tty.$$; rm /tmp/l-tty.$$',"
        "'read -t 1 x < /dev/tty && echo read $x', f'cat < {name}'];"
        "print([Shell().run(s, timeout=60).stderr.count(b'No such device') for s in scripts])"
    )
    master, slave = os.openpty()
    with subprocess.Popen(
        ["setsid", "-c", sys.executable, "-c", program], stdin=slave, stdout=slave, stderr=slave, close_fds=True
    ) as host:
        os.close(slave)
        said = b""
        try:
            while chunk := os.read(master, 4096):
                said += chunk
        except OSError:  # the terminal has nobody left
            pass
        host.wait()
    os.close(master)
    assert said.split() == b"[1, 1, 1, 1, 1]".split()
