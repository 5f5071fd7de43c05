"""Which engine runs an expression, and the bounds each of them keeps."""

import time
from collections.abc import Iterator

import pytest
from clock import patient

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.patterns import engines, timed_regex
from pyshellhooks.patterns.cost_bound import profile
from pyshellhooks.patterns.engines import Regex, compile_patterns, compile_posix
from pyshellhooks.patterns.flavors.posix import parse_posix
from pyshellhooks.patterns.tree import PatternError


def ere(pattern: str) -> Regex:
    return compile_posix(pattern, extended=True)


@pytest.fixture
def without_re2() -> Iterator[None]:
    engines.use_re2(False)
    yield
    engines.use_re2(True)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|aa)+$", "(a*)*b", "(a|a|aa)*c", "([a-z]+)*\\.", "a{1,50}a{1,50}a{1,50}b", ".*.*.*.*.*.*.*x"],
)
def test_hostile_patterns_are_linear(pattern: str) -> None:
    if not engines.load_re2():
        pytest.skip("needs google-re2")
    started = time.perf_counter()
    ere(pattern).test(b"a" * 20_000 + b"!")
    assert time.perf_counter() - started < patient(2)


@pytest.mark.usefixtures("without_re2")
def test_without_re2_a_hostile_pattern_ends_the_run() -> None:
    with CancelScope(timeout=0.2, grace=0.1) as scope, pytest.raises(Stop) as caught:
        ere("(x|xx|xxx|x*y)*(y|z)[^x]").search(b"x" * 5000, scope=scope)
    assert caught.value.reason in ("regex", "deadline")


def test_a_back_reference_that_takes_too_long_ends_the_run() -> None:
    started = time.perf_counter()
    with CancelScope(timeout=0.2, grace=0.1) as scope, pytest.raises(Stop) as caught:
        ere("^(.*)(.*)(.*)(.*)\\4\\3\\2\\1[xyz]$").search(b"z" + b"ab" * 2000, scope=scope)
    assert caught.value.reason in ("regex", "deadline")
    assert time.perf_counter() - started < patient(2)


@pytest.mark.parametrize(
    ("pattern", "harmless"),
    [
        ("abc", True),
        ("^rm +-rf", True),
        ("a|bc|d", True),
        ("[0-9]+x", True),
        ("(ab)*c", True),
        ("(a*)*", False),
        ("(a|b)*", False),
        ("(a)\\1", False),
        ("((a?){9}){9}", False),
        ("(a?){20}", False),
        ("x{1000}", False),
    ],
)
def test_harmless_patterns(pattern: str, harmless: bool) -> None:
    tree = parse_posix(pattern, True).tree
    assert (profile(tree, ignore_case=False, multiline=False) is not None) is harmless


@pytest.mark.parametrize(
    ("pattern", "degree"),
    [
        ("^a.*b", 1),
        ("a.*b", 2),
        ("[a-z]+x", 2),
        ("a.*b.*c", 3),
        ("abc", 1),
        ("^a.*b.*c.*d", 3),
        ("id=[0-9]+", 1),  # what ends with a repetition never goes back
        ("[0-9]+$", 2),
        ("id=[0-9]+$", 1),  # no second search goes through the digits
        ("(id|no)=[0-9]+x", 1),
        ("id=[0-9i]+x", 2),
        ("i?d=[0-9]+x", 2),
        ("id=[0-9]+x[0-9]+y", 2),
        ("a{17}[0-9]+x", 2),
    ],
)
def test_the_length_a_proof_is_good_for(pattern: str, degree: int) -> None:
    proof = profile(parse_posix(pattern, True).tree, ignore_case=False, multiline=False)
    assert proof is not None
    if degree == 1:
        assert proof.longest >= 2_000_000
    else:
        assert proof.longest**degree <= 2_000_000


def test_a_long_text_to_compare_at_each_place_has_its_bound() -> None:
    # Unbounded, ``re`` held the GIL for seconds on 10 MB of the letter.
    proof = profile(parse_posix("a{500}b", True).tree, ignore_case=False, multiline=True)
    assert proof is not None and proof.longest < 1_000_000
    # Behind it ``grep -w`` asks for the end of a word, and what was taken can be given back.
    followed = profile(parse_posix("[a-z]+", True).tree, ignore_case=False, multiline=True, followed=True)
    assert followed is not None and followed.longest < 10_000


@pytest.mark.parametrize(
    ("pattern", "exact"),
    [("a*b", True), ("(rf|fr)", True), ("a|ab", False), (".*x", True), (".*(b|abc)", False), ("a?(ab)?", False)],
)
def test_where_the_first_match_is_the_longest(pattern: str, exact: bool) -> None:
    proof = profile(parse_posix(pattern, True).tree, ignore_case=False, multiline=False)
    assert proof is not None
    assert proof.exact is exact


# What GNU sed 4.9 puts for & in the place of the first match.
LONGEST = [
    ("()|.", "b", "b"),
    ("a?(ab)?", "ab", "ab"),
    ("(a|ab)(bab)?", "abab", "abab"),
    ("(a{1,2}|aba){1,2}", "aab", "aa"),
    ("(|a|ab)(|bc)", "abcd", "abc"),
    ("x*|b", "b", "b"),
    (r"(a|ab)\>", "ab", "ab"),
    (r"\b(a|ab)", "ab", "ab"),
    ("(.*)(a?)$", "éa", "éa"),
    (r"(a|ab)(c|bcd)(d*)\3", "abcd", "abcd"),
    (r"(|a)b\1", "aba", "aba"),
]


@pytest.mark.parametrize("re2", [True, False])
@pytest.mark.parametrize(("pattern", "text", "longest"), LONGEST)
def test_the_longest_match_whatever_engine_there_is(pattern: str, text: str, longest: str, re2: bool) -> None:
    engines.use_re2(re2)
    try:
        data, behind = text.encode(), b"-" * 300 * (not pattern.endswith("$"))
        low, high = (ere(pattern).search(data + behind) or ())[0]
        assert data[low:high].decode() == longest
        assert ere(pattern).find(data + behind) == low
    finally:
        engines.use_re2(True)


@pytest.mark.usefixtures("without_re2")
@pytest.mark.parametrize(
    "pattern", ["(a|ab|b)*", "((a|ab)(b|))*", "(a*)*(a|ab|b)*", "([ab]+(ab)?)+", "((a?){9}b?){99}"]
)
def test_how_long_the_longest_is_takes_no_exponential_time(pattern: str) -> None:
    """``regex``'s own search for it would go through 2**1000 ways."""
    with CancelScope(timeout=patient(20), grace=0.1) as scope:
        spans = compile_posix(pattern, extended=True, captures=False).search(b"ab" * 1000 + b"-", scope=scope)
    assert spans is not None and spans[0][1] == (198 if "9" in pattern else 2000)


def test_a_longest_match_that_takes_too_long_is_no_guess() -> None:
    """Of a back-reference nobody else knows."""
    with CancelScope(timeout=0.3, grace=0.1) as scope, pytest.raises(Stop) as caught:
        ere(r"(x?)((a|ab|b)*)*\1").search(b"ab" * 2000 + b"-", scope=scope)
    assert caught.value.reason in ("regex", "deadline")


def test_matches_as_sed_counts_them() -> None:
    # GNU sed 4.9: echo baaac | sed 's/a*/x/g' gives xbxcx
    assert [s[0] for s in ere("a*").matches(b"baaac")] == [(0, 0), (1, 4), (5, 5)]
    assert [s[0] for s in ere("^a").matches(b"aaa")] == [(0, 1)]
    assert [s[0] for s in ere("").matches("é".encode())] == [(0, 0), (2, 2)]


def test_lines_are_subjects_of_their_own() -> None:
    regex = compile_patterns(("^b[[:space:]]*$",), syntax="extended", newline_anchors=True, newline_dot=False)
    assert regex.search(b"a\nb \n\nc", 0) is not None
    assert list(regex.search(b"a\nb \n\nc", 0) or ())[0] == (2, 4)
    dot = compile_patterns(("a.c|a[^x]c|a[[:cntrl:]]c",), syntax="extended", newline_anchors=True, newline_dot=False)
    assert not dot.test(b"a\nc")


def test_bytes_that_are_not_utf8() -> None:
    # printf 'a\\xffb' | LC_ALL=C.UTF-8 grep -c 'a.b' says 0; with LC_ALL=C it says 1 (GNU grep 3.8).
    assert not ere("a.b").test(b"a\xffb")
    assert compile_posix("a.b", extended=True, utf8=False).test(b"a\xffb")
    assert ere("\udcffb").test(b"a\xffb")


def test_words_and_their_neighbours() -> None:
    word = compile_patterns(("a+(b+a)*|-",), syntax="extended", word=True)
    assert [s[0] for s in word.matches(b"a xa aba - aa")] == [(0, 1), (5, 8), (9, 10), (11, 13)]


def test_a_pattern_error_has_glibcs_words() -> None:
    with pytest.raises(PatternError, match="Unmatched ( or".replace("(", r"\(")):
        ere("(a")
    assert issubclass(PatternError, ValueError)
    with pytest.raises(PatternError, match="too big"):
        ere("(" * 500 + ")" * 500)


@pytest.mark.parametrize(("error", "said"), [(TimeoutError, "took too long"), (MemoryError, "needs too much memory")])
def test_a_search_that_does_not_end_ends_the_run(error: type[Exception], said: str) -> None:
    """``(?R)a`` of ``grep -P`` takes a GiB before ``regex`` gives up; nothing else of ours may see a MemoryError."""

    class Program:
        def search(self, text: str, start: int, timeout: float) -> None:
            raise error

    with pytest.raises(Stop, match=f"it {said}") as stopped:
        timed_regex.search_bounded(Program(), "text", 0, None, "it")
    assert stopped.value.reason == "regex"
