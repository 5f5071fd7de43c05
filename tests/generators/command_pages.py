"""The page of the command line: what each parser says of itself."""

from __future__ import annotations

import argparse
import os
from importlib import import_module

from pyshellhooks.cli import COMMANDS, parsers

from .utility_pages import cell

_HEAD = """\
# Commands

`pyshellhooks COMMAND --help` prints the same. [The command line](../command-line.md) says what all commands share: exit
statuses, terminals and pipes, JSON.

"""


def _spelled(action: argparse.Action) -> str:
    value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper())
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    names = ", ".join(action.option_strings)
    return f"`{names}`" if action.nargs == 0 else f"`{names} {value}`"


def _group(group: argparse._ArgumentGroup) -> str:
    actions = [one for one in group._group_actions if one.help != argparse.SUPPRESS]
    if not actions:
        return ""
    title = {"positional arguments": "arguments"}.get(group.title or "", group.title or "")
    text = f"**{title[:1].upper()}{title[1:]}**\n\n"
    text += f"{group.description}\n\n" if group.description else ""
    rows = [f"| {cell(_spelled(one))} | {cell(one.help or '')} |\n" for one in actions]
    return text + "| argument | meaning |\n|---|---|\n" + "".join(rows) + "\n"


def _command(name: str) -> str:
    made: parsers.Parser = import_module(f"pyshellhooks.cli.{name.replace('-', '_')}").parser()
    text = [f"## {name}\n\n", f"{made.description}\n\n", "```text\n", made.format_usage(), "```\n\n"]
    text += [_group(group) for group in made._action_groups]
    meanings = made.epilog or ""
    statuses = meanings.partition("exit status:\n")[2].partition("\n\n")[0]
    rows = [line.split(None, 1) for line in _joined(statuses)]
    text += ["**Exit status**\n\n| status | meaning |\n|---|---|\n"]
    text += [f"| {status} | {cell(meaning)} |\n" for status, meaning in rows]
    text += ["\n**Examples**\n\n```sh\n", *(f"pyshellhooks {one}\n" for one in made.examples), "```\n\n"]
    return "".join(text)


def _joined(block: str) -> list[str]:
    """Return one line for each status: a long meaning goes on in an indented line."""
    lines: list[str] = []
    for line in block.splitlines():
        if line[:3].strip():
            lines.append(line.strip())
        else:
            lines[-1] += f" {line.strip()}"
    return lines


def pages() -> dict[str, str]:
    """Return the text of the page, by its path below docs/."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"  # what argparse takes for the width
    try:
        text = _HEAD + "".join(_command(name) for name in COMMANDS)
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return {"reference/commands.md": text.rstrip("\n") + "\n"}
