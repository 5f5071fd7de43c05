"""Run the records, and write one JSON line for each: ``python -m tests.windows.records --out FILE [--kind K] [--only ID] [--every N] [--ids FILE]``.

The same command runs on Linux and on Windows; ``python -m tests.windows.compare LINUX WINDOWS`` compares the two files. All
records run in one process, each in a thread of its own: a record that does not end within its time is written down as ``hung`` and
left alone, so that nothing waits for it. A record that ends the process is written down as ``crashed``, and a new process goes on.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.rotation import sample

from .running import SHELL_SECONDS, answer, environment_of, variables_of_process, write_files
from .scratch import Scratch, hide_programs_of_unix
from .tables import Record, kinds, records

SECONDS = 90.0  # for one record; then it counts as hung
SECONDS_AFTER = 10.0  # for a record of the shell after its own deadline
_LENGTH = 60  # characters
SLOW = 4.0  # seconds; a record that takes longer is named
HUNG = {"hung": True}
CRASHED = {"crashed": True}


def run(record: Record, folder: Path, seconds: float | None = None) -> dict[str, Any]:
    """Return the line of a record: its answer, or that it did not end."""
    found: list[dict[str, Any]] = []
    began = time.monotonic()
    scratch = Scratch(folder, record.spelling)
    write_files(record, scratch)
    thread = threading.Thread(target=lambda: found.append(answer(record, scratch)), daemon=True)
    with variables_of_process(environment_of(record, scratch)):
        thread.start()
        thread.join(_longest(record) if seconds is None else seconds)
    shutil.rmtree(folder, ignore_errors=True)
    if (took := time.monotonic() - began) > SLOW:
        print(f"{took:5.1f} s  {record.id}", flush=True)
    return {"id": record.id, "kind": record.kind, **(found[0] if found else HUNG)}


def _longest(record: Record) -> float:
    own = record.row.get("timeout", SHELL_SECONDS)
    return own + SECONDS_AFTER if record.part == "shell" else SECONDS


def lines(chosen: Sequence[Record]) -> Iterator[dict[str, Any]]:
    """Run records one after the other, each in a new directory."""
    top = _of_fixed_length(Path(os.path.realpath(tempfile.mkdtemp(prefix="records-"))))
    _lose_directory_of_drive(top / "gone")
    try:
        for number, record in enumerate(chosen):
            yield run(record, top / str(number))
    finally:
        shutil.rmtree(top.parent, ignore_errors=True)


def _of_fixed_length(folder: Path) -> Path:
    """Create a directory in a directory, whose path has as many characters on each system: texts are cut where they are long."""
    top = folder / "x".ljust(_LENGTH - len(str(folder)) - 1, "x")
    top.mkdir()
    return top


def _lose_directory_of_drive(folder: Path) -> None:
    """Remove the directory that ``C:`` alone means on Windows, so that no answer depends on the records before."""
    folder.mkdir()
    with contextlib.chdir(folder):
        pass
    folder.rmdir()


def choose(kind: str, pattern: str) -> list[Record]:
    """Return the records of a kind whose ids match a pattern such as ``guard/*``."""
    return [
        record
        for record in records()
        if (not kind or record.kind == kind) and (not pattern or fnmatch.fnmatchcase(record.id, pattern))
    ]


def run_all(chosen: Sequence[Record], out: Path, words: Sequence[str]) -> None:
    """Run records in a process of their own, and in a new one after a record that ended it."""
    out.write_bytes(b"")
    while (done := _written(out)) < len(chosen):
        command = [sys.executable, "-m", "tests.windows.records", *words, "--start", str(done)]
        subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
        if (done := _written(out)) < len(chosen):
            record = chosen[done]
            print(f"crashed  {record.id}", flush=True)
            _append(out, {"id": record.id, "kind": record.kind, **CRASHED})


def _written(out: Path) -> int:
    return out.read_bytes().count(b"\n")


def _append(out: Path, line: Mapping[str, Any]) -> None:
    with out.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:  # \\udc80 is JSON too
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.windows.records", description=__doc__.split(":")[0])
    parser.add_argument("--out", required=True, help="the file of the answers")
    parser.add_argument("--kind", default="", choices=[*kinds(), ""], help="only the records of this kind")
    parser.add_argument("--only", default="", help="only the records whose ids match, such as guard/case/*")
    parser.add_argument(
        "--every", type=int, default=1, help="only each Nth record; ROTATION decides which (tests/rotation.py)"
    )
    parser.add_argument("--ids", default="", help="only the records whose ids are in this file, one a line")
    parser.add_argument("--start", type=int, help="append the answers from this record on, in this process")
    options = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # an id may have letters that the console's code page lacks
    chosen, out = sample(choose(options.kind, options.only), options.every), Path(options.out)
    if options.ids:
        ids = Path(options.ids).read_text(encoding="utf-8").splitlines()
        chosen = [record for record in chosen if record.id in ids]
    if options.start is None:
        began = time.monotonic()
        run_all(chosen, out, sys.argv[1:])
        print(f"{len(chosen)} records in {time.monotonic() - began:.0f} s", flush=True)
        return
    hide_programs_of_unix()
    for line in lines(chosen[options.start :]):
        _append(out, line)
    os._exit(0)  # a record that hung must not keep the process


if __name__ == "__main__":
    main()
