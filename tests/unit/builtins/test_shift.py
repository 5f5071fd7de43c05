"""``shift`` of many parameters copies none of them, and nothing sees a difference. The expected output is that of bash 5.2.15."""

from __future__ import annotations

import pytest

from pyshellhooks import Shell
from pyshellhooks.state.positional import Shifted, shifted

CASES = {
    "values": (
        'set -- $(seq 600); shift 3; shift; echo $# $1 ${300} ${596} "${597-none}" "${@:595}" "${@: -1}" "${*:2:2}"',
        "596 5 304 600 none 599 600 600 6 7\n",
    ),
    "function": ('set -- $(seq 600); shift 4; f() { shift 400; echo $# $1; }; f "$@"; echo $#', "196 405\n596\n"),
    "subshell": ("set -- $(seq 600); shift 4; (shift 300; echo $# $1); echo $#", "296 305\n596\n"),
    "loop": ("set -- $(seq 600); shift 4; for w; do n=$w; done; echo $n", "600\n"),
    "set-again": ('set -- $(seq 600); shift 4; set -- "$@" x; echo $# ${597}', "597 x\n"),
    "to-the-end": (
        'set -- $(seq 600); shift 590; echo "$*"; shift 8; echo $? $#; shift 400; echo $?',
        "591 592 593 594 595 596 597 598 599 600\n0 2\n1\n",
    ),
    "getopts": (
        "set -- $(yes -- -a | head -n 400); shift 2; n=0; while getopts a o; do n=$((n+1)); done; echo $n",
        "398\n",
    ),
    "joined": ('set -- $(seq 300); shift; IFS=,; x="$*"; echo ${#x} ${x::5}', "1089 2 3 4\n"),
    "array": ('set -- $(seq 300); shift 2; a=("$@"); echo ${#a[@]} ${a[0]} "${!#}" ${#@}', "298 3 300 298\n"),
    "quoted": ('set -- $(seq 300); shift; x="${@@Q}"; echo "${x::10}"', "'2' '3' '4\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_it_shifts(name: str) -> None:
    script, expected = CASES[name]
    assert Shell.sandbox({}).run(script).stdout.decode() == expected


def test_a_snapshot_keeps_the_remaining_arguments() -> None:
    shell = Shell.sandbox({})
    session = shell.session()
    session.run("set -- $(seq 600); shift 10")
    other = shell.session()
    other.restore(session.snapshot())
    assert other.run("echo $# $1").stdout == b"590 11\n"


def test_many_are_not_copied() -> None:
    everything = [str(number) for number in range(1000)]
    left = shifted(shifted(everything, 10), 20)
    assert isinstance(left, Shifted)
    assert list(left) == everything[30:]
    assert (left[0], left[-1], left[2:4], len(left)) == ("30", "999", ["32", "33"], 970)
    assert shifted(left, 900) == everything[930:]
