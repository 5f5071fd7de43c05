"""No root is removed: ``/``, a mount point, on Windows a drive or a share.

POSIX XCU rm: an operand that resolves to the root directory gets a diagnostic, and nothing more. The messages and the
status are those of GNU coreutils 9.1 (rm and chmod with --preserve-root; mv passes on rename(2)'s EBUSY). GNU's chmod
needs the option and GNU's find has no such failsafe: there we are stricter.

No case names a root of the disk: all of them run in memory, or in a part of a temporary directory.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks import FileSystem, HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted, Shell
from pyshellhooks.fs.base import Root
from pyshellhooks.fs.session import SessionFS


def tree() -> MemoryFS:
    """Return files with a link to the root, by its name and by a way up."""
    fs = MemoryFS({"/w/f": b"f", "/w/d/g": b"g"})
    fs.symlink("/", "/w/top")
    fs.symlink("../..", "/w/d/up")
    return fs


def part() -> FileSystem:
    """Return a part of other files, whose root is no root there."""
    outer = MemoryFS({"/p/w/f": b"f", "/p/w/d/g": b"g"})
    outer.symlink("/", "/p/w/top")
    outer.symlink("../..", "/p/w/d/up")
    return Rooted(outer, "/p")


def mounted() -> FileSystem:
    """Return files with others mounted in them."""
    return MountFS(tree(), {"/m": MemoryFS({"/f": b"f", "/d/g": b"g"}), "/r": Rooted(MemoryFS({"/p/f": b"f"}), "/p")})


KINDS: dict[str, Callable[[], FileSystem]] = {
    "memory": tree,
    "overlay": lambda: OverlayFS(tree()),
    "read only": lambda: ReadOnly(tree()),
    "rooted": part,
    "mount": mounted,
    "rooted mount": lambda: MountFS(part(), {"/m": MemoryFS({"/f": b"f"})}),
}


def everything(fs: FileSystem) -> list[str]:
    """Name all files."""
    result = Shell(fs=fs, cwd="/", spawn=False).run("find / -path /dev -prune -o -print", timeout=60)
    return result.stdout.decode().splitlines()


def run(fs: FileSystem, script: str) -> tuple[int, str, str]:
    result = Shell(fs=fs, cwd="/w", spawn=False).run(script, timeout=60)
    return result.status, result.stdout.decode(), result.stderr.decode()


def dangerous(name: str, command: str, same: str = "/") -> str:
    """Return GNU's two lines."""
    same_as = "" if name == same else f" (same as '{same}')"
    return (
        f"{command}: it is dangerous to operate recursively on '{name}'{same_as}\n"
        f"{command}: use --no-preserve-root to override this failsafe\n"
    )


SPELLINGS = ("/", "//", "top/", "top//", "d/up/", "/w/d/up/", "/w/../w/top/")


@pytest.mark.parametrize(
    "command", ["rm -r", "rm -rf", "rm -rfv", "rm -Rd", "chmod -R 700", "chmod -R --preserve-root 700"]
)
@pytest.mark.parametrize("kind", KINDS)
def test_the_root_stays_however_it_is_spelled(kind: str, command: str) -> None:
    fs = KINDS[kind]()
    before = everything(fs)
    expected = {name: (1, "", dangerous(name, command.split()[0])) for name in SPELLINGS}
    assert {name: run(fs, f"{command} {name}") for name in SPELLINGS} == expected
    assert everything(fs) == before


@pytest.mark.parametrize("kind", KINDS)
def test_from_the_root_itself(kind: str) -> None:
    fs = KINDS[kind]()
    before = everything(fs)
    refused = "rm: refusing to remove '.' or '..' directory: skipping '{}'\n"
    assert run(fs, "cd /; rm -rf .") == (1, "", refused.format("."))
    assert run(fs, "cd /; rm -rf ..") == (1, "", refused.format(".."))
    assert run(fs, "rm -rf ../") == (1, "", refused.format("../"))
    assert run(fs, "rm -rf /./") == (1, "", refused.format("/./"))
    assert run(fs, "cd /; chmod -R 700 .") == (1, "", dangerous(".", "chmod"))
    for name in ("..", "/./", "/w/d/../..", "top"):
        assert run(fs, f"chmod -R 700 {name}") == (1, "", dangerous(name, "chmod"))
    assert everything(fs) == before


@pytest.mark.parametrize(
    ("name", "point"), [("/m", "/m"), ("/m/", "/m"), ("/w/..//m", "/m"), ("to-m/", "/m"), ("/r", "/r"), ("/r/", "/r")]
)
def test_a_mount_point_stays(name: str, point: str) -> None:
    fs = mounted()
    fs.symlink("../m", "/w/to-m")
    before = everything(fs)
    assert run(fs, f"rm -rf {name}") == (1, "", dangerous(name, "rm", point))
    assert run(fs, f"mv {name} x")[0] == 1
    assert everything(fs) == before


@pytest.mark.parametrize("script", ["rm -rf /a", "rm -rf /a/b", "find /a -delete", "find /a/b -mindepth 1 -delete"])
def test_a_mount_point_below_the_operand_stays(script: str) -> None:
    fs = MountFS(MemoryFS({"/w/": b"", "/a/b/x": b"x"}), {"/a/b/m": MemoryFS({"/f": b"f", "/d/g": b"g"})})
    status, out, err = run(fs, script)
    command = script.split()[0]
    assert (status, out) == (1, "")
    assert f"{command}: it is dangerous to operate recursively on '/a/b/m'\n" in err
    assert run(fs, "cd /a/b; ls . m m/d") == (0, ".:\nm\n\nm:\nd\ndev\nf\ntmp\n\nm/d:\ng\n", "")


def test_the_modes_below_a_mount_point_can_be_changed() -> None:
    assert run(mounted(), "chmod -R 700 /m; stat -c %a /m/d") == (0, "700\n", "")


def test_a_script_may_override_it() -> None:
    fs = mounted()
    status, out, err = run(fs, "rm -r --no-preserve-root /m; ls /m")
    assert (status, out, err) == (0, "", "rm: cannot remove '/m': Device or resource busy\n")
    assert run(tree(), "chmod -R --no-preserve-root 700 /; stat -c %a /w/d") == (0, "700\n", "")
    assert run(tree(), "rm -r --no-preserve-root --preserve-root /")[2] == dangerous("/", "rm")


@pytest.mark.parametrize("volume", ["C:/", "//server/share"])
def test_nothing_overrides_it_for_a_drive_or_a_share(volume: str) -> None:
    class Volume(MemoryFS):
        """Files whose root is a volume's, as Windows has them."""

        def root_at(self, path: str) -> Root | None:
            found = super().root_at(path)
            return None if found is None else Root(volume, "volume")

    fs = Volume({"/w/f": b"f"})
    before = everything(fs)
    for command in ("rm -rf", "rm -rf --no-preserve-root", "chmod -R 700", "chmod -R --no-preserve-root 700"):
        name = command.split()[0]
        assert run(fs, f"{command} /; {command} //") == (
            1,
            "",
            f"{name}: it is dangerous to operate recursively on '/'\n"
            f"{name}: no option overrides this failsafe for a drive or a share\n"
            f"{name}: it is dangerous to operate recursively on '//' (same as '{volume}')\n"
            f"{name}: no option overrides this failsafe for a drive or a share\n",
        )
    assert everything(fs) == before


@pytest.mark.parametrize("source", ["/", "//", "/..", "/.", "..", "d/up/.."])
@pytest.mark.parametrize("kind", KINDS)
def test_mv_leaves_the_root(kind: str, source: str) -> None:
    fs = KINDS[kind]()
    before = everything(fs)
    busy = "mv: cannot move '{}' to '{}': Device or resource busy\n"
    goal = "/m/x" if "mount" in kind else "/w/x"  # there a rename is impossible, and all would be copied and removed
    assert run(fs, f"mv {source} {goal}") == (1, "", busy.format(source, goal))
    assert everything(fs) == before


@pytest.mark.parametrize("name", ["/", "/workspace", "//workspace/"])
def test_both_names_of_a_conversation_s_workspace(name: str) -> None:
    fs = SessionFS({"/workspace": MemoryFS({"/d/f": b"f", "/w/": b""})})
    assert run(fs, f"cd /; rm -rf {name}") == (1, "", dangerous(name, "rm"))
    assert run(fs, f"cd /; mv {name} /tmp/x")[0] == 1
    assert fs.exists("/d/f") and not fs.exists("/tmp/x")
    assert run(fs, f"chmod -R 700 {name}") == (0, "", "")  # everruns 8: it changes nothing there


@pytest.mark.parametrize("name", ["/", "//", "/x/.."])
@pytest.mark.parametrize("kind", ["memory", "overlay", "rooted", "mount"])
def test_rmdir_and_renames_leave_the_root(kind: str, name: str) -> None:
    """rmdir(2) and rename(2) of a root fail; a part of other files has a root too, and it may be empty."""
    memory = MemoryFS({"/p/x/": b""})
    fs = {
        "memory": memory,
        "overlay": OverlayFS(memory),
        "rooted": Rooted(memory, "/p"),
        "mount": MountFS(Rooted(memory, "/p"), {"/m": MemoryFS()}),
    }[kind]
    shell = Shell(fs=fs, cwd="/", spawn=False)
    assert shell.run(f"rmdir {name}", timeout=60).status == 1
    assert shell.run(f"mkdir -p x y; mv -T y {name}", timeout=60).status == 1
    assert shell.run("ls -d /x /y", timeout=60).stdout == b"/x\n/y\n"
    assert memory.exists("/p/x")


DELETES_ALL = (
    "find / -delete",
    "find // -delete",
    "find /w/top/ -delete",
    "find -H top -delete",
    "find -L top -delete",
    "find .. -delete",
    "find / -depth -print -delete",
    "find / -xdev -delete",
    "find / ! -name f -delete",
    "find / -name f -o -delete",
    "find / -name f , -delete",
    "find / -type d -delete",
    "find / \\( -name x -o -type d \\) -delete",
    "find / -exec true ';' -delete",
    "find / -exec false ';' -o -delete",
    "find / -exec true ';' ! -exec false ';' -delete",
    "find / -name x -quit -o -delete",
    "find / -maxdepth 0 -delete",
    "cd /; find -delete",
    "cd /; find . -delete",
)


@pytest.mark.parametrize("kind", KINDS)
def test_find_deletes_no_root(kind: str) -> None:
    fs = KINDS[kind]()
    before = everything(fs)
    for script in DELETES_ALL:
        status, out, err = run(fs, script)
        assert status == 1 and not out and "it is dangerous to operate recursively on" in err, script
        assert everything(fs) == before, script


@pytest.mark.parametrize(
    ("script", "left"),
    [
        ("find / -name g -delete", "/w/d"),
        ("find / -path '/w/d*' -delete", "/w"),
        ("cd /; find . -path './w/d*' -delete", "/w"),
        ("find / -mindepth 3 -path '/w/*' -delete", "/w/d"),
        ("find / -false -delete", "/w/d/g"),
        ("find / -quit -delete", "/w/d/g"),
        ("find / -print -o -delete", "/w/d/g"),
        ("find top -delete", "/w/d/g"),
    ],
)
def test_find_deletes_chosen_files_below_a_root(script: str, left: str) -> None:
    fs = tree()
    status, _, err = run(fs, script)
    assert (status, err) == (0, "")
    assert fs.exists(left)
    assert left == "/w/d/g" or not fs.exists("/w/d/g")


def test_a_test_that_cannot_look_is_reported_as_ever() -> None:
    fs = MemoryFS({"/w/d/": b""})
    denied = "find: 'd': Permission denied\n"
    assert run(fs, "chmod 0 d; find d -empty -delete") == (1, "", denied + denied)


def test_find_empties_a_mount_point() -> None:
    assert run(mounted(), "cd /m; find . -delete; ls -d /m /m/*")[:2] == (2, "/m\n")
    assert run(mounted(), "find /m -mindepth 1 -delete; ls /m") == (0, "", "")
    status, out, err = run(mounted(), "find /m -delete")
    assert (status, out, err.splitlines()[0]) == (1, "", "find: it is dangerous to operate recursively on '/m'")


@pytest.mark.parametrize("script", ["rm -rf /", "rm -rf //", "chmod -R 700 /", "find / -delete", "mv / x", "rmdir /"])
def test_a_part_of_the_disk(tmp_path: Path, script: str) -> None:
    (tmp_path / "part" / "w").mkdir(parents=True)
    fs = Rooted(HostFS(), str(tmp_path / "part"))
    assert run(fs, script)[0] == 1
    assert everything(fs) == ["/", "/w"]
    shutil.rmtree(tmp_path / "part" / "w")
    assert Shell(fs=fs, cwd="/", spawn=False).run(script, timeout=60).status == 1
    assert (tmp_path / "part").is_dir()


def test_directories_that_are_no_root_are_removed() -> None:
    assert run(tree(), "rm -r top d; ls") == (0, "f\n", "")
    assert run(tree(), "rm -rf /w/d/; chmod -R 700 /w; mv /w /x; ls /x") == (0, "f\ntop\n", "")
