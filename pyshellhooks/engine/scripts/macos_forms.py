"""Rules on forms that only macOS has: options of BSD's tools, and ``/private``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.named_commands import nodes
from ...regexes import lazy_pattern
from ...syntax.nodes.commands import Case
from ...syntax.nodes.tests import TestBinary
from ...syntax.nodes.words import Word
from ...syntax.text_diagnostic import TextDiagnostic
from .rule import reports

if TYPE_CHECKING:
    from .script_advice import Script, SimpleCommand

#: A script with one of these texts knows the system, or the other form of the tool.
_KNOWS_SYSTEMS = lazy_pattern(r"(?i)darwin|\buname\b|\bOSTYPE\b|--version")
_GNU_FORMS = {
    "sed": r"\bsed\s+(?:-\w+\s+)*(?:-i['\"./\w]|--in-place)",
    "stat": r"\bstat\s+(?:-\w+\s+)*(?:-c|--format|--printf)",
    "date": r"\bdate\s+(?:-\w+\s+)*(?:-d|--date|-Iseconds)",
    "base64": r"\bbase64\s+(?:-d\b|--decode)",
    "tail": r"\btac\b",
    "md5": r"\bmd5sum\b",
}
#: The pattern of a tool's words in BSD's form, and the hint: a form for every system.
_BSD_FORMS: dict[str, tuple[str, str]] = {
    "sed": (r"(?:.* )?-i (?:''|\.\w+)(?: .*)?", "write the suffix without a blank, which both take: sed -i.bak"),
    "stat": (r"(?:.* )?-f ?'?\S*%.*", "try GNU's form first: stat -c %Y FILE 2>/dev/null || stat -f %m FILE"),
    "date": (r"(?:.* )?-(?:j|v ?[+-]?\d)(?:.*)", "compute with jq: jq -n 'now - 86400 | floor', or jq's fromdate"),
    "base64": (r"(?:.* )?-D(?: .*)?", "use --decode, which both have"),
    "tail": (r"(?:.* )?-r(?: .*)?", "use awk '{ line[NR] = $0 } END { for (i = NR; i; i--) print line[i] }'"),
    "md5": (r".*", "use cksum, which both have, or try md5sum first"),
    "find": (r"-E .*", "write a basic expression, or test the names with case"),
}
_RESOLVED = lazy_pattern(r"\brealpath\b|\breadlink\s+-\w*f|\bpwd\s+-\w*P|\bcd\s+-\w*P")
_LINKED = lazy_pattern(r"""["']?(/(?:etc|tmp|var))["']?(?:[/*].*)?""")
_VARIABLE = lazy_pattern(r"\$\{?(\w+)")


@reports("bsd-form")
def bsd_form(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report a call in the form of BSD's tools, such as ``sed -i ''``, that only macOS takes.

    A hint. Not reported in a script that tests for the system (``uname``, ``$OSTYPE``) or has GNU's form too.
    """
    words = command.words
    name = words[0] or ""
    if name not in _BSD_FORMS or _KNOWS_SYSTEMS.search(script.text):
        return
    pattern, hint = _BSD_FORMS[name]
    if not re.fullmatch(pattern, _shown(words[1:]), re.DOTALL) or _has_gnu_form(script, name):
        return
    message = f"only macOS has this form of {name}: on Linux and Windows it fails, or does something else"
    yield TextDiagnostic("bsd-form", message, hint, command.node.pos, command.node.end, "hint")


def _shown(words: Sequence[str | None]) -> str:
    """Return words as one text: an empty one as two quotes, and an unknown one as ``?``."""
    shown: list[str] = []
    for word in words:
        if word is None:
            shown.append("?")
        else:
            shown.append(word or "''")
    return " ".join(shown)


def _has_gnu_form(script: Script, name: str) -> bool:
    return name in _GNU_FORMS and re.search(_GNU_FORMS[name], script.text) is not None


@reports("macos-path")
def linked_directory(script: Script) -> Iterator[TextDiagnostic]:
    """Report a test for ``/etc``, ``/tmp`` or ``/var`` of a resolved path, which begins with ``/private`` on macOS.

    A hint, and only for a variable whose value comes from ``realpath``, ``readlink -f`` or ``pwd -P``.
    """
    if "/private" in script.text:
        return
    for node in nodes(script.tree):
        if isinstance(node, TestBinary) and node.op in ("=", "==", "!="):
            yield from _linked(script, node.left, [node.right])
        elif isinstance(node, Case):
            yield from _linked(script, node.word, [pattern for arm in node.arms for pattern in arm.patterns])


def _linked(script: Script, tested: Word, patterns: Sequence[Word]) -> Iterator[TextDiagnostic]:
    """Report the patterns that a resolved path can't match on macOS."""
    variable = _VARIABLE.search(_text(script, tested))
    values = script.values.get(variable[1], []) if variable is not None else []
    if not any(_RESOLVED.search(_text(script, value)) for value in values):
        return
    for pattern in patterns:
        match = _LINKED.fullmatch(_text(script, pattern))
        if match is not None:
            message = f"on macOS {match[1]} is a link to /private{match[1]}, so this pattern matches no resolved path"
            hint = f"add the pattern /private{match[1]}/*"
            yield TextDiagnostic("macos-path", message, hint, pattern.pos, pattern.end, "hint")


def _text(script: Script, word: Word) -> str:
    return script.text[word.pos : word.end]
