"""Human-readable sizes: ``1.5K``, ``23M`` (gnulib human.c, rounding up)."""

from __future__ import annotations


def human(number: int, base: int = 1024) -> str:
    """Format a size with one letter, and with one decimal below ten units; always rounded up."""
    if number < base:
        return str(number)
    letters = "kMGTPEZY" if base == 1000 else "KMGTPEZY"
    unit = 1
    for letter in letters:
        unit *= base
        if number < 10 * unit:
            tenths = -(-number * 10 // unit)
            if tenths < 100:  # 9.95 rounds up to 10, which has no decimal
                return f"{tenths // 10}.{tenths % 10}{letter}"
            return f"{-(-number // unit)}{letter}"
        if number <= (base - 1) * unit or letter == letters[-1]:
            return f"{-(-number // unit)}{letter}"
    return str(number)
