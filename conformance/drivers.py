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
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any, Protocol

from . import oracles, shapes
from .case import Case, HookCase, ShellCase
from .clock import patient

if TYPE_CHECKING:
    from pyshellhooks.fs import FileSystem, MemoryFS

TIMEOUT = 20.0  # seconds a case may take
VIRTUAL = PurePosixPath("/tmp/virtual-case")  # where a case is on a file system in memory


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
            if name.endswith("/"):
                path.mkdir(exist_ok=True)
            elif text.startswith("->"):
                path.symlink_to(text[2:])
            else:
                path.write_bytes(encoded(case, text, root))
            if name in case.executable:
                path.chmod(0o755)
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


def in_memory(case: Case) -> MemoryFS:
    """Make a file system with the case's files below ``VIRTUAL``, and little else."""
    from pyshellhooks import MemoryFS

    files = {f"{VIRTUAL}/{name}": text for name, text in {"": "", **case.tree()}.items()}
    links = {path: text[2:] for path, text in files.items() if text.startswith("->")}
    given = {path: encoded(case, text, VIRTUAL) for path, text in files.items() if path not in links}
    fs = MemoryFS({"/usr/bin/": b"", "/bin/": b"", "/etc/passwd": b"root:x:0:0::/root:/bin/sh\n", **given})
    executable = {f"{VIRTUAL}/{name}" for name in case.executable}
    for path in given:
        if path.endswith("/") or path in executable:  # directories are made without a mask, which a process has
            fs.chmod(path, 0o755)
    for path, target in links.items():
        fs.symlink(target, path)
    return fs


def placed(text: str, root: PurePath) -> str:
    """Put the case's directory where a text says ``@CWD@`` (with ``/``, also on Windows)."""
    return text.replace("@CWD@", root.as_posix()).replace("@PYTHON@", Path(sys.executable).as_posix())


def encoded(case: Case, text: str, root: PurePath) -> bytes:
    """Return the bytes that a text of the case stands for."""
    return placed(text, root).encode(case.encoding)


def words(case: ShellCase, root: PurePath) -> list[str]:
    """Return the script and its arguments as the system takes them."""
    return [encoded(case, text, root).decode("utf-8", "surrogateescape") for text in (case.script, *case.args)]


def unplaced(data: bytes, root: PurePath, encoding: str = "utf-8") -> str:
    """Undo ``encoded`` in what came out, so that expectations can be written down."""
    return data.decode(encoding, "surrogateescape").replace(root.as_posix(), "@CWD@")


def written(case: Case, root: PurePath, fs: FileSystem | None = None) -> dict[str, str | bool]:
    """Read back the files that the case says something about, a missing one is False; those of a ``whole`` one are all."""
    if not case.whole and fs is None:
        there = {name: Path(root, name) for name in case.wrote}
        return {
            name: unplaced(path.read_bytes(), root, case.encoding) if path.is_file() else False
            for name, path in there.items()
        }
    from pyshellhooks.fs import HostFS

    found = dict(_listed(case, root, fs or HostFS(), ""))
    return dict(found) if case.whole else {name: found.get(name, False) for name in case.wrote}


def _listed(case: Case, root: PurePath, fs: FileSystem, below: str) -> Iterator[tuple[str, str]]:
    for entry in fs.scandir(f"{root.as_posix()}/{below}"):
        name = below + entry.name
        path = f"{root.as_posix()}/{name}"
        if entry.kind == "d":
            yield name + "/", ""
            yield from _listed(case, root, fs, name + "/")
        elif entry.kind == "l":
            yield name, "->" + fs.readlink(path)
        elif entry.kind == "f":
            stream = fs.open(path, os.O_RDONLY)
            yield name, unplaced(stream.read(fs.stat(path).st_size), root, case.encoding)
            stream.close()
        else:
            yield name, ""


def environment(case: Case, root: PurePath, virtual: bool = False) -> dict[str, str]:
    """Return the whole environment of a case: little, and the same everywhere."""
    kept = () if virtual else ("PATH", "SYSTEMROOT", "PATHEXT", "COMSPEC", "TEMP")
    env = {"PATH": "/usr/bin:/bin", **{key: os.environ[key] for key in kept if key in os.environ}}
    env |= {"HOME": root.as_posix(), "LC_ALL": "C.UTF-8", "TZ": "UTC0"}
    env |= {key: placed(value, root) for key, value in case.env.items()}
    return env


def lacking(case: Case, ours: Collection[str] = ()) -> str:
    """Name the program of ``needs`` that this machine lacks, or has in another version: ``jq``, ``jq 1.8``, ``/bin/bash``; or ``root``.

    What is in ``ours`` needs no real program.
    """
    for need in case.needs:
        if need.partition(" ")[0] in ours:
            continue
        if need == "root":  # the recorded answer is root's, who may do what others may not
            if _is_root():
                continue
            return "needs root"
        if need.startswith("/"):  # a place that the case itself names
            if os.access(need, os.X_OK):
                continue
            return f"needs {need}"
        if need == "google-re2":  # only ours differ without it
            continue
        name, _, version = need.partition(" ")
        path = oracles.find(name)
        if path is None:
            return f"needs {need}"
        number = re.search(r"\d[\d.]*", oracles.printed(path))
        if version and not (number and oracles.is_version(number[0], version)):
            return f"needs {need}, this is {oracles.printed(path).strip()}"
    return ""


def _is_root() -> bool:
    return getattr(os, "geteuid", lambda: 1)() == 0


class InProcess:
    """This library, without a process for what is shell."""

    name = "pyshellhooks"

    def refuses(self, case: Case) -> str:
        """Refuse only what needs root, a program that pyshellhooks lacks or a shebang names, or google-re2, and does not find it."""
        from pyshellhooks.patterns.engines import load_re2
        from pyshellhooks.utilities._index import INDEX

        if "google-re2" in case.needs and not load_re2():
            return "needs google-re2"
        if isinstance(case, ShellCase):
            return lacking(case, {*INDEX, "root"} if case.virtual else INDEX)
        return lacking(case)

    def run(self, case: Case) -> Outcome:
        """Run it in a directory of its own."""
        if isinstance(case, ShellCase) and case.virtual:
            return self._shell(case, VIRTUAL, in_memory(case))
        with workplace(case) as root:
            if isinstance(case, ShellCase):
                return self._shell(case, root)
            assert isinstance(case, HookCase)
            return self._hook(case, root)

    def _shell(self, case: ShellCase, root: PurePath, fs: FileSystem | None = None) -> Outcome:
        from pyshellhooks import Shell

        began = time.perf_counter()
        shell = Shell(cwd=str(root), env=environment(case, root, fs is not None), fs=fs, spawn=fs is None)
        result = shell.run(*words(case, root), stdin=encoded(case, case.stdin, root), timeout=patient(TIMEOUT))
        assert fs is None or result.ended.kind == "exited", result
        return Outcome(
            stdout=unplaced(result.stdout, root, case.encoding),
            stderr=unplaced(result.stderr, root, case.encoding),
            status=result.status,
            wrote=written(case, root, fs),
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
        from pyshellhooks import HookEngine, Limits

        env = environment(case, root)
        # A trap has its grace on a busy machine as well.
        options = {"limits": Limits(grace=patient(Limits().grace)), **case.options}
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
        paths.append(place.as_posix())
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
        """Run scripts, not hooks, and leave out the answers that only pyshellhooks gives."""
        if not isinstance(case, ShellCase):
            return "not a script"
        return f"only for pyshellhooks: {case.ours}" if case.ours else lacking(case)

    def run(self, case: Case) -> Outcome:
        """Run it as a process."""
        assert isinstance(case, ShellCase)
        with workplace(case) as root:
            began = time.perf_counter()
            script, *args = words(case, root)
            env = environment(case, root)
            done = subprocess.run(
                [*self.command, "-c", script, "bash", *args],
                input=encoded(case, case.stdin, root),
                capture_output=True,
                cwd=root,
                env={**env, "PATH": oracles.search_path(env["PATH"])},
                timeout=patient(TIMEOUT),
                check=False,
            )
            return Outcome(
                stdout=unplaced(done.stdout, root, case.encoding),
                stderr=unplaced(done.stderr, root, case.encoding),
                status=done.returncode if done.returncode >= 0 else 128 - done.returncode,
                wrote=written(case, root),
                seconds=time.perf_counter() - began,
            )
