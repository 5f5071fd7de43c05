"""A loop over the characters of a long value reads them once (``awk/wide.py``)."""

from __future__ import annotations

import pytest

from pyshellhooks import Shell
from pyshellhooks.utilities.awk import wide

LOOPS = {
    "substr": "{ n = length($0); for (i = 1; i <= n; i++) x = x substr($0, i, 1) } END { print x }",
    "length": "{ for (i = 1; i <= length($0); i++) x = x substr($0, i, 1) } END { print x }",
    "two": '{ s = $0; t = s ""; for (i = 1; i <= length(s); i++) x = x substr(t, i, 1) } END { print x }',
    "no-end": "{ for (i = length($0); i; i--) x = substr(substr($0, i), 1, 1) x } END { print x }",
}
SMALL = {"no-end"}  # asks for a new value at each turn


@pytest.mark.parametrize("text", ["ab" * 200, "aé" * 200, "日本" * 200, "a\udcff" * 200])
@pytest.mark.parametrize("loop", LOOPS)
def test_long_values_are_read_once(loop: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    decoded = wide._decoded

    def counted(data: bytes) -> str | None:
        if len(data) > 300:
            reads.append(len(data))
        return decoded(data)

    monkeypatch.setattr(wide, "_decoded", counted)
    data = text.encode("utf-8", "surrogateescape")
    outcome = Shell.sandbox({}).run(f"awk '{LOOPS[loop]}'", stdin=data + b"\n", env={"LC_ALL": "C.UTF-8"})
    assert outcome.stdout == data + b"\n"
    assert len(reads) <= 3 or loop in SMALL
