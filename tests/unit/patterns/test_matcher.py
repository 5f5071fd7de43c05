"""RE2 matchers: messages as Go's regexp/syntax words them, the same answers with and without google-re2."""

import pytest

from pyshellhooks.errors import Stop
from pyshellhooks.patterns import engines, timed_regex
from pyshellhooks.patterns.matcher import Matcher, compile_matcher
from pyshellhooks.patterns.tree import PatternError


@pytest.mark.parametrize(
    ("pattern", "message", "offset"),
    [
        ("*", "missing argument to repetition operator: `*`", 0),
        ("mcp_|+x", "missing argument to repetition operator: `+`", 5),
        ("(bash", "missing closing ): `(bash`", 0),
        ("bash)", "unexpected ): `bash)`", 4),
        ("[a-", "missing closing ]: `[a-`", 0),
        ("[z-a]", "invalid character class range: `z-a`", 1),
        ("a**", "invalid nested repetition operator: `**`", 1),
        ("^(?!bash)", "invalid or unsupported Perl syntax: `(?!`", 1),
        ("(?<=a)b", "invalid or unsupported Perl syntax: `(?<=`", 0),
        ("(a)\\1", "invalid escape sequence: `\\1`", 3),
        ("a\\Z", "invalid escape sequence: `\\Z`", 1),
        ("a{1001}", "invalid repeat count: `{1001}`", 1),
        ("a\\", "trailing backslash at end of expression: ``", 1),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`", 1),
        ("\\p{Nope}", "invalid character class range: `\\p{Nope}`", 0),
        ("a\\p{+}", "invalid character class range: `\\p{+}`", 1),
        ("\\p{sc:Greek}", "invalid character class range: `\\p{sc:Greek}`", 0),
    ],
)
def test_mistakes_are_reported_with_their_place(pattern: str, message: str, offset: int) -> None:
    with pytest.raises(PatternError) as caught:
        compile_matcher(pattern, "re2")
    assert (caught.value.message, caught.value.offset) == (message, offset)


# Answers follow from https://github.com/google/re2/wiki/Syntax; google-re2 1.1.20251105 gives the same.
ANSWERS = [
    ("bash", "mybash2", True),
    ("^(bash|edit)$", "edit", True),
    ("^(bash|edit)$", "edit\n", False),
    ("^mcp_.*", "mcp_fs_read", True),
    ("(?i)BASH", "bash", True),
    ("(?i:B)ash", "Bash", True),
    ("\\d", "٣", False),
    ("\\w", "é", False),
    ("^\\pL+$", "é", True),
    ("a.c", "a\nc", False),
    ("(?s)a.c", "a\nc", True),
    ("(?m)^b$", "a\nb\nc", True),
    ("\\bfoo\\b", "a foo b", True),
    ("[[:^alpha:]]", "a", False),
    ("[^\\W\\d]", "1_", True),
    ("\\Qa.b\\E+", "a.bb", True),
    ("x{2,3}y", "xxy", True),
    ("x{,3}", "x{,3}", True),
    ("", "", True),
    ("\\x{e9}\\x41", "éA", True),
    ("(?P<n>a)b", "ab", True),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), ANSWERS)
@pytest.mark.parametrize("re2", [True, False])
def test_answers(pattern: str, text: str, expected: bool, re2: bool) -> None:
    engines.use_re2(re2)
    try:
        assert Matcher(pattern, "re2").search(text) is expected
    finally:
        engines.use_re2(True)


def test_the_fallback_has_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    engines.use_re2(False)
    monkeypatch.setattr(timed_regex, "REGEX_TIMEOUT", 0.1)
    try:
        with pytest.raises(Stop):
            Matcher("(x|xx|xxx|x*y)*(y|z)[^x]", "re2").search("x" * 5000)
    finally:
        engines.use_re2(True)


def test_an_unknown_flavour_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown matcher flavour"):
        compile_matcher("a", "pcre")
