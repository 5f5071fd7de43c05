"""``rm --one-file-system`` and ``cp -x`` stay where their operand is (GNU coreutils 9.1: rm, cp)."""

from __future__ import annotations

from typing import Any

from pyshellhooks import MemoryFS, Shell


class Found:
    """What a file is, seen on another device."""

    def __init__(self, found: Any) -> None:
        self._found = found
        self.st_dev = found.st_dev + 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found, name)


class TwoDevices(MemoryFS):
    """A tree where what lies below a directory called ``mounted`` is on another device."""

    def stat(self, path: str, *, follow: bool = True) -> Any:
        found = super().stat(path, follow=follow)
        return Found(found) if "mounted" in path.split("/") else found


def run(script: str) -> tuple[int, str, str]:
    """Run a script in a tree that spans two devices."""
    made = "mkdir -p /t/d/mounted/x; echo a > /t/d/a; echo b > /t/d/mounted/b; cd /t; "
    result = Shell(fs=TwoDevices(), spawn=False).run(made + script, timeout=60)
    return result.status, result.stdout.decode(), result.stderr.decode()


def test_rm_leaves_mounts() -> None:
    status, out, err = run("rm -rf --one-file-system d; echo $?; ls d d/mounted")
    assert err == "rm: skipping 'd/mounted', since it's on a different device\n"
    assert (status, out) == (0, "1\nd:\nmounted\n\nd/mounted:\nb\nx\n")


def test_rm_removes_an_operand_wherever_it_is() -> None:
    assert run("rm -r --one-file-system d/mounted; ls d") == (0, "a\n", "")


def test_rm_without_the_option_enters_mounts() -> None:
    assert run("rm -r d; ls") == (0, "", "")


def test_cp_makes_the_directory_only() -> None:
    assert run("cp -rx d e; ls e e/mounted") == (0, "e:\na\nmounted\n\ne/mounted:\n", "")
    assert run("cp -r d e; ls e/mounted") == (0, "b\nx\n", "")
