"""Programs and inputs that make jq do its worst: every builtin and construct with sizes up to 16 MB.

A cell is the command line and the name of its input. How it ends is its own affair (an answer, an error, a limit, the
deadline); the table is about when, and about who else may run meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hostile_jq_inputs import ENDLESS, INPUTS, OPENINGS, Endless, text_of

from pyshellhooks.streams import Stream

# Programs that are large themselves.
LARGE: dict[str, Callable[[], str]] = {
    "parentheses": lambda: "(" * 10_000 + "1" + ")" * 10_000,
    "brackets": lambda: "[" * 10_000 + "1" + "]" * 10_000,
    "braces": lambda: "{a:" * 10_000 + "1" + "}" * 10_000,
    "only opening": lambda: "(" * 1_000_000,
    "only opening brackets": lambda: "[" * 1_000_000,
    "minus": lambda: "-" * 100_000 + "1",
    "plus": lambda: "1" + "+1" * 300_000,
    "plus with variables": lambda: "1 as $x|$x" + "+$x" * 100_000,
    "commas": lambda: "1" + ",1" * 300_000,
    "pipes": lambda: "." + "|." * 300_000,
    "and": lambda: "true" + " and true" * 100_000,
    "alternatives": lambda: "null" + "//null" * 100_000,
    "comparisons": lambda: "1" + "==1" * 100_000,
    "assignments": lambda: ".a" + "=.a" * 100_000,
    "fields": lambda: ".a" * 300_000,
    "indexes": lambda: "." + "[0]" * 300_000,
    "optional": lambda: ".a" + "?" * 300_000,
    "recursive descents": lambda: "..|" * 100_000 + ".",
    "ifs": lambda: "if . then " * 5_000 + "1" + " end" * 5_000,
    "elifs": lambda: "if . then 1 " + "elif . then 1 " * 50_000 + "end",
    "tries": lambda: "try " * 100_000 + "1",
    "reduces": lambda: "reduce " * 10_000 + "1",
    "reduces inside": lambda: "reduce 1 as $x (" * 3_000 + "0" + ";.)" * 3_000,
    "definitions": lambda: "".join(f"def f{n}: {n};" for n in range(100_000)) + "f5",
    "definitions inside": lambda: "def f: " * 5_000 + "1" + "; f" * 5_000,
    "definitions that call": lambda: (
        "def f0: 1;" + "".join(f"def f{n + 1}: f{n} + 1;" for n in range(20_000)) + "f20000"
    ),
    "parameters": lambda: (
        "def f(" + ";".join(f"a{n}" for n in range(4_000)) + "): 1; f(" + ";".join("1" for _ in range(4_000)) + ")"
    ),
    "arguments": lambda: "f(" + ";".join("1" for _ in range(100_000)) + ")",
    "bindings": lambda: "".join(f"{n} as $x{n}|" for n in range(50_000)) + "$x7",
    "one binding again": lambda: "1 as $x|" * 50_000 + "$x",
    "labels": lambda: "label $f|" * 50_000 + "break $f",
    "a large array": lambda: "[" + "1," * 500_000 + "1]",
    "a large object": lambda: "{" + ",".join(f"a{n}:{n}" for n in range(100_000)) + "}",
    "a large string": lambda: '"' + "a" * 4_000_000 + '"',
    "a large name": lambda: "." + "a" * 4_000_000,
    "a large number": lambda: "1" * 4_000_000,
    "a large comment": lambda: "#" + "c" * 4_000_000 + "\n1",
    "interpolations": lambda: '"' + "\\(1)" * 100_000 + '"',
    "interpolations inside": lambda: '"\\(' * 5_000 + "1" + ')"' * 5_000,
    "escapes": lambda: '"' + "\\u00e9" * 500_000 + '"',
    "formats": lambda: "@json" * 50_000,
    "patterns": lambda: ". as " + "[" * 5_000 + "$x" + "]" * 5_000 + "|$x",
    "wide patterns": lambda: ". as [" + ",".join(f"$x{n}" for n in range(50_000)) + "]|$x7",
    "alternative patterns": lambda: ". as $x" + " ?// $x" * 10_000 + "|$x",
    "variables unknown": lambda: "$x|" * 20_000 + ".",
    "functions unknown": lambda: "g|" * 20_000 + ".",
    "blanks": lambda: " " * 4_000_000 + "1",
    "newlines": lambda: "\n" * 4_000_000 + "1",
    "garbage": lambda: "%" * 1_000_000,
    "closing": lambda: ")" * 1_000_000,
    "unfinished strings": lambda: '"' * 1_000_001,
    "keywords": lambda: "if " * 300_000,
    "slices": lambda: "." + "[1:2]" * 100_000,
    "wide unicode": lambda: '"' + "é😀" * 500_000 + '"',
    "regexes": lambda: "|".join(f'test("a{n}")' for n in range(10_000)),
    "limits": lambda: "limit(1;" * 3_000 + "1" + ")" * 3_000,
    "firsts": lambda: "first(" * 5_000 + "1" + ")" * 5_000,
    "updates": lambda: ".a" + "|=." * 3_000,
    "updates inside": lambda: ".a|=(" * 3_000 + "." + ")" * 3_000,
    "paths": lambda: "path(" * 3_000 + "." + ")" * 3_000,
}
# Options: words, input.
OPTIONED: list[tuple[str, str]] = [
    *[(f"{option} .", name) for option in ("-S -c", "-C -c", "--tab", "-a -c", "-C -S", "--seq -c", "--indent 7") for name in ("numbers", "objects", "object", "strings", "deep", "deep object", "wide string", "odd numbers")],
    *[(f"{option} .", "string") for option in ("-r", "-j", "-a", "-C", "--raw-output0")],
    *[(f"--stream -c {program}", name) for program in (".", "empty") for name in ("numbers", "objects", "object", "deep", "too deep", "string", "truncated", "json lines", "digits", "one key again", "deep often", "tiny texts")],
    *[(f"-n --stream -c {program}", name) for program in ("[inputs]|length", "fromstream(inputs)|length", "fromstream(1|truncate_stream(inputs))|1", "first(inputs)", "reduce inputs as $x (0;.+1)") for name in ("numbers", "objects", "deep often", "json lines")],
    *[(f"-s {program}", name) for program in (".", "length", "add") for name in ("json lines", "tiny texts", "deep often", "numbers", "string")],
    *[(f"-R {program}", name) for program in (".", "length") for name in ("lines of text", "one line of text", "newlines")],
    *[(f"-Rs {program}", name) for program in (".", "length", 'split("\\n")|length', "test(\"x\\n\")") for name in ("lines of text", "one line of text")],
    *[(f"-nR {program}", "lines of text") for program in ("[inputs]|length", "reduce inputs as $l (0;.+1)", "first(inputs)")],
    *[(f"-n {program}", name) for program in ("[inputs]|length", "reduce inputs as $x (0;.+1)", "input", "last(inputs)", "[limit(3;inputs)]") for name in ("json lines", "tiny texts", "numbers")],
    *[("-c .", name) for name in INPUTS],
    *[("--seq -c .", name) for name in ("records", "broken records", "truncated", "tiny texts")],
    *[("--stream-errors -c .", name) for name in ("truncated", "too deep", "broken records")],
    *[(f"{option} {'|'.join(['length'] * 400)}", name) for option, name in (("-R", "newlines"), ("-c", "tiny texts"), ("--stream -c", "tiny texts"))],
    *[("-e .a?", name) for name in ("json lines", "tiny texts")],
    *[(f"{options} {program}", name) for options, program in (("-c", "."), ("-n", "[inputs]|length"), ("-s", "length"), ("--stream -c", "."), ("-n --stream", "last(inputs)"), ("-n", "input"), ("-n", "reduce inputs as $x (0;.+1)"), ("-c", "empty")) for name in ENDLESS],
    *[(f"{options} {program}", name) for options, program in (("-R", "."), ("-Rs", "length"), ("-nR", "[inputs]|length"), ("-nR", "last(inputs)")) for name in ("endless lines", "endless blanks", "endless string")],
    *[("--seq -c .", name) for name in ("endless numbers", "endless array", "endless brackets")],
]  # fmt: skip


class Cell:
    """One cell: how jq is called, and on what. ``program`` makes the last word where it is large."""

    __slots__ = ("_words", "input", "name", "program")

    def __init__(self, name: str, words: tuple[str, ...], given: str, program: Callable[[], str] | None = None) -> None:
        self.name = name
        self._words = words
        self.input = given
        self.program = program

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words after ``jq``."""
        return self._words if self.program is None else (*self._words, self.program())

    def stream(self, size: int) -> Stream | bytes:
        """Return the input, of about so many bytes where it has an end."""
        if self.input in ENDLESS:
            return Endless(OPENINGS.get(self.input, b""), ENDLESS[self.input])
        return text_of(self.input, size)


def _optioned(spelled: str, given: str) -> Cell:
    words = spelled.split(" ")
    at = next(n for n, word in enumerate(words) if not word.startswith("-") and (n == 0 or words[n - 1] != "--indent"))
    return Cell(f"{spelled} on {given}", (*words[:at], " ".join(words[at:])), given)


def _listed() -> Iterator[tuple[str, str]]:
    """Read the programs of ``jq_stalls.txt`` with the names of their inputs."""
    given = ""
    for line in Path(__file__).with_name("jq_stalls.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            given = line[3:]
        elif not line.startswith("#"):
            yield line, given


def cells() -> list[Cell]:
    """Return the table, cells of one input together."""
    found = [Cell(f"{program} on {given}", ("-c", program), given) for program, given in _listed()]
    found += [_optioned(spelled, given) for spelled, given in sorted(OPTIONED, key=lambda row: row[1])]
    return found + [Cell(f"a program of {name}", ("-nc",), "null", make) for name, make in LARGE.items()]
