"""The bounds of a run and their defaults, and the seconds that a run may take to end.

A breach ends the run as ``Stopped`` (rule 1); it never becomes an exit status or a truncated text.
"""

from __future__ import annotations

from math import inf
from typing import Any

# Seconds. These are not bounds, but belong to each run as the bounds do.
GRACE = 1.0
SLACK = 0.5

_DEFAULTS: dict[str, float] = {
    "output": 16 * 1024 * 1024,  # bytes that a run may write to each captured stream
    "substitution": 16 * 1024 * 1024,  # bytes of one $( )
    "string": 16
    * 1024
    * 1024,  # characters of one value; making one of 64 Mi stops the other threads for half a second
    "array": 1_000_000,  # elements of one array
    "expansion": 1_000_000,  # fields that one word may become
    "glob": 1_000_000,  # directory entries that one glob may read
    "call_depth": 1000,  # nested functions, eval, source and $( )
    "parser_depth": 100,  # nested constructs in the text
    "script": 16 * 1024 * 1024,  # bytes of one script text
    "commands": 0,  # commands of one run; 0: no bound but the deadline
    "jobs": 128,  # background jobs alive at once; more busy ones would starve the host's threads
    "threads": 128,  # threads of one run at once: jobs, process substitutions, stages of pipelines, deep recursion
    "stages": 256,  # commands of one pipeline
    "open_files": 256,  # descriptors of one run
    "written": 1024 * 1024 * 1024,  # bytes written to files by one run
    "files": 100_000,  # files, directories and links that one run may create
    "memory": 1024 * 1024 * 1024,  # bytes by which this process may grow while a run creates large values
    "pipe": 64 * 1024,  # bytes in one in-memory pipe (POSIX PIPE_BUF and Linux's pipe size)
    "grace": GRACE,  # seconds from TERM, at the deadline or a cancel, to KILL
    "slack": SLACK,  # seconds after the grace until a run that has not returned is abandoned
}


class Limits:
    """The bounds of one run; immutable. ``Limits(output=1024)`` changes one bound."""

    __slots__ = tuple(_DEFAULTS)

    output: int
    substitution: int
    string: int
    array: int
    expansion: int
    glob: int
    call_depth: int
    parser_depth: int
    script: int
    commands: int
    jobs: int
    threads: int
    stages: int
    open_files: int
    written: int
    files: int
    memory: int
    pipe: int
    grace: float
    slack: float

    def __init__(self, **bounds: float) -> None:
        for name, default in _DEFAULTS.items():
            value = bounds.pop(name, default)
            kind = type(default)
            if not isinstance(value, (int, kind)) or not 0 <= value < inf:
                expected = "an int" if kind is int else "seconds"
                raise ValueError(f"Limits.{name} must be {expected} >= 0, got {value!r}")
            object.__setattr__(self, name, value)
        if bounds:
            raise TypeError(f"unknown limit: {', '.join(sorted(bounds))} (expected one of: {', '.join(_DEFAULTS)})")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("Limits are immutable; use replace()")

    def replace(self, **bounds: float) -> Limits:
        """Return a copy with some bounds changed."""
        return Limits(**{**{name: getattr(self, name) for name in _DEFAULTS}, **bounds})

    def __repr__(self) -> str:
        changed = ", ".join(f"{n}={getattr(self, n)}" for n, d in _DEFAULTS.items() if getattr(self, n) != d)
        return f"Limits({changed})"


DEFAULT = Limits()
