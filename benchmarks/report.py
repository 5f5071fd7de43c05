"""What the groups found, as text for a terminal and as the page docs/performance.md, with the machine and the versions."""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from .measure import spelled

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
_PROGRAMS = ("bash", "jq", "grep", "sed", "gawk", "sort", "find", "xxd")
_PACKAGES = ("pyshellhooks", "bashkit", "google-re2", "regex", "jq")


class Table:
    """A title, names of columns, and rows of as many cells; the first cell of a row is its name."""

    def __init__(self, title: str, columns: Sequence[str], rows: Sequence[tuple[str, ...]], note: str = "") -> None:
        self.title = title
        self.columns = tuple(columns)
        self.rows = list(rows)
        self.note = note

    def text(self) -> str:
        """Write it for a terminal."""
        lines = [self.columns, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.columns))]
        shown = [
            "  " + "  ".join(cell.rjust(width) if at else cell.ljust(width) for at, (cell, width) in enumerate(cells))
            for cells in (list(zip(line, widths, strict=True)) for line in lines)
        ]
        return "\n".join([f"\n{self.title}" + (f"  ({self.note})" if self.note else ""), *map(str.rstrip, shown)])

    def markdown(self) -> str:
        """Write it for the page."""
        head = ["| " + " | ".join(self.columns) + " |", "|---|" + "---:|" * (len(self.columns) - 1)]
        rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows]
        return "\n".join(
            [
                f"## {self.title[0].upper()}{self.title[1:]}",
                "",
                *([f"{self.note}.", ""] if self.note else []),
                *head,
                *rows,
            ]
        )


def compared(title: str, times: Mapping[str, Sequence[float]], ours: str, note: str = "") -> Table:
    """Put contenders in order: the median of one act, its spread (the middle half), and how many times ours it takes."""
    rows: list[tuple[str, ...]] = []
    base = statistics.median(times[ours])
    for name, found in sorted(times.items(), key=lambda item: statistics.median(item[1])):
        low, middle, high = statistics.quantiles(found, n=4) if len(found) > 1 else (found[0],) * 3
        ratio = "1" if name == ours else f"{middle / base:.3g}"
        rows.append((name, spelled(middle), f"{spelled(low)} – {spelled(high)}", ratio))
    return Table(title, ("", "median", "middle half", f"× {ours}"), rows, note)


class _Both(io.StringIO):
    """Keeps what it shows."""

    def __init__(self, shown: TextIO) -> None:
        super().__init__()
        self._shown = shown

    def write(self, text: str) -> int:
        self._shown.write(text)
        return super().write(text)


class Report:
    """Prints what each group found, and keeps it for the page."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def add(self, table: Table) -> None:
        """Print a table."""
        print(table.text(), flush=True)
        self._parts.append(table.markdown())

    def printed(self, title: str, act: Callable[[], object]) -> object:
        """Let a group print what it found in its own way, and give what it gives."""
        both = _Both(sys.stdout)
        with contextlib.redirect_stdout(both):
            found = act()
        self._parts.append(f"## {title}\n\n```text\n{both.getvalue().strip(chr(10))}\n```")
        return found

    def write(self, path: Path = PAGE) -> None:
        """Write the page: machine, versions, and all that was added."""
        head = (
            "# Performance\n\nWritten by `python -m benchmarks`: every figure comes from one run, in which all contenders take "
            "turns. Read the ratios;\nthe times are those of one machine in one hour.\n\n"
            "The guard is the hook that most people write: it reads the payload with `cat`, takes the command out with `jq`, looks at "
            "it with\n`grep`, and allows it. `Shell.run` is the script alone; `HookEngine.fire` is the whole way from an event to a "
            "verdict. Both have a\ndeadline and all limits. The tables after it are for who processes much data: one of the machine's "
            "programs beside the same words here."
        )
        path.write_text("\n\n".join([head, machine().markdown(), *self._parts]) + "\n", encoding="utf-8")


def machine() -> Table:
    """Say what was measured on: the machine, and the versions of all that took part."""
    model = re.search(r"model name\s*:\s*(.+)", _read("/proc/cpuinfo"))
    cores = os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    rows = [
        ("date", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"),
        ("processor", f"{model[1].strip() if model else platform.processor() or platform.machine()}, {cores} cores"),
        ("load", f"{load:.1f} processes wanted to run when this was written"),
        ("system", platform.platform(terse=True)),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
    ]
    rows += [(f"{name} (package)", found) for name in _PACKAGES if (found := _package(name))]
    rows += [(name, found) for name in _PROGRAMS if (found := _program(name))]
    own_jq = os.environ.get("JQ182", "/opt/jq182/bin/jq")
    if Path(own_jq).exists():
        rows.append(("jq beside", _program(own_jq)))
    return Table("The machine", ("", ""), rows)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _package(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _program(name: str) -> str:
    """Return the first line of what a program says of its version."""
    path = shutil.which(name)
    if path is None:
        return ""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, errors="replace", check=False)
    return (done.stdout or done.stderr).strip().partition("\n")[0] or "it says no version"
