"""Leftmost-longest matches beside GNU sed, grep and awk: with RE2, and where it is missing (POSIX XBD 9.1)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests import oracles

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = int(os.environ.get("LONGEST_ROUNDS", "40"))  # more for a search by hand
ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
SUBJECTS = ["", "a", "b", "ab", "abcd", "abab", "aab", "abcabc", "xaby", "bbb", "a-ab-aba", "abc abd"]
# Of each, a first match in Perl's order is shorter somewhere, or is not: both must come out right.
PATTERNS = [
    "()|.", "a|ab", "(a|ab)(c|bcd)(d*)", "(a|ab)(bab)?", "a?(ab)?", "(a?)(ab)?$", "(b|ba|a)*c", "(a|ab|b)*", "[ab]+?b|a",
    "(a|b)*?(ab)+", "x*|b", "(^|a)b?", "\\b(a|ab)", "(a|ab)\\b", "(a|ab)\\>", "\\<(a|abc?)\\>", "(|a|ab)(|bc)", "(b|[^a])(bc|b)?",
    "(ab?){2}(b|c)?", "(a{1,2}|aba){1,2}", "(a|ab)(ab)?-?", "(.|..)(.|ab)$", "(a*)(ab)*(b*)", "(a|aba?)(-(a|ab))*",
]  # fmt: skip
REFERRING = [
    "(a|ab)(c|bcd)(d*)\\3", "(a|ab)\\1", "(a*)\\1", "(a|ab)(ab)?\\1?", "(.)(.|..)?\\1", "(a|b|ab)*\\1", "(|a)b\\1",
    "(ab?)(-\\1b?a?)*", "(a|ab|aba).*\\1", "(.*)\\1", "(a?)(ab|b)?\\1c?", "\\b(a|ab)(\\1|-)?",
]  # fmt: skip


@pytest.fixture
def real() -> None:
    oracles.need("bash", "sed", "grep", "awk", path=ENV["PATH"])


def generated(chance: random.Random, depth: int = 3) -> str:
    kind = chance.random()
    if not depth or kind < 0.35:
        return chance.choice(["a", "b", "c", ".", "[ab]", "[^a]", "ab"])
    inner = generated(chance, depth - 1)
    if kind < 0.55:
        return inner + generated(chance, depth - 1)
    if kind < 0.8:
        return f"({inner}|{generated(chance, depth - 1)})"
    return f"({inner}){chance.choice(['*', '+', '?', '{2}', '{1,3}', ''])}"


def scripts(pattern: str) -> list[str]:
    """Return what shows the spans of a pattern on each line of stdin."""
    found = [f"sed -E 's/{pattern}/[&]/g'", f"grep -noE '{pattern}'"]
    if not any(f"\\{digit}" in pattern for digit in "123"):
        awk = pattern.replace("\\b", "\\y").replace("\\", "\\\\")
        found.append(f"""awk '{{ match($0, "{awk}"); print RSTART, RLENGTH; gsub("{awk}", "<&>"); print }}'""")
    return found


def spans(patterns: list[str], program: list[str], more: dict[str, str]) -> dict[str, str]:
    """Run the scripts of all patterns; give what each pattern says. ``program`` is new: a utility remembers what it compiled."""
    every = [one for pattern in patterns for one in scripts(pattern)]
    script = "\n".join(f'echo "== "; echo "$IN" | {one}' for one in every)
    env = ENV | {"IN": "\n".join(SUBJECTS), "PYTHONPATH": str(ROOT)} | more
    done = subprocess.run([*program, "-c", script], env=env, capture_output=True, text=True, check=False)
    assert not done.stderr
    lines = done.stdout.split("== ")[1:]
    return dict(zip(every, lines, strict=True))


@pytest.mark.one_in(2, slow=2)
@pytest.mark.oracle
@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("more", [{}, {"PYSHELLHOOKS_NO_RE2": "1"}], ids=["re2", "no re2"])
def test_as_the_real_ones(more: dict[str, str]) -> None:
    """The generated ones refer to nothing: where a group is repeated, what glibc's back-references find is not always the longest."""
    patterns = [*PATTERNS, *REFERRING, *(generated(random.Random(seed)) for seed in range(ROUNDS))]
    real = spans(patterns, ["bash"], {})
    ours = spans(patterns, [sys.executable, "-m", "pyshellhooks", "sh"], more)
    assert len(real) > 100
    assert {script: (ours.get(script), said) for script, said in real.items() if ours.get(script) != said} == {}
