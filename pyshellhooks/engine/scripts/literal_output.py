"""The output and the end of commands whose text shows them: literal JSON, messages, ``exit``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...analysis.named_commands import flat_parts, static_text, static_words
from ...syntax.nodes.commands import Command
from ...syntax.nodes.simple import HereDoc, Simple
from ...syntax.nodes.words import CommandSub, Parameter, Word

_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", '"': '"'}


def is_to_stderr(command: Simple) -> bool:
    """Return whether the output of a command goes to standard error."""
    for one in command.redirects:
        if one.op != ">&" or one.fd not in (None, 1):
            continue
        if isinstance(one.target, Word) and static_text(one.target) == "2":
            return True
    return False


def status_after(after: tuple[Command, ...]) -> str:
    """Return the exit status of a text after a command, as it is written; "0" if no ``exit`` follows."""
    return next((ended[1] for one in after if (ended := exit_words(one))), "0")


def exit_words(node: Command) -> list[str]:
    """Return the words of ``exit STATUS``; [] for any other command."""
    words = static_words(node) if isinstance(node, Simple) else []
    if len(words) != 2 or words[0] != "exit" or not words[1]:
        return []
    return ["exit", words[1]]


def failing_end(command: Command) -> str:
    """Return a last command that always fails with a status that does not block, as it is written; else ``""``."""
    words = static_words(command) if isinstance(command, Simple) else []
    if words == ["false"]:
        return "false"
    if words[:1] == ["kill"] and isinstance(command, Simple):
        target = command.words[-1]
        if isinstance(target, Word):
            return "kill" if plain_variable(target) == "$" else ""  # $$
    status = exit_words(command)[1:]
    if not status or not status[0].removeprefix("-").isdigit():
        return ""
    if status[0] in ("0", "2"):
        return ""
    return f"exit {status[0]}"


def prints_message(before: tuple[Command, ...]) -> bool:
    """Return whether one of these commands writes a message."""
    return any(isinstance(one, Simple) and static_words(one)[:1] in (["echo"], ["printf"], ["cat"]) for one in before)


def printed_around(neighbours: tuple[Command, ...]) -> Iterator[str]:
    """Yield the known output of the commands around the one that prints the decision, up to an ``exit``."""
    for one in neighbours:
        if exit_words(one):
            return
        if not isinstance(one, Simple) or one.redirects:
            continue
        words = static_words(one)
        if words:
            text = literal_output(one, words)
            if text:
                yield text


def literal_output(command: Simple, words: list[str | None]) -> str:
    """Return the output of a command if it is literal in its text; else ``""``."""
    if words == ["cat"]:
        bodies = [one.target.body for one in command.redirects if isinstance(one.target, HereDoc)]
        if len(bodies) != 1:
            return ""
        return (static_text(bodies[0]) or "").strip()
    if words[0] == "echo" and len(words) == 2:
        return (words[1] or "").strip()
    if words[0] != "printf" or len(words) not in (2, 3) or None in words:
        return ""
    form = str(words[1])
    if len(words) == 3:
        prints_argument = form.replace("\\n", "").strip() == "%s"
        return str(words[2]).strip() if prints_argument else ""
    if "%" in form:
        return ""
    return _ESCAPE.sub(_escaped, form).strip()


def _escaped(escape: re.Match[str]) -> str:
    """Return the character of an escape in a format of printf (POSIX XBD 5)."""
    name = escape[1]
    return chr(int(name, 8)) if name[0].isdigit() else _CHARACTERS.get(name, escape[0])


def plain_variable(word: Word) -> str:
    """Return the name of the variable if a word is a single plain expansion; else ``""``."""
    parts = list(flat_parts(word))
    only = parts[0] if len(parts) == 1 else None
    if not isinstance(only, Parameter):
        return ""
    if only.op or only.length or only.indirect:
        return ""
    return only.name


def reads_all_input(word: Word) -> bool:
    """Return whether a word is ``$(cat)`` or another way to read all of stdin."""
    parts = list(flat_parts(word))
    if len(parts) != 1 or not isinstance(parts[0], CommandSub):
        return False
    sub = parts[0]
    if sub.input_file is not None:
        return static_text(sub.input_file) in ("/dev/stdin", "/dev/fd/0")
    items = sub.body.items
    if len(items) != 1 or not isinstance(items[0][0], Simple):
        return False
    return static_words(items[0][0]) in (["cat"], ["cat", "-"])
