"""Sets of characters of Oniguruma's machine."""

from __future__ import annotations

import sys

from pyshellhooks.utilities.jq.regex.machine import dot_chars
from pyshellhooks.utilities.jq.regex.nodes import Dot


def test_the_cache_of_characters_is_bounded() -> None:
    # Sets of whole programs live as long as the process, and a text may have a million different characters.
    chars = dot_chars(Dot(newline=False))
    for code in range(0x4E00, 0x4E00 + 60_000):
        if not 0xD800 <= code < 0xE000:
            assert chars.has(chr(code).encode())
    assert sys.getsizeof(chars._known) < 2_000_000
