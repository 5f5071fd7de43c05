"""Python hooks where PATH has no program of the name (decisions python)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from own_programs import Place

from pyshellhooks import MemoryFS, Shell
from tests import oracles

pytestmark = pytest.mark.not_on_windows("needs-program")


HOOK = "import json, sys\nsys.exit(2 if json.load(sys.stdin)['tool_name'] == 'bash' else 0)\n"
OWN = Path(sys.executable).as_posix()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    for head in (
        "#!/usr/bin/env python3",
        "#!/usr/bin/env python",
        "#!/no/such/python3",
        "#!/usr/bin/env -S python3 -u",
    ):
        place.write(head.rpartition("/")[2].replace(" ", "_"), f"{head}\n{HOOK}")
    place.write("x.py", HOOK)
    return place


def program(place: Place, name: str, *first: str) -> None:
    """Put a Python on PATH that first notes its own name and arguments."""
    text = f'#!/bin/sh\necho "{name} $*" >> {place.root}/ran\n' + "shift\n" * len(first) + f'exec {OWN} "$@"\n'
    (place.path / name).write_text(text)
    (place.path / name).chmod(0o755)


@pytest.mark.parametrize("spelling", ["env_python3", "env_python", "python3", "env_-S_python3_-u"])
def test_the_hosts_own_interpreter_is_the_last_resort(place: Place, spelling: str) -> None:
    name = "python" if spelling == "env_python" else "python3"
    verdict = place.fire(f"./{spelling}")
    assert verdict.decision == "deny"
    (notice,) = verdict.notices
    assert f"{name} is not on PATH; {OWN} ran instead; install {name}" in notice
    assert not verdict.hooks[0].run.faults


@pytest.mark.parametrize("name", ["python3", "python"])
@pytest.mark.parametrize(
    "command", ["{} x.py", "exec {} x.py", "env {} x.py", "cat | {} x.py; exit $?", "command {} x.py"]
)
def test_by_name(place: Place, name: str, command: str) -> None:
    """A hook's author expects of ``python3 x.py`` what a shebang does."""
    verdict = place.fire(command.format(name))
    assert verdict.decision == "deny"
    assert f"{name} is not on PATH; {OWN} ran instead" in verdict.notices[0]
    assert not verdict.hooks[0].run.faults


@oracles.BIN_SH
@pytest.mark.parametrize("command", ["./env_python3", "python3 x.py"])
def test_the_order(place: Place, command: str) -> None:
    """``python3``, ``python``, ``py -3``, then the host's own."""
    script = f"{place.root}/env_python3" if command.startswith("./") else "x.py"
    for name, first in (("py", ("-3",)), ("python", ()), ("python3", ())):
        program(place, name, *first)
        (place.root / "ran").unlink(missing_ok=True)
        verdict = place.fire(command)
        assert verdict.decision == "deny"
        assert (place.root / "ran").read_text() == " ".join((name, *first, script)) + "\n"
        assert bool(verdict.notices) == (name != "python3")


def test_a_program_that_embeds_python_is_not_started_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for executable in ("/bin/cat", "", "/no/such/python3"):
        monkeypatch.setattr(sys, "executable", executable)
        verdict = place.fire("./env_python3")
        assert (verdict.hooks[0].run.status, bool(verdict.hooks[0].run.faults)) == (127, True)
        assert "install python3" in verdict.notices[0]
    monkeypatch.setattr(sys, "executable", OWN)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert place.fire("./env_python3").hooks[0].run.status == 127


def test_other_interpreters_have_no_substitute(place: Place) -> None:
    for name in ("python2", "python3.99", "node"):
        place.write("x", f"#!/usr/bin/env {name}\n")
        verdict = place.fire("./x")
        assert (verdict.hooks[0].run.status, bool(verdict.hooks[0].run.faults)) == (127, True)


def test_not_in_a_virtual_file_system() -> None:
    done = Shell(fs=MemoryFS(), env={"PATH": "/bin"}).run("python3 -c 1")
    assert (done.status, done.stderr) == (127, b"bash: line 1: python3: command not found\n")


def test_one_resolver_answers(place: Place) -> None:
    """What runs is what ``command -v`` and ``type`` say (docs/shell.md, How a command is found)."""
    shell = Shell(cwd=str(place.root), env={"PATH": str(place.path)})
    done = shell.run("command -v python3; type -P python3; type -t python3; type -a python3")
    assert done.stdout.decode().splitlines() == [OWN, OWN, "file", f"python3 is {OWN}"]
    assert done.notices == ()
    assert shell.run("python3() { echo mine; }; python3").stdout == b"mine\n"
    none = Shell(cwd=str(place.root), env={"PATH": str(place.path)}, spawn=False).run("command -v python3 || python3")
    assert (none.status, none.stdout) == (127, b"")
