"""Character classes, words and case against grep on every code point: what a guard finds must not hang on our Unicode."""

from __future__ import annotations

import os
import random
import subprocess
from functools import cache
from pathlib import Path

import pytest

from pyshellhooks import Shell
from pyshellhooks.patterns.charclass import CLASSES
from pyshellhooks.patterns.glibc import FOLDS, has
from tests import oracles

pytestmark = [pytest.mark.oracle, pytest.mark.usefixtures("real")]

ENV = {"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "/usr/bin:/bin")}


def codes() -> list[str]:
    """Return every character that a line may hold; made anew each time, for they take 100 MB."""
    return [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000 and code != 10]


@cache
def cased() -> list[str]:
    """Return the characters that have another case."""
    return [char for char in codes() if char.casefold() != char or char.lower() != char or char.upper() != char]


@pytest.fixture(autouse=True)
def real() -> None:
    """Go on where there is something to compare with."""
    oracles.need("bash", "grep", path=ENV["PATH"])


def lines_of(place: Path, name: str, texts: list[str]) -> str:
    """Write a file of lines."""
    (place / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    return name


def both_outputs(place: Path, *args: str) -> tuple[bytes, bytes]:
    """Return what grep and what ours say."""
    real = subprocess.run(["grep", *args], cwd=place, env=ENV, capture_output=True, check=False).stdout
    return real, Shell(cwd=str(place), env=ENV, spawn=False).run('grep "$@"', *args, timeout=100).stdout


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("pattern", [*(f"[[:{name}:]]" for name in CLASSES), r"\w", r"\W", r"\s", "[^[:alpha:]x]"])
def test_every_character(tmp_path: Path, pattern: str) -> None:
    real, ours = both_outputs(tmp_path, "-n", pattern, lines_of(tmp_path, "codes", codes()))
    assert ours == real


@pytest.mark.parametrize(
    "args", [("-n", r"a\b"), ("-nw", "a"), ("-n", r"a\>"), ("-n", r"a\B."), ("-n", r"\(a\)\b."), ("-n", r"\(a\)\1*\b")]
)
def test_characters_that_end_a_word(tmp_path: Path, args: tuple[str, ...]) -> None:
    letters = random.Random(1).sample(codes(), 60_000)
    real, ours = both_outputs(tmp_path, *args, lines_of(tmp_path, "words", [f"a{char} x" for char in letters]))
    assert ours == real


def test_without_regard_to_case(tmp_path: Path) -> None:
    name = lines_of(tmp_path, "cased", cased())
    for char in [*FOLDS, *random.Random(2).sample(cased(), 60)]:
        for pattern in (char, f"[{char}]"):
            real, ours = both_outputs(tmp_path, "-i", pattern, name)
            assert ours == real, pattern
    for pattern in ("[[:upper:]]", "[^[:lower:]]"):
        real, ours = both_outputs(tmp_path, "-i", pattern, name)
        assert ours == real, pattern


def test_ranges_without_regard_to_case(tmp_path: Path) -> None:
    name = lines_of(tmp_path, "cased", [*cased(), *"0_- @[`{~\u00d7\u00f7"])
    for pattern in (
        "[a-z]",
        "[^a-z]",
        "[H-J]",
        "[^a-zA-Z0-9]",
        "[ -~]",
        "[^ -~]",
        "[^k]",
        "[^i]",
        "[kx]",
        "k|x",
        "[^\u00df]",
        "[^[:digit:]k]",
    ):
        for option in ("-iE", "-ciE", "-oiE"):
            real, ours = both_outputs(tmp_path, option, pattern, name)
            assert ours == real, pattern


@pytest.mark.parametrize("change", ["${x,,}", "${x^^}", "${x~~}", "${x@U}", "${x@L}", "${x^}", "${x~}"])
def test_the_other_case_of_every_letter(change: str) -> None:
    letters = "".join([f"{char}a\n" for char in cased() if char > "\x7f" and has("alpha", char)])
    script = f'while read -r x; do echo "{change}"; done'
    real = subprocess.run(["bash", "-c", script], env=ENV, input=letters.encode(), capture_output=True, check=False)
    assert Shell(env=ENV, spawn=False).run(script, stdin=letters, timeout=100).stdout == real.stdout
