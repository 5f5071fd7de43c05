"""Searching PATH on POSIX: XBD 8.3, XCU 2.9.1.4."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyshellhooks import host

pytestmark = pytest.mark.not_on_windows("drives")


@pytest.fixture
def tree(tmp_path: Path) -> str:
    for name, mode in (("a/plain", 0o644), ("a/both", 0o755), ("b/both", 0o755), ("b/plain", 0o755), ("tool", 0o755)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    (tmp_path / "a" / "folder").mkdir()
    (tmp_path / "a" / "link").symlink_to("both")
    (tmp_path / "a" / "dangling").symlink_to("nothing")
    return str(tmp_path)


@pytest.mark.parametrize(
    ("name", "path", "found"),
    [
        ("both", "@/a:@/b", "@/a/both"),
        ("both", "@/b:@/a", "@/b/both"),
        ("plain", "@/a:@/b", "@/b/plain"),
        ("plain", "@/a", None),
        ("folder", "@/a", None),
        ("link", "@/a", "@/a/link"),
        ("dangling", "@/a", None),
        ("both", "@/missing::a", "@/a/both"),
        ("tool", "", "@/tool"),
        ("tool", "@/a:", "@/tool"),
        ("tool", ":@/a", "@/tool"),
        ("tool", "@/a", None),
    ],
)
def test_which(tree: str, name: str, path: str, found: str | None) -> None:
    expected = None if found is None else found.replace("@", tree)
    assert host.current().which(name, path.replace("@", tree), tree) == expected


def test_find_executable(tree: str) -> None:
    find = host.current().find_executable
    assert find(f"{tree}/tool") == f"{tree}/tool"
    assert find(f"{tree}/a/plain") is None
    assert find(f"{tree}/a/folder") is None
    assert find(f"{tree}/to\0ol") is None


def test_facts() -> None:
    here = host.current()
    assert here is host.current()
    assert not here.windows
    assert here.getpid() == os.getpid() < here.pid_base
    assert here.getcwd() == os.getcwd()
    assert here.hostname() == os.uname().nodename
    with open("/proc/sys/kernel/pid_max") as file:
        assert int(file.read()) <= here.pid_base


def test_environment_keeps_any_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environb, b"ODD", b"\xff\xc3\xbc")
    assert host.current().environ()["ODD"] == "\udcffü"


def test_umask_is_read_and_not_set() -> None:
    mask = os.umask(0o027)
    try:
        assert host.current().umask() == 0o027
    finally:
        assert os.umask(mask) == 0o027
