"""``exec`` of the embedded shell where PATH has no sh (Windows, a bare container): a guard may end that way."""

from __future__ import annotations

import pytest

from pyshellhooks import MemoryFS, Shell


@pytest.mark.parametrize(
    ("script", "status", "stdout", "stderr"),
    [
        ("exec sh -c 'echo no >&2; exit 2'", 2, b"", b"no\n"),
        ("exec bash -c 'kill -TERM $$'; echo never", 143, b"", b""),
        ("exec -l sh -c 'echo $0'; echo never", 0, b"-sh\n", b""),
        ("exec -a x bash -c 'echo $0 $1'", 0, b"x\n", b""),
        ("(exec kill -l 9)", 0, b"KILL\n", b""),
        ("exec zsh -c :", 127, b"", b"bash: line 1: exec: zsh: not found\n"),
    ],
)
def test_without_any_program(script: str, status: int, stdout: bytes, stderr: bytes) -> None:
    result = Shell(fs=MemoryFS({"/w/": b""}), cwd="/w", env={"PATH": "/nowhere"}).run(script, timeout=60)
    assert (result.status, result.stdout, result.stderr) == (status, stdout, stderr)
