"""Our jq against the recorded answers of jq 1.8.2, and the record against the real program where it is here.

The table is made by ``record_jq_cases.py``.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture
from pyshellhooks.utilities.jq import jq

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("jq_cases.json").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = TABLE["cases"]


def _name(case: dict[str, Any]) -> str:
    return f"{' '.join(case['args'])[:60]} < {case['stdin'][:12]!r}".encode("ascii", "backslashreplace").decode()


def _run(case: dict[str, Any]) -> tuple[str, str, int]:
    fs = MemoryFS()
    fs.mkdir("/w")
    for name, text in TABLE["files"].items() if case.get("files") else ():
        stream = fs.open(f"/w/{name}", os.O_WRONLY | os.O_CREAT).retain()
        stream.write(text.encode())
        stream.release()
    out, error = Capture(1 << 20), Capture(1 << 20)
    with CancelScope(timeout=60) as scope:
        call = Call(
            ["jq", *case["args"]],
            env={**TABLE["environment"], "HOME": "/w", "TZ": "UTC"},
            cwd="/w",
            fs=fs,
            stdin=BytesReader(case["stdin"].encode()).retain(),
            stdout=out,
            stderr=error,
            scope=scope,
            limits=Limits(),
            start=None,  # type: ignore[arg-type]
        )
        status = execute(jq, call)
    return (
        out.getvalue().decode("utf-8", "surrogateescape"),
        error.getvalue().decode("utf-8", "surrogateescape"),
        status,
    )


def test_the_table_is_of_the_jq_we_claim_to_be() -> None:
    assert TABLE["version"] == "jq-1.8.2"
    assert len(CASES) >= 250


@pytest.mark.portable
@pytest.mark.parametrize("case", CASES, ids=_name)
def test_answer(case: dict[str, Any]) -> None:
    assert _run(case) == (case["stdout"], case["stderr"], case["status"])


@pytest.mark.oracle
@pytest.mark.skipif(os.name == "nt", reason="the real jq here is a POSIX program")
def test_the_record_is_what_the_real_jq_says() -> None:
    program = os.environ.get("JQ182", "/opt/jq182/bin/jq")
    if not os.path.exists(program):
        if os.environ.get("CI"):
            pytest.fail(f"CI has no {program}: run .ci/build-jq.sh")
        pytest.skip("no jq 1.8.2 here: .ci/build-jq.sh builds it")
    stale = []
    with tempfile.TemporaryDirectory() as directory:
        for name, text in TABLE["files"].items():
            Path(directory, name).write_text(text, encoding="utf-8")
        for case in CASES:
            done = subprocess.run(
                [program, *case["args"]],
                input=case["stdin"].encode(),
                capture_output=True,
                cwd=directory,
                env={**TABLE["environment"], "HOME": directory, "TZ": "UTC"},
            )
            got = (done.stdout.decode("utf-8", "surrogateescape"), done.returncode)
            if got != (case["stdout"], case["status"]):
                stale.append((case["args"], got))
    assert stale == []
