"""Our rg against ripgrep 13 on generated calls over prepared trees: patterns x options x operands."""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from pyshellhooks import Shell
from tests import oracles

PATH = "/usr/bin:/bin"
ROUNDS = int(os.environ.get("RG_ROUNDS", "1"))  # more for a search by hand
FILES: dict[str, bytes] = {
    "a.txt": b"foo bar\nbaz Foo\n\nqux foo-bar foo_bar\n  indented foo\nlast",
    "b.rs": b'fn main() {\n    println!("foo: {}", FOO);\n\treturn x+y;\n}\n',
    "sub/c.py": b"def foo():\n    return 'bar'\n\n\nclass Foo:\n    pass\n# foo foo foo\n",
    "sub/deep/d.md": "# Überschrift\nnaïve café foo\nΣ σ ς ẞ ß\nk K \u212a\n日本語 foo\n".encode(),
    "sub/.hidden": b"hidden foo\n",
    ".dot/e": b"foo in a dot directory\n",
    "crlf.txt": b"foo\r\nbar foo\r\nbaz\r\n",
    "empty": b"",
    "long": b"foo " + b"x" * 300 + b" foo\nshort foo\n",
    "binary.bin": b"foo\nb\0ar foo\nmore foo\n",
    "utf16.txt": "foo bar\nzwei foo\n".encode("utf-16"),
    "bom.txt": b"\xef\xbb\xbffoo at start\nfoo\n",
    "latin1": b"caf\xe9 foo\n\xff\xfe x foo\n",
    "nul": b"rec foo\0second\nfoo\0third\0",
    "ign/keep.log": b"foo keep\n",
    "ign/x.log": b"foo x\n",
    "ign/build/out": b"foo out\n",
    "ign/src/out": b"foo src out\n",
    "ign/.gitignore": b"# rules\n*.log\n!keep.log\n/build/\n\\#odd\n",
    "ign/#odd": b"foo odd\n",
    "ign/.git/HEAD": b"ref: x\n",
    "ign/.git/info/exclude": b"src/ou?\n",
    "ig2/.ignore": b"*.tmp\n[ab]*\n!b2\n**/skip/**\nq/*/r\n",
    "ig2/.rgignore": b"!a.tmp\n",
    "ig2/a.tmp": b"foo a\n",
    "ig2/b.tmp": b"foo b\n",
    "ig2/b2": b"foo b2\n",
    "ig2/c": b"foo c\n",
    "ig2/skip/f": b"foo f\n",
    "ig2/q/p/r": b"foo r\n",
    "ig2/q/r": b"foo qr\n",
}
PATTERNS = [
    "foo", "Foo", "FOO", "bar|baz", "^foo", "foo$", r"\bfoo\b", r"\w+", "o+", "o*", "", "^$", "^", "$", "x{3}", "[a-f]+", "[^a-z]", r"(f)(o)(o)",
    r"(?P<n>b)a(r|z)", r"\s", r"\S+", r"\d", "café", "σ", "k", r"[\p{Lu}]", r"\p{Greek}", ".", ".*", "fo{1,2}?", "(?i)foo", "foo.bar", r"foo\.bar",
    "[[:upper:]]+", r"[\w&&[^o]]+", "a.{0,3}?o", "foo|", "(foo|foo bar)", "zzz", "日本", r"\x66oo", "-", r"foo\r", "f.o", "(?-u:\\w)+", r"o\b", "(?s)a.*z",
    r"(?m)^\s+", "[",
]  # fmt: skip
MULTILINE = [
    r"foo\n",
    r"o\s+",
    r"\n\n",
    r"bar\nbaz",
    r"foo(.|\n)*?bar",
    "(?s)foo.*bar",
    r"\s+$",
    r"o\n.",
    "[^x]+",
    r"\n",
    "foo",
    "a|\n",
]
OPTIONS = [
    ["-i"], ["-S"], ["-s"], ["-w"], ["-x"], ["-F"], ["-v"], ["-c"], ["--count-matches"], ["-l"], ["--files-without-match"], ["-n"], ["-N"], ["-H"], ["-I"], ["-o"],
    ["-q"], ["-m1"], ["-m", "2"], ["-A1"], ["-B1"], ["-C1"], ["-C", "2"], ["-A2", "-B1"], ["-r", "X"], ["-r", "<$0>"], ["-r", "$1-$n-${n}$$"], ["-a"], ["--binary"],
    ["--heading"], ["--no-heading"], ["--column"], ["--vimgrep"], ["-p"], ["--color=always"], ["--color", "ansi"], ["--colors=match:fg:blue"], ["--colors", "path:none"],
    ["--json"], ["--stats"], ["--trim"], ["--passthru"], ["--context-separator", "=="], ["--no-context-separator"], ["--field-match-separator", "\\t"],
    ["--field-context-separator", "|"], ["--crlf"], ["-0"], ["-b"], ["-M20"], ["-M", "8", "--max-columns-preview"], ["--include-zero"], ["-E", "utf-16le"], ["-E", "latin1"],
    ["-E", "none"], ["--no-unicode"], ["--null-data"], ["--path-separator", "+"], ["--no-filename", "-n"], ["-u"], ["--no-mmap"], ["-e", "qux"], ["--engine=auto"],
    ["--sortr", "path"],
]  # fmt: skip
WALKS = [
    ["--hidden"], ["-."], ["-u"], ["-uu"], ["-uuu"], ["--no-ignore"], ["--no-ignore-dot"], ["--no-ignore-vcs"], ["--no-ignore-exclude"], ["--no-ignore-parent"],
    ["--no-require-git"], ["-g", "*.txt"], ["-g", "!*.txt"], ["-g", "sub/**"], ["-g", "!sub"], ["-g", "*.{py,rs}"], ["-g", "/a*"], ["-g", "[!a-c]*"], ["--iglob", "*.TXT"],
    ["-g", "*.TXT", "--glob-case-insensitive"], ["-t", "py"], ["-trust"], ["-T", "py"], ["-tall"], ["--type-add", "foo:*.log", "-tfoo"], ["--type-add=z:include:py,md", "-tz"],
    ["--type-clear", "py", "--type-add", "py:*.md", "-tpy"], ["--max-depth", "1"], ["--max-depth=2"], ["--max-filesize", "20"], ["-L"],
    ["--sortr", "path"], ["--ignore-file", "rules"], ["--no-ignore-files", "--ignore-file", "rules"], ["-0"], ["-g", "**/d*"], ["-g", "**"],
    ["-g", "ig*/**", "-g", "!**/src"], ["-g", "**/build/", "-uu"], ["--ignore-file-case-insensitive", "--ignore-file", "rules"], ["-g", "{a,b}*"], ["-g", "*/?"],
]  # fmt: skip
OPERANDS = [
    [], [], ["."], ["./"], ["a.txt"], ["a.txt", "sub"], ["sub/", "b.rs"], ["sub/deep"], ["binary.bin"], ["crlf.txt", "long"], ["utf16.txt"], ["latin1", "bom.txt"], ["ign"],
    ["ig2", "ign/x.log"], ["nul"], ["missing", "a.txt"], ["empty"], ["./sub/c.py"], ["link", "dirlink"],
]  # fmt: skip


def prepare(root: Path) -> None:
    """Make the tree."""
    for name, data in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (root / "rules").write_bytes(b"*.MD\nsub/c*\n!sub/c.py\n")
    (root / "link").symlink_to("a.txt")
    (root / "dirlink").symlink_to("sub")
    (root / "ig2/up").symlink_to("../sub/deep")


ONCE = ("-r", "--sortr", "--max-filesize", "--max-depth", "--max-depth=2")
SUMMARIES = {"-c", "--count-matches", "-q", "-l", "--files-without-match"}


def is_wrong_there(option: list[str], others: list[str], pattern: str) -> bool:
    """Say whether ripgrep 13 has a mistake there, or takes an option only once.

    By the CHANGELOG of ripgrep 14, -w gives wrong offsets (#2574), and options can't be repeated (#1701). With -U, -r writes lines
    behind the match, and -v -c counts matches in the lines without one. No line's end is known beside a NUL, or a carriage return.
    """
    if option[0] in ONCE and any(one in others for one in ONCE):
        return True
    every = {*option, *others}
    if "-w" in every and ("-U" in every or any(char in pattern for char in "+*.{")):
        return True
    if every & {"--null-data", "--crlf"} and ("^" in pattern or "$" in pattern or "-x" in every):
        return True
    return "-U" in every and ("-r" in every or ("-v" in every and bool(every & SUMMARIES)))


class Calls:
    """Makes calls."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def next(self) -> list[str]:
        """Return the words of one."""
        pick = self.random.choice
        if self.random.random() < 0.25:
            options = []
            for option in self.random.sample(WALKS, self.random.randint(1, 3)):
                options += [] if is_wrong_there(option, options, "") else option
            return [*options, *(["--files"] if self.random.random() < 0.5 else ["foo"]), *pick(OPERANDS)]
        pattern, options = pick(PATTERNS), []
        if self.random.random() < 0.2:
            pattern, options = pick(MULTILINE), ["-U"]
        for option in [pick(OPTIONS) for _ in range(self.random.choice((0, 1, 1, 2, 2, 3)))]:
            if not is_wrong_there(option, options, pattern):
                options += option
        return (
            [*options, "-e", pattern, *pick(OPERANDS)]
            if self.random.random() < 0.5
            else [*options, "--", pattern, *pick(OPERANDS)]
        )


def quoted(words: list[str]) -> str:
    """Write the words for a shell."""
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


_TIMES = re.compile(rb'"(elapsed|elapsed_total)":\{[^}]*\}|^[0-9.]+ seconds.*$', re.M)
_PRINTED = re.compile(rb'"bytes_printed":\d+|^\d+ bytes (printed|searched)$|"bytes_searched":\d+', re.M)


def comparable(output: bytes) -> bytes:
    """Take out what differs from run to run, and the sizes that follow from it."""
    return _PRINTED.sub(b"", _TIMES.sub(b"", output))


def real(words: list[str], root: Path, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Ask ripgrep, whose order is that of paths only if it is asked for."""
    sorted_ = [] if any(word.startswith("--sort") for word in words) else ["--sort", "path"]
    return subprocess.run(
        ["rg", *sorted_, *words],
        capture_output=True,
        cwd=root,
        env=env,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    oracles.need("rg", path=PATH)
    made = tmp_path_factory.mktemp("rg")
    prepare(made)
    return made


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(12 * ROUNDS))
def test_generated_calls(seed: int, root: Path) -> None:
    env = {"PATH": PATH, "LC_ALL": "C.UTF-8", "HOME": str(root / "nowhere"), "TERM": "xterm"}
    calls = Calls(seed)
    shell = Shell(cwd=str(root), env=env)
    for _ in range(40):
        words = calls.next()
        expected = real(words, root, env)
        ours = shell.run("rg " + quoted(words) + " < /dev/null", timeout=60)
        assert (ours.status, comparable(ours.stdout)) == (expected.returncode, comparable(expected.stdout)), quoted(
            words
        )
        assert bool(ours.stderr) == bool(expected.stderr), (quoted(words), ours.stderr, expected.stderr)


NAMES = ["a", "b.c", "ab", "d/a", "d/b.c", "d/e/a", "d/e/f/ab", "x/d/a", "x/y/b.c", "x/.h/a", ".h/b.c", "d/[z]", "x/#q", "x/!n", "d/a b", "x/y/é.c", ".git/HEAD"]  # fmt: skip
RULES = [".gitignore", ".ignore", ".rgignore", "d/.gitignore", "x/.ignore", ".git/info/exclude"]
# No class that may be a slash: it is one for ripgrep, and none for git.
ATOMS = ["a", "b", "*", "?", "**", "/", "/", "d", "x", "e", ".c", "[a-c]", "[ad]", "{a,b.c}", "{d,x}", "\\a", "\\*", "[z]", ".h", "ab", " ", "f", "\\[", "[[]", "{a,d/*}", "**/", "/**", "é", "!", "#", "[a", "]", "}"]  # fmt: skip
FILTERS = [[], ["--hidden"], ["-u"], ["."], ["--no-ignore-vcs"], ["--ignore-file-case-insensitive"], ["--no-ignore-dot"]]  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(4 * ROUNDS))
def test_generated_rules(seed: int, root: Path, tmp_path: Path) -> None:
    env = {"PATH": PATH, "LC_ALL": "C.UTF-8", "HOME": str(root / "nowhere")}
    chance = random.Random(seed)
    shell = Shell(cwd=str(tmp_path), env=env)

    def rule() -> str:
        text = "".join(chance.choice(ATOMS) for _ in range(chance.randint(1, 4)))
        marks = ["!" * (chance.random() < 0.2), "/" * (chance.random() < 0.2), "/" * (chance.random() < 0.15)]
        return f"{marks[0]}{marks[1]}{text}{marks[2]}"

    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"foo\n")
    (tmp_path / ".git/info").mkdir()
    for _ in range(60):
        given = {
            name: "\n".join(rule() for _ in range(chance.randint(1, 3))) + "\n"
            for name in chance.sample(RULES, chance.randint(1, 2))
        }
        for name, text in given.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        words = ["--files", *chance.choice(FILTERS), *(["-g", rule()] if chance.random() < 0.4 else [])]
        expected = real(words, tmp_path, env)
        ours = shell.run("rg " + quoted(words) + " < /dev/null", timeout=60)
        assert (ours.status, ours.stdout) == (expected.returncode, expected.stdout), (quoted(words), given)
        for name in given:
            (tmp_path / name).unlink()
