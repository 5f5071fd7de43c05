"""What no case shows of rg: where it reads from, that it stays in its file system, and its bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshellhooks import Limits, MemoryFS, Shell, Stopped
from pyshellhooks.fs.base import READ
from pyshellhooks.streams.base import Stream

FILES = {"/t/a": "foo a\n", "/t/d/b": "foo b\n"}


def run(script: str, stdin: bytes | None = None, fs: MemoryFS | None = None) -> tuple[int, str, str]:
    """Run a script in a small tree."""
    shell = Shell(fs=fs or MemoryFS(FILES), cwd="/t", spawn=False)
    result = shell.run(script, stdin=stdin, timeout=30) if stdin is not None else shell.run(script, timeout=30)
    return result.status, result.stdout.decode(), result.stderr.decode()


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("rg foo", "foo in the payload\n"),  # a hook's payload comes through a pipe
        ("rg foo -", "foo in the payload\n"),
        ("rg foo .", "./a:foo a\n./d/b:foo b\n"),
        ("rg foo < /dev/null", "a:foo a\nd/b:foo b\n"),
        ("rg foo <&-", "a:foo a\nd/b:foo b\n"),
        ("rg foo < a", "foo a\n"),
        ("cat a | rg foo", "foo a\n"),
        ("rg foo <<< 'foo here'", "foo here\n"),
        ("rg --files", "a\nd/b\n"),
    ],
)
def test_files_that_are_searched_without_an_operand(script: str, found: str) -> None:
    assert run(script, b"foo in the payload\n") == (0, found, "")


def test_nothing_of_the_host_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "ignore").write_text("*\n")
    (tmp_path / "config").write_text("--invert-match\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", tmp_path.as_posix())
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", (tmp_path / "config").as_posix())
    files = MemoryFS({**FILES, "/t/.git/HEAD": "ref: x\n"})
    assert run(f"XDG_CONFIG_HOME={tmp_path.as_posix()} rg foo . -l", fs=files) == (0, "./a\n./d/b\n", "")


def test_unreadable_files_are_reported() -> None:
    status, out, err = run("chmod 0 a d; rg foo .")
    assert (status, out) == (2, "")
    assert err == "rg: ./a: Permission denied\nrg: ./d: Permission denied\n"
    assert run("chmod 0 a; rg foo a d") == (2, "d/b:foo b\n", "rg: a: Permission denied\n")
    assert run("chmod 0 a; rg -q foo a d")[0] == 0
    assert run("chmod 0 a; rg --no-messages foo a d") == (2, "d/b:foo b\n", "")


class Broken(Stream):
    """A file whose disk fails."""

    def read(self, size: int = 65536, /) -> bytes:
        raise OSError(5, "Input/output error")


class BrokenDisk(MemoryFS):
    """A file system in which ``a`` and files of rules can't be read."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        return Broken() if flags == READ and path.endswith(("/a", "/.ignore")) else super().open(path, flags, mode)


def test_a_disk_that_fails() -> None:
    assert run("rg foo .", fs=BrokenDisk({**FILES, "/t/.ignore": "*\n"})) == (
        2,
        "./d/b:foo b\n",
        "rg: ./a: Input/output error\n",
    )


class Going(MemoryFS):
    """A tree from which ``d`` goes between being seen and being entered."""

    def stat(self, path: str, *, follow: bool = True):  # type: ignore[no-untyped-def]
        if path.endswith("/d") and follow:
            raise OSError(2, "No such file or directory", path)
        return super().stat(path, follow=follow)


def test_a_directory_that_vanishes_meanwhile() -> None:
    assert run("rg -L foo .", fs=Going(FILES)) == (2, "./a:foo a\n", "rg: ./d: No such file or directory\n")


@pytest.mark.parametrize("glob", ["{a,b}" * 11, "{" + "a," * 1100 + "}"])
def test_a_glob_of_too_many_alternatives(glob: str) -> None:
    status, _, err = run(f"rg -g '{glob}' foo .")
    assert status == 2
    assert "too many alternatives" in err


def test_a_file_that_is_searched_as_a_whole_is_bounded() -> None:
    shell = Shell(fs=MemoryFS(), spawn=False, limits=Limits(memory=1 << 20))
    result = shell.run("yes | head -c 100000 | rg -U 'y\\nz'", timeout=30)
    assert isinstance(result.ended, Stopped)
    assert result.ended.limit == "memory"


def test_a_line_of_many_replacements_is_bounded() -> None:
    shell = Shell(fs=MemoryFS(), spawn=False, limits=Limits(string=10_000))
    result = shell.run("printf '%05000d\\n' 0 | rg -r xxxx 0", timeout=30)
    assert isinstance(result.ended, Stopped)
    assert result.ended.limit == "string"


def test_a_pattern_cannot_run_away() -> None:
    script = "printf 'a%.0s' {1..5000} > f; rg '^(a+)+$' f -c; rg '(a|aa)+b' f; rg '(x+x+)+y' f"
    assert run(script) == (1, "1\n", "")
