"""Expressions of ``grep -P`` that PCRE2 reads and the ``regex`` module does not.

What the two read alike, or differently, is in conformance/cases/utilities/grep_perl.toml.
"""

from __future__ import annotations

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import Stop
from pyshellhooks.patterns.perl import compile_perl
from pyshellhooks.patterns.perl_translation import Translation

#: GNU grep 3.8 with PCRE2 10.42 takes each of them.
UNSUPPORTED = [
    "(*COMMIT)rm",
    "(*THEN)rm",
    "rm(*ACCEPT)x",
    "(*:mark)rm",
    "(*CRLF)rm",
    "(*NOTEMPTY)rm",
    "(*sr:rm)",
    "(*napla:rm)",
    "(?*rm)",
    "(?<*r)m",
    "(?C1)rm",
    "(?(R)x|rm)",
    "(?(VERSION>=10)rm)",
    "(?|(r)|(x))\\g{-1}",
    "r\\C",
    "[\\P{Xan}]",
]


@pytest.mark.parametrize("pattern", UNSUPPORTED)
def test_unsupported_syntax_ends_the_run(pattern: str) -> None:
    with pytest.raises(Stop):
        compile_perl(pattern)


def test_a_guard_with_such_an_expression_denies() -> None:
    """A status of grep would be "no match", and the call would pass."""
    guard = "if grep -qP '(*COMMIT)rm'; then exit 2; fi"
    config = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": guard}]}]}}
    with HookEngine.load(config, "claude_code") as engine:
        verdict = engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "rm x"})
    assert verdict.blocked and "is not supported here" in str(verdict.reason)


#: One of each part of the syntax; a person who types one has typed all its beginnings.
WHOLE = [
    r"a\x{41}\o{101}\N{U+41}[\x{41}-z\d\p{L}[:alpha:]]",
    r"(?<n>a)\k<n>\g{n}\g<1>(?P=n)(?P>n)(?&n)(?1)(?(n)a|b)(?|a|b)",
    r"\cA\e\Q.\E\R\X\K\h\v\N(?#c)(?i-m:a){1,2}+[^]\]\-a]\pL\PL\p{^L}",
    r"(?'n'a)\k'n'\k{n}(*UCP)[[:<:]][[:>:]](?<=a)(?<!b)(?>a)(?:b)a*?b++c{2,}?",
]


def outcome(pattern: str) -> str:
    try:
        Translation(pattern, dollar="$", ucp=False, ignore_case=False, utf8=True)
    except (Exception, Stop) as error:
        return type(error).__name__
    return "read"


@pytest.mark.parametrize("pattern", WHOLE)
@pytest.mark.parametrize("end", ["", "\\", "{", "[", "(", "(?", "<"])
def test_each_beginning_is_read_or_refused(pattern: str, end: str) -> None:
    outcomes = {outcome(pattern[:length] + end) for length in range(len(pattern))}
    assert outcomes <= {"read", "PatternError", "Stop"}
