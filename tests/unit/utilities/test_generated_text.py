"""diff, join, od, fold and expr against the machine's own, on inputs made by chance (the seed is fixed)."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from dataclasses import replace

import pytest

from conformance.case import ShellCase
from conformance.drivers import InProcess, Spawned

pytestmark = pytest.mark.oracle

_COUNT = 150
Make = Callable[[random.Random], ShellCase]


def _text(chance: random.Random, most: int, words: list[str]) -> str:
    return "".join(chance.choice(words) + "\n" for _ in range(chance.randrange(most)))


def _case(argv: list[str], **more: object) -> ShellCase:
    """Make the case of a command, on files and an input of bytes."""
    return ShellCase("generated", "", "", script=shlex.join(argv), virtual=True, encoding="latin-1", **more)  # type: ignore[arg-type]


def _edited(chance: random.Random, text: str) -> str:
    """Change a few lines; now and then the last newline goes."""
    rows = text.split("\n")[:-1]
    for _ in range(chance.randrange(6)):
        at = chance.randrange(len(rows) + 1)
        rows[at : at + chance.randrange(2)] = chance.choice([[], ["new"], ["", "x y"], ["B"]])
    edited = "".join(row + "\n" for row in rows)
    return edited[:-1] if chance.random() < 0.15 else edited


def make_diff(chance: random.Random) -> ShellCase:
    words = chance.choice(
        [
            ["a", "b", "c"],
            ["a", "b", "", "{", "}"],
            [str(number) for number in range(40)],
            ["a", "A", " a", "a ", "\ta", "x y", "x  y", ""],
        ]
    )
    left = _text(chance, chance.choice([5, 20, 60, 200]), words)
    right = _edited(chance, left) if chance.random() < 0.7 else _text(chance, 30, words)
    labels = ["-La", "-Lb"]
    styles = [[], ["-n"], ["-U1", *labels], ["-U3", *labels], ["-C2", *labels], ["-q"], ["-s"]]
    ignoring = [[], [], ["-d"], ["-b"], ["-w"], ["-B"], ["-i"], ["-Z"], ["-E"], ["-bB"], ["-I", "^a$"], ["-I", "^$"]]
    options = chance.choice(styles) + chance.choice(ignoring)
    return _case(["diff", *options, "a", "b"], files={"a": left, "b": right})


def make_join(chance: random.Random) -> ShellCase:
    def table() -> str:
        rows = [
            " ".join(
                [chance.choice("a b c d aa B".split()), *chance.choices(["1", "2", "", " x"], k=chance.randrange(3))]
            )
            for _ in range(chance.randrange(8))
        ]
        return "".join(row + "\n" for row in (sorted(rows) if chance.random() < 0.8 else rows))

    options = chance.choice(
        [
            [],
            ["-a1"],
            ["-v2"],
            ["-a1", "-a2", "-e", "-", "-o", "0,1.2,2.2"],
            ["-t", " "],
            ["-o", "auto", "-a1", "-e", "X"],
            ["-i"],
            ["--header"],
            ["-1", "2"],
            ["--check-order"],
            ["--nocheck-order", "-a1", "-a2"],
        ]
    )
    return _case(["join", *options, "a", "b"], files={"a": table(), "b": table()})


def make_od(chance: random.Random) -> ShellCase:
    data = "".join(chr(chance.choice([0, 97, chance.randrange(256)])) for _ in range(chance.randrange(120)))
    options: list[str] = []
    for _ in range(chance.randrange(3)):
        options += ["-t", chance.choice("x1 x2 x4 x8 d1 d2 d4 d8 u1 u4 o1 o2 o8 c a x1z cz f4 f8 fL d4z".split())]
    options += chance.choice([[], ["-A", "x"], ["-Ad"], ["-An"]]) + chance.choice([[], ["-w8"], ["-w24"], ["-v"]])
    options += chance.choice([[], ["-j", str(chance.randrange(len(data) + 1))], ["-N", "21"], ["--endian=big"]])
    return _case(["od", *options], stdin="\0" * chance.choice([0, 0, 50]) + data)


def make_fold(chance: random.Random) -> ShellCase:
    data = "".join(chance.choice(["a", " ", "\t", "\b", "\r", "\n", "xyz", "  "]) for _ in range(chance.randrange(80)))
    options = ["-w", str(chance.randrange(1, 20))] + chance.choice([[], ["-s"], ["-b"], ["-sb"]])
    return _case(["fold", *options], stdin=data)


def make_expr(chance: random.Random) -> ShellCase:
    atoms = ["1", "2", "0", "-3", "10", "abc", "", "a", "99999999999999999999"]

    def tree(depth: int) -> list[str]:
        kind = chance.randrange(9) if depth else 0
        if kind < 2:
            return [chance.choice(atoms)]
        if kind < 6:
            return [*tree(depth - 1), chance.choice("+ - * / % < <= = != > >= | & :".split()), *tree(depth - 1)]
        if kind == 6:
            return ["(", *tree(depth - 1), ")"]
        return ["length", *tree(depth - 1)] if kind == 7 else ["substr", *tree(depth - 1), "1", *tree(depth - 1)]

    words = tree(3) if chance.random() < 0.7 else chance.choices([*atoms, "+", "*", "(", ")", "|", "length", ":"], k=4)
    return _case(["expr", *words])


@pytest.mark.parametrize("make", [make_diff, make_join, make_od, make_fold, make_expr], ids=lambda make: make.__name__)
def test_the_same_answers(make: Make, program: Callable[[str], str]) -> None:
    program(make.__name__.removeprefix("make_"))
    bash = program("bash")
    for seed in range(_COUNT):
        case = make(random.Random(seed))
        ours, theirs = (driver.run(case) for driver in (InProcess(), Spawned([bash])))
        assert replace(ours, seconds=0) == replace(theirs, seconds=0), case
