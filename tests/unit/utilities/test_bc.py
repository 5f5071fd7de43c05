"""bc is bounded, stops when told, and counts as GNU's does (the recorded programs are in conformance/cases/utilities/bc_programs.toml)."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from time import monotonic

import pytest
from clock import patient

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.utilities.bc import numbers


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(lambda: "scale=70000\n" + "e(1/3)\n" * 500, id="functions"),
        pytest.param(lambda: "x=4^160000\n" + "y=x*x/7\n" * 5000, id="arithmetic"),
        pytest.param(lambda: "obase=7\n" + "4^330000\n" * 100, id="output"),
        pytest.param(lambda: "ibase=7\n" + f"x={'3' * 300_000}\n" * 40, id="constants"),
        pytest.param(lambda: "1" + "+1" * 4_000_000, id="one-line"),
    ],
)
def test_it_obeys_the_end_of_the_run(program: Callable[[], str]) -> None:
    stdin = program().encode() + b"\n"
    began = monotonic()
    result = Shell(spawn=False).run("bc -l >/dev/null || echo allowed", stdin=stdin, timeout=1)
    assert b"allowed" not in result.stdout
    assert "deadline" in str(result.ended)
    assert monotonic() - began < patient(4)


@pytest.mark.parametrize(
    ("program", "word", "what"),
    [
        ("define f(x) { return x }\nf(1)", "define", "functions"),
        ("auto x", "auto", "functions"),
        ("return (1)", "return", "functions"),
        ("void", "void", "functions"),
        ("for (i=0; i<3; i++) i", "for", "loops"),
        ("if (1) while(0) 1", "while", "loops"),
        ("break", "break", "loops"),
        ("{ continue }", "continue", "loops"),
        ("a[1]", "[", "arrays"),
        ("x=j (0, 1)", "j", "Bessel functions"),
        ("read()", "read", "write the number into the program"),
        ("random()", "random", "$RANDOM"),
        ("limits", "limits", ""),
        ("warranty", "warranty", ""),
    ],
)
def test_missing_files_are_refused_before_anything_runs(program: str, word: str, what: str) -> None:
    given = f'1 /* for */ # while\n"read"; forty=40\n{program}\n'.encode()
    result = Shell(spawn=False).run("x=$(bc -l); echo $? [$x]", stdin=given)
    assert result.stdout == b"1 []\n"
    assert result.stderr.startswith(f'bc: line 3: "{word}" is not supported'.encode())
    assert what.encode() in result.stderr
    assert result.stderr.count(b"\n") == 1


def test_a_refusal_names_the_file() -> None:
    result = Shell(spawn=False, fs=MemoryFS({"/l.bc": b"2\n\nfor(;;) 1\n"})).run("echo 3 | bc /l.bc; echo $?")
    assert (result.stdout, result.stderr) == (
        b"1\n",
        b'bc: /l.bc: line 3: "for" is not supported: bc has no loops here; use awk\n',
    )


def test_behind_quit_nothing_is_looked_at() -> None:
    assert Shell(spawn=False).run("bc", stdin=b"1\nquit\nfor\n").stdout == b"1\n"


def test_words_that_go_on_in_the_next_block() -> None:
    """What is read comes in blocks: strings, comments and constants may stand across their borders."""
    line = f"#{'=' * 62}\n"
    string = '"a\n' + "for\n" * 20 + 'b";1\n'
    comment = "/*" + "while\n" * 20 + "*/2\n"
    number = "3\\\n" * 60 + "4\n"
    program = f"0\n{line * 1023}{string}{line * 1023}{comment}{line * 1022}{number}"
    for block, word in enumerate((string, comment, number), 1):
        assert 0 < block * 65536 - program.index(word) < len(word)
    expected = "0\na\n" + "for\n" * 20 + "b1\n2\n" + "3" * 60 + "4\n"
    assert Shell(spawn=False).run("bc", stdin=program.encode()).stdout == expected.encode()


@pytest.mark.parametrize("program", ["2^99999999", "10^400000", "scale=999999;1/3", "(" * 5000 + "1" + ")" * 5000])
def test_a_breach_is_no_status(program: str) -> None:
    result = Shell(spawn=False).run("bc || echo allowed", stdin=program.encode() + b"\n", timeout=60)
    assert (result.stdout, "limit" in str(result.ended)) == (b"", True)


def test_numbers_longer_than_python_reads_at_once() -> None:
    """CPython refuses to turn more than 4300 digits into a number, or back; powers of ten say what is right."""
    assert numbers.write((10**20000, 0), 10) == "1" + "0" * 20000
    assert numbers.integer("1" + "0" * 20000) == 10**20000
    assert numbers.integer("9" * 9001) + 1 == 10**9001
    assert numbers.write((10**9001 - 1, 1), 10) == "9" * 9000 + ".9"


def test_interactive_is_refused() -> None:
    result = Shell(spawn=False).run("bc -i")
    assert (result.status, result.stderr) == (1, b"bc: -i is not supported: bc has no terminal here\n")


class _Programs:
    """Random programs of what scripts do with bc."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self) -> str:
        pick = self.random.randint
        kinds: tuple[str, ...] = (
            f"{pick(0, 9)}",
            f"{pick(0, 10 ** pick(1, 25))}",
            f"{pick(0, 9999)}.{pick(0, 10**9)}",
            f".{pick(0, 999)}",
        )
        return self.random.choice(kinds)

    def expression(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.2:
            return self.random.choice((self.number(), "a", "b", "c", f"(-{self.number()})"))
        one, other = self.expression(depth - 1), self.expression(depth - 1)
        # A negative power of less than 1 may be -0 there: known.
        choices: tuple[str, ...] = (f"{one} {self.random.choice('+-*/%')} {other}",) * 6
        choices += (
            f"({one})",
            f"- {one}",
            f"length({one})",
            f"scale({one})",
            f"sqrt(({one})^2)",
            f"!{one}",
        )
        choices += (f"{one} {self.random.choice(['<', '>', '<=', '>=', '==', '!='])} {other}", f"{one} && {other}")
        choices += (f"{one} || {other}", f"({one})^{self.random.choice([0, 2, 4])}")
        return self.random.choice(choices)

    def statement(self) -> str:
        one = self.expression(2)
        name = self.random.choice("ab")
        kinds: tuple[str, ...] = (self.expression(3),) * 6 + (
            f"{name}={one}",
            f"{name}*={one}",
            f"c-={one}",
            f"{name}++",
            "--c",
        )
        kinds += (f"scale={self.random.randint(0, 30)}", f"obase={self.random.choice([2, 3, 10, 10, 16, 17, 100])}")
        kinds += (f"if({one}) {one} else {name}", f"if({one}){{\n{one};{name}++ }}", f'print {one},"x\\n"')
        return self.random.choice(kinds)

    def program(self) -> str:
        return "a=3;b=-2.5;c=7\n" + "".join(self.statement() + "\n" for _ in range(15))


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(40))
def test_generated_programs(seed: int, program: Callable[[str], str]) -> None:
    text = _Programs(seed).program().encode()
    real = subprocess.run([program("bc")], input=text, capture_output=True, timeout=60)
    ours = Shell(spawn=False).run("bc", stdin=text, timeout=60)
    assert (ours.stdout, ours.stderr, ours.status) == (real.stdout, real.stderr, real.returncode)
