"""Print the tables of ``pyshellhooks/patterns/glibc.py`` as this machine's glibc has them: ``python tests/differential/record_glibc_classes.py``."""

from __future__ import annotations

import ctypes
import locale
import platform
import textwrap

NAMES = ("alpha", "lower", "punct", "upper")


def table(name: str) -> str:
    """Write a class's ranges beyond ASCII as distances and lengths."""
    test = getattr(ctypes.CDLL(None), f"isw{name}")
    parts, end, start = [], 0, -1
    for code in range(128, 0x110001):
        inside = code < 0x110000 and not 0xD800 <= code < 0xE000 and bool(test(ctypes.c_uint(code)))
        if inside and start < 0:
            start = code
        elif not inside and start >= 0:
            more = code - 1 - start
            parts.append(f"{start - end:x}.{more:x}" if more else f"{start - end:x}")
            end, start = code - 1, -1
    return " ".join(parts)


def main() -> None:
    """Print them."""
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    print("#", *platform.libc_ver())
    for name in NAMES:
        print(f'    "{name}": """', *textwrap.wrap(table(name), 112), '""",', sep="\n")


if __name__ == "__main__":
    main()
