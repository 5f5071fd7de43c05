"""Globs and regular expressions of every flavour: what compiles is searched, and the ways to search agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.patterns.engines import Regex, RegexEngine, compile_posix, match_text, use_re2
from pyshellhooks.patterns.glob import compile_glob, escape, unescape
from pyshellhooks.patterns.matcher import FLAVOURS, Matcher, compile_matcher
from pyshellhooks.patterns.perl import PerlRegex, compile_perl
from pyshellhooks.patterns.tree import PatternError
from pyshellhooks.text import encode
from pyshellhooks.utilities.jq.regex.errors import OnigError
from pyshellhooks.utilities.jq.regex.oniguruma import compile_onig
from pyshellhooks.utilities.jq.regex.subject import Subject
from tests.property.mutated_scripts import ROOT, case_scripts
from tests.recorded import read

from .target import SECONDS, Broken, Target

_CALLS = re.compile(r"\(\?(?:R|[-+]?[0-9]|&|P>)|\\g[<']").search
# A time that is over, a bound that is breached and a pattern that nobody's engine takes are all told.
TOLD = (PatternError, OnigError)
ENDS = frozenset({"deadline", "limit", "regex", "refused"})


def check_pattern(flavour: str, pattern: str, text: str) -> None:
    """Compile a pattern of a flavour, and search a text with it in every way that there is."""
    try:
        with CancelScope(timeout=SECONDS) as scope:
            FLAVOUR.get(flavour, _glob)(pattern, text, scope)
    except TOLD as error:
        if not str(error):
            raise Broken("a mistake in a pattern without words", repr(error)) from None
    except Stop as stop:
        if stop.reason not in ENDS:
            raise


def _glob(pattern: str, text: str, scope: CancelScope) -> None:
    for extglob in (True, False):
        for ignore_case in (False, True):
            glob = compile_glob(pattern, extglob=extglob, ignore_case=ignore_case)
            whole = glob.matches(text, scope.check)
            longest = glob.prefix(text, True, scope.check), glob.suffix(text, True, scope.check)
            shortest = glob.prefix(text, False, scope.check), glob.suffix(text, False, scope.check)
            if whole != (longest[0] == len(text)) or whole != (longest[1] == 0):
                raise Broken("a glob's whole match and its longest ends differ", (pattern, text, whole, longest))
            if (longest[0] is None) != (shortest[0] is None) or (longest[1] is None) != (shortest[1] is None):
                raise Broken("a glob's longest and shortest matches differ", (pattern, text, longest, shortest))
            if whole and glob.search(text, 0, scope.check) is None:
                raise Broken("a glob that matches is not found", (pattern, text))
    literal = escape(text)
    if not compile_glob(literal).matches(text, scope.check) or unescape(literal) != text:
        raise Broken("an escaped text does not match itself", (text, literal))


def _posix(extended: bool, dialect: str) -> Callable[[str, str, CancelScope], None]:
    def check(pattern: str, text: str, scope: CancelScope) -> None:
        for ignore_case in (False, True):
            regex = compile_posix(
                pattern, extended=extended, dialect=dialect, ignore_case=ignore_case, newline_anchors=dialect == "sed"
            )
            _searched(regex, encode(text), scope)
            _by_another_engine(regex, encode(text), scope)
        if extended and dialect == "posix":
            match_text(pattern, text, scope=scope)

    return check


def _searched(regex: Regex | PerlRegex, data: bytes, scope: CancelScope) -> None:
    spans = regex.search(data, scope=scope)
    if (spans is not None) != regex.test(data, scope=scope) or (spans[0][0] if spans else -1) != regex.find(
        data, scope=scope
    ):
        raise Broken("search, find and test differ", (data, spans))
    last = -1
    for count, found in enumerate(regex.matches(data, scope)):
        low, high = found[0]
        if count == 0 and (not spans or found[0] != spans[0]):
            raise Broken("the first match is not what search finds", (data, spans, found))
        if not last <= low <= high <= len(data) or count > len(data):
            raise Broken("matches lie over each other", (data, found))
        last = high


def _by_another_engine(regex: Regex, data: bytes, scope: CancelScope) -> None:
    """Hold that ``re`` and RE2 find what the ``regex`` module finds."""
    tree, options = regex.spec
    found = regex.search(data, scope=scope)
    other = RegexEngine(tree, options).search(data, 0, scope)
    if (found and found[0]) != (other and other[0]):
        raise Broken("two engines find different matches", (data, found, other))


def _perl(pattern: str, text: str, scope: CancelScope) -> None:
    if _CALLS(pattern):
        return  # one that calls itself before it takes a character fills the 1 GiB that ``regex`` gives it: ``search_bounded``
    for ignore_case in (False, True):
        _searched(compile_perl(pattern, ignore_case=ignore_case), encode(text.replace("\n", " ")), scope)


def _matcher(flavour: str) -> Callable[[str, str, CancelScope], None]:
    def check(pattern: str, text: str, scope: CancelScope) -> None:
        found = compile_matcher(pattern, flavour).search(text, scope)
        use_re2(False)
        try:
            other = Matcher(pattern, flavour).search(text, scope)
        finally:
            use_re2(True)
        if found != other:
            raise Broken(f"a matcher of {flavour} differs without RE2", (pattern, text, found, other))

    return check


def _onig(pattern: str, text: str, scope: CancelScope) -> None:
    for options in ({}, {"not_empty": True}, {"longest": True}):
        regex = compile_onig(pattern, scope=scope, **options)
        subject = Subject(text)
        spans = regex.search(subject, 0, scope)
        if options == {} and (spans is not None) != regex.test(text, scope):
            raise Broken("search and test of Oniguruma's differ", (pattern, text, spans))


FLAVOUR: dict[str, Callable[[str, str, CancelScope], None]] = {
    "glob": _glob,
    "perl": _perl,
    "onig": _onig,
    **{f"{'ere' if extended else 'bre'}-{name}": _posix(extended, name) for name in ("posix", "grep", "sed", "awk") for extended in (False, True)},
    **{name: _matcher(name) for name in FLAVOURS},
}  # fmt: skip


def seeds() -> Iterator[tuple[str, ...]]:
    """Yield patterns of the cases and of the tables of tests, each in every flavour in turn."""
    found: dict[tuple[str, str], None] = {}
    for text in case_scripts():
        for pattern in re.findall(r"(?:==|=~|!=) (\S+) \]\]", text):
            found[pattern, "abc x.txt 123"] = None
        for pattern in re.findall(r"grep (?:-\w+ )*'([^']+)'", text):
            found[pattern, "foo bar\nBaz_1 x"] = None
        for pattern in re.findall(r"(?:\$\{\w+(?:##?|%%?|//?)([^{}]+)\})", text):
            found[pattern, "/a/b.tar.gz"] = None
    for name in ("js_matchers", "rust_matchers"):
        rows = read(ROOT / f"tests/unit/patterns/tables/{name}.json")["cases"]
        found.update(dict.fromkeys((row[0], row[1]) for row in rows))
    for row in read(ROOT / "tests/differential/jq_regexes.json")["cases"]:
        found[row[1], row[0]] = None
    for number, (pattern, text) in enumerate(found):
        yield tuple(FLAVOUR)[number % len(FLAVOUR)], pattern, text


WORDS = tuple(
    "^ $ . * + ? | ( ) [ ] { } \\ {1,2} {,3} {2,} (?: (?= (?! (?<= (?<! (?> (?i) (?m:x) (?<n>x) (?P<n>x) \\k<n> \\1 \\2 \\b \\B \\A \\z \\Z \\G"
    " \\w \\W \\d \\S \\h \\R \\X \\pL \\p{Lu} \\P{Greek} \\x41 \\x{1F600} \\u0041 \\u{41} \\cA \\Q \\E \\K [^a] [a-z] [[:alpha:]] [[.a.]] [[=a=]]"
    " [a&&b] [^] [] []a] [z-a] ?( *( +( @( !( ** ***? ++ {1}{2} é ß ſ K İ \u0130 \U0001f600 \udcff \\< \\> \\` \\'".split()
)
TARGETS = (Target("patterns", ("flavour", "pattern", "text"), check_pattern, seeds, (*FLAVOUR, *WORDS)),)
