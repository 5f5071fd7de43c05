"""Run one record in its scratch directory, and return its answer as a JSON object with tokens for paths."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyshellhooks import HookEngine, Shell
from pyshellhooks.cli import main as command_line
from pyshellhooks.hooks.verdict import Verdict

from .scratch import ON_WINDOWS, Scratch
from .systems import SYSTEMS, command_of, config_of, event_of, fields_of, written
from .tables import Record

FIRE_SECONDS = 20.0  # for all hooks of an event; the hooks of records have shorter deadlines
SHELL_SECONDS = 5.0
COMMAND_SECONDS = 30.0
PACKAGE = Path(__file__).resolve().parents[2]
_SHOWN = 4000  # characters of a file that a record wrote
_STARTS = ("C:\\x", "c:\\x", "C:/x")  # the spellings that a Python program uses for a directory


def answer(record: Record, scratch: Scratch) -> dict[str, Any]:
    """Run a record. An error that the library raises is an answer too: its type and its text."""
    before = _contents(scratch.root)
    try:
        found = _RUNS[record.part](record, scratch)
    except Exception as error:
        found = {"error": type(error).__name__, "message": str(error)}
    native = record.row.get("form") == "native"
    found = {key: item if key == "updated_input" else scratch.tokens(item, native) for key, item in found.items()}
    if record.part != "scene":
        found["files"] = scratch.tokens(_changes(before, _contents(scratch.root)))
    return found


def write_files(record: Record, scratch: Scratch) -> None:
    """Write the files of a record."""
    row = record.row
    texts = dict(row.get("files", {}))
    for name, text in row.get("escaped_files", {}).items():
        texts[name] = text.encode().decode("unicode_escape")
    if ON_WINDOWS:
        texts.update(row.get("windows_files", {}))
    for name, text in texts.items():
        file = scratch.file(name)
        if name.endswith("/"):
            file.mkdir(parents=True, exist_ok=True)
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(scratch.filled(text).encode())
    for name in row.get("executable", ()):
        scratch.file(name).chmod(0o755)


def environment_of(record: Record, scratch: Scratch) -> dict[str, str]:
    """Return the variables of the process in which a record runs."""
    first = [str(scratch.file(name)) for name in record.row.get("windows_path", ())] if ON_WINDOWS else []
    return scratch.environment(record.row.get("env", {}), first)


def _directory(record: Record, scratch: Scratch) -> str:
    """Return the engine's working directory, in the record's spelling if a Python program would use it."""
    below = "/".join(["project", record.row["start"]] if "start" in record.row else ["project"])
    if record.spelling in _STARTS or not ON_WINDOWS:
        return scratch.path(below)
    return str(scratch.root / below)


# -- hooks ----------------------------------------------------------------------------------------------------------------


def _hook(record: Record, scratch: Scratch) -> dict[str, Any]:
    row, system = record.row, SYSTEMS[record.system]
    config = config_of(record, scratch.filled(command_of(record)))
    if "condition" in row:
        config = scratch.filled(config)
    fields = scratch.filled(fields_of(record, scratch.payload_path(record.path)))
    if "cwd_field" in row:
        fields["cwd"] = scratch.path("/".join(["project", row["start"]] if "start" in row else ["project"]))
    if row.get("load") or row.get("discover"):
        file = scratch.project / system.file
        text = row.get("config_text", written(record, config))
        if text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
    if row.get("discover"):
        engine = HookEngine.discover(_directory(record, scratch), record.system, trust_project=True)
    elif row.get("load"):
        source = scratch.path(f"project/{system.file}")
        engine = HookEngine.load(source, record.system, cwd=_directory(record, scratch))
    else:
        directory = scratch.path("project") if "cwd_field" in row else _directory(record, scratch)
        if "cwd_field" in row and ON_WINDOWS and record.spelling not in _STARTS:
            directory = str(scratch.project)
        engine = HookEngine.load(config, record.system, cwd=directory)
    with engine:
        return of_verdict(engine.fire(event_of(record), fields, timeout=FIRE_SECONDS), engine, scratch)


def of_verdict(verdict: Verdict, engine: HookEngine, scratch: Scratch) -> dict[str, Any]:
    """Return all of a verdict that a caller can see, but times and ids of hooks."""
    return {
        "decision": verdict.decision.value,
        "halt": verdict.halt,
        "reason": verdict.reason,
        "user_message": verdict.user_message,
        "context": verdict.context,
        "updated_input": scratch.told_back(verdict.updated_input),
        "followup": verdict.followup,
        "notices": [str(notice) for notice in verdict.notices],
        "diagnostics": [str(diagnostic) for diagnostic in engine.diagnostics],
        "hooks": [
            {"ended": hook.ended, "status": hook.exit_code, "stdout": hook.stdout, "stderr": hook.stderr}
            for hook in verdict.hooks
        ],
    }


# -- the shell and the command line -----------------------------------------------------------------------------------------


def _shell(record: Record, scratch: Scratch) -> dict[str, Any]:
    row = record.row
    shell = Shell(cwd=_directory(record, scratch))
    result = shell.run(scratch.filled(row["shell"]), timeout=float(row.get("timeout", SHELL_SECONDS)))
    return {
        "status": result.status,
        "ended": type(result.ended).__name__,
        "stdout": _text(result.stdout),
        "stderr": _text(result.stderr),
        "notices": [str(notice) for notice in result.notices],
    }


def _command(record: Record, scratch: Scratch) -> dict[str, Any]:
    words = [scratch.filled(word) for word in shlex.split(record.row["command"])]
    return _in_a_process(words, scratch) if words[0] == "sh" else call_main(words, scratch)


def call_main(words: Sequence[str], scratch: Scratch) -> dict[str, Any]:
    """Run a command in this process, as a program that is started in the project's directory."""
    with contextlib.chdir(scratch.project), outputs() as (stdout, stderr):
        try:
            status: object = command_line(words)
        except SystemExit as end:
            status = end.code
        return {"status": status, "stdout": stdout(), "stderr": stderr()}


def _in_a_process(words: list[str], scratch: Scratch) -> dict[str, Any]:
    """Run a command that handles signals, which only the main thread of a process can do."""
    command = [sys.executable, "-m", "pyshellhooks", *words]
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
    options: dict[str, Any] = {
        "capture_output": True,
        "cwd": scratch.project,
        "env": variables,
        "timeout": COMMAND_SECONDS,
    }
    done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, **options)
    return {"status": done.returncode, "stdout": _text(done.stdout), "stderr": _text(done.stderr)}


def _text(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")


@contextlib.contextmanager
def variables_of_process(environment: Mapping[str, str]) -> Iterator[None]:
    """Give this process other variables for a while."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def outputs() -> Iterator[tuple[Any, Any]]:
    """Capture both outputs as a pipe would get them: with this system's line ends."""
    before = sys.stdin, sys.stdout, sys.stderr
    pipes = [io.BytesIO(), io.BytesIO()]
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(pipe, encoding="utf-8", write_through=True) for pipe in pipes)
    try:
        yield tuple((lambda pipe=pipe: _text(pipe.getvalue())) for pipe in pipes)
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _scene(record: Record, scratch: Scratch) -> dict[str, Any]:
    found: dict[str, Any] = record.row["scene"].run(scratch)
    return found


_RUNS = {"hook": _hook, "shell": _shell, "command": _command, "scene": _scene}


# -- files ----------------------------------------------------------------------------------------------------------------


def _contents(root: Path) -> dict[str, bytes]:
    """Return the beginnings of the files of the project and the home directory, by their paths below the root."""
    found = {}
    for top in ("project", "home"):
        for folder, _, names in os.walk(root / top):
            for name in names:
                file = Path(folder, name)
                if "pyshellhooks" in file.parts:
                    continue  # the store of trust: each system has its own place for it
                with contextlib.suppress(OSError):
                    is_file = stat.S_ISREG(file.stat().st_mode)
                    found[file.relative_to(root).as_posix()] = file.read_bytes()[:_SHOWN] if is_file else b"(no file)"
    return found


def _changes(before: dict[str, bytes], after: dict[str, bytes]) -> dict[str, str]:
    """Return the files that are new or have another text, and those that are gone."""
    found = {name: "(gone)" for name in before if name not in after}
    for name, content in after.items():
        if before.get(name) != content and not name.endswith(".pyc"):
            found[name] = _text(content)
    return {name: found[name] for name in sorted(found)}
