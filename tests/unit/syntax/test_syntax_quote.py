"""Quoting, compared with bash 5.2 in a UTF-8 locale."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import parse
from pyshellhooks.syntax.quote import quote, quote_assign, quote_set, quote_trace, quote_word
from pyshellhooks.text import decode

# Recorded from bash 5.2.15, LC_ALL=C.UTF-8: text, printf %q, ${x@Q}, declare -p
ROWS = [
    ("", "''", "''", '""'),
    ("a", "a", "'a'", '"a"'),
    ("a b", "a\\ b", "'a b'", '"a b"'),
    ("'", "\\'", "\\'", '"\'"'),
    ("a'b", "a\\'b", "'a'\\''b'", '"a\'b"'),
    ('a!"$`\\b', 'a\\!\\"\\$\\`\\\\b', "'a!\"$`\\b'", '"a!\\"\\$\\`\\\\b"'),
    ("a~b:~c=~d,#e", "a~b:\\~c=\\~d\\,#e", "'a~b:~c=~d,#e'", '"a~b:~c=~d,#e"'),
    ("#", "\\#", "'#'", '"#"'),
    ("a\nb", "$'a\\nb'", "$'a\\nb'", "$'a\\nb'"),
    ("\x1b\x01\x7f'\\\"", "$'\\E\\001\\177\\'\\\\\"'", "$'\\E\\001\\177\\'\\\\\"'", "$'\\E\\001\\177\\'\\\\\"'"),
    ("\udc80", "$'\\200'", "$'\\200'", "$'\\200'"),
    ("é", "é", "'é'", '"é"'),
    ("\xa0\u200b", "\xa0\u200b", "'\xa0\u200b'", '"\xa0\u200b"'),
]


@pytest.mark.parametrize(("text", "q", "at_q", "declared"), ROWS)
def test_recorded(text: str, q: str, at_q: str, declared: str) -> None:
    assert (quote(text), quote_word(text), quote_assign(text)) == (q, at_q, declared)


@pytest.mark.parametrize(
    ("text", "listed", "traced"),
    [
        ("", "", "''"),
        ("a=b", "a=b", "a=b"),
        ("a b", "'a b'", "'a b'"),
        ("a#", "a#", "a#"),
        ("a #b", "'a #b'", "'a #b'"),
        ("a:~", "'a:~'", "'a:~'"),
        ("a\nb", "$'a\\nb'", "'a\nb'"),
        ("'", "\\'", "\\'"),
        ("\udc80", "$'\\200'", "$'\\200'"),
    ],
)
def test_quotes_where_needed(text: str, listed: str, traced: str) -> None:
    assert (quote_set(text), quote_trace(text)) == (listed, traced)


@pytest.mark.parametrize("how", [quote, quote_word, quote_assign, quote_trace])
def test_reads_back_as_one_word(how: Callable[[str], str]) -> None:
    for code in [*range(1, 0x180), 0x2028, 0xDC80, 0xDCFF, 0x1F600]:
        text = f"a{chr(code)}b"
        command = parse(f"x {how(text)}").items[0][0]
        assert isinstance(command, n.Simple)
        (_, word) = command.words
        assert isinstance(word, n.Word)
        parts = word.parts[0].parts if isinstance(word.parts[0], n.DoubleQuoted) else word.parts
        assert "".join(part.text for part in parts if isinstance(part, n.Literal | n.Quoted)) == text


@pytest.mark.oracle
def test_every_byte_as_bash_does(program: Callable[[str], str]) -> None:
    words = [bytes((i,)) for i in range(1, 256)] + [b"a%cb" % i for i in range(1, 256)]
    words += [chr(code).encode() for code in [*range(0xA0, 0x500, 7), 0x200B, 0x2028, 0x3000, 0xFEFF, 0x1F600]]
    words += [b"\xff\xfe", b"a\xc3", b"~/x", b"a:~", b"a=~", b"a #", b"a~", b":~:~"]
    script = rb"""for x; do
        printf '%q\0' "$x"; printf '%s\0' "${x@Q}"; y=$(declare -p x); printf '%s\0' "${y#declare -- x=}"
        y=$(set); y=${y#*$'\n'x=}; printf '%s\0' "${y%%$'\n'*}"
    done"""
    env = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    run = subprocess.run([program("bash"), "-c", script, "bash", *words], capture_output=True, env=env, check=True)
    answers = [decode(answer) for answer in run.stdout.split(b"\0")]
    for i, word in enumerate(words):
        text = decode(word)
        ours = [quote(text), quote_word(text), quote_assign(text), quote_set(text)]
        assert ours == answers[4 * i : 4 * i + 4], word
