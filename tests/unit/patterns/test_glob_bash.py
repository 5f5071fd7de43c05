"""Globs against what bash 5.2.15 answers: [[ t == p ]], ${t#p}, ${t##p}, ${t%p}, ${t%%p}, ${t/p/<>} (extglob on)."""

import pytest

from pyshellhooks.patterns.glob import compile_glob

# fmt: off
CASES = [
    ('*', 'abc', True, 'abc', '', 'abc', '', '<>'),
    ('*', '', True, '', '', '', '', '<>'),
    ('?', '', False, '', '', '', '', ''),
    ('?', 'é', True, '', '', '', '', '<>'),
    ('a*c', 'abbbc', True, '', '', '', '', '<>'),
    ('a*c', 'abcd', False, 'd', 'd', 'abcd', 'abcd', '<>d'),
    ('*.txt', 'x.txt', True, '', '', 'x', '', '<>'),
    ('*.txt', '.txt', True, '', '', '', '', '<>'),
    ('a?c', 'abc', True, '', '', '', '', '<>'),
    ('[abc]', 'b', True, '', '', '', '', '<>'),
    ('[!abc]', 'b', False, 'b', 'b', 'b', 'b', 'b'),
    ('[^abc]', 'd', True, '', '', '', '', '<>'),
    ('[a-c]x', 'bx', True, '', '', '', '', '<>'),
    ('[]x]', ']', True, '', '', '', '', '<>'),
    ('[!]x]', ']', False, ']', ']', ']', ']', ']'),
    ('[a-]', '-', True, '', '', '', '', '<>'),
    ('[-a]', '-', True, '', '', '', '', '<>'),
    ('[a\\-c]', 'b', False, 'b', 'b', 'b', 'b', 'b'),
    ('[a\\-c]', '-', True, '', '', '', '', '<>'),
    ('[\\]a]', ']', True, '', '', '', '', '<>'),
    ('[[:digit:]]', '5', True, '', '', '', '', '<>'),
    ('[[:alpha:][:digit:]]', 'z', True, '', '', '', '', '<>'),
    ('[![:space:]]', ' ', False, ' ', ' ', ' ', ' ', ' '),
    ('[[:upper:]]', 'É', True, '', '', '', '', '<>'),
    ('[[:foo:]x]', 'x', True, '', '', '', '', '<>'),
    ('[[.a.]]', 'a', True, '', '', '', '', '<>'),
    ('[[=a=]b]', 'b', True, '', '', '', '', '<>'),
    ('[a', '[a', True, '', '', '', '', '<>'),
    ('[', '[', True, '', '', '', '', '<>'),
    ('a[', 'a[', True, '', '', '', '', '<>'),
    ('\\*', '*', True, '', '', '', '', '<>'),
    ('\\*', 'a', False, 'a', 'a', 'a', 'a', 'a'),
    ('\\a', 'a', True, '', '', '', '', '<>'),
    ('\\\\', '\\', True, '', '', '', '', '<>'),
    ('*a*b*', 'xxaxxbxx', True, 'xx', '', 'xx', '', '<>'),
    ('*a*b*', 'xxbxxaxx', False, 'xxbxxaxx', 'xxbxxaxx', 'xxbxxaxx', 'xxbxxaxx', 'xxbxxaxx'),
    ('*[0-9]*', 'ab3cd', True, 'cd', '', 'ab', '', '<>'),
    ('*??', 'a', False, 'a', 'a', 'a', 'a', 'a'),
    ('*??', 'abc', True, 'c', '', 'a', '', '<>'),
    ('**', 'x', True, 'x', '', 'x', '', '<>'),
    ('a**b', 'ab', True, '', '', '', '', '<>'),
    ('[z-a]', 'm', False, 'm', 'm', 'm', 'm', 'm'),
    ('[[:word:]]', '_', True, '', '', '', '', '<>'),
    ('[[:punct:]]', '!', True, '', '', '', '', '<>'),
    ('[[:cntrl:]]', '\t', True, '', '', '', '', '<>'),
    ('@(a|b)', 'a', True, '', '', '', '', '<>'),
    ('@(a|b)', 'c', False, 'c', 'c', 'c', 'c', 'c'),
    ('?(a)b', 'b', True, '', '', '', '', '<>'),
    ('?(a)b', 'ab', True, '', '', 'a', '', '<>'),
    ('*(ab)', 'abab', True, 'abab', '', 'abab', '', '<>'),
    ('*(ab)', 'aba', False, 'aba', 'a', 'aba', 'aba', '<>a'),
    ('+(a|b)c', 'abbac', True, '', '', 'abb', '', '<>'),
    ('+(a)', '', False, '', '', '', '', ''),
    ('!(a)', 'a', False, 'a', 'a', 'a', 'a', '<>a'),
    ('!(a)', 'b', True, 'b', '', 'b', '', '<>'),
    ('!(*.txt)', 'x.md', True, 'x.md', '', 'x.md', '', '<>'),
    ('!(*.txt)', 'x.txt', False, 'x.txt', 't', 'x.txt', 'x.', '<>t'),
    ('a!(b)c', 'abc', False, 'abc', 'abc', 'abc', 'abc', 'abc'),
    ('a!(b)c', 'axc', True, '', '', '', '', '<>'),
    ('a!(b)c', 'ac', True, '', '', '', '', '<>'),
    ('@(a|@(b|c)d)', 'cd', True, '', '', '', '', '<>'),
    ('*(a|*(b)c)', 'abbc', True, 'abbc', '', 'abbc', '', '<>'),
    ('@(foo|bar)*', 'barley', True, 'ley', '', '', '', '<>'),
    ('*@(.tar|.gz)', 'x.gz', True, '', '', 'x', '', '<>'),
    ('!(!(a))', 'a', True, '', '', '', '', '<>'),
    ('?(?)x', 'yx', True, '', '', 'y', '', '<>'),
    ('@([ab]|c?)', 'cz', True, '', '', '', '', '<>'),
    ('@(\\*)', '*', True, '', '', '', '', '<>'),
    ('+([0-9])', '123', True, '23', '', '12', '', '<>'),
    ('+([0-9])', '12a', False, '2a', 'a', '12a', '12a', '<>a'),
    ('?(a|b)?(c)', 'bc', True, 'bc', '', 'bc', '', '<>'),
    ('rm *', 'rm -rf /', True, '-rf /', '', '', '', '<>'),
    ('*rm\\ -rf*', 'sudo rm -rf /', True, ' /', '', 'sudo ', '', '<>'),
    ('/etc/*', '/etc/a/b', True, 'a/b', '', '', '', '<>'),
    ('*.*', 'a.b.c', True, 'b.c', '', 'a.b', '', '<>'),
    ('.*', 'a.b', False, 'a.b', 'a.b', 'a', 'a', 'a<>'),
    ('b*b', 'bbb', True, 'b', '', 'b', '', '<>'),
    ('é*', 'éa', True, 'a', '', '', '', '<>'),
    ('a*b?c', 'aXbYbZc', True, '', '', '', '', '<>'),
    ('*ab?', 'xabyabz', True, 'abz', '', 'xaby', '', '<>'),
]
# fmt: on


@pytest.mark.parametrize(("pattern", "text", "matches", "prefix", "prefixes", "suffix", "suffixes", "replaced"), CASES)
def test_as_bash(
    pattern: str, text: str, matches: bool, prefix: str, prefixes: str, suffix: str, suffixes: str, replaced: str
) -> None:
    glob = compile_glob(pattern)
    assert glob.matches(text) is matches
    for longest, expected in ((False, prefix), (True, prefixes)):
        end = glob.prefix(text, longest)
        assert (text if end is None else text[end:]) == expected
    for longest, expected in ((False, suffix), (True, suffixes)):
        start = glob.suffix(text, longest)
        assert (text if start is None else text[:start]) == expected
    span = glob.search(text)
    assert (text if span is None else f"{text[: span[0]]}<>{text[span[1] :]}") == replaced
