"""date never sets the clock (conformance/cases/utilities/date.toml has the rest)."""

from __future__ import annotations

import pytest

from pyshellhooks import Shell


@pytest.mark.parametrize("words", ["-s 2020-01-01", "--set=now", "-us 10:00", "010100001970", "0101000070.30"])
def test_the_clock_is_never_set(words: str) -> None:
    """No case asks the real one: as root it would do it."""
    result = Shell(spawn=False).run(f"date {words}")
    assert (result.status, result.stdout) == (1, b"")
    assert result.stderr == b"date: cannot set date: Operation not permitted\n"
