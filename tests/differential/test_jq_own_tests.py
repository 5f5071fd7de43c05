"""jq's own tests (from .ci/build-jq.sh; not in this repository) run through our command, the real jq beside it.

Each row of the ``.test`` files has to come to what the file says, and to the same bytes and status as with the real
program. ``shtest`` and ``utf8test``, the shell scripts with the cases of the command, run from where they lie.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from jq_beside import MARKS, need_jq

from conformance.oracles import find
from pyshellhooks import Shell
from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture
from pyshellhooks.utilities.jq import jq

DIRECTORY = Path(find("jq") or "jq").parent.parent / "share" / "jq-tests"
NAMES = ("jq", "man", "onig", "manonig", "base64", "uri", "optional")
MODULES = "tests/modules"  # below the working directory; one message has this path
ENVIRONMENT = {"PAGER": "less", "TZ": "UTC", "HOME": "/nowhere"}
MOST_FAILURES = 0

pytestmark = MARKS


class Answer(NamedTuple):
    """What a run of jq came to."""

    stdout: str
    stderr: str
    status: int | str


class Row(NamedTuple):
    """One test: a program and what it has to give; ``fails`` is the message of one that must not compile."""

    program: str
    stdin: str
    expected: list[str]
    fails: bool


@pytest.fixture(autouse=True)
def own_tests() -> None:
    """Skip where jq's tests are not; CI must have them."""
    need_jq()
    if not DIRECTORY.exists():
        if os.environ.get("CI"):
            pytest.fail("CI has no jq tests: run .ci/build-jq.sh")
        pytest.skip(f"no {DIRECTORY}")


def rows(name: str) -> list[Row]:
    """Read a file of tests: blocks of a program, its input, its outputs; or ``%%FAIL``, a program, a message."""
    text = (DIRECTORY / f"{name}.test").read_text(encoding="utf-8", errors="replace")
    found: list[Row] = []
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            if not line.startswith("#"):
                block.append(line)
        elif block:
            if block[0].startswith("%%FAIL"):
                found.append(Row(block[1], "", block[2:], fails=True))
            else:
                found.append(Row(block[0], block[1] + "\n", block[2:], fails=False))
            block = []
    return found


class Beside:
    """A directory with jq's modules, on the disk and at the same path in memory."""

    def __init__(self, place: Path) -> None:
        self.cwd = str(place)
        shutil.copytree(DIRECTORY / "modules", place / MODULES)
        files = [path for path in place.rglob("*") if path.is_file()]
        self.fs = MemoryFS({str(path): path.read_bytes() for path in files})

    def ours(self, row: Row) -> Answer:
        """Run a row through our command."""
        out, error = Capture(1 << 24), Capture(1 << 24)
        status: int | str
        with CancelScope(timeout=110) as scope:
            call = Call(
                ["jq", "-c", "-L", MODULES, row.program],
                env=ENVIRONMENT,
                cwd=self.cwd,
                fs=self.fs,
                stdin=BytesReader(row.stdin.encode("utf-8", "surrogateescape")).retain(),
                stdout=out,
                stderr=error,
                scope=scope,
                limits=Limits(),
                start=None,  # type: ignore[arg-type]
            )
            try:
                status = execute(jq, call)
            except Stop as stop:
                status = str(stop)
            except Exception as mistake:  # one row of many
                status = repr(mistake)
        return self._answer(out.getvalue(), error.getvalue(), status)

    def theirs(self, row: Row) -> Answer:
        """Run a row through the real jq."""
        done = subprocess.run(
            [need_jq(), "-c", "-L", MODULES, row.program],
            input=row.stdin.encode("utf-8", "surrogateescape"),
            capture_output=True,
            cwd=self.cwd,
            env=ENVIRONMENT,
        )
        return self._answer(done.stdout, done.stderr, done.returncode)

    def _answer(self, stdout: bytes, stderr: bytes, status: int | str) -> Answer:
        return Answer(stdout.decode(), stderr.decode().replace(f"{self.cwd}/", ""), status)


def passes(row: Row, answer: Answer) -> bool:
    """Say whether an answer is what the row asks for."""
    if row.fails:
        return answer.status == 3 and "\n".join(row.expected) in answer.stderr
    return [json.loads(line) for line in answer.stdout.split("\n") if line] == list(map(json.loads, row.expected))


@pytest.mark.one_in(3, slow=3)
def test_every_row(tmp_path: Path) -> None:
    beside = Beside(tmp_path)
    failures: list[str] = []
    found = [row for name in NAMES for row in rows(name)]
    for row in found:
        answer, real = beside.ours(row), beside.theirs(row)
        assert passes(row, real), row
        if answer != real or not passes(row, answer):
            failures.append(f"jq -c {row.program!r} <<< {row.stdin!r}\n  jq  : {real}\n  ours: {answer}")
    assert len(found) >= 870
    assert len(failures) <= MOST_FAILURES, f"{len(failures)} rows:\n" + "\n".join(failures)


# What of ``shtest`` is not of the language or the command: how many instructions of jq's bytecode are dumped, and what a
# terminal shows (``script`` would start the shell's jq as a real program).
LEFT_OUT = (
    (re.compile(r"^nref=.*?^done\n", re.M | re.S), ""),
    (re.compile(r"^if \[ \$\(HOME=[^\n]*--debug-dump-disasm.*?^fi\n", re.M | re.S), ""),
    (re.compile(r"^test_no_color=true$", re.M), "test_no_color=false"),
)


@pytest.mark.parametrize("name", ["shtest", "utf8test"])
def test_script(name: str, tmp_path: Path) -> None:
    place = tmp_path / "tests"  # the scripts call it so
    shutil.copytree(DIRECTORY, place)
    script = (place / name).read_text(encoding="utf-8")
    if name == "shtest":
        for pattern, text in LEFT_OUT:
            script, count = pattern.subn(text, script)
            assert count == 1, pattern
    # The path by which it finds its directory, and jq by its name: the one in the shell.
    script = script.replace('. "${0%/*}/setup" "$@"', f"set -- ; . {place}/setup", 1)
    setup = (place / "setup").read_text(encoding="utf-8")
    (place / "setup").write_text(setup.replace('$(cd "$(dirname "$0")" && pwd)', str(place), 1), encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "JQ": "jq", "TMPDIR": str(tmp_path)}
    result = Shell().run(f"set -x\n{script}", env=environment, cwd=str(tmp_path), timeout=100)
    assert result.status == 0, result.stderr.decode("utf-8", "replace")[-3000:]
