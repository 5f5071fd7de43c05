"""Which places of the utilities' source that complain are reached by a case.

    python -m conformance.error_paths [--missing] [NAME...]

A place is a statement that raises an error or writes a message. The shell cases are run in-process while coverage.py
notes the lines that run. What no case can reach stands in ``error_paths.toml`` with the reason; a reason for a place
that is reached, or no longer there, is an error. Packages whose messages are proven elsewhere stand there too. NAME: a module below ``pyshellhooks/utilities``, such as ``sort`` or ``awk/parse``.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .case import ShellCase, load
from .drivers import InProcess
from .runner import attempt

ROOT = Path(__file__).resolve().parent.parent / "pyshellhooks" / "utilities"
REASONS = Path(__file__).with_name("error_paths.toml")
# Raised to get out of a loop, to be caught a few lines away, or by the run itself: nobody is told anything.
NO_COMPLAINT = frozenset({"Stop", "HelpWanted", "Quit", "JumpError", "AssertionError", "StopIteration"})
MESSAGES = frozenset({"error", "fail", "warn", "complain"})


@dataclass(frozen=True, slots=True)
class Place:
    """A statement that complains. ``text`` is its source in one line, which names it in the list of reasons."""

    module: str
    line: int
    last: int
    text: str

    @property
    def key(self) -> tuple[str, str]:
        """What stands in ``error_paths.toml``."""
        return self.module, self.text


def places(module: str, source: str) -> Iterator[Place]:
    """Find the places of one module, in order."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt) and _complains(node)]
    for node in sorted(found, key=lambda node: node.lineno):
        yield Place(module, node.lineno, node.end_lineno or node.lineno, ast.unparse(node))


def _complains(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        name = _name(node.exc.func)
        return name not in NO_COMPLAINT and not name.startswith("_E")
    if isinstance(node, (ast.Expr, ast.Return)) and isinstance(node.value, ast.Call):
        return isinstance(node.value.func, ast.Attribute) and node.value.func.attr in MESSAGES
    return False


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def reached(cases: Iterable[ShellCase]) -> dict[str, set[int]]:
    """Run the cases and give the lines of the utilities that ran, by module."""
    import coverage

    measured = coverage.Coverage(data_file=None, include=[f"{ROOT}/*"], config_file=False)
    driver = InProcess()
    measured.start()
    try:
        for case in cases:
            if not driver.refuses(case):
                attempt(case, driver)
    finally:
        measured.stop()
    data = measured.get_data()
    return {_module(Path(name)): set(data.lines(name) or ()) for name in data.measured_files()}


def _module(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix()


def main(argv: list[str] | None = None) -> int:
    """Run the command line above; 1 if ``--missing`` finds something or a reason is out of date."""
    parser = argparse.ArgumentParser(prog="python -m conformance.error_paths", description=__doc__)
    parser.add_argument("--missing", action="store_true", help="status 1 if a place without a reason is not reached")
    parser.add_argument("name", nargs="*", help="only these modules")
    options = parser.parse_args(argv)
    table = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    elsewhere = tuple(f"{row['package']}/" for row in table.get("elsewhere", []))
    every = [
        place
        for path in sorted(ROOT.rglob("*.py"))
        if not (module := _module(path)).startswith(elsewhere)
        for place in places(module, path.read_text("utf-8"))
    ]
    lines = reached(case for case in load() if isinstance(case, ShellCase))
    rows = table.get("unreached", [])
    reasons = {(row["module"], row["text"]): row["reason"] for row in rows}
    hit = {place for place in every if not lines.get(place.module, set()).isdisjoint(range(place.line, place.last + 1))}
    short = [place for place in every if place not in hit and place.key not in reasons]
    stale = set(reasons) - {place.key for place in every if place not in hit}
    for place in short:
        if not options.name or place.module in options.name:
            print(f"{place.module}.py:{place.line}: no case reaches: {place.text}")
    for module, text in sorted(stale):
        print(f"{module}.py: take the reason off the list, a case reaches it or it is gone: {text}")
    print(f"{len(every)} places complain: {len(hit)} reached by a case, {len(reasons)} with a reason, {len(short)} not")
    return int(bool(stale) or (options.missing and bool(short)))


if __name__ == "__main__":
    sys.exit(main())
