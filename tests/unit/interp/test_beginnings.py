"""What a run begins with: its environment as it is now, and nothing of the runs before it."""

from __future__ import annotations

import os
import threading

import pytest

from pyshellhooks import MemoryFS, Shell

SHOW = 'echo "${GUARD_TEST-unset}"'


def test_the_hosts_environment_is_that_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(spawn=False)
    monkeypatch.delenv("GUARD_TEST", raising=False)
    assert shell.run(SHOW).stdout == b"unset\n"
    for text in ("one", "two", "one", ""):
        os.environ["GUARD_TEST"] = text
        assert shell.run(SHOW).stdout == f"{text}\n".encode()
        assert shell.run("sh -c 'echo $GUARD_TEST'").stdout == f"{text}\n".encode()
    del os.environ["GUARD_TEST"]
    assert shell.run(SHOW).stdout == b"unset\n"


@pytest.mark.skipif(not hasattr(os, "environb"), reason="bytes here only")
def test_any_byte_of_the_environment_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(spawn=False)
    for value in (b"a\xff\xfe", b"\xc3\xa9", b"a\xff\xfe"):
        monkeypatch.setenv("GUARD_TEST", os.fsdecode(value))
        assert shell.run(SHOW).stdout == value + b"\n"


def test_its_own_environment_stays_and_can_be_changed_for_a_run() -> None:
    mine = {"GUARD_TEST": "mine"}
    shell = Shell(spawn=False, env=mine)
    assert shell.run(SHOW).stdout == b"mine\n"
    mine["GUARD_TEST"] = "changed"  # the shell has a copy
    assert shell.run(SHOW).stdout == b"mine\n"
    assert shell.run(SHOW, env=mine).stdout == b"changed\n"
    mine["GUARD_TEST"] = "again"  # the same mapping with other contents
    assert shell.run(SHOW, env=mine).stdout == b"again\n"
    assert shell.run(SHOW).stdout == b"mine\n"


# Changes of every kind; what a second run of the shell shows must be what the first run of a new one shows.
CHANGES = [
    "GUARD_TEST=new; OTHER=x; export OTHER; unset PATH HOME",
    "readonly GUARD_TEST IFS; declare -i OPTIND OPTERR; IFS=,; PS4='> '",
    "declare -l GUARD_TEST; declare -a TERM; TERM[3]=x; declare -n BASH=OSTYPE",
    "OPTIND=7; getopts ab: x -a -b; getopts ab: x -ab",
    "RANDOM=42; echo $RANDOM; SECONDS=100; HOSTNAME=other; BASH_ARGV0=zero",
    "unset RANDOM SECONDS LINENO FUNCNAME DIRSTACK PIPESTATUS BASHPID OPTIND",
    "DIRSTACK[5]=x; GROUPS=3; FUNCNAME=f; declare -p BASH_VERSINFO >/dev/null; set -a; NEW=1",
    "export SHLVL=9 PWD=/else; cd /; declare -x +x TERM; export -n GUARD_TEST",
    "f() { local GUARD_TEST=in OPTIND=3; unset GUARD_TEST; exit; }; f",
    "declare -irx EUID 2>/dev/null; declare -t SECONDS; export BASH_VERSION UID",
]
STATE = (
    "declare -p | grep -v -e RANDOM= -e SECONDS= -e EPOCH -e BASHPID; getopts xy o -xy; echo $o$OPTIND; export -p; set"
)


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_of_a_run_is_in_the_next(change: str) -> None:
    def shell() -> Shell:
        return Shell(fs=MemoryFS(), spawn=False, env={"GUARD_TEST": "Start", "PATH": "/bin", "HOME": "/", "TERM": "vt"})

    def shown(it: Shell) -> list[bytes]:
        lines = it.run(STATE).stdout.splitlines()
        return [
            line for line in lines if not line.startswith((b"RANDOM=", b"SRANDOM=", b"EPOCH", b"SECONDS=", b"BASHPID="))
        ]

    used = shell()
    assert used.run(change + "\n:").ended is not None
    assert shown(used) == shown(shell())
    assert len(shown(used)) > 60


def test_threads_with_environments_of_their_own_share_a_shell() -> None:
    shell = Shell(fs=MemoryFS(), spawn=False)
    wrong: list[bytes] = []

    def work(number: int) -> None:
        for turn in range(200):
            env = {"GUARD_TEST": f"{number}-{turn // 3}", **({"MORE": "1"} if turn % 2 else {})}
            found = shell.run(SHOW + "; echo ${MORE-none}; MORE=leak; GUARD_TEST=leak", env=env).stdout
            if found != f"{env['GUARD_TEST']}\n{env.get('MORE', 'none')}\n".encode():
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
