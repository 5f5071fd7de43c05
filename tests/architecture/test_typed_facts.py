"""No fact is told by a text: what happened is said by fields (``notice.Notice``, ``Stop.reason``), and texts are for people.

Three nets. A notice is made with a kind that there is; who tells of a status says so in its field; and what reads the
outcome of a hook neither searches, nor cuts, nor compares the text of a message.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from rooms import PACKAGE, ROOT, sources, tree

from pyshellhooks.notice import KINDS

pytestmark = pytest.mark.not_on_windows("same-everywhere")

READERS = ("engine", "hooks", "dialects", "agent", "adapters", "pytest_plugin.py", "ended.py", "cancel.py")
#: What messages are called here; ``detail`` is the text of a ``Stop``, ``msg`` that of an exception of ``json``.
MESSAGES = frozenset(
    "notice notices fault faults problem problems detail message msg mishap refused strict_errors".split()
)
FIELDS = frozenset("message hint then".split())  # of a notice; as names of variables they are anything
SEARCHES = frozenset(
    "startswith endswith removeprefix removesuffix partition rpartition split rsplit splitlines find rfind index rindex "
    "replace count match search fullmatch sub".split()
)
#: What words another's message anew, for a person who reads it; that it is there is an exception, and decides.
ALLOWED = {
    "pyshellhooks/jsontext/document.py": "message.startswith",  # a config that is no JSON: where it is wrong
    "pyshellhooks/jsontext/yaml_document.py": " in problem",  # a config that is no YAML: what to do about it
    "pyshellhooks/engine/handlers.py": "str(error).split()",  # an exception of the host's, in one line
}


def _name(node: ast.expr) -> str:
    """Name a message by its last word: ``run.detail``, ``outcome.notices[0]``, ``str(error)``."""
    if isinstance(node, ast.Attribute):
        return "message" if node.attr in FIELDS else node.attr
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr") and node.args:
        return "message" if _name(node.args[0]) in ("error", "stop", "exception", "exc") else _name(node.args[0])
    return node.id if isinstance(node, ast.Name) else ""


def _is_text(node: ast.expr) -> bool:
    """Say whether an expression spells a text out."""
    if isinstance(node, ast.Tuple | ast.Set | ast.List):
        return bool(node.elts) and all(map(_is_text, node.elts))
    if isinstance(node, ast.JoinedStr):
        return True
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""


def read_from_text(node: ast.AST) -> str:
    """Say what an expression reads from a message; ``""`` for nothing."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SEARCHES:
        for text in (node.func.value, *node.args[:2]):
            if _name(text) in MESSAGES:
                return f"{ast.unparse(node)} searches a message"
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(_name(side) in MESSAGES for side in sides) and any(map(_is_text, sides)):
            return f"{ast.unparse(node)} compares a message"
    return ""


def _readers() -> Iterator[Path]:
    for path in sources():
        parts = path.relative_to(PACKAGE).parts
        if parts[0] in READERS:
            yield path


def test_nothing_is_read_from_a_message() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {read}"
        for path in _readers()
        for node in ast.walk(tree(path))
        if (read := read_from_text(node)) and ALLOWED.get(path.relative_to(ROOT).as_posix(), "\0") not in read
    ]
    assert not found, "\n".join(found)


def test_the_net_holds() -> None:
    """Each way in which something was read from a text before."""
    for text in (
        "stop.detail.startswith('stdout ')",
        "notice.endswith('(status 127)')",
        "outcome.notices[0].partition(': ')",
        "error.msg.startswith('Unterminated')",
        "why == 'x' or run.detail in ('deadline', 'cancelled')",
        "'(status' in notice",
        "re.search(r'status (\\d+)', fault)",
        "_STATUS.match(str(error))",
        "text if str(error) == 'x' else ''",
    ):
        assert any(read_from_text(node) for node in ast.walk(ast.parse(text))), text


def _made(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of a file that make a notice, and by what name."""
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in ("Notice", "strict_fault", "failing"):
            yield node.func.id, node
        elif isinstance(node.func, ast.Attribute) and ast.unparse(node.func).endswith("run.notice"):
            yield "run.notice", node


def test_a_notice_has_its_kind_and_its_status_in_fields() -> None:
    """A status in the words of a notice is for people; the field is what code reads. The kinds are a closed list."""
    wrong = []
    for path in sources():
        for made, node in _made(path):
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            if "(status" in ast.unparse(node):
                wrong.append(f"{where}: give status=")
            given = [one.value for one in node.keywords if one.arg in ("kind", None)]
            given += node.args[1:2] if made != "failing" else []
            if not given and made in ("Notice", "run.notice") and path.name not in ("notice.py", "failure_notices.py"):
                wrong.append(f"{where}: say its kind")
            spelled = [one.value for one in given if isinstance(one, ast.Constant)]
            wrong += [f"{where}: there is no kind {one!r}" for one in spelled if one not in KINDS]
    assert not wrong
