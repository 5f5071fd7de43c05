"""The case format (docs/conformance.md describes it for people)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CASES = HERE / "cases"
KNOWN = HERE / "known.toml"

#: Why a case is left out on Windows, and a test, and why an answer may differ there (docs/conformance.md has the same table).
NOT_ON_WINDOWS: Mapping[str, str] = {
    "drives": "a path begins with a drive there, and `/` is the root above the drives",
    "machine": "the answer names the machine or the system, as `uname` does",
    "needs-device": "a device, `/proc`, `/usr` or another file of Unix",
    "needs-fifo": "a FIFO in a directory",
    "needs-mode": "the mode, the owner or the blocks of a file",
    "needs-name": "a name of a file that Windows does not allow, or names that differ only in case",
    "needs-program": "a program of Unix, such as `/bin/sh`",
    "needs-signal": "signals between processes",
    "needs-symlink": "a symbolic link, for which Windows wants a right, and of which Wine makes none",
    "needs-time": "a time of a file that Windows does not keep: of change, or below 100 ns",
    "text": "the text or the status of an error, where Windows reports another error",
    "wine": "something that Wine does not do, such as a time of access; Windows does it",
}


class BadCase(Exception):
    """A case file says something that the format does not know."""


@dataclass(frozen=True, slots=True)
class Case:
    """What every case has. ``id`` is the file's path below ``cases`` and the case's own name; it never changes.

    A name in ``files`` and ``wrote`` that ends in ``/`` is a directory, a text that starts with ``->`` a symbolic link.
    """

    id: str
    rule: str
    source: str
    files: Mapping[str, str] = field(default_factory=dict)
    executable: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    wrote: Mapping[str, str | bool] = field(default_factory=dict)
    whole: bool = False
    encoding: str = "utf-8"
    not_on_windows: str = ""  # one of NOT_ON_WINDOWS
    needs: tuple[str, ...] = ()
    file: Path = Path()

    def tree(self) -> dict[str, str]:
        """Return the files before the run, with the directories that they are in."""
        above = {name[: end + 1]: "" for name in self.files for end, sign in enumerate(name) if sign == "/"}
        return {**above, **self.files}


@dataclass(frozen=True, slots=True)
class ShellCase(Case):
    """A script and what it prints. ``stdout``/``status`` are None only before ``record`` has asked a real shell."""

    script: str = ""
    args: tuple[str, ...] = ()
    stdin: str = ""
    stdout: str | None = None
    status: int | None = None
    stderr: str | None = None
    stderr_matches: str | None = None
    virtual: bool = False
    ours: str = ""  # why only pyshellhooks can give the answer


@dataclass(frozen=True, slots=True)
class HookCase(Case):
    """Configs and one event, and what the verdict says.

    ``before``: tables of ``event`` and ``fields`` that are fired first, in the same session. ``answers``: what the
    host's handlers answer, by type of hook (``prompt = '{"ok": false}'``). ``config_name``: the name of the config
    file below the case's directory, where the system's usual one will not do.
    """

    dialect: str = "crush"
    edition: str = ""
    event: str = "PreToolUse"
    hooks: tuple[Mapping[str, Any], ...] = ()
    config: str | None = None
    configs: tuple[str, ...] = ()
    config_name: str = ""
    before: tuple[Mapping[str, Any], ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    discover: bool = False
    cwd: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    verdict: Mapping[str, Any] = field(default_factory=dict)
    explain: tuple[Mapping[str, Any], ...] | None = None
    reason_matches: str | None = None
    notices_match: tuple[str, ...] = ()
    error_matches: str | None = None
    within: float | None = None


COMMON = frozenset(
    {"id", "rule", "source", "files", "executable", "env", "wrote", "whole", "encoding", "not_on_windows", "needs"}
)
SHELL = COMMON | {"script", "args", "stdin", "stdout", "status", "stderr", "stderr_matches", "virtual", "ours"}
HOOK = COMMON | {
    "answers", "before", "config", "config_name", "configs", "cwd", "dialect", "discover", "edition", "error_matches",
    "event", "explain", "fields", "hooks", "notices_match", "options", "reason_matches", "verdict", "within",
}  # fmt: skip
DEFAULTS = frozenset(
    {
        "rule", "source", "not_on_windows", "needs", "env", "files", "whole", "encoding", "stdin", "stderr", "virtual", "ours",
        "dialect", "edition", "event", "config_name", "fields",
    }
)  # fmt: skip


def _topic(path: Path) -> str:
    """The path below ``cases``, of whichever copy: an installed command reads a clone's files too."""
    parts = path.with_suffix("").parts
    below = len(parts) - parts[::-1].index("cases") if "cases" in parts else -1
    return "/".join(parts[below:])


def load_file(path: Path) -> list[Case]:
    """Read the cases of one TOML file; a mistake names the file and the case."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadCase(f"{path}: {error}") from None
    rows = document.pop("case", [])
    wrong = set(document) - DEFAULTS
    if wrong:
        raise BadCase(f"{path}: not a default for a file: {', '.join(sorted(wrong))}")
    cases = [_case({**document, **row}, _topic(path), path) for row in rows]
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise BadCase(f"{path}: two cases are called {case.id}")
        seen.add(case.id)
    return cases


def _case(row: dict[str, Any], prefix: str, path: Path) -> Case:
    name = row.get("id")
    if not isinstance(name, str) or not name:
        raise BadCase(f"{path}: a case has no id")
    kind: type[Case]
    kind, allowed = (ShellCase, SHELL) if "script" in row else (HookCase, HOOK)
    if kind is ShellCase:
        row = {key: value for key, value in row.items() if key in SHELL or key not in DEFAULTS}
    wrong = set(row) - allowed
    if wrong:
        raise BadCase(f"{path}: {name}: no such key: {', '.join(sorted(wrong))}")
    for key in ("rule", "source"):
        if not row.get(key):
            raise BadCase(f"{path}: {name}: no {key}")
    if "not_on_windows" in row and row["not_on_windows"] not in NOT_ON_WINDOWS:
        raise BadCase(f"{path}: {name}: not_on_windows is one of {', '.join(NOT_ON_WINDOWS)}")
    if "ours" in row and not (isinstance(row["ours"], str) and row["ours"].strip()):
        raise BadCase(f"{path}: {name}: ours needs the reason why no other shell can answer")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    values["id"] = f"{prefix}/{name}"
    return kind(file=path, **values)


def load(paths: Iterable[Path] = ()) -> Iterator[Case]:
    """Read every case below the paths (default: all that are shipped), in the order of the files."""
    for path in list(paths) or [CASES]:
        resolved = path.resolve()
        files = sorted(resolved.rglob("*.toml")) if resolved.is_dir() else [resolved]
        if not files:
            raise BadCase(f"{path}: no case files")
        for file in files:
            yield from load_file(file)


@dataclass(frozen=True, slots=True)
class Known:
    """A difference that we know of: its case must still fail."""

    id: str
    reason: str
    evidence: str


def load_known(path: Path = KNOWN) -> dict[str, Known]:
    """Read the known differences."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("known", [])
    known = {row["id"]: Known(**row) for row in rows}
    if len(known) != len(rows):
        raise BadCase(f"{path}: an id is there twice")
    return known
