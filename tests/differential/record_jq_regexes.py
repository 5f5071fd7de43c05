"""Record what jq 1.8.2 makes of regular expressions: ``PYTHONPATH=. python tests/differential/record_jq_regexes.py``. The table is read by tests."""

from __future__ import annotations

import json

from jq_beside import run_real_jq
from test_jq_regexes import PROGRAM, RECORDED

from tests.recorded import write

# Text, pattern, flags.
CASES: list[tuple[str, str, str]] = [
    *[("foo bar FOO", "foo", flags) for flags in ("", "g", "i", "gi", "n", "l", "x", "s", "p", "q", "gy")],
    *[("aXbxc", pattern, "gi") for pattern in ("x", "[x]", "[^x]", r"\x78", "(?-i)x", "(?-i:x)|B")],
    *[("ab\ncd\n", pattern, flags) for pattern in ("^", "$", r"\A", r"\Z", r"\z", ".*", "(?m)^", "(?m)$", "(?s).+", r"\R", r"\N+", r"\O+") for flags in ("g", "gp")],
    *[("a1_é ½\u3000\u0663", pattern, "g") for pattern in (r"\w", r"[\w]", r"\d", r"\s", r"\W", r"\D", r"\S", r"\b", r"\B", r"\h", "[[:alpha:]]", "[[:^alpha:]]", "[[:punct:]]", r"\p{Lu}", r"\p{^L}", r"\P{Nd}", r"[\p{L}\d]", r"\p{Word}")],
    *[(text, "ß", "gi") for text in ("ß", "ẞ", "ss", "SS", "sſ", "s")],
    *[(text, pattern, "gi") for text in ("Kk\u212a", "ſtﬆst", "İi̇ı", "ΣσςΣ") for pattern in ("k", "st", "i", "σ", "[σ]", "[k-s]", "[^k]", "i̇")],
    *[("é€x", pattern, "g") for pattern in ("", "x*", "(?=é)|.", "(?<a>)", r"\b", r"^|[^a]", r"\W*", r"(?=€)|\w?", "é|")],
    *[("aaa", pattern, "g") for pattern in ("a", "a*", "a*?", "a+?", "a??", "a{2}", "a{,2}", "a{2,}", "a{1,2}?", "a{2}+", "a**", "a+*", "a?+a", "(a)|b", "(a)(b)?", "(a*)*", "(a*)+", "(a|b*)*", "(|a)+", "(a|)*", "(?:(a)|b)*", "a{0}", "(a){0}b?", "a{1}", "")],
    *[("abcabc", pattern, "g") for pattern in (r"(?<x>b)|(?<y>c)", r"(?<x>a)|(?<x>b)", r"(a)(?<x>b)", r"(.)\1", r"(...)\1", r"(?<n>...)\k<n>", r"(?<=a)b", r"(?<!a)b", r"(?<=ab|bc).", r"(?<=a?b)c", "a(?=b)", "(?=(b))", "a(?!b)", "(?>a|ab)c", r"ab\Kc", r"\Gabc", r"\G.", r"(?~bc)", r"(?~|bc|.*)", r"(a)?(?(1)b|c)", r"(?(?=a)ab|c)", r"\g<x>(?<x>[bc])", r"(?1)(c)", "(?#x)b", r"\Qa\Eb", r"(?x) b # x", "[[]|b", "[]b]", "[^]]b", "[a-]", "[a&&b]", "[b-]")],
    *[("((a)(b))", pattern, "g") for pattern in (r"\((?:[^()]|\g<0>)*\)", r"(?<p>\((?:[^()]|\g<p>)*\))", r"\(\g<1>?(a)?\)")],
    *[("x", pattern, "") for pattern in (
        "(", "(a", "a)", "[", "[]", "[a", "*", "+a", "a|*", "^*", "(?=a)*", r"\b+", "(?:^|a)*", "a{100001}", "a{5,2}", "{1}", "a{", "a{,5}", "a{1", r"\xff", r"\xc3", r"\x{110000}",
        r"\x{7fffffff}", r"\x{123456789}", r"\x{", "\\", r"\c", r"[\c]", r"\400", r"[\400]", "(?<1>a)", "(?<>a)", "(?<a", "(?<a-b>a)", r"\k<x>", r"\k<1>", r"\k<-2>(a)", r"\k<a+0>", r"\1", r"(a)\2",
        r"\g<1>", r"\g<x>", r"(?<x>a)(?<x>b)\g<x>", r"(?<x>\g<x>)", r"(?<x>a|\g<x>b)", "(?z)", "(?i", "(?", "(?P<x>a)", "(?'x'a)", "(?@a)", "[b-a]", r"[a-\d]", "[[:foo:]]", "[[:alpha:]", r"\p{Foo}", r"\p{", r"\pL",
        "(?<=a*)b", "(?<=ab*)c", "(?<=(a))b", "(?<!(a))b", "(?<=a|bc)d", "(?<=^)a", "(?<=$)a", "(?<=(?=a))b", "(?#a", "(*FAIL)", "(*FOO)", "(*)", "(?{a", "(?(", "(?(1)a)", "(?(9)a)", "(?(x)a|b|c)", "(?~", "(?R)",
    )],
    *[("aé\U0001f600b", pattern, "gl") for pattern in ("a|é|.", "a.|é..", "(?<x>.)+", ".")],
    *[("a\r\nb", pattern, "g") for pattern in (r"\R", r"\R\n", r"\X", r"\y", r".\Y.")],
]  # fmt: skip


def main() -> None:
    """Record all cases."""
    lines = run_real_jq(json.dumps(CASES), "-c", PROGRAM).splitlines()
    rows = [[*case, json.loads(line)] for case, line in zip(CASES, lines, strict=True)]
    write(RECORDED, rows, version=run_real_jq("null", "--version").strip())
    print(f"{len(rows)} cases in {RECORDED}")


if __name__ == "__main__":
    main()
