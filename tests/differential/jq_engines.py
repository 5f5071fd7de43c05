"""The other two ways in which a program is run: by our command with a worker that is always first, and by the ``jq`` package.

What the evaluator says has been compared with the real jq before: here the others are compared with it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from math import isinf, isnan
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit" / "utilities"))

from jq_grammar import Node
from jq_handing import hand_over, slow
from jq_runs import Answer, Case, ours

Engine = Callable[[Case, Answer], Answer | None]

# Runs in a process of its own, for libjq may abort: a request is a line, and so is the answer.
_BINDING = """
import json, resource, sys
import jq
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
for line in sys.stdin:
    program, text = json.loads(line)
    try:
        answer = [jq.compile(program).input_text(text).all(), None]
    except ValueError as error:
        answer = [None, str(error)]
    print(json.dumps(answer), flush=True)
"""
_PATIENCE = 4.0
# What asks for the run, which the package has none of, and what is never twice the same.
_OF_THE_RUN = re.compile(
    r"\b(inputs?|debug|stderr|input_\w+|env|ENV|halt\w*|get_search_list|builtins|now|local\w*|mktime|\$__\w+)\b|__"
)


def worker(case: Case, own: Answer) -> Answer | None:
    """Run our command so that a worker has each input; None where there is nothing to hand over."""
    if own.status == 3:
        return None
    with pytest.MonkeyPatch.context() as patch:
        answered = hand_over(patch)
        found = ours(case._replace(program=Node(slow(str(case.program)))), spawn=True)
    worker_answers[0] += len(answered)
    return found


worker_answers = [0]  # inputs that a worker has answered


class Binding:
    """The ``jq`` package: values only, and whether there was an error."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.asked = 0

    def __call__(self, case: Case, own: Answer) -> Answer | None:
        """Run a plain program on all inputs; None where the package can't say the same."""
        text = case.stdin().decode("utf-8", "replace")
        program = str(case.program)
        if case.options != ("-c",) or own.status not in (0, 5) or _OF_THE_RUN.search(program):
            return None
        failed = bool(own.stderr)
        if failed and len(case.inputs) > 1:  # it ends where the command goes on
            return None
        answer = self._evaluate(program, text)
        if answer is None:
            return None
        self.asked += 1
        values, error = answer
        if error is not None or failed:
            return own if (error is not None) == failed else Answer(b"", (error or "").encode(), 0)
        mine = [_plain(json.loads(line)) for line in own.stdout.splitlines()]
        theirs = _plain(values)
        return own if mine == theirs else Answer(json.dumps(theirs).encode(), b"", 0)

    def _evaluate(self, program: str, text: str) -> tuple[list[Any] | None, str | None] | None:
        """Ask; None where it takes too long, or dies."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BINDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        clock = threading.Timer(_PATIENCE, process.kill)
        clock.start()
        try:
            process.stdin.write(json.dumps([program, text]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            clock.cancel()
        if not line:
            self.close()
            return None
        values, error = json.loads(line)
        return values, error

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _plain(value: Any) -> Any:
    """Make numbers doubles, as JSON has them: NaN is null, the infinite are the greatest."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    try:
        number = float(value)
    except OverflowError:
        number = float("inf") if value > 0 else float("-inf")
    if isnan(number):
        return None
    return (1 if number > 0 else -1) * sys.float_info.max if isinf(number) else number
