"""A sandbox: files from outside, and nothing else of the host by any spelling."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks import FileSystem, HostFS, MemoryFS, OverlayFS, Shell

on_posix = pytest.mark.not_on_windows("needs-symlink")

SECRET = "secret-4711"


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """Make a directory to mount, beside a secret, with links that lead out of it."""
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "file").write_text("inside\n", encoding="utf-8")
    (tmp_path / "secret").write_text(SECRET, encoding="utf-8")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "secret").write_text(SECRET, encoding="utf-8")
    if sys.platform != "win32":
        os.symlink(tmp_path / "secret", inside / "absolute")
        os.symlink("../secret", inside / "relative")
        os.symlink(tmp_path / "secrets", inside / "directory")
        os.symlink("../../../../../../../../../../", inside / "sub" / "up")
        os.symlink("/proc/self", inside / "self")
        os.symlink("/dev/fd", inside / "fds")
        os.symlink("relative", inside / "twice")
    return tmp_path


# Spellings of a file outside: %s is the directory above the one that is mounted.
SPELLINGS = [
    "/w/../secret", "/w/../../%s/secret", "%s/secret", "/w/absolute", "/w/relative", "/w/twice", "/w/directory/secret",
    "/w/sub/up%s/secret", "/w/sub/../../secret", "//w//..//secret", "/w/./.././secret", "/proc/self/root%s/secret",
    "/proc/self/cwd/secret", "/w/self/root%s/secret", "/w/self/environ", "/proc/1/environ", "/proc/self/environ",
    "/proc/self/fd/3", "/dev/fd/3", "/w/fds/3", "/etc/passwd", "/w/../etc/passwd", "/w/sub/up/etc/passwd",
]  # fmt: skip
READS = ["cat {0}", "cat < {0}", "head -c 100 {0}", "grep . {0}", ". {0}", "source {0}", "cp {0} /tmp/x; cat /tmp/x", "mapfile x < {0}; echo $x",
         "ln -s {0} /tmp/l; cat /tmp/l", "cd /w; cd $(dirname {0}) && cat $(basename {0})", "awk 1 {0}", "sed '' {0}", "jq -R . {0}",
         "diff {0} /dev/null", "ln -s {0} /w/l; cat /w/l", "ln {0} /tmp/h; cat /tmp/h", "cat $(dirname {0})/*", "find {0} -exec cat '{{}}' +"]  # fmt: skip


@pytest.mark.slow
@on_posix
@pytest.mark.parametrize("kind", ["overlay", "read_only", "read_write"])
def test_no_spelling_reads_a_file_outside(kind: str, host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", SECRET)
    with open(host / "secret", "rb"):  # a descriptor of the host's process
        shell = Shell.sandbox(**{kind: {"/w": host / "inside"}})  # type: ignore[arg-type]
        for spelling in SPELLINGS:
            path = spelling % host if "%s" in spelling else spelling
            for read in READS:
                shown = shell.run(f"rm -f /tmp/* /w/l; {read.format(path)}", timeout=30)
                found = (shown.stdout + shown.stderr).decode("utf-8", "replace")
                assert SECRET not in found and "root:" not in found, (read, path)
        assert shell.run("cat /w/file").text == "inside\n"


@on_posix
@pytest.mark.parametrize("spelling", SPELLINGS[:14])
def test_no_spelling_writes_a_file_outside(spelling: str, host: Path) -> None:
    path = spelling % host if "%s" in spelling else spelling
    shell = Shell.sandbox(read_write={"/w": host / "inside"})
    for write in ("echo x > {0}", "echo x >> {0}", "rm -f {0}", "mv {0} /tmp/", "chmod 777 {0}", "touch -d 2001-01-01 {0}", "truncate -s 0 {0}", "cp /w/file {0}", "tee {0} < /w/file", "sed -i s/s/x/ {0}", "ln -sf /tmp {0}"):  # fmt: skip
        shell.run(write.format(path), timeout=30)
        for secret in (host / "secret", host / "secrets" / "secret"):
            assert secret.read_text(encoding="utf-8") == SECRET, write
            assert secret.stat().st_mtime > 1_100_000_000 and secret.stat().st_mode & 0o777 != 0o777


def test_accesses_that_each_mount_allows(host: Path) -> None:
    places = {"/w": host / "inside"}
    for kind, seen, there in (("overlay", "new\n", False), ("read_only", "", False), ("read_write", "new\n", True)):
        shell = Shell.sandbox(**{kind: places})  # type: ignore[arg-type]
        assert shell.run("echo new > /w/new; cat /w/new").text == seen
        assert (host / "inside" / "new").exists() is there


def test_no_process_is_started() -> None:
    started: list[str] = []
    sys.addaudithook(
        lambda event, _: (
            started.append(event) if event in ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec") else None
        )
    )
    program = Path(sys.executable).as_posix()
    result = Shell.sandbox().run(
        f"{program} -c 1; python3 -c 1; /bin/ls; /opt/ls; exec ls; env sh -c 'echo in'", timeout=30
    )
    assert started == []
    assert result.stderr.count(b"No such file") == 2 and b"python3: command not found" in result.stderr


def test_options() -> None:
    shell = Shell.sandbox({"/x/y": "1", "/x/z": b"\xff", "/empty/": ""}, cwd="/x", env={"A": "1"})
    result = shell.run("pwd; ls; ls /; echo $A $HOME; cd; pwd; ls -A")
    assert result.text == "/x\ny\nz\ndev\nempty\nhome\ntmp\nx\n1 /home/user\n/home/user\n"
    assert Shell.sandbox(env={"HOME": "/x"}, files={"/x/y": ""}, cwd="/").run("cd; pwd").text == "/x\n"


WRONG: dict[str, tuple[Callable[[Path], object], type[Exception], str]] = {
    "no such directory": (lambda top: Shell.sandbox(overlay={"/w": top / "gone"}), FileNotFoundError, "gone"),
    "a file": (lambda top: Shell.sandbox(overlay={"/w": top / "f"}), NotADirectoryError, "f"),
    "the root": (lambda top: Shell.sandbox(overlay={"/": top}), ValueError, "an absolute path below /, got '/'"),
    "a relative point": (lambda top: Shell.sandbox(overlay={"w": top}), ValueError, "an absolute path below /, got 'w'"),
    "one point twice": (lambda top: Shell.sandbox(overlay={"/w": top}, read_only={"/w/": top}), ValueError, "duplicate mount point"),
    "no mapping": (lambda top: Shell.sandbox(overlay=str(top)), TypeError, "overlay must map mount points to directories"),
    "no working directory": (lambda top: Shell.sandbox(cwd="/gone"), OSError, "cwd: /gone: No such file"),
    "an environment of numbers": (lambda top: Shell.sandbox(env={"A": 1}), TypeError, 'the value of "A" must be a str'),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_options_name_the_right_ones(case: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"")
    make, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        make(tmp_path)


# --- files, read and written from outside ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["memory", "overlay", "host"])
def test_reading_and_writing(kind: str, tmp_path: Path) -> None:
    top = "/w" if kind == "memory" else tmp_path.as_posix()
    systems: dict[str, FileSystem] = {
        "memory": MemoryFS({f"{top}/": b""}),
        "overlay": OverlayFS(HostFS()),
        "host": HostFS(),
    }
    fs = systems[kind]
    fs.makedirs(f"{top}/a/b/c")
    fs.makedirs(f"{top}/a/b/")
    fs.write_text(f"{top}/a/b/t", "über\r\n")
    assert fs.read_bytes(f"{top}/a/b/t") == b"\xc3\xbcber\r\n" and fs.read_text(f"{top}/a/b/t") == "über\r\n"
    fs.write_bytes(f"{top}/a/b/t", b"\xff")
    assert fs.read_bytes(f"{top}/a/b/t") == b"\xff"
    assert fs.listdir(f"{top}/a/b") == ["c", "t"]
    with pytest.raises(UnicodeDecodeError):
        fs.read_text(f"{top}/a/b/t")
    for act in (fs.read_text, fs.listdir, fs.makedirs, fs.read_bytes, lambda path: fs.write_text(path, "")):
        with pytest.raises(ValueError, match="must be absolute, got 'a/b'"):
            act("a/b")
    with pytest.raises(FileNotFoundError):
        fs.read_text(f"{top}/gone")
    with pytest.raises(FileNotFoundError):
        fs.write_text(f"{top}/gone/t", "")
    with pytest.raises(FileExistsError):
        fs.makedirs(f"{top}/a/b/t")
    for act in (fs.read_bytes, lambda path: fs.write_bytes(path, b"")):
        with pytest.raises(OSError, match="directory|denied"):
            act(f"{top}/a")
    with pytest.raises(TypeError, match="write_bytes takes bytes"):
        fs.write_text(f"{top}/a/x", b"x")  # type: ignore[arg-type]
    assert (tmp_path / "a").exists() is (kind == "host")


@on_posix
def test_nothing_that_never_ends_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    shell = Shell.sandbox(read_write={"/w": tmp_path})
    for fs, path in (
        (shell.fs, "/dev/zero"),
        (shell.fs, "/w/fifo"),
        (HostFS(), f"{tmp_path}/fifo"),
        (HostFS(), "/dev/zero"),
    ):
        for act in (fs.read_bytes, lambda name, fs=fs: fs.write_bytes(name, b"x")):
            with pytest.raises(OSError, match="Not a regular file"):
                act(path)
