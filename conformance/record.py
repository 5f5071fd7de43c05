"""Ask a real shell what a case prints, and write it down.

    python -m conformance.record [--with 'bash'] FILE...

Fills ``stdout``, ``status`` and ``source`` of the shell cases that have no ``stdout`` yet, ``stderr`` where the file says
one for all, and ``wrote`` where a case is ``whole``; runs each twice and refuses what differs. It asks the shell it is
given and never pyshellhooks: an expectation recorded from us would prove nothing. A case is a ``[[case]]``, or a line
``{ id = ... },`` of ``case = [``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .case import ShellCase, load_file
from .drivers import Outcome, Spawned


def version(command: list[str]) -> str:
    """Name the shell as a case's source does: ``bash 5.2.15``."""
    script = 'echo "${BASH_VERSION%%(*}"'
    out = subprocess.run([*command, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    return f"{Path(command[0]).name} {out}".strip()


def quote(text: str, lines: bool = True) -> str:
    """Write a TOML string, literal and (if ``lines``) multi-line where that reads better."""
    plain = all(ch in "\n\t" or (ch.isprintable() and ch != "\x7f") for ch in text)
    if plain and "'" not in text and "\n" not in text and "\t" not in text:
        return f"'{text}'"
    if lines and plain and "'''" not in text and not text.endswith("'"):
        return f"'''\n{text}'''"
    body = "".join(_escape(ch) for ch in text)
    return f'"{body}"'


def _escape(ch: str) -> str:
    named = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    if ch in named:
        return named[ch]
    return ch if ch.isprintable() else f"\\u{ord(ch):04x}"


def value(item: Any, lines: bool = True) -> str:
    """Write a TOML value of the kinds that cases use, in one line unless ``lines``."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, int | float):
        return str(item)
    if isinstance(item, str):
        return quote(item, lines)
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{key(k)} = {value(v, False)}" for k, v in item.items()) + " }"
    return "[" + ", ".join(value(x, lines) for x in item) + "]"


def key(name: str) -> str:
    """Write a TOML key."""
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else quote(name, False)


def answer(case: ShellCase, driver: Spawned) -> dict[str, Any]:
    """Run a case twice, and return the keys that it lacks; both runs must agree."""
    first, second = (dict(answer_fields(case, driver.run(case))) for _ in range(2))
    if re.search("[\udc80-\udcff]", json.dumps(first, ensure_ascii=False)):
        raise SystemExit(
            f'{case.id}: its output is not UTF-8: write encoding = "latin-1", or let it end in `| od -An -tx1`'
        )
    if first != second:
        raise SystemExit(f"{case.id}: two runs differ: {first!r} {second!r}")
    return first


def answer_fields(case: ShellCase, outcome: Outcome) -> Iterator[tuple[str, Any]]:
    """Yield what a shell's answer adds to a case: keys and values."""
    yield "stdout", outcome.stdout
    if outcome.status:
        yield "status", outcome.status
    if case.stderr == "" and outcome.stderr:
        yield "stderr", outcome.stderr
    if case.whole:
        before = case.tree()
        wrote = {name: outcome.wrote.get(name, False) for name in {**before, **outcome.wrote}}
        if changed := {name: text for name, text in wrote.items() if text != before.get(name, False)}:
            yield "wrote", changed


def record(path: Path, driver: Spawned, source: str) -> int:
    """Add the missing answers to one file; gives how many."""
    head, *blocks = re.split(r"^(?=\[\[case\]\]|\{ id = )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    cases = load_file(path)
    added = 0
    for number, case in enumerate(cases):
        if not isinstance(case, ShellCase) or case.stdout is not None:
            continue
        if lacks := driver.refuses(case):
            raise SystemExit(f"{case.id}: {lacks}")
        found = answer(case, driver)
        if source not in case.source:
            found["source"] = source
        blocks[number] = extended(blocks[number], found)
        added += 1
    if added:
        path.write_text("".join([head, *blocks]).rstrip("\n") + "\n", encoding="utf-8")
    return added


def extended(block: str, found: dict[str, Any]) -> str:
    """Add keys to a case's text."""
    if block.startswith("{"):
        row, end, rest = block.rpartition(" },")
        return row + "".join(f", {name} = {value(item, False)}" for name, item in found.items()) + end + rest
    return block.rstrip("\n") + "".join(f"\n{name} = {value(item)}" for name, item in found.items()) + "\n\n"


def main(argv: list[str] | None = None) -> int:
    """Run the command line above."""
    parser = argparse.ArgumentParser(prog="python -m conformance.record", description=__doc__)
    parser.add_argument("--with", dest="shell", default="bash", help="the shell to ask (default: bash)")
    parser.add_argument("file", nargs="+", type=Path)
    options = parser.parse_args(argv)
    command = shlex.split(options.shell)
    source = version(command)
    os.umask(0o022)
    for path in options.file:
        print(f"{path}: {record(path.resolve(), Spawned(command), source)} recorded from {source}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
