"""The kinds of options: what they read, when, and that what a utility asks its options for is in a row."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyshellhooks.command import Flag, Flags, Options, RawArgument, Registry
from pyshellhooks.errors import UsageError
from pyshellhooks.utilities import _index, windows
from pyshellhooks.utilities.support.kinds import UNITS, Argument, Choice, Count, Loose, Number, Once, Separator, scan

NUMBERS = [
    ("12", "", 10, (12, "")),
    (" \t+12", "", 10, (12, "")),
    ("-12", "", 10, (-12, "")),
    ("", "", 10, (0, "number")),
    ("+", "", 10, (0, "number")),
    ("- 1", "", 10, (0, "number")),
    ("12 ", "", 10, (12, "suffix")),
    ("1k", "", 10, (1, "suffix")),
    ("1k", UNITS, 10, (1024, "")),
    ("1kB", UNITS, 10, (1000, "")),
    ("1KiB", UNITS, 10, (1024, "")),
    ("1Ki", UNITS, 10, (1024, "suffix")),
    ("1kB", "kK", 10, (1024, "suffix")),
    ("3b", UNITS, 10, (1536, "")),
    ("3b", "kK", 10, (3, "suffix")),
    ("2Y", UNITS, 10, (2 * 1024**8, "")),
    ("k", UNITS, 10, (1024, "")),
    ("+k", UNITS, 10, (0, "number")),
    ("-k", UNITS, 10, (0, "number")),
    (" k", UNITS, 10, (0, "number")),
    ("010", "", 10, (10, "")),
    ("010", "", 0, (8, "")),
    ("08", "", 0, (0, "suffix")),
    ("0x1F", "", 0, (31, "")),
    ("0x", "", 0, (0, "suffix")),
    ("0xk", UNITS, 0, (0, "suffix")),
    ("\N{ARABIC-INDIC DIGIT ONE}", "", 10, (0, "number")),
]


@pytest.mark.parametrize(("text", "units", "base", "read"), NUMBERS)
def test_numbers_are_read_as_gnulib_reads_them(text: str, units: str, base: int, read: tuple[int, str]) -> None:
    assert scan(text, units, base) == read


def test_a_number_of_any_length_is_read_at_once() -> None:
    assert scan("0" * 1_000_000 + "7")[0] == 7
    assert scan("9" * 1_000_000)[0] > 2**64


REFUSED = [
    (Count("size"), "x", "invalid size: 'x'"),
    (Count("size", 1), "0", "invalid size: '0': Numerical result out of range"),
    (Count("size"), str(2**64), f"invalid size: '{2**64}': Value too large for defined data type"),
    (Count("size"), "-1", "invalid size: '-1'"),
    (Argument(units="k"), "x", "invalid -n argument 'x'"),
    (Argument(units="k"), "1x", "invalid suffix in -n argument '1x'"),
    (Argument(most=5), "6", "-n argument '6' too large"),
    (Number("{text}: no {option}"), "'x", "'x: no -n"),
    (Loose("bad {text}"), " ", "bad  "),
    (Choice("one", "other"), "o", "ambiguous argument 'o' for '-n'\nValid arguments are:\n  - 'one'\n  - 'other'"),
    (Choice("one", exact=True), "on", "invalid argument 'on' for '-n'\nValid arguments are:\n  - 'one'"),
    (Separator("many {q}", "other"), "ab", "many 'ab'"),
    (Separator("many", "other", "none"), "", "none"),
]


@pytest.mark.parametrize(("kind", "text", "message"), REFUSED)
def test_values_that_a_kind_refuses(kind: Number | Choice | Separator, text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        kind(RawArgument(text, {}, option="-n"))
    assert raised.value.message == message


def test_values_that_kinds_take() -> None:
    assert Number("", most=7, endless=True)(RawArgument("9" * 99, {})) == 7
    assert Loose("")(RawArgument("", {})) == 0
    assert Choice(("always", "yes"), ("never",))(RawArgument("y", {})) == "always"
    assert Separator("", "")(RawArgument("\\0", {})) == b"\0"
    assert Separator("", "")(RawArgument("", {})) == b"\n"


FLAGS = Flags(
    [
        Flag("-n", "--number", value="N", kind=Count("number")),
        Flag("-w", "--width", value="N", optional=True, kind=Count("width")),
        Flag("-s", value="TEXT", kind=Once("twice")),
        Flag("-t", value="C", kind=Separator("many", "other")),
        Flag("-c", "--choice", value="WORD", kind=Choice(("always", "yes"))),
        Flag("-v"),
    ],
    numeric="number",
)


def read(*words: str) -> Options:
    """Read some words."""
    return FLAGS.parse(words, {})[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-nx", "--bogus"), "invalid number: 'x'"),
        (("--bogus", "-nx"), "unrecognized option '--bogus'"),
        (("-nx", "-n1"), "invalid number: 'x'"),
        (("-n", "1", "file", "--number=y", "-wz"), "invalid number: 'y'"),
        (("-nx", "--help"), "invalid number: 'x'"),
        (("-sa", "-sa", "-sb"), "twice"),
        (("-ta", "-ta", "-tb"), "other"),
    ],
)
def test_the_first_wrong_word_is_reported(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(*words)
    assert raised.value.message == message


def test_nothing_is_read_behind_help() -> None:
    assert "help" in read("--help", "-nx", "--bogus")


def test_options_have_the_parsed_values() -> None:
    opts = read("-n1", "-5", "--number", "+7", "-w", "-w9", "-cy", "-v")
    assert opts.read("number", int) == [1, 5, 7]
    assert opts.integer("number", 0) == 7
    assert opts.integer("width", 0) == 9
    assert read("-w9", "-w").integer("width", 32) == 32
    assert read().integer("width", 80) == 80
    assert opts.value("choice") == "always"
    assert opts.value("number") == "+7"
    assert opts.v and not opts.c
    with pytest.raises(TypeError, match="the option number is not read as bytes"):
        opts.read("number", bytes)


ROOT = Path(_index.__file__).parent


def requested_names() -> Iterator[tuple[str, str, bool]]:
    """Yield where a utility asks its options for a name, the name, and whether it wants what a kind has read."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and _is_options(node.value) and node.attr not in dir(Options):
                yield f"{path.name}:{node.lineno}", node.attr, False
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_options(node.func.value):
                if node.func.attr in ("integer", "read") and isinstance(node.args[0], ast.Constant):
                    yield f"{path.name}:{node.lineno}", str(node.args[0].value), True


def _is_options(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name == "opts"


@pytest.mark.slow
def test_requested_options_are_declared() -> None:
    index = {**_index.INDEX, **windows.INDEX}
    registry = Registry(index)
    rows = [flag for name in index if (command := registry.get(name)) for flag in command.listed]
    given = {flag.dest for flag in rows} | {"help"}
    with_kind = {flag.dest for flag in rows if flag.kind is not None}
    found = list(requested_names())
    assert len(found) > 250
    assert [place for place in found if place[1] not in (with_kind if place[2] else given)] == []
