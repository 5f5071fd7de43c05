"""diff where a file system is virtual, and where its words ask for more than the bounds."""

from __future__ import annotations

import pytest

from pyshellhooks import MemoryFS, Shell, Stopped
from pyshellhooks.fs import MountFS


def run(script: str, timeout: float = 20, **files: bytes) -> tuple[int, str, str]:
    """Run a script on files of a virtual file system."""
    result = Shell(fs=MemoryFS({f"/{name}": data for name, data in files.items()}), spawn=False, cwd="/").run(
        script, timeout=timeout
    )
    return result.status, result.stdout.decode(), result.stderr.decode()


def test_files_of_two_file_systems_are_two_files() -> None:
    """Their inodes have the same numbers; what a guard compares is what is in them."""
    fs = MountFS(MemoryFS(), {"/a": MemoryFS({"/x": b"1\n"}), "/b": MemoryFS({"/x": b"2\n"})})
    for options in ("", "-r", "-q", "-s"):
        result = Shell(fs=fs, spawn=False).run(f"diff {options} /a/x /b/x; echo $?; diff {options} /a /b; echo $?")
        assert result.stdout.split(b"\n").count(b"1") == 2, options


def test_process_substitutions_are_read() -> None:
    assert run("diff -t -y -W 9 <(echo a) <(echo b); diff <(echo a) <(echo a)")[:2] == (0, "a   | b\n")
    assert run("diff /dev/fd/3 /dev/fd/4 3<<< a 4<<< b")[:2] == (1, "1c1\n< a\n---\n> b\n")


def test_pages_need_pr() -> None:
    assert run("diff -l a b", a=b"1\n", b=b"2\n") == (2, "", "diff: subsidiary program 'pr' not found\n")
    assert run(
        "mkdir bin; printf 'cat; exit 3' > /bin/pr; chmod +x /bin/pr; PATH=/bin diff -l a b", a=b"1\n", b=b"2\n"
    ) == (
        2,
        "1c1\n< 1\n---\n> 2\n",
        "diff: subsidiary program 'pr' failed (exit status 3)\n",
    )
    assert run("diff -lq a b", a=b"1\n", b=b"2\n") == (1, "Files a and b differ\n", "")
    assert run("diff -ls a b", a=b"1\n", b=b"1\n") == (0, "Files a and b are identical\n", "")


@pytest.mark.parametrize(
    "options",
    ["-y -W 999999999999", "-y -t -W 99999999", "-t --tabsize=999999999999", "-E --tabsize=999999999999", "--line-format=%999999999999dn",
     "--line-format=%.999999999999dn", "--old-group-format=%99999999999999999999999999999999999dn"],
)  # fmt: skip
def test_a_number_cannot_make_a_line_larger_than_the_bounds(options: str) -> None:
    fs = MemoryFS({"/a": b"1\n\tx\n", "/b": b"\ty\n"})
    result = Shell(fs=fs, spawn=False, cwd="/").run(f"diff {options} a b || true", timeout=20)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "limit"


def test_conditions_in_each_other_need_no_stack() -> None:
    """Not closed, as GNU takes it; then closed, each in the other's second part."""
    deep = 3000
    assert run(f"diff --line-format= --changed-group-format='{'%(n=n?' * deep}x' a b", a=b"1\n", b=b"2\n")[:2] == (
        1,
        "x",
    )
    shut = "%(n=N?a%(n=0?b:" * deep + "c" + "))" * deep
    assert run(f"diff --changed-group-format='{shut}' a b", a=b"1\n", b=b"2\n")[1].startswith("aaa")


@pytest.mark.one_in(7)
@pytest.mark.parametrize(
    "options", ["-y", "--line-format=%l", "-f", "-e -d", "-y --suppress-common-lines -W 7", "-t -u", "-D x"]
)
def test_the_deadline_counts(options: str) -> None:
    left = b"".join(b"\t%d\r%d\n" % (number * 7 % 1013, number) for number in range(400_000))
    fs = MemoryFS({"/a": left, "/b": left.replace(b"3", b"4")})
    result = Shell(fs=fs, cwd="/", spawn=False).run(f"diff {options} a b > /dev/null || true", timeout=0.2)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "deadline"


def test_a_directory_in_itself_is_reported() -> None:
    script = "mkdir -p w/p w/q; cd w; ln -s . p/l; ln -s . q/l; echo 1 > p/f; echo 2 > q/f; diff -rq p q"
    assert run(script) == (2, "Files p/f and q/f differ\n", "diff: p/l: recursive directory loop\n")
