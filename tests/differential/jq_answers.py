"""What the real jq answers to one program, for many inputs at once."""

from __future__ import annotations

import os
import subprocess

import pytest

PROGRAM = os.environ.get("JQ182", "/opt/jq182/bin/jq")


def answers(program: str, inputs: list[str], zone: str = "UTC") -> list[str]:
    """Give one line for each input; the program makes exactly one result of each."""
    if not os.path.exists(PROGRAM):
        if os.environ.get("CI"):
            pytest.fail(f"CI has no {PROGRAM}: run .ci/build-jq.sh")
        pytest.skip("no jq 1.8.2 here: .ci/build-jq.sh builds it")
    environment = {"TZ": zone, "LC_ALL": "C"}
    text = "\n".join(inputs).encode()
    result = subprocess.run([PROGRAM, "-c", program], input=text, capture_output=True, check=True, env=environment)
    lines = result.stdout.decode().split("\n")[:-1]
    assert len(lines) == len(inputs), (program, result.stderr[:200])
    return lines
