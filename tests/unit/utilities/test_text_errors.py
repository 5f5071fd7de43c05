"""Errors of the text utilities that no case of conformance/ can reach: as root, with processes, on this machine."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from utility_runs import Alone, RunUtility

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        # GNU diffutils 3.8, binutils 2.40, coreutils 9.1 and sed 4.9 as a user other than root.
        ("diff -r d g", (2, "diff: d/e: Permission denied\n")),
        ("diff d/e g/e", (2, "diff: d/e: Permission denied\n")),
        ("diff f x", (2, "diff: f: Permission denied\n")),
        ("strings f", (1, "strings: f: Permission denied\n")),
        ("cmp f x", (2, "cmp: f: Permission denied\n")),
        ("sort f", (2, "sort: cannot read: f: Permission denied\n")),
        ("md5sum -c f", (1, "md5sum: f: Permission denied\n")),
    ],
)
def test_unreadable_files(script: str, answer: tuple[int, str]) -> None:
    made = "mkdir -p /t/d/e /t/g/e; cd /t; echo x > f; echo x > x; chmod 0 f d/e; "
    result = Shell(fs=MemoryFS(), spawn=False).run(made + script, timeout=60)
    assert (result.status, result.stderr.decode()) == answer
    assert result.stdout == b""


@pytest.mark.parametrize("name", ["md5", "sha1"])
def test_a_sum_that_the_library_lacks(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def lacks(name: str, *_: object, **__: object) -> Any:
        raise ValueError(f"unsupported hash type {name}")

    monkeypatch.setattr(hashlib, "new", lacks)
    result = Shell(fs=MemoryFS(), spawn=False).run(f"{name}sum", stdin=b"x", timeout=60)
    assert (result.status, result.stdout) == (1, b"")
    assert result.stderr == f"{name}sum: {name} is not in this machine's library of hashes\n".encode()


def test_a_loop_over_data_ends_without_processes(run_utility: RunUtility) -> None:
    count = ["jq", "-c", "[range(.n)] | length"]
    assert run_utility(count, b'{"n":5}', start=Alone()) == (0, b"5\n", b"")
    with CancelScope(timeout=0.5) as scope, pytest.raises(Stop) as caught:
        run_utility(count, b'{"n":1e12}', start=Alone(), scope=scope)
    assert caught.value.reason == "deadline"


def test_a_missing_program_without_processes(run_utility: RunUtility) -> None:
    # jq 1.8.2 prints the same and gives 3.
    status, out, error = run_utility(["jq", "-n", "1 2"], start=Alone())
    assert (status, out) == (3, b"")
    assert error.startswith(
        b"jq: error: syntax error, unexpected LITERAL, expecting end of file at <top-level>, line 1"
    )
