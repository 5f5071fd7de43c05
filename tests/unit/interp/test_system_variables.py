"""``$OSTYPE`` and its kin agree with ``uname`` on each system: scripts choose by either."""

from __future__ import annotations

import pytest

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.host import current

_SCRIPT = 'echo "$OSTYPE $MACHTYPE $HOSTTYPE ${BASH_VERSINFO[5]}"; uname -s; uname -o; uname -m'


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (("Linux", "6.1.0-18", "#1", "x86_64"), ["linux-gnu", "x86_64-pc-linux-gnu", "Linux", "GNU/Linux"]),
        (("Linux", "6.1.0-18", "#1", "aarch64"), ["linux-gnu", "aarch64-unknown-linux-gnu", "Linux", "GNU/Linux"]),
        (("Darwin", "23.4.0", "Darwin Kernel", "arm64"), ["darwin23", "arm64-apple-darwin23", "Darwin", "Darwin"]),
        (("MSYS_NT-10.0-1", "10.0.1", "1", "x86_64"), ["msys", "x86_64-pc-msys", "MSYS_NT-10.0-1", "Msys"]),
        (("FreeBSD", "14.1-RELEASE", "v", "amd64"), ["freebsd14.1", "amd64-unknown-freebsd14.1", "FreeBSD", "FreeBSD"]),
    ],
)
def test_they_agree(system: tuple[str, ...], expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(current()), "system", lambda self: system)
    kind, machine_type, kernel, operating_system = expected
    found = Shell().run(_SCRIPT).stdout.decode().splitlines()
    assert found == [f"{kind} {machine_type} {system[3]} {machine_type}", kernel, operating_system, system[3]]


def test_a_sandbox_in_memory_is_linux_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(current()), "system", lambda self: ("Darwin", "23.4.0", "v", "arm64"))
    found = Shell(fs=MemoryFS()).run(_SCRIPT).stdout.decode().splitlines()
    assert found == ["linux-gnu x86_64-pc-linux-gnu x86_64 x86_64-pc-linux-gnu", "Linux", "GNU/Linux", "x86_64"]


def test_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(current()), "system", lambda self: ("Darwin", "23.4.0", "v", "arm64"))
    assert Shell(env={"OSTYPE": "mine"}).run("echo $OSTYPE").stdout == b"mine\n"
