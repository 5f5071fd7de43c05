"""One run of jq, by our command and by the real one, for comparisons."""

from __future__ import annotations

import resource
import subprocess
from typing import NamedTuple

from jq_grammar import Node

from conformance.oracles import find
from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture
from pyshellhooks.utilities.jq import jq

PROGRAM = find("jq") or "jq"
ENVIRONMENT = {"PAGER": "less", "TZ": "UTC", "HOME": "/nowhere", "LC_ALL": "C.UTF-8"}
MEMORY = 1 << 30  # address space of the real one
PATIENCE = 4.0  # seconds of the real one; ours gets more, it is compared by bytes here
OUTPUT = 1 << 21


class Answer(NamedTuple):
    """What a run came to; ``status`` is a text where there is none: a limit, the clock, an exception of Python."""

    stdout: bytes
    stderr: bytes
    status: int | str


class Case(NamedTuple):
    """A command line and its input."""

    options: tuple[str, ...]
    program: Node
    inputs: tuple[str, ...]  # texts; written one below the other

    def stdin(self) -> bytes:
        return "\n".join(self.inputs).encode("utf-8", "surrogateescape")

    def line(self) -> str:
        return f"jq {' '.join(self.options)} {quoted(str(self.program))} <<< {quoted(self.stdin().decode('utf-8', 'backslashreplace'))}"


def quoted(text: str) -> str:
    """Spell a word for bash."""
    if text.isprintable() and "'" not in text:
        return f"'{text}'"
    escaped = (
        text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    )
    return (
        "$'"
        + "".join(
            c if c.isprintable() else "".join(f"\\x{byte:02x}" for byte in c.encode("utf-8", "surrogateescape"))
            for c in escaped
        )
        + "'"
    )


class _Start:
    """What tells a utility whether there may be processes."""

    def __init__(self, spawn_allowed: bool) -> None:
        self.spawn_allowed = spawn_allowed


def ours(case: Case, spawn: bool = False, timeout: float = 20.0) -> Answer:
    """Run our command."""
    out, error = Capture(1 << 24), Capture(1 << 24)
    status: int | str
    with CancelScope(timeout=timeout) as scope:
        call = Call(
            ["jq", *case.options, str(case.program)],
            env=ENVIRONMENT,
            cwd="/",
            fs=MemoryFS(),
            stdin=BytesReader(case.stdin()).retain(),
            stdout=out,
            stderr=error,
            scope=scope,
            limits=Limits(),
            start=_Start(spawn),  # type: ignore[arg-type]
        )
        try:
            status = execute(jq, call)
        except Stop as stop:
            status = f"Stop {stop.reason}: {stop.detail}"
        except Exception as error_of_ours:  # a program must never see one: this is what is looked for
            status = f"{type(error_of_ours).__name__}: {error_of_ours}"[:300]
    return Answer(out.getvalue(), error.getvalue(), status)


def theirs(case: Case) -> Answer | None:
    """Run the real one; None where it takes too much."""
    process = subprocess.Popen(
        [PROGRAM, *case.options, str(case.program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        cwd="/",
    )
    try:
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        stdout, stderr = process.communicate(case.stdin(), timeout=PATIENCE)
    except ProcessLookupError:
        stdout, stderr = process.communicate(case.stdin(), timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    if process.returncode < 0 or b"cannot allocate memory" in stderr or len(stdout) > OUTPUT:
        return None
    return Answer(stdout, stderr, process.returncode)


def excused(answer: Answer) -> bool:
    """Say whether ours ended by a limit of the run, which the real one doesn't have."""
    return isinstance(answer.status, str) and answer.status.startswith(("Stop limit", "Stop deadline"))
