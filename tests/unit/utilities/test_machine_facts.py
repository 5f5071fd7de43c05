"""What asks the machine: uname, hostname, whoami, id, nproc, tty, nice. Its answers are the host's, for scripts on its disk."""

from __future__ import annotations

import os

import pytest
from utility_runs import RunUtility

from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.host import Host, current


@pytest.fixture(autouse=True)
def on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the files of these runs count as the host's: nobody's answers are in ``tests/unit/fs/test_identity.py``."""
    monkeypatch.setattr(MemoryFS, "is_virtual", lambda self: False)


@pytest.fixture
def host() -> Host:
    return current()


def test_uname(run_utility: RunUtility, host: Host) -> None:
    name, release, version, machine = host.system()
    system = "Msys" if host.windows else "GNU/Linux"
    everything = f"{name} {host.hostname()} {release} {version} {machine} {system}\n"
    assert run_utility(["uname", "-a"]) == (0, everything.encode(), b"")
    assert run_utility(["uname", "-m"]) == (0, f"{machine}\n".encode(), b"")


def test_the_user(run_utility: RunUtility, host: Host) -> None:
    found = host.account(host.euid())
    assert found is not None
    assert run_utility(["whoami"])[1].decode().strip() == found[0]
    assert run_utility(["id", "-un"])[1].decode().strip() == found[0]
    assert run_utility(["id", "-u"]) == (0, f"{host.euid()}\n".encode(), b"")
    assert run_utility(["id", found[0]])[1].startswith(f"uid={found[1]}({found[0]}) gid=".encode())


def test_a_user_without_a_name(run_utility: RunUtility, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(host), "account", lambda self, user: None)
    monkeypatch.setattr(type(host), "group_name", lambda self, number: None)
    assert run_utility(["whoami"])[2] == f"whoami: cannot find name for user ID {host.euid()}\n".encode()
    status, out, err = run_utility(["id", "-un"])
    assert (status, out) == (1, f"{host.euid()}\n".encode())
    assert err == f"id: cannot find name for user ID {host.euid()}\n".encode()
    status, out, err = run_utility(["id", "-gn"])
    assert (status, out) == (1, f"{host.egid()}\n".encode())
    assert err == f"id: cannot find name for group ID {host.egid()}\n".encode()


def test_different_effective_numbers(run_utility: RunUtility, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"uid": 5, "euid": 6, "gid": 7, "egid": 8}.items():
        monkeypatch.setattr(type(host), name, lambda self, value=value: value)
    monkeypatch.setattr(type(host), "groups", lambda self: [9])
    monkeypatch.setattr(type(host), "account", lambda self, user: None)
    monkeypatch.setattr(type(host), "group_name", lambda self, number: None)
    assert run_utility(["id"])[1] == b"uid=5 gid=7 euid=6 egid=8 groups=7,8,9\n"
    assert run_utility(["id", "-ur"])[1] == b"5\n"
    assert run_utility(["id", "-g"])[1] == b"8\n"


def test_processors(run_utility: RunUtility, host: Host) -> None:
    assert run_utility(["nproc"]) == (0, f"{host.processors()}\n".encode(), b"")
    assert run_utility(["nproc", "--all"]) == (0, f"{os.cpu_count()}\n".encode(), b"")


def test_niceness(run_utility: RunUtility, host: Host) -> None:
    assert run_utility(["nice"]) == (0, f"{host.niceness()}\n".encode(), b"")


@pytest.mark.parametrize(
    ("option", "answer"),
    [
        ([], b"box\n"),
        (["-s"], b"box\n"),
        (["-f"], b"box.example.org\n"),
        (["-d"], b"example.org\n"),
        (["-a"], b"box alias\n"),
        (["-i"], b"10.0.0.7\n"),
    ],
)
def test_hostname(
    run_utility: RunUtility, host: Host, monkeypatch: pytest.MonkeyPatch, option: list[str], answer: bytes
) -> None:
    """hostname 3.23 answers these from /etc/hosts, which is the call's."""
    monkeypatch.setattr(type(host), "hostname", lambda self: "box")
    hosts = b"127.0.0.1 localhost\n10.0.0.7 box.example.org box alias # mine\n"
    assert run_utility(["hostname", *option], fs=MemoryFS({"/etc/hosts": hosts, "/w/": b""})) == (0, answer, b"")


@pytest.mark.parametrize(
    ("argv", "status", "message"),
    [
        (["-f"], 1, b"hostname: Name or service not known\n"),
        (["new"], 1, b"hostname: you must be root to change the host name\n"),
        (["-b", "new"], 1, b"hostname: you must be root to change the host name\n"),
        (["-F", "x"], 1, b"hostname: No such file or directory\n"),
        (["-bF", "x"], 1, b"hostname: you must be root to change the host name\n"),
        (["new-.box"], 1, b"hostname: the specified hostname is invalid\n"),
        (["-A"], 1, b"hostname: -A is not supported: it needs the network\n"),
        (["-I"], 1, b"hostname: -I is not supported: it needs the network\n"),
    ],
)
def test_hostname_refuses(run_utility: RunUtility, argv: list[str], status: int, message: bytes) -> None:
    assert run_utility(["hostname", *argv], fs=MemoryFS()) == (status, b"", message)
