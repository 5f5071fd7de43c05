"""What a native child leaves unread of the shell's input is there for whatever comes next, wherever the child ran.

A hook that asked ``$(git …)`` before it read its payload found the payload gone.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks import Shell
from tests import oracles

pytestmark = [pytest.mark.not_on_windows("needs-program"), oracles.BIN_SH]  # which comes with dd and true
INPUT = b"one\ntwo\nthree\n"
# /bin/true reads nothing, dd reads exactly its bytes; what follows is bash 5.2's stdout.
SCRIPTS = {
    "x=$(/bin/true); cat": "one\ntwo\nthree\n",
    "x=`/bin/true`; y=$(cat); echo $y": "one two three\n",
    'x=$(/bin/dd bs=1 count=4 status=none); echo "[$x]"; cat': "[one]\ntwo\nthree\n",
    "(/bin/true); cat": "one\ntwo\nthree\n",
    "(/bin/dd bs=1 count=4 status=none); read -r l; echo $l; cat": "one\ntwo\nthree\n",
    "( ( (/bin/dd bs=1 count=4 status=none) ) ); cat": "one\ntwo\nthree\n",
    "x=$( (/bin/true) | cat; y=$(/bin/true) ); cat": "one\ntwo\nthree\n",
    "/bin/true | /bin/true; cat": "one\ntwo\nthree\n",
    "/bin/true | cat; cat": "one\ntwo\nthree\n",
    "! /bin/true | true; cat": "one\ntwo\nthree\n",
    "f() { local x; x=$(/bin/true); }; f; cat": "one\ntwo\nthree\n",
    'if [ -z "$(/bin/true)" ]; then cat; fi': "one\ntwo\nthree\n",
    "case $(/bin/true) in '') cat ;; esac": "one\ntwo\nthree\n",
    "cat <(/bin/true); cat": "one\ntwo\nthree\n",
    "env /bin/true; cat": "one\ntwo\nthree\n",
    "timeout 30 /bin/true; cat": "one\ntwo\nthree\n",
    "nice /bin/true; command /bin/true; cat": "one\ntwo\nthree\n",
    r"find . -maxdepth 0 -exec /bin/true \; ; cat": "one\ntwo\nthree\n",
    "awk 'BEGIN { system(\"/bin/true\") }'; cat": "one\ntwo\nthree\n",
    "eval 'x=$(/bin/true)'; cat": "one\ntwo\nthree\n",
    "sh -c '/bin/true'; cat": "one\ntwo\nthree\n",
    "sh -c 'x=$(/bin/true); read l; echo $l'; cat": "one\ntwo\nthree\n",
    "trap 'cat' EXIT; x=$(/bin/true)": "one\ntwo\nthree\n",
    "exec 3<&0; x=$(/bin/true); cat <&3": "one\ntwo\nthree\n",
    "exec 3<&0 0</dev/null; x=$(/bin/dd bs=1 count=4 status=none <&3); cat <&3": "two\nthree\n",
    "read -r a; x=$(/bin/true); read -r b; (/bin/true); read -t 5 -r c; echo $c $b $a": "three two one\n",
    'while read -r l; do x=$(/bin/true); echo "-$l"; done': "-one\n-two\n-three\n",
    "{ x=$(/bin/true); cat; } <<< here; cat": "here\none\ntwo\nthree\n",
    "printf 'a\\nb\\n' | { x=$(/bin/true); read -r l; echo $l; (/bin/true); cat; }; cat": "a\nb\none\ntwo\nthree\n",
    "printf 'a\\nb\\n' | (x=$(/bin/dd bs=1 count=2 status=none); cat); cat": "b\none\ntwo\nthree\n",
    "/bin/true & wait; cat": "one\ntwo\nthree\n",
    "(/bin/true &) ; cat": "one\ntwo\nthree\n",
    'mapfile -t -n 1 a; x=$(/bin/true); mapfile -t b; echo "$a|${b[*]}"': "one|two three\n",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_rest_is_there(script: str, tmp_path: Path) -> None:
    assert Shell(cwd=str(tmp_path)).run(script, stdin=INPUT).stdout.decode() == SCRIPTS[script]


@pytest.mark.oracle
@pytest.mark.parametrize("script", SCRIPTS)
def test_bash_has_it_so(script: str, tmp_path: Path, program: Callable[[str], str]) -> None:
    real = subprocess.run([program("bash"), "-c", script], input=INPUT, capture_output=True, cwd=tmp_path, check=False)
    assert real.stdout.decode() == SCRIPTS[script]


@pytest.mark.parametrize("size", [60_000, 65_536, 65_537, 300_000])
def test_a_payload_of_any_size(size: int, tmp_path: Path) -> None:
    payload = b"x" * size
    result = Shell(cwd=str(tmp_path)).run("x=$(/bin/true); (/bin/true); wc -c; cat", stdin=payload)
    assert result.stdout.split() == [str(size).encode()]
