"""Text in pieces: long work can be interrupted and gives what it gave at once."""

from __future__ import annotations

from weakref import WeakSet

import pytest
from clock import patient

from pyshellhooks import Limits, MemoryFS, Shell
from pyshellhooks.cancel import CancelScope, check_cancelled, set_active_scope
from pyshellhooks.errors import Stop
from pyshellhooks.text import PIECE, Spelling, characters, forget, paced, parse_digits, pieces, remembered, translated


@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("0", 0),
        ("-17", -17),
        ("+5", 5),
        ("0" * 5000 + "12", 12),
        ("-" + "0" * 5000, 0),
        ("9" * 30, 10**30 - 1),
        ("9" * 31, 10**30),
        ("-" + "1" * 1_000_000, -(10**30)),
    ],
)
def test_numbers_of_any_length_are_read(digits: str, number: int) -> None:
    assert parse_digits(digits) == number


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 200_000])
def test_pieces_are_the_text(size: int) -> None:
    text = ("abcé\n" * (size // 5 + 1))[:size]
    assert "".join(pieces(text)) == text
    assert translated(text, Spelling(lambda char: char * 2 if char == "a" else char)) == text.replace("a", "aa")
    assert characters(text) == set(text)
    assert list(paced(text)) == list(text)


def test_long_work_ends_with_the_run() -> None:
    with CancelScope() as scope:
        before = set_active_scope(scope)
        try:
            check_cancelled()
            scope.cancel("deadline")
            with pytest.raises(Stop):
                check_cancelled()
            with pytest.raises(Stop):
                characters("a" * 200_000)
            with pytest.raises(Stop):
                list(paced(range(5000)))
            assert characters("ab") == {"a", "b"}  # short work asks nobody
        finally:
            set_active_scope(before)
    check_cancelled()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
@pytest.mark.parametrize(
    "reader", ["read x", "read -r x", "mapfile x", "read -N 100000 x", "select x in a; do :; done"]
)
def test_a_device_without_lines_breaks_the_limit_of_a_string(reader: str, device: str) -> None:
    shell = Shell(fs=MemoryFS(), cwd="/", spawn=False, limits=Limits(string=1000))
    ended = shell.run(f"{reader} < {device}", timeout=1 if "-N" in reader else 60).ended  # -N leaves NUL out, for ever
    assert ended.reason in (("deadline", "limit") if "-N" in reader else ("limit",))


def test_a_trap_reads_files_in_the_grace_of_its_run() -> None:
    shell = Shell(fs=MemoryFS({"/pid": "17\n"}), cwd="/", spawn=False)
    result = shell.run("trap 'read x < pid; echo $x; exit' TERM; while :; do :; done", timeout=patient(0.1), grace=20)
    assert result.stdout == b"17\n"


def test_an_expression_that_doubles_at_each_level_ends() -> None:
    bomb = "m=0; n='m<40?(m+=1,n,n,m-=1):0'; (( n ))"
    assert Shell(fs=MemoryFS(), cwd="/", spawn=False).run(bomb, timeout=0.2).ended.reason == "deadline"


class Made:
    """What is compiled of a text."""


def test_the_cache_is_bounded_in_texts_and_in_characters() -> None:
    alive: WeakSet[Made] = WeakSet()

    def compiled(text: object, flag: bool = False) -> Made:
        made = Made()
        alive.add(made)
        return made

    compile_ = remembered(8)(compiled)
    assert compile_("a") is compile_("a") is not compile_("a", flag=True)
    for number in range(100):
        compile_(f"{number}")
    assert 1 <= len(alive) <= 8
    for number in range(20):
        compile_((f"{number}", "a" * (PIECE - 100)))
    assert 1 <= len(alive) <= 4
    assert compile_("a" * (PIECE + 1)) is not compile_("a" * (PIECE + 1))
    forget(compile_)
    assert not alive
