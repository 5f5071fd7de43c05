"""The real jq for tests that ask it for many values at once, and a run for our functions."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.json.numbers import read_number
from pyshellhooks.utilities.jq.json.writer import compact
from tests import oracles

MARKS = [
    pytest.mark.oracle,
    pytest.mark.not_on_windows("needs-program"),
]


class QuietRun:
    """A run without end."""

    def check(self) -> None: ...
    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


RUN: Any = QuietRun()


def need_jq() -> str:
    """Return the path of the real jq that our answers are of: .ci/build-jq.sh builds it."""
    return oracles.find("jq")


def answers(program: str, inputs: list[str], zone: str = "UTC") -> list[str]:
    """Return one line for each input; the program makes exactly one result of each."""
    result = subprocess.run(
        [need_jq(), "-c", program],
        input="\n".join(inputs).encode(),
        capture_output=True,
        check=True,
        env={"TZ": zone, "LC_ALL": "C"},
    )
    lines = result.stdout.decode().split("\n")[:-1]
    assert len(lines) == len(inputs), (program, result.stderr[:200])
    return lines


def run_real_jq(stdin: str, *arguments: str, environment: dict[str, str] | None = None) -> str:
    """Run the real jq and give its stdout."""
    done = subprocess.run(
        [need_jq(), *arguments],
        input=stdin.encode(),
        capture_output=True,
        timeout=60,
        env={**os.environ, **(environment or {})},
    )
    return done.stdout.decode()


def read(text: str) -> Any:
    """Read a JSON text in which ``nan`` is spelled ``NaN``, by Python's scanner and our numbers."""
    return json.loads(text, parse_int=read_number, parse_float=read_number, parse_constant=read_number)


def attempt(function: Any, *arguments: Any) -> str:
    """Return the text of ``[result]``, or of an error's message."""
    try:
        return compact(RUN, [function(RUN, *arguments)])
    except JqError as error:
        return compact(RUN, error.value)
