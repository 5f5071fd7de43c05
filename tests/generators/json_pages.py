"""The page of the JSON outputs: the keys and types of what each command really prints with ``--json``."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyshellhooks import cli

_HEAD = """\
# JSON outputs

With `--json` a command prints one JSON document. [The command line](../command-line.md#json) says what holds for all of them: keys
stay, and new ones may come. This page shows the keys and their types, as the commands print them for an example.
`a[].b` is the key `b` of each element of the list `a`. *or null* and *empty* say what the example has.

"""
_FILES = {
    "crush.json": '{"hooks": {"PreToolUse": [{"matcher": "bash", "command": "sh bun.sh", "timout": 3}, {"matcher": "bash", "command": "exit 1"}]}}',
    "bun.sh": """echo '{"context": "use bun", "updated_input": {"command": "bun test"}}'\n""",
    "call.json": '{"tool_name": "bash", "tool_input": {"command": "ls"}}',
}
_EVENT = "PreToolUse --config crush.json --input call.json"
_ONLY = "--only utilities/in_common/head*"
_CALLS = {
    "fire": f"fire {_EVENT} --json",
    "fire -v": f"fire {_EVENT} --json -v",
    "fire --dry-run": f"fire {_EVENT} --json --dry-run",
    "explain": f"explain {_EVENT} --json",
    "check": "check crush.json --json",
    "doctor": "doctor --config crush.json --json",
    "trust": "trust --show --json",
    "dialects": "dialects crush --json",
    "sh": "sh --json -c true",
    "sh -n": "sh --json -n -c if",
    "conformance": f"conformance {_ONLY} --json",
    "conformance --list": f"conformance {_ONLY} --json --list",
    "conformance --sections": f"conformance {_ONLY} --json --sections",
    "demo": "demo --no-spawn --json",
    "completion": "completion zsh --json",
    "help": "help --json",
    "an error": "check gone.json --json",
}
#: Mappings whose keys are data: names of events, of variables, of systems.
_OPEN = frozenset(
    [
        "environment",
        "editions",
        "quirks",
        "settings",
        "on_failure",
        "commands",
        "effects",
        "files",
        "tool_input",
        "updated_input",
    ]
)


@contextlib.contextmanager
def _project() -> Iterator[None]:
    """Be in a directory with a config, and with nothing of the person who runs this."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        for name, text in _FILES.items():
            Path(name).write_text(text, encoding="utf-8")
        os.environ.update(HOME=directory, USERPROFILE=directory, XDG_DATA_HOME=directory, LOCALAPPDATA=directory)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def document(words: str) -> Any:
    """Return what a command prints, as JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        cli.main(words.split())
    return json.loads(out.getvalue())


def _name(value: Any) -> str:
    if isinstance(value, dict):
        return "object" if value else "object (empty)"
    if isinstance(value, list):
        return "list" if value else "list (empty)"
    names = {bool: "true or false", str: "string", int: "integer", float: "number", type(None): "null"}
    return names[type(value)]


def rows(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and the type of each key of a document."""
    if isinstance(value, list):
        for one in value:
            yield from rows(one, f"{path}[]")
    elif isinstance(value, dict):
        for key, inner in value.items():
            below = f"{path}.{key}" if path else key
            yield below, _name(inner)
            if key not in _OPEN or isinstance(inner, list):
                yield from rows(inner, below)


def _table(value: Any) -> str:
    found: dict[str, list[str]] = {}
    for path, kind in rows(value):
        kinds = found.setdefault(path, [])
        if kind not in kinds:
            kinds.append(kind)
    for kinds in found.values():
        full = [kind for kind in kinds if not (kind.endswith(" (empty)") and kind[: -len(" (empty)")] in kinds)]
        kinds[:] = (
            ["number"] if sorted(full) == ["integer", "number"] else sorted(full, key=lambda kind: kind == "null")
        )
    lines = [f"| `{path}` | {' or '.join(kinds)} |\n" for path, kinds in found.items()]
    return "| key | type |\n|---|---|\n" + "".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Return the text of the page, by its path below docs/."""
    text = [_HEAD]
    with _project():
        for name, words in _CALLS.items():
            value = document(words)
            kind = "A list of objects" if isinstance(value, list) else "An object"
            text += [f"## {name}\n\n", f"{kind}: `pyshellhooks {words}`\n\n", _table(value)]
    return {"reference/json.md": "".join(text).rstrip("\n") + "\n"}
