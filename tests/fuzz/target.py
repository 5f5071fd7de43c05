"""What a fuzz target is, what counts as a finding, and how an input is changed.

An input is a text of named parts (a program and its data, a hook's status and its streams) with ``SEPARATOR`` between
them, so that a person can read it and a change can keep to one part. Bytes that are no UTF-8 are in it as the library
has them: ``text.decode``.
"""

from __future__ import annotations

import functools
import re
import traceback
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from pyshellhooks import Limits
from pyshellhooks.text import decode, encode
from tests.property.mutated_scripts import INSERTED, TOKEN

from .watch import growth, watched

SEPARATOR = "\x1f"
SECONDS = 1.0  # that a script of a target has
SLACK = 8.0  # CPU seconds behind that, or for what has no deadline: instrumented code is slow
GROWTH = 512  # MiB that one small input may make the process grow by
LARGEST = 4096  # bytes of an input
EXTREMES = (
    "0",
    "1",
    "-1",
    "63",
    "64",
    "255",
    "32767",
    "65536",
    "2147483648",
    "9223372036854775807",
    "1e308",
    "-1e400",
    "9" * 400,
    "99999999999999999999",
)
LIMITS = Limits(
    output=1 << 20, substitution=1 << 20, string=1 << 20, array=10_000, expansion=10_000, commands=3000, jobs=8, stages=32,
    written=4 << 20, files=200, memory=256 << 20,
)  # fmt: skip


class Broken(AssertionError):
    """A promise that an input has broken. ``kind`` is the same for all inputs that break it in the same way."""

    def __init__(self, kind: str, detail: object = "") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


class Finding(NamedTuple):
    """What one input showed: its name among the findings of a target, and what to tell a person."""

    kind: str
    detail: str


class Target(NamedTuple):
    """One thing to fuzz.

    ``check`` takes as many parts as ``parts`` names and raises ``Broken``, or anything else that it may not raise.
    ``seeds`` gives inputs to begin with; ``words`` are put in beside the words of the seeds.
    """

    name: str
    parts: tuple[str, ...]
    check: Callable[..., None]
    seeds: Callable[[], Iterable[tuple[str, ...]]]
    words: tuple[str, ...] = ()

    def joined(self, parts: Iterable[str]) -> bytes:
        """Write an input."""
        return encode(SEPARATOR.join(parts))

    def split(self, data: bytes) -> list[str]:
        """Read an input; what it lacks is empty."""
        found = decode(data).split(SEPARATOR, len(self.parts) - 1)
        return found + [""] * (len(self.parts) - len(found))


def observe(target: Target, data: bytes) -> Finding | None:
    """Run a target over an input, and say what it found."""
    parts = target.split(data)
    before, began = growth(), process_time()
    try:
        with watched() as seen:
            target.check(*parts)
    except KeyboardInterrupt:
        raise
    except Broken as broken:
        return Finding(broken.kind, str(broken))
    except BaseException as error:  # Stop and SystemExit too: a target names what it allows
        return Finding(f"{type(error).__name__} in {place(error)}", "".join(traceback.format_exception(error))[-4000:])
    if seen:
        return Finding(f"left its world by {seen[0].partition(' ')[0]}", "\n".join(seen[:20]))
    if (took := process_time() - began) > SECONDS + SLACK:
        return Finding("late", f"{took:.1f} CPU seconds for {len(data)} bytes")
    if (grown := growth() - before) > GROWTH:
        return Finding("growth", f"{grown} MiB for {len(data)} bytes")
    return None


def place(error: BaseException) -> str:
    """Return the innermost function of the library that an exception came through; lines move, names stay."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    ours = [
        frame
        for frame in frames
        if "tests" not in (at := Path(frame.f_code.co_filename).parts) and "pyshellhooks" in at
    ]
    ours = ours or frames
    return f"{Path(ours[-1].f_code.co_filename).name}:{ours[-1].f_code.co_name}" if ours else "?"


@functools.lru_cache(maxsize=4)
def inputs(target: Target) -> tuple[tuple[str, ...], ...]:
    """Return a target's seeds, each one once, in order."""
    return tuple(dict.fromkeys(seed for seed in target.seeds() if len(target.joined(seed)) <= LARGEST))


@functools.lru_cache(maxsize=4)
def words(target: Target) -> tuple[str, ...]:
    """Return the words that a change puts in: the target's own, and those of its seeds."""
    known = dict.fromkeys(target.words)
    for seed in inputs(target):
        for part in seed:
            known.update(dict.fromkeys(token for token in TOKEN.findall(part) if len(token) < 40))
    return tuple(known) or INSERTED


def changed(target: Target, data: bytes, random: Random, most: int = LARGEST) -> bytes:
    """Damage one part of an input, seldom two."""
    parts = target.split(data)
    for _ in range(random.choice((1, 1, 1, 2))):
        at = random.randrange(len(parts))
        parts[at] = _damaged(parts[at], random, words(target), random.choice(inputs(target))[at])
    return target.joined(parts)[:most]


def _damaged(text: str, random: Random, known: Sequence[str], donor: str) -> str:
    """Change a text by its tokens at one to four places."""
    tokens = TOKEN.findall(text)
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(tokens) + 1)
        match random.randrange(9):
            case 0 | 1:
                tokens.insert(at, random.choice(known))
            case 2:
                tokens[at : at + 1] = [random.choice(known)]
            case 3:
                del tokens[at : at + random.choice((1, 1, 2, 5))]
            case 4:
                tokens[at:at] = tokens[at : at + random.choice((1, 2, 4))] * random.choice((1, 1, 2, 9, 500))
            case 5:
                other = random.randrange(len(tokens) + 1)
                low, high = min(at, other), max(at, other)
                tokens = tokens[:low] + tokens[high:] + tokens[low:high]
            case 6:
                pieces = TOKEN.findall(donor)
                begin = random.randrange(len(pieces) + 1)
                tokens[at:at] = pieces[begin : begin + random.choice((1, 3, 8, 40))]
            case 7:
                tokens[at : at + 1] = [random.choice(EXTREMES)]
            case _:
                tokens.insert(at, random.choice(INSERTED))
    return "".join(tokens)


def minimised(target: Target, data: bytes, finding: Finding, tries: int = 600, seconds: float = 120) -> bytes:
    """Return a smaller input with the same finding: parts of it are left out as long as it stays, in CPU ``seconds``."""
    began = process_time()
    for pattern in (b"\x1f", b"\n", rb"\W", b""):  # behind which an input is cut
        pieces = _pieces(data, pattern)
        step = len(pieces)
        while step:
            before = len(pieces)
            at = 0
            while at < len(pieces) and tries and process_time() - began < seconds:
                fewer = pieces[:at] + pieces[at + step :]
                tries -= 1
                shown = observe(target, b"".join(fewer))
                if shown is not None and shown.kind == finding.kind:
                    pieces = fewer
                else:
                    at += step
            step = step // 2 if step > 1 else int(len(pieces) < before)
        data = b"".join(pieces)
    return data


def _pieces(data: bytes, pattern: bytes) -> list[bytes]:
    cuts = [0, *(match.end() for match in re.finditer(pattern, data)), len(data)]
    return [data[low:high] for low, high in pairwise(cuts) if low < high]


def no_traceback(stream: bytes, *given: str) -> None:
    """Hold that no stream shows a traceback, where the input itself has none."""
    if b"Traceback (most recent call last)" in stream and not any("Traceback" in text for text in given):
        raise Broken("a traceback on stderr", stream[-3000:])
