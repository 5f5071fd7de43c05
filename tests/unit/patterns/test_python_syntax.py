"""Matchers in Python's syntax match as ``re`` does, and end after their time limit."""

from __future__ import annotations

import re
import warnings

import pytest

from pyshellhooks.dialects.matchers import BadMatcher
from pyshellhooks.dialects.matchers import compile_python as compile_bounded
from pyshellhooks.errors import Stop
from pyshellhooks.patterns import timed_regex
from pyshellhooks.patterns.python_syntax import compile_python
from pyshellhooks.patterns.tree import PatternError

#: Expressions, among them those that the ``regex`` module reads otherwise.
PATTERNS = [
    "^Ba", "a{e}", "(?:foo){e<=1}", "[[:alpha:]]", "a{,2}b", "a{,}b", "x{2,3}", r"\{e}", "[]a[]", "[^]a]", "(?i)bash",
    "a{2", "{e}", r"(?P<n>a)\1", "[a&&b]", "[+--]", "[a||b]", r"\bBash\b", "a|b", "(?<=a)b", "a++", "(?>a)b",
    r"Bash\(", "(a", "x*?", r"\d\w", r"[\]x]{2}", r"[\[x]", "mcp__.*__write", "(?s).", "(?-i:A)", "a{1}{2}", "[z-a]",
    "[a--b]", "Ba[", "(", "*", "\\", r"\p{L}", "(?R)", "(?|a)", r"\h", "a{5,2}", "",
]  # fmt: skip
SUBJECTS = [
    "", "Bash", "bash", "Ba", "a", "aa", "b", "ab", "aab", "a{e}", "foo", "fo", "foo{e}", ":", "a]", ":a]", "[", "]",
    "{e}", "xx", "xxx", "&", "-", "+", "|", "c", "]]", "\\", "5a", "A", "Bash(ls)", "mcp__s__write", "\n", "é", "a{2",
]  # fmt: skip


def by_re(pattern: str, ignores_case: bool) -> re.Pattern[str] | str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return re.compile(pattern, re.IGNORECASE if ignores_case else 0)
        except re.error:
            return "refused"


@pytest.mark.parametrize("ignores_case", [False, True])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_matches_as_re_does(pattern: str, ignores_case: bool) -> None:
    expected = by_re(pattern, ignores_case)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if isinstance(expected, str):
            with pytest.raises(PatternError):
                compile_python(pattern, ignores_case)
            return
        searched, whole = compile_python(pattern, ignores_case), compile_python(pattern, ignores_case, True)
    assert [searched.search(one) for one in SUBJECTS] == [bool(expected.search(one)) for one in SUBJECTS]
    assert [whole.search(one) for one in SUBJECTS] == [bool(expected.fullmatch(one)) for one in SUBJECTS]


def test_the_message_is_pythons() -> None:
    with pytest.raises(BadMatcher, match="unterminated character set"):
        compile_bounded("Ba[")


@pytest.mark.parametrize("pattern", ["a" * 10_001, "(?:x{60000}){60000}", "(" * 5000 + ")" * 5000])
def test_an_expression_that_is_too_large_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="too"):
        compile_python(pattern)


@pytest.mark.parametrize("whole", [False, True])
def test_a_search_that_backtracks_for_ever_is_stopped(whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_regex, "REGEX_TIMEOUT", 0.1)
    with pytest.raises(Stop, match="took too long"):
        compile_python("(x|xx|xxx|x*y)*(y|z)", False, whole).search("x" * 5000)
