"""getopt against the real one on generated calls (the recorded ones are in conformance/cases/utilities/getopt.toml)."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable

import pytest
from utility_runs import RunUtility


def _call(seed: int) -> list[str]:
    pick = random.Random(seed)
    argv = ["getopt"]
    for option in ("-a", "-q", "-u", "-Q"):
        argv += [option] * (pick.random() < 0.15)
    argv += ["-s", pick.choice(["sh", "bash", "csh", "tcsh"])] * (pick.random() < 0.4)
    argv += ["-n", "me"] * (pick.random() < 0.3)
    argv += ["-l", pick.choice(["foo,bar:,baz::", "foo,foobar:", "fob,foo", ""])] * (pick.random() < 0.7)
    argv += ["-o", pick.choice(["", "+", "-"]) + pick.choice(["ab:c::", "a", "", ":ab:", "abf", "aW;"]), "--"]
    words = [
        "-a",
        "-b",
        "-bx",
        "-ab",
        "-c",
        "-cx",
        "-z",
        "--",
        "-",
        "x",
        "it's",
        "a b!",
        "\\",
        "--foo",
        "--foo=1",
        "--fo",
    ]
    words += ["--bar", "--bar=2", "--ba", "--baz", "--baz=3", "-foo", "-fo", "-W", "-Wfoo", "--nope", "-?", "", "n\nl"]
    return argv + pick.choices(words, k=pick.randint(0, 6))


@pytest.mark.oracle
@pytest.mark.parametrize("first", range(0, 400, 50))
def test_generated_calls(run_utility: RunUtility, first: int, program: Callable[[str], str]) -> None:
    getopt = program("getopt")
    for seed in range(first, first + 50):
        argv = _call(seed)
        real = subprocess.run(argv, executable=getopt, capture_output=True, env={"LC_ALL": "C.UTF-8"}, timeout=60)
        assert run_utility(argv) == (real.returncode, real.stdout, real.stderr), argv
