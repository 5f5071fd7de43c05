"""Programs that are compiled without the parser, and what looks like them, beside the real jq."""

from __future__ import annotations

import os

import pytest
from jq_grammar import Node
from jq_runs import Case, ours, theirs

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(os.name == "nt", reason="the real jq here is a POSIX program"),
]

PATHS = [
    ".a",
    ".a.b",
    " .a.b\n",
    ".a.b.c.d",
    ".and.if",
    ".__loc__",
    "._x1",
    ".a .b",
    ". a",
    ".a..b",
    ".",
    "..a",
    ".a.",
    ".é",
    ".1",
    ".a-b",
    ".a\t",
    ".a\v",
]
DEFAULTS = [
    "",
    "// empty",
    "//empty",
    '// "x"',
    '//"a b/c # d"',
    '// ""',
    '// "\\n"',
    '// "\n"',
    '// "é"',
    '// "a" // "b"',
    "// null",
    "//",
    "// empty empty",
    '// "a"b"',
    '// "',
    "//= 1",
    "//// 1",
    "// emptyx",
    "# c",
    '// "x" # c',
]
INPUTS = (
    '{"a":{"b":{"c":{"d":1}}},"and":{"if":true},"__loc__":"l","_x1":null,"é":1}',
    '{"a":false}',
    '{"a":{"b":"t"}}',
    "null",
    "[1]",
    '"a"',
    "{}",
)


@pytest.mark.parametrize("path", PATHS)
def test_paths_with_defaults(path: str) -> None:
    for default in DEFAULTS:
        for options in (("-c",), ("-r", "-e")):
            case = Case(options, Node(f"{path} {default}"), INPUTS)
            real = theirs(case)
            assert ours(case) == real, case.line()
