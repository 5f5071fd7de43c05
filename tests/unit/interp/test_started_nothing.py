"""A utility starts a command that is not there: what it had to itself is let go of, so that nobody waits for it."""

from __future__ import annotations

import pytest

from pyshellhooks import MemoryFS, Shell


@pytest.mark.parametrize(
    "script",
    [
        "env none | cat", "timeout 5 none | cat", "nice none | cat", "nohup none | cat", "setsid none | cat", "echo x | xargs none | cat",
        "find / -name f -exec none {} + | cat", "find / -name f -exec none {} ';' | cat", "diff -l /f /dev/null | cat", "x=$(env none); echo | cat", "cat <(env none)",
    ],
)  # fmt: skip
def test_a_reader_sees_the_end(script: str) -> None:
    result = Shell(fs=MemoryFS({"/f": b"a\n"}), spawn=False).run(script + "; echo done", timeout=20)
    assert (result.status, result.stdout.splitlines()[-1:]) == (0, [b"done"]), result
