"""A message that can't be written decides nothing: statuses beside bad descriptors are those of bash and GNU's tools.

Answers: bad_descriptors.json, from the real programs (``PYTHONPATH=. python tests/hostile/bad_descriptors.py``).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bad_descriptors import ANSWERS, PATH, REDIRECTIONS, commands, furnish, names, script

from pyshellhooks import Shell
from pyshellhooks.builtins import _index as builtins
from pyshellhooks.fs import HostFS, MemoryFS, MountFS
from pyshellhooks.utilities import _index as utilities

pytestmark = pytest.mark.not_on_windows("needs-device")

REAL: dict[str, list[str]] = json.loads(ANSWERS.read_text())
DIED = ("141", "exit -13", "exit 141")
SHELL = Shell(env={"PATH": PATH, "HOME": "/"})

# What differs, and why none of it decides: command -> the status here
KNOWN = {
    # Output that is lost to a descriptor that can't be written is a failure here; sed and util-linux do not ask.
    **dict.fromkeys(("sed p f", "sed p f nofile", "sed p", "sed -n 'w /dev/stdout' f"), "4"),
    **dict.fromkeys(("rev f", "column f", "hostname", "uuidgen"), "1"),
    **dict.fromkeys(("getopt a -- -a", "getopt a -- -b"), "3"),
    # A failure has another number: theirs is of the stdout that nothing was written to.
    **dict.fromkeys(("sed p nofile", "sed -i s/a/b/ nofile"), "2"),
    "sed": "1", **dict.fromkeys(("jq", "jq '.a.b' bad", "jq 'error(\"x\")' j", "jq . bad", "jq .", "jq 'halt_error' j"), "5"), "jq '{' j": "3",
    # Failures all of them.
    "cmp f g": "2", "cmp f": "2", "xxd f": "1", "nohup nocommand": "125", "xargs": "1", "xargs nocommand < f": "141",
    "yq -i . nofile": "1", "awk '{print}' f nofile": "141", "gawk '{print}' f nofile": "141",
    # cat looks at a stdout that it has nothing for.
    "ls nofile | cat": "0",
}  # fmt: skip


# These are no measure where something can't be written: the real rg (Rust) panics over a message and never misses its output,
# the real yq is a Python around jq, and mawk wants descriptors that it does not use. What is wanted instead is the status
# that it has with good descriptors; where output is lost, the failure here; 141 where nobody reads.
ALONE = {"rg": "2", "yq": "1", "xq": "1", "tomlq": "1", "mawk": "1"}


def is_same_alone(command: str, place: str, got: str) -> bool:
    """Say whether no message decided, of a program whose real one is no measure."""
    plain, real = REAL[command][0], REAL[command][[*REDIRECTIONS].index(place)]
    if "closed pipe" in place and got == "141":
        return True
    loses = place.startswith(("stdout", "both", "all"))
    reads = place.startswith(("stdin", "all"))
    return (
        got == plain
        or (loses and got == ALONE[command.split()[0]])
        or (reads and (got == real or (got, real) == ("2", "1")))
    )


def is_same_status(command: str, place: str, want: str, got: str) -> bool:
    """Say whether a status is the real one, or what the shell's own message comes to."""
    if command.split()[0] in ALONE:
        return is_same_alone(command, place, got)
    if got == want or (want in DIED and got in DIED):
        return True
    # The shell outlives a reader of its own messages: it says what it says where they can't be written otherwise.
    places = list(REDIRECTIONS)
    same = "both closed" if place == "both a closed pipe" else "stderr full"
    return want in DIED and "closed pipe" in place and got == REAL[command][places.index(same)]


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("command", REAL)
def test_the_status_is_that_of_the_real_program(tmp_path: Path, command: str) -> None:
    wrong = []
    differs = set()
    for place, want in zip(REDIRECTIONS, REAL[command], strict=True):
        root = tmp_path / place.replace(" ", "-")
        root.mkdir()
        furnish(root)
        result = SHELL.run(script(command, place), cwd=root.as_posix(), stdin=b"in a\n", timeout=15)
        got = result.stdout.decode().strip() or f"exit {result.status}"
        if not result.ended.reason and not is_same_status(command, place, want, got) and KNOWN.get(command) == got:
            differs.add(command)
        elif result.ended.reason or not is_same_status(command, place, want, got):
            wrong.append(f"{place}: {want}, not {got} {result.ended!r}")
    assert wrong == []
    assert differs == {command} & set(KNOWN)


def test_everything_has_a_row() -> None:
    """A new utility gets a line in bad_descriptors.py; then ``PYTHONPATH=. python tests/hostile/bad_descriptors.py``."""
    assert set(REAL) == set(commands())
    assert {*utilities.INDEX, *builtins.INDEX} - names() == set()


# Descriptors that are open the wrong way round, or on a directory, for programs of the system and for our own. From bash 5.2.15
# with GNU's tools; in bash a child has the very descriptor, here something must stand for a text, a pipe or a capture.
WRONG_WAY = (
    "2<<<x",
    "1<<<x",
    "1<<<x 2<<<x",
    "0>&1",
    "<&2",
    "0>f",
    "<d",
    "1<d",
    "2<d",
    "1<d 2<d",
    "1</dev/null",
    "0>/dev/null",
)
NATIVE = {
    "/bin/ls nofile": "2 2 2 2 2 2 2 2 2 2 2 2",
    "/bin/echo a": "0 1 1 0 0 0 0 1 0 1 1 0",
    "/bin/cat": "0 1 1 1 1 1 1 1 0 1 1 1",
    "/bin/true": "0 0 0 0 0 0 0 0 0 0 0 0",
    "/bin/cat nofile f": "1 1 1 1 1 1 1 1 1 1 1 1",
    "timeout 5 /bin/ls nofile": "2 2 2 2 2 2 2 2 2 2 2 2",
    "env /bin/cat": "0 1 1 1 1 1 1 1 0 1 1 1",
    "find g -exec /bin/ls nofile {} +": "1 1 1 1 1 1 1 1 1 1 1 1",
    "xargs /bin/cat < nofiles": "123 123 123 123 123 123 123 123 123 123 123 123",
    "/bin/sh -c 'echo a; ls nofile'": "2 2 2 2 2 2 2 2 2 2 2 2",
    "x=$(/bin/cat)": "0 0 0 1 1 1 1 0 0 0 0 1",
    "ls nofile": "2 2 2 2 2 2 2 2 2 2 2 2",
    "echo a": "0 1 1 0 0 0 0 1 0 1 1 0",
    "cat": "0 1 1 1 1 1 1 1 0 1 1 1",
    "cat f": "0 1 1 0 0 0 0 1 0 1 1 0",
    "basename a/b": "0 1 1 0 0 0 0 1 0 1 1 0",
    "env nocommand": "125 127 125 127 127 127 127 127 125 125 127 127",
    "read x": "0 0 0 1 1 1 1 0 0 0 0 1",
}  # fmt: skip


@pytest.mark.skipif(not Path("/bin/cat").exists(), reason="programs of POSIX")
@pytest.mark.parametrize("out", [">out", ""], ids=["file", "captured"])
@pytest.mark.parametrize("command", NATIVE)
def test_descriptors_that_are_open_the_wrong_way_round(tmp_path: Path, command: str, out: str) -> None:
    got = []
    for number, redirection in enumerate(WRONG_WAY):
        root = tmp_path / str(number)
        root.mkdir()
        furnish(root)
        text = f"exec 3>&1 {out} 2>err; {{ {command}\n}} {redirection}; echo $? >&3"
        result = SHELL.run(text, cwd=root.as_posix(), stdin=b"in a\n", timeout=15)
        got.append(result.stdout.decode().split("\n")[-2] if not result.ended.reason else repr(result.ended))
    assert " ".join(got) == NATIVE[command]


@pytest.mark.skipif(not Path("/bin/cat").exists(), reason="programs of POSIX")
@pytest.mark.parametrize("script", ["/bin/echo a 1</m/f", "/bin/cat 0>/m/f", "/bin/cat 0>>/m/f", "/bin/cat </m/f >&0"])
def test_a_program_gets_an_error_for_a_memory_file_open_the_other_way(tmp_path: Path, script: str) -> None:
    fs = MountFS(HostFS(), {"/m": MemoryFS({"/f": b"x"})})
    result = Shell(fs=fs, cwd=tmp_path.as_posix(), env={"PATH": PATH}).run(f"{script}; echo $?", timeout=15)
    assert (result.stdout, result.ended.reason) == (b"1\n", ""), result
    assert b"Bad file descriptor" in result.stderr
