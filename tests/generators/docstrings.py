"""Docstrings as Markdown: lists whose words stand in columns, and literal blocks behind ``::``. mkdocstrings loads it."""

from __future__ import annotations

import re
from typing import Any

try:
    from griffe import Extension
except ImportError:  # where no site is built: the tests ask for the functions alone
    Extension = object


def _columns(paragraph: str) -> str:
    """Make a list of a paragraph whose lines begin with a name, and go on far to the right; give others as they are."""
    lines = paragraph.split("\n")
    if len(lines) < 2 or re.match(r"^\S[\w`*, ]*? {2,}\S", lines[0]) is None:
        return paragraph
    column = len(lines[0]) - len(re.sub(r"^\S[\w`*, ]*? {2,}", "", lines[0]))
    made = []
    for line in lines:
        name = line[:column].strip()
        if not name:
            made[-1] += f" {line.strip()}"
        elif line[column - 1 : column] == " " or len(name) >= column - 1:
            found = re.match(r"^([^\s,]+(?:, [^\s,]+)*)\s+(.*)$", line)
            if found is None:
                return paragraph
            made.append(
                f"- `{found[1].strip('`')}`: {found[2]}" if ", " not in found[1] else f"- {_each(found[1])}: {found[2]}"
            )
        else:
            return paragraph
    return "\n".join(made)


def _each(names: str) -> str:
    return ", ".join(f"`{name.strip('`')}`" for name in names.split(", "))


def as_markdown(text: str) -> str:
    """Return a docstring as Markdown."""
    text = re.sub(r"^::\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"::\n\n(?= {4})", ":\n\n", text)
    return "\n\n".join(_columns(one) if not one.startswith("    ") else one for one in text.split("\n\n"))


class AsMarkdown(Extension):
    """What griffe calls for each object that it has read."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change its docstring."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
