"""Counts that would take an engine's compiler for ever are refused before it sees them."""

from __future__ import annotations

import time

import pytest
from clock import patient

from pyshellhooks import Shell
from pyshellhooks.pattern.matcher import compile_matcher
from pyshellhooks.pattern.perl import compile_perl
from pyshellhooks.pattern.regex_nodes import PatternError

pytestmark = pytest.mark.portable
NESTED = ["(?:x{65535}){65535}", "((a{1000}b){1000}){2}", "(?:(?:x{900}){900}){900}"]


@pytest.mark.parametrize("pattern", NESTED)
def test_nested_counts_are_refused_at_once(pattern: str) -> None:
    began = time.perf_counter()
    with pytest.raises(PatternError, match="too large"):
        compile_perl(pattern)
    with pytest.raises(PatternError):
        compile_matcher(pattern, "js")
    assert time.perf_counter() - began < patient(5)


@pytest.mark.parametrize("pattern", ["x{3,5}", "(a{10}b){10}", r"\{99999999\}", "[{9999999}]"])
def test_ordinary_counts_pass(pattern: str) -> None:
    assert compile_perl(pattern) is not None


def test_grep_says_so_and_fails() -> None:
    result = Shell(spawn=False).run("grep -P '(?:x{65535}){65535}'", stdin=b"x\n", timeout=10)
    assert result.status == 2
    assert b"too large" in result.stderr
