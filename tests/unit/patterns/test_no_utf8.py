"""What a matcher makes of a name that is no UTF-8: the same with RE2 and without, so that a guard is asked on every machine.

To Go's ``regexp`` each such byte is a U+FFFD (golang/go commit 702e337), serde gives Rust no other text, and
ECMAScript's ``.`` takes half a surrogate pair as it takes any code unit (ECMA-262 22.2.2.7).
"""

from __future__ import annotations

import pytest

from pyshellhooks.patterns.engines import use_re2
from pyshellhooks.patterns.matcher import FLAVOURS, Matcher

NAMES = ("mcp__\udcc4", "\udcc4", "\ud83d", "é\udcff", "\U0001f600", "a\udc80b\udc81")
PATTERNS = ("^.+$", "^mcp__[^x]+$", "\\W$", "^(?:.)", "[^a]", "é.", "^[^\\s]+$", "a.b.")


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_one_answer_on_both_engines(flavour: str, pattern: str) -> None:
    with_re2 = [Matcher(pattern, flavour).search(name) for name in NAMES]
    use_re2(False)
    try:
        assert [Matcher(pattern, flavour).search(name) for name in NAMES] == with_re2
    finally:
        use_re2(True)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_patterns_that_match_anything_match_it(flavour: str) -> None:
    assert all(Matcher("^.+$", flavour).search(name) for name in NAMES)


def test_go_sees_the_replacement_character() -> None:
    assert Matcher("^\\x{FFFD}$", "re2").search("\udcc4")
