"""jq's own test files (from .ci/build-jq.sh; not in this repository) run through our command."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture
from pyshellhooks.utilities.jq import jq

DIRECTORY = Path(os.environ.get("JQ182", "/opt/jq182/bin/jq")).parent.parent / "share" / "jq-tests"
NAMES = ("jq", "man", "onig", "manonig", "base64", "uri", "optional")
# import and include (9), modulemeta (3): files of modules, which are refused.
MOST_FAILURES = 12


def _run(program: str, stdin: str) -> tuple[str, int]:
    out, error = Capture(1 << 24), Capture(1 << 24)
    with CancelScope(timeout=15) as scope:
        call = Call(
            ["jq", "-c", program],
            env={"PAGER": "less"},
            cwd="/",
            fs=MemoryFS(),
            stdin=BytesReader(stdin.encode("utf-8", "surrogateescape")).retain(),
            stdout=out,
            stderr=error,
            scope=scope,
            limits=Limits(),
            start=None,  # type: ignore[arg-type]
        )
        status = execute(jq, call)
    return out.getvalue().decode(), status


def _blocks(name: str) -> list[list[str]]:
    """Give the cases of a file: a program, its input, its outputs; or ``%%FAIL`` and a program."""
    text = (DIRECTORY / f"{name}.test").read_text(encoding="utf-8", errors="replace")
    found: list[list[str]] = []
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if not line.strip():
            if block:
                found.append(block)
            block = []
        elif not line.startswith("#"):
            block.append(line)
    return found


def _passes(block: list[str]) -> bool:
    try:
        if block[0].startswith("%%FAIL"):
            return _run(block[1], "")[1] == 3
        output, _ = _run(block[0], block[1] + "\n")
    except Stop:
        return False
    return [json.loads(line) for line in output.split("\n") if line] == [json.loads(line) for line in block[2:]]


@pytest.mark.oracle
@pytest.mark.skipif(os.name == "nt", reason="the real jq here is a POSIX program")
def test_own_tests() -> None:
    if not DIRECTORY.exists():
        if os.environ.get("CI"):
            pytest.fail("CI has no jq tests: run .ci/build-jq.sh")
        pytest.skip(f"no {DIRECTORY}")
    blocks = [block for name in NAMES for block in _blocks(name)]
    failures = [block[:2] for block in blocks if not _passes(block)]
    assert len(blocks) >= 870
    assert len(failures) <= MOST_FAILURES, failures
