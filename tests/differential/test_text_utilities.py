"""Utilities that work on whole blocks against the machine's own, on generated options and data that span blocks."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from pyshellhooks import Shell
from tests import oracles

ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": "/"}
ROUNDS = int(os.environ.get("TEXT_ROUNDS", "12"))  # more for a search by hand
BLOCK = 65536
PIECES = [b"a", b"A", b"b", b" ", b"\t", b"ab", b"", "é".encode(), b"\v", b"\r", b"\b", b",", b"10", b"\xff", b"="]
OPTIONS: dict[str, list[str]] = {
    "cat": ["-A", "-b", "-e", "-E", "-n", "-s", "-t", "-T", "-v", "in2"],
    "cmp": ["-l", "-b", "-s", "-n 70000", "-i 3", "-i 1:2"],
    "comm": ["-1", "-2", "-3", "--total", "-z", "--nocheck-order"],
    "cut": ["-d,", "-f1", "-f2-", "-b2", "-s", "--complement", "-z"],
    "fold": ["-b", "-s", "-w 1", "-w 3", "-w 9", "-w 40", "-w 70000"],
    "join": ["-a1", "-v2", "-j2", "-t,", "-e X", "-o auto", "-i", "--nocheck-order"],
    "paste": ["in2", "in", "-s", "-d,", "-d ab", "-z", "-d '\\0'"],
    "sort": ["-n", "-r", "-u", "-k2", "-k1,1", "-b", "-s", "-t,", "-k2,2n", "-k1.2,3.1b", "-k130", "-z"],
    "uniq": ["-c", "-d", "-u", "-D", "-i", "-z", "-f1", "-f 130", "-s 3", "-w2", "--group=both", "--all-repeated=prepend"],
    "xargs": ["-n3", "-n 1000", "-s 300", "-L2", "-x", "-r", "-t"],
    "xxd": ["-a", "-b", "-e", "-i", "-p", "-u", "-d", "-E", "-c 5", "-c 24", "-c 256", "-g 3", "-g 4", "-l 70000", "-s 3"],
}  # fmt: skip


def text(chance: random.Random) -> bytes:
    """Make lines; now and then so many that they fill blocks, and one that a block cuts at a CR."""
    lines = [
        b"".join(chance.choices(PIECES, k=chance.choice((0, 1, 1, 2, 4, 9))))
        for _ in range(chance.choice((0, 1, 20, 300)))
    ]
    data = b"\n".join(lines) + b"\n" * chance.randrange(2)
    kind = chance.randrange(4)
    if kind == 0 and data:
        data *= 2 * BLOCK // len(data) + 1
    elif kind == 1:
        data = b"x" * (BLOCK - chance.choice((0, 1, 2))) + b"\r\n" + data
    return data


def command(tool: str, chance: random.Random, folder: Path) -> str:
    """Write the inputs of one round, and give what is run."""
    first, second = text(chance), text(chance)
    if tool == "cmp":
        changed = bytearray(first[: chance.choice((len(first), BLOCK + 9))])
        for _ in range(chance.choice((0, 1, 30))):
            if changed:
                changed[chance.randrange(len(changed))] = 33
        second = bytes(changed)
    if tool in ("comm", "join"):
        first, second = (b"".join(sorted(set(part[:40000].splitlines(keepends=True)))) for part in (first, second))
    if tool == "xargs":
        first = first.translate(None, b"\xff") if chance.randrange(3) else first.translate(None, b"\xff\r\v")
    (folder / "in").write_bytes(first)
    (folder / "in2").write_bytes(second)
    options = [option for option in OPTIONS[tool] if chance.random() < 0.2]
    chance.shuffle(options)
    operands = {"cmp": "in in2", "comm": "in in2", "join": "in in2", "xargs": "< in"}.get(
        tool, chance.choice(("in", "< in"))
    )
    return " ".join([tool, *options, operands])


@pytest.mark.one_in(3, slow=3)
@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("tool", OPTIONS)
def test_as_the_real_one(tool: str, seed: int, tmp_path: Path) -> None:
    oracles.need("bash", tool, path=ENV["PATH"])
    script = command(tool, random.Random(f"{tool} {seed}"), tmp_path)
    real = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=ENV, capture_output=True)
    ours = Shell(cwd=str(tmp_path), env=ENV).run(script, timeout=60)
    assert ours.status == real.returncode, script
    assert ours.stdout == real.stdout, script


@pytest.mark.oracle
@pytest.mark.parametrize(
    "operands",
    [
        *("0 0.1 30", "-1 .25 1", "-0.3 0.1 0.3", "10 -0.7 1", "1 2000.5", "990 2010", "-w 8 1004", "-5 1005", "1.50 3"),
        *("-f %.3f 1 .5 9", "-f %g -1 .1 1", "-f %05.1f 1 .5 3", "-f %.0f 0 .5 4", "-f 'a%%%-6gx' 1 7", "-s, 998 1 3003"),
        *("-f %e 3", "-w 0 .01 .2", "0 0.000001 0.00003", "9007199254740990 9007199254740995", "-s é 1e3 0x3f0"),
    ],
)  # fmt: skip
def test_seq_as_the_real_one(operands: str, tmp_path: Path) -> None:
    oracles.need("bash", "seq", path=ENV["PATH"])
    real = subprocess.run(["bash", "-c", f"seq {operands}"], cwd=tmp_path, env=ENV, capture_output=True)
    assert Shell(cwd=str(tmp_path), env=ENV).run(f"seq {operands}").stdout == real.stdout
