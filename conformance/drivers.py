"""What a case can be run on: this library in-process, or any shell by its command line."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from . import shapes
from .case import Case, HookCase, ShellCase

TIMEOUT = 20.0  # seconds a case may take


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened. ``verdict`` is the JSON form of a hook case's; ``error`` the text of a config error."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0
    verdict: Mapping[str, Any] = field(default_factory=dict)
    explained: tuple[Mapping[str, Any], ...] = ()
    error: str | None = None
    diagnostics: tuple[str, ...] = ()
    wrote: Mapping[str, str | bool] = field(default_factory=dict)
    seconds: float = 0.0


class Driver(Protocol):
    """Runs one case in a directory of its own."""

    name: str

    def refuses(self, case: Case) -> str:
        """Say why this driver can't run such a case; empty if it can."""

    def run(self, case: Case) -> Outcome:
        """Run it."""


@contextmanager
def workplace(case: Case) -> Iterator[Path]:
    """Make a temporary directory with the case's files; ``@CWD@`` in their text stands for it."""
    root = Path(tempfile.mkdtemp(prefix="case-")).resolve()
    try:
        for name, text in case.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(placed(text, root).encode())
            if name in case.executable:
                path.chmod(0o755)
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


def placed(text: str, root: Path) -> str:
    """Put the case's directory where a text says ``@CWD@`` (with ``/``, also on Windows)."""
    return text.replace("@CWD@", root.as_posix()).replace("@PYTHON@", Path(sys.executable).as_posix())


def unplaced(data: bytes, root: Path) -> str:
    """Undo ``placed`` in what came out, so that expectations can be written down."""
    return data.decode("utf-8", "surrogateescape").replace(root.as_posix(), "@CWD@")


def written(case: Case, root: Path) -> dict[str, str | bool]:
    """Read back the files that the case says something about; a missing one is False."""
    found: dict[str, str | bool] = {}
    for name in case.wrote:
        path = root / name
        found[name] = unplaced(path.read_bytes(), root) if path.is_file() else False
    return found


def environment(case: Case, root: Path) -> dict[str, str]:
    """Return the whole environment of a case: little, and the same everywhere."""
    env = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT", "PATHEXT", "COMSPEC", "TEMP") if key in os.environ}
    env |= {"HOME": root.as_posix(), "LC_ALL": "C.UTF-8", "TZ": "UTC0"}
    env |= {key: placed(value, root) for key, value in case.env.items()}
    return env


def lacking(case: Case) -> str:
    """Name the program of ``needs`` that this machine lacks, or has too old: ``jq``, ``jq 1.8``; or ``root``."""
    for need in case.needs:
        if need == "root":  # the recorded answer is root's, who may do what others may not
            if getattr(os, "geteuid", lambda: 1)() == 0:
                continue
            return "needs root"
        name, _, version = need.partition(" ")
        path = shutil.which(name)
        if path is None:
            return f"needs {need}"
        if version:
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            numbers = tuple(map(int, re.findall(r"\d+", said)[:2]))
            if numbers < tuple(map(int, version.split("."))):
                return f"needs {need}, this is {said.strip()}"
    return ""


class InProcess:
    """This library, without a process for what is shell."""

    name = "pyshellhooks"

    def refuses(self, case: Case) -> str:
        """Refuse only what needs a real program for its shebang and does not find it."""
        return lacking(case) if isinstance(case, HookCase) else ""

    def run(self, case: Case) -> Outcome:
        """Run it in a directory of its own."""
        with workplace(case) as root:
            if isinstance(case, ShellCase):
                return self._shell(case, root)
            assert isinstance(case, HookCase)
            return self._hook(case, root)

    def _shell(self, case: ShellCase, root: Path) -> Outcome:
        from pyshellhooks import Shell

        began = time.perf_counter()
        shell = Shell(cwd=str(root), env=environment(case, root))
        result = shell.run(placed(case.script, root), *case.args, stdin=case.stdin.encode(), timeout=TIMEOUT)
        return Outcome(
            stdout=unplaced(result.stdout, root),
            stderr=unplaced(result.stderr, root),
            status=result.status,
            wrote=written(case, root),
            seconds=time.perf_counter() - began,
        )

    def _hook(self, case: HookCase, root: Path) -> Outcome:
        from pyshellhooks import PyShellHooksError

        began = time.perf_counter()
        cwd = root / case.cwd
        try:
            with self._engine(case, root, cwd) as engine:
                usual = {"cwd": str(cwd), "session_id": "s-1"}
                for earlier in case.before:
                    engine.fire(earlier.get("event", case.event), **{**usual, **earlier.get("fields", {})})
                fields = {**usual, **dict(case.fields)}
                explained: tuple[Mapping[str, Any], ...] = ()
                if case.explain is not None:
                    explained = tuple(why.as_json() for why in engine.explain(case.event, **fields))
                diagnostics = tuple(map(str, engine.diagnostics))
                verdict = engine.fire(case.event, **fields).as_json() if case.explain is None else {}
        except PyShellHooksError as error:
            return Outcome(error=unplaced(str(error).replace(str(root), "@CWD@").encode(), root))
        text = json.dumps(verdict, ensure_ascii=False).replace(json.dumps(str(root))[1:-1], "@CWD@")
        return Outcome(
            verdict=json.loads(text.replace(root.as_posix(), "@CWD@")),
            explained=explained,
            diagnostics=diagnostics,
            wrote=written(case, root),
            seconds=time.perf_counter() - began,
        )

    @contextmanager
    def _engine(self, case: HookCase, root: Path, cwd: Path) -> Iterator[Any]:
        from pyshellhooks import HookEngine

        env = environment(case, root)
        options = dict(case.options)
        if case.answers:
            options["handlers"] = {kind: lambda request, text=text: text for kind, text in case.answers.items()}
        if "mounts" in options:
            options["mounts"] = {point: placed(path, root) for point, path in options["mounts"].items()}
        if case.discover:
            engine = HookEngine.discover(str(cwd), dialect(case), env=env, trust_project=True, **options)
        else:
            engine = HookEngine.load(configs(case, root), dialect(case), cwd=str(cwd), env=env, **options)
        try:
            yield engine
        finally:
            engine.close()


def dialect(case: HookCase) -> str:
    """Spell dialect and edition as the engine takes them."""
    return f"{case.dialect}@{case.edition}" if case.edition else case.dialect


def configs(case: HookCase, root: Path) -> list[str]:
    """Write the case's configs below its directory, lowest precedence first; gives their paths."""
    from pyshellhooks import dialects

    name = case.config_name or dialects.dialect_class(case.dialect).file_names[0]
    texts = list(case.configs) or [case.config if case.config is not None else hooks_config(case)]
    paths = []
    for number, text in enumerate(texts):
        place = root / (name if number == len(texts) - 1 else f"config{number}/{name}")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(placed(text, root).encode())
        paths.append(str(place))
    return paths


def hooks_config(case: HookCase) -> str:
    """Make the config of a case that gives only its hooks, in the shape of its system."""
    return json.dumps(shapes.SHAPES[case.dialect](case.event, [dict(hook) for hook in case.hooks]))


class Spawned:
    """Any shell that understands ``-c SCRIPT NAME ARG...``; for shell cases only."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.name = " ".join(command)

    def refuses(self, case: Case) -> str:
        """Run scripts, not hooks."""
        return lacking(case) if isinstance(case, ShellCase) else "not a script"

    def run(self, case: Case) -> Outcome:
        """Run it as a process."""
        assert isinstance(case, ShellCase)
        with workplace(case) as root:
            began = time.perf_counter()
            done = subprocess.run(
                [*self.command, "-c", placed(case.script, root), "sh", *case.args],
                input=case.stdin.encode(),
                capture_output=True,
                cwd=root,
                env=environment(case, root),
                timeout=TIMEOUT,
                check=False,
            )
            return Outcome(
                stdout=unplaced(done.stdout, root),
                stderr=unplaced(done.stderr, root),
                status=done.returncode if done.returncode >= 0 else 128 - done.returncode,
                wrote=written(case, root),
                seconds=time.perf_counter() - began,
            )
