"""The conformance cases, read once a process: parsing all files takes a second."""

from __future__ import annotations

from functools import cache

from conformance.case import Case, load


@cache
def shipped_cases() -> tuple[Case, ...]:
    """Return every case that is shipped, in the order of the files."""
    return tuple(load())
