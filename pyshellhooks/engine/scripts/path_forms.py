"""Rules on tests of paths that fail in another shell on Windows, where a path is ``C:/x`` (decisions paths on Windows)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...analysis.named_commands import nodes
from ...syntax.nodes.commands import Case, While
from ...syntax.nodes.simple import Assign
from ...syntax.nodes.tests import TestBinary
from ...syntax.nodes.words import Word
from ...syntax.text_diagnostic import TextDiagnostic
from .rule import reports

if TYPE_CHECKING:
    from .script_advice import Script

_VARIABLE = re.compile(r"\$\{?(\w+)")
_OF_A_PATH = re.compile(r"path|file|dir|cwd|pwd|root|folder", re.IGNORECASE)
_DRIVES = "[A-Za-z]:/*"
_CUT = re.compile(r'"?\$\{(\w+)%/\*\}"?')  # ${d%/*}: the path without its last name


@reports("windows-path")
def absolute_path_test(script: Script) -> Iterator[TextDiagnostic]:
    """Report a test for an absolute path by its first slash: ``case $p in /*)``, ``[[ $p == /* ]]``.

    A hint: on Windows such a path begins with a drive, so the bash of Git takes it for a relative one. This shell does not.
    """
    yield from _slash_in_tests(script)
    yield from _slash_in_cases(script)


def _slash_in_tests(script: Script) -> Iterator[TextDiagnostic]:
    tests = [node for node in nodes(script.tree) if isinstance(node, TestBinary) and node.op in ("=", "==", "!=")]
    knows_drives = {_text(script, test.left) for test in tests if ":" in _text(script, test.right)}
    for test in tests:
        variable = _text(script, test.left)
        if _text(script, test.right) != "/*" or variable in knows_drives:
            continue
        if _is_path(script, variable):
            yield _hint(test.pos, test.end, f"test for a drive too: {variable} == {_DRIVES}")


def _slash_in_cases(script: Script) -> Iterator[TextDiagnostic]:
    for node in nodes(script.tree):
        if not isinstance(node, Case) or not _is_path(script, _text(script, node.word)):
            continue
        patterns = [pattern for arm in node.arms for pattern in arm.patterns]
        texts = [_text(script, pattern) for pattern in patterns]
        if "/*" in texts and not any(":" in text for text in texts):
            place = patterns[texts.index("/*")]
            yield _hint(place.pos, place.end, f"add the pattern {_DRIVES}")


@reports("windows-path")
def endless_walk(script: Script) -> Iterator[TextDiagnostic]:
    """Report a loop that walks up with ``${d%/*}`` until nothing is left: in Git Bash it stays at the drive ``C:``."""
    for node in nodes(script.tree):
        if not isinstance(node, While):
            continue
        for name in _cut_variables(script, node):
            if _waits_until_empty(script, node, name):
                message = f"in Git Bash on Windows the loop does not end: ${{{name}%/*}} of C: is C: again"
                hint = f'use {name}=$(dirname "${name}") and end at /'
                yield TextDiagnostic("windows-path", message, hint, node.pos, node.body.pos, "hint")


def _cut_variables(script: Script, loop: While) -> Iterator[str]:
    """Yield the variables that a loop cuts at their last slash."""
    for node in nodes(loop.body):
        if isinstance(node, Assign) and isinstance(node.value, Word):
            cut = _CUT.fullmatch(_text(script, node.value))
            if cut is not None and cut[1] == node.name:
                yield node.name


def _waits_until_empty(script: Script, loop: While, name: str) -> bool:
    """Return whether the condition of a loop tests a variable and names no root at which the loop could end."""
    condition = script.text[loop.condition.pos : loop.condition.end]
    return "/" not in condition and re.search(rf"\$\{{?{name}\b", condition) is not None


def _is_path(script: Script, tested: str) -> bool:
    """Return whether a tested text is a path, by the name of its variable or by the values assigned to it."""
    variable = _VARIABLE.search(tested)
    if variable is None:
        return False
    values = [_text(script, value) for value in script.values.get(variable[1], [])]
    return any(_OF_A_PATH.search(text) for text in (variable[1], *values))


def _text(script: Script, word: Word) -> str:
    return script.text[word.pos : word.end]


def _hint(begin: int, end: int, hint: str) -> TextDiagnostic:
    message = "on Windows an absolute path begins with a drive (C:/x), and Git Bash does not match it with this pattern"
    return TextDiagnostic("windows-path", message, hint, begin, end, "hint")
