"""A breach of Limits ends the run as stopped, whatever stands around it (rule 1): never a status, never an allow."""

from __future__ import annotations

import pytest

from pyshellhooks import Limits, MemoryFS, Shell

BREACHES = {
    "recursion": "f() { f; }; f",
    "expansion": "echo {1..100000}",
    "substitution": "x=$(printf '%5000s' a)",
    "string": "printf -v x '%5000s' a",
    "array": "a=({1..50}); a+=({1..500})",
    "stages": "true | true | true | true | true",
    "evaluation": 'e=\'eval "$e"\'; eval "$e"',
    "arithmetic": "x=$(printf '(%.0s' {1..150}); echo $(($x 1))",
    "source": "printf '. ./self' > self; . ./self",
}
AROUND = {
    "if": "if { %s; }; then echo yes; else echo no; fi",
    "not": "! { %s; }; echo no",
    "or": "{ %s; } || echo no",
    "and": "{ %s; } && echo yes; echo no",
    "quiet": "{ %s; } 2>/dev/null; echo no",
    "subshell": "( %s ); echo no",
    "substitution": "y=$( %s ); echo no",
    "first stage": "{ %s; } | cat; echo no",
    "last stage": "echo | { %s; }; echo no",
    "while": "while { %s; }; do break; done; echo no",
    "case": "case $( %s ) in *) echo no;; esac",
    "function": "g() { %s; }; g || true; echo no",
    "exit trap": "trap '%s' EXIT; exit 0",
    "error trap": "trap '%s; exit 0' ERR; false; echo no",
    "background": "{ %s; } & wait; echo no",
    "process substitution": "cat < <( %s ); echo no",
    "evaluated": "eval '%s' || true; echo no",
    "nested shell": "sh -c '%s' || true; echo no",
}


def run(script: str) -> str:
    limits = Limits(call_depth=40, expansion=1000, substitution=1000, string=1000, array=100, stages=4)
    result = Shell(spawn=False, fs=MemoryFS({"/w/": b""}), cwd="/w", env={}, limits=limits).run(script, timeout=60)
    assert b"no" not in result.stdout and b"yes" not in result.stdout
    return f"{result.ended.kind} {getattr(result.ended, 'reason', '')}"


@pytest.mark.parametrize("breach", BREACHES)
def test_each_breach_ends_the_run(breach: str) -> None:
    assert run(BREACHES[breach] + "; echo no") == "stopped limit"


@pytest.mark.parametrize("place", AROUND)
def test_no_place_hides_a_breach(place: str) -> None:
    assert run(AROUND[place] % "f() { f; }; f") == "stopped limit"


@pytest.mark.parametrize("place", AROUND)
def test_no_place_hides_too_many_fields(place: str) -> None:
    assert run(AROUND[place] % "echo {1..100000} >/dev/null") == "stopped limit"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1" + "+1" * 3000, 3001), ("1" + "-1" * 3000, -2999), ("1" + "*1" * 3000, 1), ("4" + "|1" * 3000, 5)],
    ids=["sum", "difference", "product", "or"],
)
def test_long_rows_of_operators_are_not_deep(text: str, value: int) -> None:
    result = Shell(spawn=False, fs=MemoryFS(), env={}).run(f"x='{text}'; echo $(({text})) $((x))", timeout=60)
    assert result.stdout.decode() == f"{value} {value}\n"


@pytest.mark.parametrize(("operator", "status"), [("&&", 0), ("||", 0)])
def test_long_rows_of_tests_are_not_deep(operator: str, status: int) -> None:
    row = f" {operator} ".join(["a"] * 2000)
    assert Shell(spawn=False, fs=MemoryFS(), env={}).run(f"[[ {row} ]]", timeout=60).status == status


@pytest.mark.parametrize("text", ["(" * 3000 + "1" + ")" * 3000, "1?" * 3000 + "1" + ":1" * 3000, "-" * 3000 + "1"])
def test_deep_arithmetic_ends_the_run(text: str) -> None:
    result = Shell(spawn=False, fs=MemoryFS(), env={}).run(
        f"x='{text}'; if [ $((x)) = 1 ]; then :; fi; echo no", timeout=10
    )
    assert (result.ended.kind, result.stdout) == ("stopped", b"")
