"""bc is bounded, stops when told, and counts as GNU's does (the recorded programs are in conformance/cases/shell/bc.toml)."""

from __future__ import annotations

import random
import shutil
import subprocess
from time import monotonic

import pytest
from clock import patient

from pyshellhooks import Shell
from pyshellhooks.utilities.bc import numbers


@pytest.mark.portable
@pytest.mark.parametrize(
    "program",
    [
        "while(1){}",
        "for(;;){}",
        "define f(x){return f(x)+1}\nf(1)",
        "define f(x){if(x<2)return x;return f(x-1)+f(x-2)}\nf(90)",
        "x=3;while(1){x=x*x}",
        "for(i=0;1;i++){a[i]=i}",
        "scale=10^5;while(1){e(1/3)}",
    ],
)
def test_it_obeys_the_end_of_the_run(program: str) -> None:
    began = monotonic()
    result = Shell(spawn=False).run("bc -l || echo allowed", stdin=program.encode() + b"\n", timeout=1)
    assert b"allowed" not in result.stdout
    assert "Stopped" in str(result.ended)
    assert monotonic() - began < patient(4)


@pytest.mark.portable
@pytest.mark.parametrize("program", ["2^99999999", "10^400000", "scale=999999;1/3", "(" * 5000 + "1" + ")" * 5000])
def test_a_breach_is_no_status(program: str) -> None:
    result = Shell(spawn=False).run("bc || echo allowed", stdin=program.encode() + b"\n", timeout=10)
    assert (result.stdout, "limit" in str(result.ended)) == (b"", True)


@pytest.mark.portable
def test_numbers_longer_than_python_reads_at_once() -> None:
    """CPython refuses to turn more than 4300 digits into a number, or back; powers of ten say what is right."""
    assert numbers.digits(10**20000) == "1" + "0" * 20000
    assert numbers.integer("1" + "0" * 20000) == 10**20000
    assert numbers.integer("9" * 9001) + 1 == 10**9001
    assert numbers.digits(10**9001 - 1) == "9" * 9001


@pytest.mark.portable
def test_interactive_is_refused() -> None:
    result = Shell(spawn=False).run("bc -i")
    assert (result.status, result.stderr) == (1, b"bc: -i is not supported: there is no terminal\n")


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
            return self.random.choice((self.number(), "a", "b", "c[1]", f"(-{self.number()})"))
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
            f"f({one})",
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
            f"c[1]-={one}",
            f"{name}++",
            "--c[1]",
        )
        kinds += (f"scale={self.random.randint(0, 30)}", f"obase={self.random.choice([2, 3, 10, 10, 16, 17, 100])}")
        kinds += (f"if({one}) {one} else {name}", f"for(i=0;i<3;i++){{ {one} }}", f'print {one},"x\\n"')
        return self.random.choice(kinds)

    def program(self) -> str:
        head = "define f(x){ return x*x-1 }\na=3;b=-2.5;c[1]=7\n"
        return head + "".join(self.statement() + "\n" for _ in range(15))


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(40))
def test_generated_programs(seed: int) -> None:
    if shutil.which("bc") is None:
        pytest.skip("needs GNU bc")
    program = _Programs(seed).program().encode()
    real = subprocess.run(["bc"], input=program, capture_output=True, timeout=10)
    ours = Shell(spawn=False).run("bc", stdin=program, timeout=10)
    assert (ours.stdout, ours.stderr, ours.status) == (real.stdout, real.stderr, real.returncode)
