"""The tables of docs/diagnostics.md and docs/notices.md, from the codes of diagnostics and the kinds of notices.

A code of diagnostics has one row. If rules report it, their docstrings are in the list at the end of its section: a code
has one entry there, with one item for each of its rules. The rest of these pages is written by hand.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from pyshellhooks.engine.checks import agent_tools, checker, matchers
from pyshellhooks.engine.checks.code_table import TABLE, Code
from pyshellhooks.engine.scripts import macos_forms, off_rules, path_forms, script_advice, silent_exit, variables
from pyshellhooks.engine.scripts.rule import code_of
from pyshellhooks.notice import KINDS

from . import ROOT

DOCS = ROOT / "docs"
#: The modules with the rules of ``check``.
RULE_MODULES: tuple[ModuleType, ...] = (
    matchers,
    agent_tools,
    off_rules,
    script_advice,
    silent_exit,
    path_forms,
    macos_forms,
    variables,
    checker,
)
_PARAMETER = re.compile(r"``\w+``(?:, ``\w+``)*: ")
_TABLE = r"\| {} \|[^\n]*\n(?:\|[^\n]*\n)+"


def _table(head: str, rows: Sequence[str], rule: str) -> str:
    return "\n".join([head, rule, *rows, ""])


def _row(row: Code) -> str:
    return f"| `{row.code}` | {row.details or row.meaning} | {row.example} | {row.fix} |"


def rules() -> dict[str, list[Callable[..., Any]]]:
    """Return the rules of ``check`` by their codes, in the order of their modules."""
    found: dict[str, list[Callable[..., Any]]] = {row.code: [] for row in TABLE}
    for module in RULE_MODULES:
        for rule in vars(module).values():
            if inspect.isfunction(rule) and rule.__module__ == module.__name__:
                code = code_of(rule)
                if code:
                    found[code].append(rule)
    return found


def text_of(rule: Callable[..., Any]) -> str:
    """Return the docstring of a rule as Markdown, without its ``Report`` and without the paragraphs on its parameters."""
    paragraphs = [" ".join(one.split()) for one in (inspect.getdoc(rule) or "").split("\n\n")]
    text = " ".join(one for one in paragraphs if not _PARAMETER.match(one))
    text = text.removeprefix("Report ").replace("``", "`")
    return text[:1].upper() + text[1:]


def _list_of_rules(codes: Sequence[str]) -> str:
    """Return the entries of codes: a line with the text of the rule, or a line and one item for each rule."""
    lines = []
    found = rules()
    for code in codes:
        texts = [text_of(rule) for rule in found[code]]
        if len(texts) == 1:
            lines.append(f"- `{code}`: {texts[0]}")
        elif texts:
            lines += [f"- `{code}`:", *(f"    - {text}" for text in texts)]
    return "\n".join(lines)


def _diagnostics(page: str) -> str:
    for section in dict.fromkeys(row.section for row in TABLE):
        rows = [row for row in TABLE if row.section == section]
        table = _table("| code | meaning | example | fix |", [_row(row) for row in rows], "|---|---|---|---|")
        before, heading, after = page.partition(f"## {section}\n")
        body, following, rest = after.partition("\n## ")
        body = re.sub(_TABLE.format("code"), lambda _, text=table: text, body, count=1)
        body = body.partition("\n### Rules: ")[0].rstrip("\n") + "\n"
        entries = _list_of_rules([row.code for row in rows])
        if entries:
            body += f"\n### Rules: {section[0].lower()}{section[1:]}\n\n{entries}\n"
        page = before + heading + body + following + rest
    return page


def _notices(page: str) -> str:
    rows = [f"| `{kind}` | {meaning} |" for kind, meaning in KINDS.items()]
    table = _table("| kind | meaning |", rows, "| --- | --- |")
    return re.sub(_TABLE.format("kind"), lambda _: table, page, count=1)


def pages() -> dict[str, str]:
    """Return the pages with their tables written anew, by their paths below docs/."""
    writers = {"diagnostics.md": _diagnostics, "notices.md": _notices}
    return {name: write((DOCS / name).read_text(encoding="utf-8")) for name, write in writers.items()}
