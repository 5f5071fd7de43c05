"""Any bytes, quoted in each of our ways, are read back as they were: by us and by bash."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.syntax.quote import quote, quote_assign, quote_set, quote_trace, quote_word
from pyshellhooks.text import decode, encode

WAYS = (quote, quote_word, quote_assign, quote_set, quote_trace)
NASTY = b" \t\n'\"\\$`*?[]{}()~#!&|;<>=%^-+,:@/aZ0\x01\x1b\x7f\x80\xff\xc3\xa9\xe2\x80\xa8\r"
TEXTS = st.binary(max_size=30).map(lambda data: data.replace(b"\0", b"")) | st.lists(
    st.sampled_from([bytes([byte]) for byte in NASTY] + [b"\xc3\xa9", b"$(", b"${", b"\xe2\x80\xa8", b"~/"]),
    max_size=12,
).map(b"".join)
ENV = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}


def random_texts(count: int) -> list[bytes]:
    """Return texts with every byte but NUL, and many of the nasty ones."""
    random = Random("quotes")
    texts = [bytes([byte]) for byte in range(1, 256)] + [b"a%cb" % byte for byte in range(1, 256)] + [b""]
    while len(texts) < count:
        size = random.randint(1, 12)
        texts.append(
            bytes(random.choice(NASTY) if random.random() < 0.7 else random.randint(1, 255) for _ in range(size))
        )
    return texts


def words(texts: list[bytes], how: Callable[[str], str]) -> str:
    """Make a script that prints the texts, each with a byte 1 around it."""
    # An assignment is where the ways of `set` and `declare -p` belong; `set` prints the empty text as nothing.
    return "".join(f"x={how(decode(text))}\nprintf '<%s>' \"$x\"\n" for text in texts)


def expected(texts: list[bytes]) -> bytes:
    return b"".join(b"<" + text + b">" for text in texts)


@pytest.mark.parametrize("how", WAYS)
@given(text=TEXTS)
@settings(max_examples=120, deadline=None, derandomize=True, database=None)
def test_the_embedded_shell_reads_its_quotes_back(how: Callable[[str], str], text: bytes) -> None:
    if how is quote_trace:
        text = text.replace(b"\r\n", b"\n")
    shell = Shell(fs=MemoryFS(), spawn=False, env=ENV)
    assert shell.run(words([text], how)).stdout == expected([text])
    if how not in (quote_set, quote_assign):  # as one argument of a command, beside other text
        assert shell.run(f"printf '<%s>' {how(decode(text))} a").stdout == expected([text, b"a"])


@pytest.mark.parametrize("how", WAYS)
def test_the_embedded_shell_reads_every_byte_back(how: Callable[[str], str]) -> None:
    # A line end of Windows is one of Unix in a script: what `set -x` shows with its newlines is not for reading back.
    texts = [text for text in random_texts(1500) if how is not quote_trace or b"\r\n" not in text]
    assert Shell(fs=MemoryFS(), spawn=False, env=ENV).run(words(texts, how)).stdout == expected(texts)


@pytest.mark.oracle
@pytest.mark.parametrize("how", WAYS)
def test_every_byte_on_bash(how: Callable[[str], str], program: Callable[[str], str]) -> None:
    texts = random_texts(3000)
    done = subprocess.run([program("bash")], input=encode(words(texts, how)), capture_output=True, env=ENV, check=True)
    assert done.stdout == expected(texts)
