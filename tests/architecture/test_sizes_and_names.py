"""Files under 700 lines, functions under 80, names from the field, tests that can fail (CONTRIBUTING.md, habits)."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from rooms import ROOT, sources, tree

from tests import oracles

pytestmark = pytest.mark.not_on_windows("same-everywhere")

FILE_LINES = 700
FUNCTION_LINES = 80
TEST_FILE_LINES = 400
BANNED_FILES = re.compile(r"^(utils?|helpers?|misc|common|stuff|tools_?)\.py$")
BANNED_CLASSES = re.compile(r"(Manager|Helper|Util|Utils)$")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError")
TOP_LEVEL = {
    "pyproject.toml", "pyshellhooks", "tests", "conformance", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
    "CODE_OF_CONDUCT.md", "mkdocs.yml", "docs", "examples", "benchmarks", ".ci", ".github", ".gitignore",
}  # fmt: skip

TESTS = tuple(sorted((ROOT / "tests").rglob("*.py")))
OWN = (*sources(), *sorted((ROOT / "conformance").glob("*.py")), *sorted((ROOT / "benchmarks").glob("*.py")))
GENERATED = {
    path for path in OWN if "Generated" in path.read_text(encoding="utf-8")[:200] and path.parent.name == "types"
}


class Definition(NamedTuple):
    """A function or class. ``wants_text``: it is public, at the top of a module, and has no docstring."""

    line: int
    name: str
    lines: int
    is_class: bool
    wants_text: bool


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def definitions(path: Path) -> tuple[Definition, ...]:
    """Return the functions and classes of a file, nested ones too, with all that is asked of them."""
    module = tree(path)
    top = set(module.body)
    return tuple(
        Definition(
            node.lineno,
            node.name,
            (node.end_lineno or node.lineno) - node.lineno + 1,
            isinstance(node, ast.ClassDef),
            node in top
            and not node.name.startswith("_")
            and not (ast.get_docstring(node) or _declared_elsewhere(node)),
        )
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )


def test_files_are_short() -> None:
    """Nobody reads what is generated: its generator is what must be short."""
    lengths = {relative(path): path.read_text(encoding="utf-8").count("\n") for path in OWN if path not in GENERATED}
    assert not {name: lines for name, lines in lengths.items() if lines > FILE_LINES}


def test_test_files_are_short() -> None:
    lengths = {relative(path): path.read_text(encoding="utf-8").count("\n") for path in TESTS}
    assert not {name: lines for name, lines in lengths.items() if lines > TEST_FILE_LINES}


def test_functions_are_short() -> None:
    """Counted from ``def`` to the last line, nested functions included."""
    long = [
        f"{relative(path)}:{found.line} {found.name}: {found.lines}"
        for path in OWN
        for found in definitions(path)
        if not found.is_class and found.lines > FUNCTION_LINES
    ]
    assert not long, "\n".join(long)


def test_no_names_without_a_meaning() -> None:
    files = [relative(path) for path in (*OWN, *TESTS) if BANNED_FILES.match(path.name)]
    allowed = {"pyshellhooks/hooks/tools.py"}  # the tools of agents: a word of the field
    classes = [
        f"{relative(path)}:{found.line} {found.name}"
        for path in OWN
        for found in definitions(path)
        if found.is_class and BANNED_CLASSES.search(found.name)
    ]
    assert not [*(name for name in files if name not in allowed), *classes]


def test_nothing_is_unfinished() -> None:
    found = [
        f"{relative(path)}:{number}: {line.strip()}"
        for path in OWN
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if UNFINISHED.search(line)
    ]
    assert not found, "\n".join(found)


def test_public_functions_have_a_docstring() -> None:
    """Public classes and functions of the package have a docstring."""
    missing = [
        f"{relative(path)}:{found.line} {found.name}"
        for path in sources()
        if path.name == "__init__.py" or not path.name.startswith("_")
        for found in definitions(path)
        if found.wants_text
    ]
    assert not missing, "\n".join(missing)


def _declared_elsewhere(node: ast.stmt) -> bool:
    """A utility or builtin says its summary in its decorator; an overload has its implementation's docstring."""
    return isinstance(node, ast.FunctionDef) and bool(node.decorator_list)


def test_every_test_can_fail() -> None:
    """A test asserts, expects an exception, or calls what does; one that fails only by raising says so in words."""
    idle = []
    for path in TESTS:
        if not path.name.startswith("test_"):
            continue
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and node.name.startswith("test_")
                and "accept" not in node.name
                and not ast.get_docstring(node)
                and not any(_judges(inner) for inner in ast.walk(node))
            ):
                idle.append(f"{relative(path)}:{node.lineno} {node.name}")
    assert not idle, "\n".join(idle)


def _judges(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert | ast.Raise):
        return True
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name.lstrip("_").startswith(
        ("assert", "check", "same", "agree", "expect", "raises", "fail", "verify", "replay")
    )


def test_top_level_names() -> None:
    listed = subprocess.run(
        [oracles.native("git"), "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a git work tree")
    found = {name.split("/")[0] for name in listed.stdout.splitlines()}
    assert found <= TOP_LEVEL
