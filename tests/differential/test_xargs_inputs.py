"""Our xargs against GNU's on generated input and options (findutils 4.9.0)."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from pyshellhooks import Shell
from tests import oracles

ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": "/"}
ROUNDS = int(os.environ.get("XARGS_ROUNDS", "1"))  # more for a search by hand
PIECES = [
    *"abc",
    *"  \n\n\t",
    "'",
    '"',
    "\\",
    "_",
    "{}",
    "x y",
    "''",
    '"q"',
    "'p r'",
    "\\ ",
    "\v",
    "é",
    "_\n",
    ",",
    "aaaaaaaa",
    "\n\n",
]
OPTIONS = [
    *([], ["-n1"], ["-n2"], ["-n3"], ["-L1"], ["-L2"], ["-l"], ["-l2"], ["-I{}"], ["-I", "a"], ["-i"], ["-E", "_"]),
    *(
        ["-E_"],
        ["-e"],
        ["-eb"],
        ["-0"],
        ["-d,"],
        ["-d", "\\n"],
        ["-d", "a"],
        ["-r"],
        ["-s", "24"],
        ["-s", "40"],
        ["-x"],
    ),
    *(["-P1"], ["--max-args=2"], ["--max-lines=2"], ["--replace=b"], ["--eof=b"], ["-s", "30", "-x", "-n2"]),
]
COMMANDS = [
    ["printf", "[%s]"],
    ["printf", "[%s|%s]"],
    ["printf", "<{}:%s>", "{}"],
    ["printf", "[%s]", "a"],
    [],
    ["echo", "{}", "x{}a"],
]


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(6 * ROUNDS))
def test_generated_inputs(seed: int, tmp_path: Path) -> None:
    oracles.need("xargs", "printf", "echo", path=ENV["PATH"])
    chance = random.Random(seed)
    shell = Shell(cwd=str(tmp_path), env=ENV)
    for _ in range(60):
        options = [word for _ in range(chance.randrange(3)) for word in chance.choice(OPTIONS)]
        words = ["xargs", *options, *chance.choice(COMMANDS)]
        data = "".join(chance.choice(PIECES) for _ in range(chance.randrange(14))).encode()
        if "-0" in words:
            data = data.replace(b"\n", b"\0")
        real = subprocess.run(words, input=data, capture_output=True, cwd=tmp_path, env=ENV, timeout=60, check=False)
        script = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        ours = shell.run(script, stdin=data, timeout=60)
        expected = real.stdout, sorted(real.stderr.split(b"\n")), real.returncode
        assert (ours.stdout, sorted(ours.stderr.split(b"\n")), ours.status) == expected, (script, data)
