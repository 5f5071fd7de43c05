"""A lazy pattern behaves as the compiled one, and compiles once, when it is used."""

from __future__ import annotations

import copy
import re

import pytest

from pyshellhooks.regexes import lazy_pattern

ACTS = [
    ("match", "b1 a22"),
    ("search", "  a22 b1"),
    ("fullmatch", "a22"),
    ("findall", "a1 b2 c3"),
    ("split", "xa1ya2z"),
]


@pytest.mark.parametrize(("act", "text"), ACTS)
def test_each_act_is_that_of_the_pattern(act: str, text: str) -> None:
    source, flags = r"([a-c])(\d+)", re.IGNORECASE
    lazy, compiled = lazy_pattern(source, flags), re.compile(source, flags)
    for _ in range(2):
        got, expected = getattr(lazy, act)(text), getattr(compiled, act)(text)
        assert expected and repr(got) == repr(expected)
    assert repr(lazy.match(text.upper(), 1, 3)) == repr(compiled.match(text.upper(), 1, 3))


def test_bytes_substitutions_and_other_methods_of_a_pattern() -> None:
    lazy = lazy_pattern(rb"a+")
    assert lazy.sub(b"<>", b"xaay", 1) == b"x<>y" and lazy.subn(b"", b"aba") == (b"b", 2)
    assert [m.span() for m in lazy.finditer(b"aba")] == [(0, 1), (2, 3)]
    assert (lazy.pattern, lazy.groups, lazy.flags) == (rb"a+", 0, re.compile(rb"a+").flags)


def test_it_compiles_at_the_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[object] = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda text, flags=0: compiled.append(text) or real(text, flags))
    lazy = lazy_pattern("one|two")
    assert not compiled
    assert lazy.match("two") and lazy.search("a one") and not lazy.fullmatch("three")
    assert compiled == ["one|two"]


def test_a_wrong_pattern_raises_when_used_and_is_no_container() -> None:
    with pytest.raises(re.error):
        lazy_pattern("(").match("")
    lazy = lazy_pattern("x")
    assert not hasattr(lazy, "__iter__")
    assert copy.copy(lazy).match("x")
