"""Run the blocks of a page in docs/ as a reader would, from top to bottom, in an empty directory.

============================  =====================================================================================
```` ```json title="a.json" ````  a file, whatever its language; one that begins with ``#!`` can be executed
```` ```python ````               is executed; all of a page share their names. What it prints is the next ``text`` block, or
                              stands behind it as "It prints `a`, then `b`"; a test in it is run by pytest if it has a title
```` ```console ````              commands behind ``$``, in the embedded shell, each with what it prints; ``> `` goes on with one
```` ```sh ````                   nothing but what installs packages: it is compared with the forms that are known
============================  =====================================================================================

A line ``...`` in an output stands for any lines. Times are not compared, nor how wide a table's columns are.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

from pyshellhooks import Shell

ROOT = Path(__file__).resolve().parent.parent
PLACE = "/home/ada/project"  # how a page names the directory that it runs in

_FENCE = re.compile(r"^( *)```(\w+)(?: title=\"([^\"]+)\")?[^\n]*\n(.*?)^\1```[ \t]*$", re.MULTILINE | re.DOTALL)
_PROMISE = re.compile(r"\s*It prints (`[^`]+`(?:, then `[^`]+`)*)")
_INSTALL = re.compile(r"(python3 -m venv|\S*pip install|py -m venv|git clone|cd) ")
_PROGRAMS = """\
pyshellhooks() { "$PYTHON" -m pyshellhooks "$@"; }
pyshellhooks-hook() { "$PYTHON" -c 'import sys; from pyshellhooks.resident.client import main; sys.exit(main())' "$@"; }
python3() { "$PYTHON" "$@"; }
pytest() { "$PYTHON" -m pytest -p no:cacheprovider -p no:xdist $PLUGIN "$@"; }
"""


class Block(NamedTuple):
    """A fenced block: its language, the file that it is, its text, its line, and the text behind it."""

    language: str
    title: str
    text: str
    line: int
    behind: str


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    found = list(_FENCE.finditer(page))
    made = []
    for number, one in enumerate(found):
        indent = len(one[1])
        text = "".join(line[indent:] if line.strip() else line for line in one[4].splitlines(keepends=True))
        behind = page[one.end() : found[number + 1].start() if number + 1 < len(found) else len(page)]
        made.append(Block(one[2], one[3] or "", text, page.count("\n", 0, one.start()) + 1, behind))
    return made


class Mismatch(AssertionError):
    """Something on a page is not so."""


class Reader:
    """Someone who does what a page says, in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        home = directory.parent / "home"
        home.mkdir(exist_ok=True)
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "SYSTEMROOT", "TEMP", "TMP", "COMSPEC")
        }
        env = {"HOME": str(home), "USERPROFILE": str(home), "XDG_DATA_HOME": str(home), "LOCALAPPDATA": str(home)}
        env |= {
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
            "PYTHON": sys.executable.replace("\\", "/"),
            "PYTHONPATH": str(ROOT),
        }
        installed = any(one.name == "pyshellhooks" for one in entry_points(group="pytest11"))
        env["PLUGIN"] = "" if installed else "-p pyshellhooks.pytest_plugin"  # where the tests run from a mere clone
        env |= {
            "PYSHELLHOOKS_NO_ENGINE": "1",
            "PYSHELLHOOKS_ENGINE_DIR": str(home / "engine"),
        }  # no page leaves one behind
        for name in ("pyshellhooks-hook", "pyshellhooks-hook.cmd"):  # where an installed package has it: on PATH
            (home / "bin").mkdir(exist_ok=True)
            (home / "bin" / name).write_text("exit 1\n")
            (home / "bin" / name).chmod(0o755)
        env["PATH"] = f"{home / 'bin'}{os.pathsep}{kept.get('PATH', '')}"
        env |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
        self._session = Shell(cwd=directory, env=kept | env).session()
        self._session.run(_PROGRAMS)
        self._names: dict[str, Any] = {"__name__": "__page__"}

    def follow(self, page: str) -> int:
        """Do all that a page says; gives how many blocks it has. Raises ``Mismatch`` where something is not so."""
        printed: str | None = None  # by the Python block before, and not promised yet
        for block in (found := blocks(page)):
            if block.language == "text" and printed is not None and not block.title:
                self._compare(block, printed, block.text)
                printed = None
                continue
            if printed:
                raise Mismatch(
                    f"line {block.line}: the Python block before it prints something that the page does not show:\n{printed}"
                )
            printed = self._do(block)
        if printed:
            raise Mismatch(f"the last Python block prints something that the page does not show:\n{printed}")
        return len(found)

    def _do(self, block: Block) -> str | None:
        """Do what a block says; gives what a Python block printed if that has to follow."""
        if block.title:
            self._write(block)
        elif block.language == "python":
            if re.search(r"^def test_", block.text, re.MULTILINE):
                raise Mismatch(f"line {block.line}: a test gets a title, and pytest runs it in a console")
            printed = self._python(block)
            promised = _PROMISE.match(block.behind)
            if promised is None:
                return printed
            self._compare(block, printed, "\n".join(re.findall(r"`([^`]+)`", promised[1])) + "\n")
        elif block.language == "console":
            self._console(block)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language in ("sh", "powershell"):
            if not all(_INSTALL.match(line) or line.endswith("pyshellhooks demo") for line in block.text.splitlines()):
                raise Mismatch(f"line {block.line}: commands of a page are `console` blocks, which run")
        else:
            raise Mismatch(f"line {block.line}: nothing runs a block of {block.language} without a title")
        return None

    def _write(self, block: Block) -> None:
        path = self.directory / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(block.text.encode())
        if block.text.startswith("#!"):
            path.chmod(0o755)
        if block.title == "pyproject.toml":
            self._install(tomllib.loads(block.text)["project"])

    def _install(self, project: dict[str, Any]) -> None:
        """Do what ``pip install -e .`` does for a project whose modules are in the page's directory."""
        folder = self.directory / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        lines = [
            line
            for group, points in project["entry-points"].items()
            for line in (f"[{group}]", *[f"{name} = {value}" for name, value in points.items()])
        ]
        (folder / "entry_points.txt").write_text("\n".join([*lines, ""]))

    def _python(self, block: Block) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.chdir(self.directory):
            exec(compile(block.text, f"line {block.line}", "exec"), self._names)  # the text is ours
        return out.getvalue()

    def _console(self, block: Block) -> None:
        if not block.text.startswith("$ "):
            raise Mismatch(f"line {block.line}: a console begins with `$ `")
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, *rest = part.split("\n")
            while rest and rest[0].startswith("> "):
                command += "\n" + rest.pop(0)[2:]
            result = self._session.run(f"{{ {command}\n}} 2>&1", timeout=110)
            text = result.stdout.decode() + result.stderr.decode()
            self._compare(block, text, "\n".join(rest), command)

    def _compare(self, block: Block, found: str, promised: str, what: str = "") -> None:
        found = found.replace(str(self.directory), PLACE).replace(str(self.directory).replace("\\", "/"), PLACE)
        found = found.replace(f"{PLACE}\\", f"{PLACE}/")
        expected = [re.escape(line) if line != "..." else None for line in _plain(promised)]
        pattern = "".join(r"(?:.*\n)*?" if line is None else f"{line}\n" for line in expected)
        lines = "".join(f"{line}\n" for line in _plain(found))
        if not re.fullmatch(pattern, lines):
            raise Mismatch(f"line {block.line}: {what}\n--- the page says\n{promised}\n--- it prints\n{found}")


def _plain(text: str) -> list[str]:
    """Return the lines of an output without what differs from run to run."""
    text = re.sub(r"\b\d+(?:\.\d+)? (?:µs|ms|s)\b|\b\d+\.\d\ds\b", "0 ms", text.replace("\r\n", "\n"))
    return (
        [re.sub(r" {2,}|(?<=-)-{2,}|={2,}", "  ", line).rstrip() for line in text.rstrip("\n").split("\n")]
        if text.strip()
        else []
    )
