"""Ask a real shell what a case prints, and write it down.

    python -m conformance.record [--with 'bash'] FILE...

Fills ``stdout``, ``status`` and ``source`` of the shell cases that have no ``stdout`` yet; runs each twice and refuses
what differs. It asks the shell it is given and never pyshellhooks: an expectation recorded from us would prove nothing.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from .case import ShellCase, load_file
from .drivers import Outcome, Spawned


def version(command: list[str]) -> str:
    """Name the shell as a case's source does: ``bash 5.2.15``."""
    script = 'echo "${BASH_VERSION%%(*}"'
    out = subprocess.run([*command, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    return f"{Path(command[0]).name} {out}".strip()


def quote(text: str) -> str:
    """Write a TOML string, literal and multi-line where that reads better."""
    plain = all(ch in "\n\t" or (ch.isprintable() and ch != "\x7f") for ch in text)
    if plain and "'" not in text and "\n" not in text and "\t" not in text:
        return f"'{text}'"
    if plain and "'''" not in text and not text.endswith("'"):
        return f"'''\n{text}'''"
    body = "".join(_escape(ch) for ch in text)
    return f'"{body}"'


def _escape(ch: str) -> str:
    named = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    if ch in named:
        return named[ch]
    return ch if ch.isprintable() else f"\\u{ord(ch):04x}"


def value(item: Any) -> str:
    """Write a TOML value of the kinds that cases use."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, int | float):
        return str(item)
    if isinstance(item, str):
        return quote(item)
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{quote(k)} = {value(v)}" for k, v in item.items()) + " }"
    return "[" + ", ".join(value(x) for x in item) + "]"


def answer(case: ShellCase, driver: Spawned) -> Outcome:
    """Run a case twice; both runs must agree."""
    first, second = driver.run(case), driver.run(case)
    if not first.stdout.isprintable() and any("\udc80" <= ch <= "\udcff" for ch in first.stdout):
        raise SystemExit(f"{case.id}: its output is not UTF-8, which TOML cannot hold; let it end in `| od -An -tx1`")
    if (first.stdout, first.status) != (second.stdout, second.status):
        raise SystemExit(f"{case.id}: two runs differ: {first.stdout!r} {second.stdout!r}")
    return first


def record(path: Path, driver: Spawned, source: str) -> int:
    """Add the missing answers to one file; gives how many."""
    text = path.read_text(encoding="utf-8")
    head, *blocks = text.split("[[case]]\n")
    cases = load_file(path)
    added = 0
    for number, case in enumerate(cases):
        if not isinstance(case, ShellCase) or case.stdout is not None:
            continue
        outcome = answer(case, driver)
        block = blocks[number].rstrip("\n")
        block += f"\nstdout = {value(outcome.stdout)}"
        if outcome.status:
            block += f"\nstatus = {outcome.status}"
        if f'source = "{source}"' not in head:
            block += f"\nsource = {value(source)}"
        blocks[number] = block + "\n\n"
        added += 1
    if added:
        path.write_text("[[case]]\n".join([head, *blocks]).rstrip("\n") + "\n", encoding="utf-8")
    return added


def main(argv: list[str] | None = None) -> int:
    """Run the command line above."""
    parser = argparse.ArgumentParser(prog="python -m conformance.record", description=__doc__)
    parser.add_argument("--with", dest="shell", default="bash", help="the shell to ask (default: bash)")
    parser.add_argument("file", nargs="+", type=Path)
    options = parser.parse_args(argv)
    command = shlex.split(options.shell)
    source = version(command)
    for path in options.file:
        print(f"{path}: {record(path.resolve(), Spawned(command), source)} recorded from {source}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
