"""Memory stays bounded whatever a script makes grow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile_patterns import GROWTH

pytestmark = [
    pytest.mark.not_on_windows("needs-device"),
    pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="measures through Linux's /proc"),
]

# How a run ended, and the MiB that it may take: one value may be 16 Mi characters, and a few are made on the way.
VALUES = {
    name: (GROWTH[name][0], 300)
    for name in (
        "string-double", "string-append", "string-quoted", "string-replace", "string-printf", "string-upper",
        "string-quote", "string-here", "string-argument", "string-only-word", "printf", "printf-precision", "braces",
        "braces-nested", "braces-wide", "array-append", "array-double", "positional", "fields", "here-document",
        "substitution", "sed-grow", "tr-grow", "array-join",
    )
}  # fmt: skip
# Many values, each within its limit: Limits.memory (256 MiB here) is what ends them.
MANY = {
    name: (script, 256 + 250)
    for name, script in {
        "elements": "x=$(printf %1000000s); i=0; while :; do a[i]=$x$i; i=$((i+1)); done",
        "keys": "x=$(printf %1000000s); declare -A a; i=0; while :; do a[$i]=$x$i; i=$((i+1)); done",
        "names": "x=$(printf %1000000s); i=0; while :; do declare v$i=$x$i; i=$((i+1)); done",
        "small-elements": "x=$(printf %300s); i=0; while :; do a[i]=$x$i; i=$((i+1)); done",
        "locals": "x=$(printf %1000000s); f() { local y=$x$1; f $(($1+1)); }; f 1",
        "subshells": "x=$(printf %1000000s); f() { ( x=$x$1; f $(($1+1)) ); }; f 1",
        "arguments": 'x=$(printf %1000000s); set -- "$x"{1..900}',
        "array-of-braces": 'x=$(printf %1000000s); a=("$x"{1..900})',
        "arrays": 'i=0; while :; do eval "a$i=({1..100000})"; i=$((i+1)); done',
        "jobs": "x=$(printf %10000000s); for i in {1..100}; do { y=$x$i; sleep 100; } & done; wait",
    }.items()
}
JQ = {
    "jq-array": ("jq -n '[range(1e9)]'", 300),
    "jq-deep-layout": ("jq -n 'reduce range(200000) as $i (null; [.])'", 300),
    "jq-string": ("jq -n '\"a\" | until(false; . + .)'", 300),
}


def measure(scripts: dict[str, tuple[str, int]]) -> list[str]:
    program = Path(__file__).with_name("memory_of_runs.py")
    done = subprocess.run(
        [sys.executable, str(program)],
        input=json.dumps(scripts),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    wrong = []
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == list(scripts)
    for name, kind, reason, detail, mebibytes, seconds in rows:
        if kind != "stopped" or reason not in ("limit", "deadline") or mebibytes > scripts[name][1] or seconds > 3:
            wrong.append(f"{name}: {kind} {reason} ({detail}) after {seconds:.1f} s with {mebibytes} MiB")
    return wrong


@pytest.mark.one_in(3, slow=3)
@pytest.mark.timeout(70)
@pytest.mark.parametrize("scripts", [VALUES, MANY, JQ], ids=["values", "many", "jq"])
def test_memory_is_bounded(scripts: dict[str, tuple[str, int]]) -> None:
    assert measure(scripts) == []
