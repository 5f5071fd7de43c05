"""Our find against GNU's on generated expressions over one prepared tree (findutils 4.9.0)."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from pyshellhooks import Shell
from tests import oracles

ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": "/"}
ROUNDS = int(os.environ.get("FIND_ROUNDS", "1"))  # more for a search by hand
DAY = 86400
NAMES = ["a", "b", "*", "?", "*.txt", "[a-c]*", "[!a]*", "*b*", ".*", "t", "n*", "x y", "\\a", "*]", "[x", "*\\", ""]
PATHS = ["t/*", "*b*", "t/a/*", "./t*", "*/x*", "t", "*/*/*", "t/[ab]/?"]
REGEXES = [
    "t/.*",
    ".*b",
    "t/[ab]/.*",
    ".*\\.txt",
    "t",
    "t/\\(a\\|b\\).*",
    ".*/[a-z]+",
    ".*/.?",
    ".*[0-9]\\{1\\}",
    "t/(a|b).*",
]
TYPES = ["f", "d", "l", "p", "f,d", "l,p", "d,l,f"]
NUMBERS = ["0", "1", "2", "3", "+0", "+1", "+2", "-1", "-2", "-3"]
SIZES = ["0", "1", "-1", "+1", "1c", "-6c", "+5c", "5c", "1k", "-2k", "+1k", "2k", "3w", "1M", "-1M", "1b", "8b", "+0G"]
MODES = [
    "644",
    "-644",
    "/111",
    "-u=x",
    "/u=s,g=s",
    "u=rw,go=r",
    "-a=r",
    "/o=w",
    "000",
    "-000",
    "755",
    "g=u",
    "a=rX",
    "-1000",
]
FILES = ["t/a/f", "t/old.txt", "t/link", "t"]
STYLES = ["emacs", "posix-extended", "posix-basic", "egrep", "findutils-default", "sed", "grep", "posix-awk"]


def prepare(root: Path) -> None:
    """Make the tree: kinds, modes, times, links, odd names."""
    for name in ("t/a/deep/er", "t/b", "t/.h", "t/empty", "t/N"):
        (root / name).mkdir(parents=True)
    sizes = {
        "a/f": 0,
        "a/b": 5,
        "a/deep/er/x.txt": 600,
        "b/old.c": 1024,
        "b/x y": 1025,
        ".h/n1": 5000,
        "old.txt": 1,
        "N/UP.TXT": 3,
    }
    for name, size in sizes.items():
        (root / "t" / name).write_bytes(b"x" * size)
    (root / os.fsdecode(b"t/b/\xff\xfe")).write_bytes(b"?")
    (root / "t/b/two\nlines").write_bytes(b"")
    for name, target in {"link": "a", "a/dangling": "nowhere", "b/tofile": "../old.txt", "a/deep/up": ".."}.items():
        (root / "t" / name).symlink_to(target)
    os.mkfifo(root / "t/pipe")
    os.link(root / "t/old.txt", root / "t/b/hard")
    for name, mode in {
        "a/f": 0o755,
        "a/b": 0o600,
        "b/old.c": 0o4755,
        "old.txt": 0o444,
        "b": 0o1777,
        "N/UP.TXT": 0o640,
    }.items():
        (root / "t" / name).chmod(mode)
    now = 1_700_000_000
    for number, (name, age) in enumerate(
        {"a/b": 1.5, "b/old.c": 10.2, "old.txt": 400.0, "b/x y": 0.3, "N/UP.TXT": 2.0}.items()
    ):
        moment = Path(root).stat().st_mtime - age * DAY - 100
        os.utime(root / "t" / name, (moment + number * 500, moment))
    os.utime(root / "t/a/f", (now, now))
    # So that directories and links have been read, and later readers do not change when.
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            path.readlink()


class Generator:
    """Makes expressions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, choices: list[str]) -> str:
        return self.random.choice(choices)

    def primary(self) -> list[str]:
        """Return one test or action."""
        pick = self.pick
        kind = self.random.randrange(26)
        if kind < 5:
            return [pick(["-name", "-iname"]), pick(NAMES)] if kind else ["-name", "[[:upper:]]*"]
        if kind < 7:
            return [pick(["-path", "-ipath", "-wholename"]), pick(PATHS)]
        if kind < 9:
            return ["-regextype", pick(STYLES), pick(["-regex", "-iregex"]), pick(REGEXES)]
        if kind < 12:
            return [pick(["-type", "-type", "-xtype"]), pick(TYPES)]
        if kind == 12:
            return ["-size", pick(SIZES)]
        if kind == 13:
            return [pick(["-links", "-uid", "-gid"]), pick(NUMBERS)]
        if kind == 14:
            return ["-perm", pick(MODES)]
        if kind < 17:
            return [pick(["-mtime", "-atime", "-ctime"]), pick([*NUMBERS, "+9", "-11", "10", "0.5", "+1.5"])]
        if kind == 17:
            return [pick(["-mmin", "-amin", "-cmin"]), pick(["+60", "-600", "+5000", "-1", "0"])]
        if kind == 18:
            word = pick(["-newer", "-anewer", "-cnewer", "-samefile", "-newermm", "-newerac", "-neweraa", "-newercm"])
            return [word, pick(FILES)]
        if kind == 19:
            return ["-newermt", pick(["2 days ago", "2023-11-14", "1 year ago", "@1700000000"])]
        if kind == 20:
            return [pick(["-empty", "-true", "-false", "-executable", "-readable", "-writable", "-nouser", "-nogroup"])]
        if kind == 21:
            return [pick(["-lname", "-ilname"]), pick(["*", "a", "no*", "..", "../*"])]
        if kind == 22:
            return ["-prune"]
        if kind == 23:
            return [pick(["-user", "-group"]), pick(["root", "0", "4242"])]
        if kind == 24:
            return [
                "-printf",
                pick(
                    ["%p %y %Y %l\\n", "%f|%h|%P|%H|%d\\n", "%m %M %n %s %k %U\\n", "%-9f|%4s|%#m\\n", "%TY-%Tm %T@\\n"]
                ),
            ]
        return self.action()

    def action(self) -> list[str]:
        choices = [
            ["-print"],
            ["-exec", "test", "-d", "{}", ";"],
            ["-exec", "echo", "<{}>", ";"],
            ["-execdir", "echo", "{}", ";"],
            ["-exec", "false", "{}", "+"],
            ["-exec", "nosuch", "{}", ";"],
        ]
        return self.random.choice(choices)

    def expression(self, depth: int) -> list[str]:
        """Return an expression; some are wrong on purpose."""
        chance = self.random.random()
        if depth <= 0 or chance < 0.35:
            return self.primary()
        if chance < 0.5:
            return [self.pick(["!", "-not"]), *self.expression(depth - 1)]
        if chance < 0.6:
            return ["(", *self.expression(depth - 1), ")"]
        if chance < 0.62:
            return self.pick(["( ) x", ") a", "-a", "-o", "!", "(", ",", "-bogus"]).split()
        operator = self.pick(["", "", "-a", "-and", "-o", "-o", "-or", ","])
        if (
            operator == ","
        ):  # GNU's optimiser swaps what is on its sides where neither acts, and gives the first one's value
            return [*self.expression(depth - 1), "-print", ",", *self.expression(depth - 1), "-print"]
        return [*self.expression(depth - 1), *([operator] if operator else []), *self.expression(depth - 1)]

    def command(self) -> list[str]:
        """Return the words of one call."""
        words = ["find"]
        if self.random.random() < 0.3:
            words.append(self.pick(["-L", "-H", "-P"]))
        words += self.random.choice(
            [["t"], ["t"], ["t"], ["t/"], ["./t"], ["t/link"], ["t/a", "t/b"], ["t", "nope"], []]
        )
        for option in (
            ["-maxdepth", self.pick(["0", "1", "2"])],
            ["-mindepth", self.pick(["1", "2"])],
            ["-depth"],
            ["-xdev"],
            ["-daystart"],
        ):
            if self.random.random() < 0.12:
                words += option
        return words + (self.expression(3) if self.random.random() < 0.95 else [])


def quoted(words: list[str]) -> str:
    """Write the words for a shell."""
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def answers(stdout: bytes, stderr: bytes, status: int) -> tuple[list[bytes], list[bytes], int]:
    """Put lines in an order: that of directory entries is nobody's promise."""
    return sorted(stdout.split(b"\n")), sorted(stderr.split(b"\n")), status


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(12 * ROUNDS))
def test_generated_expressions(seed: int, tmp_path: Path) -> None:
    oracles.need("find", "test", "echo", "false", path=ENV["PATH"])
    prepare(tmp_path)
    generator = Generator(seed)
    shell = Shell(cwd=str(tmp_path), env=ENV)
    for _ in range(40):
        words = generator.command()
        real = subprocess.run(
            [os.fsencode(word) for word in words],
            capture_output=True,
            cwd=tmp_path,
            env=ENV,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
        ours = shell.run(quoted(words), stdin=b"", timeout=60)
        expected = answers(real.stdout, real.stderr, real.returncode)
        assert answers(ours.stdout, ours.stderr, ours.status) == expected, quoted(words)
