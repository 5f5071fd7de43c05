"""The tables of codes: each code that the package reports is in its table, and each row is reported somewhere.

Codes of diagnostics (``engine/checks/code_table.py``) are about a file, kinds of notices (``notice.KINDS``) about a run.
They are two tables, because every run needs the kinds and only ``check`` the codes. ``tests/generators/code_tables.py`` writes
the page of each.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from rooms import PACKAGE, sources, tree

from pyshellhooks.engine.checks import agent_tools, checker, matchers
from pyshellhooks.engine.checks.code_table import TABLE
from pyshellhooks.engine.scripts import off_rules, script_advice
from pyshellhooks.engine.scripts.rule import code_of
from pyshellhooks.notice import KINDS
from tests.generators.code_tables import rules, text_of

pytestmark = pytest.mark.not_on_windows("same-everywhere")

CODES = [row.code for row in TABLE]
#: Files that list codes without reporting them.
LISTS = {"engine/checks/code_table.py", "engine/checks/codes.py", "notice.py"}
#: Constructors and functions whose first argument is a code.
CODE_FIRST = {"SyntaxDiagnostic", "TextDiagnostic", "OffReason", "_advice", "_of_tool", "reports"}
#: The tuples of rules, and the rules that only call those of another tuple.
RULES: tuple[Callable[..., Any], ...] = (
    *matchers.RULES,
    *matchers.NO_TOOL_RULES,
    *agent_tools.HOOK_RULES,
    *agent_tools.TOOL_RULES,
    *off_rules.HOOK_RULES,
    *off_rules.TEXT_RULES,
    *off_rules.NAMED_SCRIPT_RULES,
    *script_advice.END_RULES,
    *script_advice.SCRIPT_RULES,
    *script_advice.COMMAND_RULES,
    *checker.FILE_RULES,
)
CALL_OTHERS = {matchers.no_tool, off_rules.failing_end}
#: Rules that ``check`` calls by their names.
BY_NAME = {"name_not_read", "unset_variables", "placeholders", "arguments_missing", "not_reviewed"}


def texts(node: ast.AST) -> Iterator[str]:
    """Yield the strings below a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def name_of(call: ast.Call) -> str:
    """Return the name of a called function."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def reported(node: ast.AST) -> Iterator[str]:
    """Yield the codes that a call or an assignment gives to a diagnostic; other strings there have blanks."""
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == "code":
                yield from texts(keyword.value)
        if name_of(node) in CODE_FIRST and node.args:
            yield from texts(node.args[0])
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        if node.targets[0].attr == "code" and isinstance(node.value, ast.Constant):
            yield from texts(node.value)


@cache
def found() -> tuple[frozenset[str], frozenset[str]]:
    """Return the codes that the package reports, and the rows of both tables that it names outside of the lists."""
    codes, named = set[str](), set[str]()
    rows = {*CODES, *KINDS}
    for path in sources():
        if path.relative_to(PACKAGE).as_posix() in LISTS:
            continue
        for node in ast.walk(tree(path)):
            codes.update(code for code in reported(node) if code and " " not in code)
            if isinstance(node, ast.Constant) and node.value in rows:
                named.add(str(node.value))
    return frozenset(codes), frozenset(named)


def test_every_code_that_is_reported_is_in_the_table() -> None:
    codes, _ = found()
    assert len(codes) > 40
    assert codes <= set(CODES)


@pytest.mark.parametrize("rows", [CODES, list(KINDS)], ids=["codes", "kinds"])
def test_every_row_is_reported_somewhere(rows: list[str]) -> None:
    _, named = found()
    assert len(rows) == len(set(rows))
    assert set(rows) - {"other"} <= named  # "other" is the default kind of a notice


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in CALL_OTHERS], ids=lambda rule: rule.__name__)
def test_a_rule_reports_one_code_and_its_docstring_is_in_the_list(rule: Callable[..., Any]) -> None:
    code = code_of(rule)
    assert code in CODES
    assert (inspect.getdoc(rule) or "").startswith("Report ")
    assert rule in rules()[code], "add its module to RULE_MODULES of tests/generators/code_tables.py"
    assert text_of(rule)
    named = {text for text in texts(ast.parse(inspect.getsource(rule))) if text in CODES}
    assert named <= {code}


def test_every_function_with_a_code_is_in_a_tuple_of_rules() -> None:
    marked = {rule.__name__ for of_code in rules().values() for rule in of_code}
    assert marked - {rule.__name__ for rule in RULES} == BY_NAME
