"""which on a file system in memory: PATH and nothing else."""

from __future__ import annotations

from utility_runs import run

from pyshellhooks import Shell
from pyshellhooks.fs.memory import MemoryFS


def _fs() -> MemoryFS:
    fs = MemoryFS({"/bin/tool": b"x", "/opt/tool": b"x", "/opt/plain": b"x", "/w/own": b"x"})
    for path in ("/bin/tool", "/opt/tool", "/w/own"):
        fs.chmod(path, 0o755)
    return fs


def test_the_first_on_path_or_all() -> None:
    env = {"PATH": "/bin:/opt"}
    assert run(["which", "tool"], fs=_fs(), env=env) == (0, b"/bin/tool\n", b"")
    assert run(["which", "-a", "tool"], fs=_fs(), env=env) == (0, b"/bin/tool\n/opt/tool\n", b"")


def test_files_without_execute_permission_are_not_found() -> None:
    assert run(["which", "plain"], fs=_fs(), env={"PATH": "/opt"}) == (1, b"", b"")


def test_a_path_is_returned_unchanged() -> None:
    assert run(["which", "./own", "/opt/tool", "./none"], fs=_fs()) == (1, b"./own\n/opt/tool\n", b"")


def test_a_utility_that_is_on_no_path_has_its_usual_place() -> None:
    """As ``type -P`` says it, so that ``which jq || exit 0`` does not switch a guard off where jq would run."""
    shell = Shell(fs=MemoryFS(), spawn=False, env={"PATH": "/bin"})
    assert shell.run("which grep; type -P grep; which -a grep").stdout == b"/usr/bin/grep\n" * 3
    assert shell.run("which nosuch; echo $?; type -P nosuch; echo $?").stdout == b"1\n1\n"


def test_a_file_on_path_precedes_a_utility() -> None:
    fs = MemoryFS({"/own/grep": b"x"})
    fs.chmod("/own/grep", 0o755)
    assert run(["which", "-a", "grep"], fs=fs, env={"PATH": "/own"})[1] == b"/own/grep\n"


def test_an_unknown_option() -> None:
    assert run(["which", "-x", "tool"]) == (2, b"", b"Illegal option -x\nUsage: which [-a] args\n")


def test_help() -> None:
    assert run(["which", "--help"])[1].startswith(b"Usage: which [-a] COMMAND...\n")
