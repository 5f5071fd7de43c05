"""``if``: one permission rule that selects the calls on which a hook runs (claude_code 2, 3).

A rule narrows a guard, so the guard also runs on every call that can't be judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...jsontext.compact import JSON
from ...patterns.glob import compile_glob
from ...text import folded_name
from .subcommands import Subcommand, Unclear, expands, is_unjudged, subcommands

_RULE = re.compile(r"([A-Za-z_][A-Za-z0-9_*:-]*)(?:\((.*)\))?", re.DOTALL)
_TWO = re.compile(r"\)[\s,|&]+[A-Za-z_][A-Za-z0-9_]*\(")  # the end of one rule and the beginning of another
_FILE_KEYS = ("file_path", "notebook_path", "path")
_SHELLS = frozenset(["Bash", "PowerShell"])
FILE_TOOLS = frozenset(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS"])
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")
_NAME_ONLY = re.compile(r"[^\s*]+ ?\*")  # a pattern for a command's name, whatever follows
_XARGS = re.compile(r"xargs\s+([^\s-].*)", re.DOTALL)
_PRIVATE = frozenset(["etc", "tmp", "var"])
_LONGEST = 20_000  # characters; a longer command is not parsed


class BadRule(ValueError):
    """A text that is not exactly one permission rule."""


class Rule:
    """``Tool`` or ``Tool(pattern)``.

    ``judged``: the pattern is of a kind that is known here; ``is_tried``: Claude Code 2.1.332 tries such a pattern.
    """

    __slots__ = ("anywhere", "is_tried", "judged", "pattern", "tool")

    def __init__(self, text: str, anywhere: bool = False) -> None:
        """Parse a rule. Raises ``BadRule``."""
        match = _RULE.fullmatch(text.strip())
        if match is None or _TWO.search(match[2] or ""):
            raise BadRule(f'"{text}" is not one permission rule')
        self.tool = match[1]
        self.pattern = match[2] if match[2] not in (None, "", "*") else None
        self.anywhere = anywhere  # a path with a slash in it matches at any depth, as before 2.1.214
        self.is_tried = self.tool in _SHELLS | FILE_TOOLS | {"Monitor"} or self.tool.startswith("mcp__")
        self.judged = self.pattern is None or self.tool in _SHELLS | FILE_TOOLS | {"WebFetch", "Agent", "Task"}

    def matches(self, tools: tuple[str, ...], value: Mapping[str, JSON], cwd: str, project: str, home: str) -> bool:
        """Return whether the rule matches a call, or can't be judged. ``tools`` are the names of the call's tool."""
        if not any(self.names(tool) for tool in tools):
            return False
        if self.pattern is None or not self.judged:
            return True
        if self.tool in _SHELLS:
            return _shell(self.pattern, value.get("command"))
        if self.tool in FILE_TOOLS:
            path = next((value[key] for key in _FILE_KEYS if isinstance(value.get(key), str)), None)
            return path is None or PathRule(self.pattern, self.anywhere).matches(str(path), cwd, project, home)
        if self.tool == "WebFetch":
            return _web(self.pattern, value.get("url"))
        name = value.get("subagent_type")
        return not isinstance(name, str) or name == self.pattern

    def names(self, tool: str) -> bool:
        """Return whether the rule is for a tool of this name."""
        if tool == self.tool:
            return True
        if not self.tool.startswith("mcp__"):
            return False
        # A server alone means all of its tools.
        return tool.startswith(self.tool + "__") or ("*" in self.tool and wildcard(self.tool, tool))

    def __str__(self) -> str:
        return self.tool if self.pattern is None else f"{self.tool}({self.pattern})"


def wildcard(pattern: str, text: str) -> bool:
    """Return whether a pattern matches a whole text; ``*`` matches anything, ``\\*`` a star."""
    pieces = [piece.replace("\0", "*") for piece in pattern.replace("\\*", "\0").split("*")]
    if len(pieces) == 1:
        return text == pieces[0]
    first, *middle, last = pieces
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in middle:
        index = text.find(piece, at, end)
        if index < 0:
            return False
        at = index + len(piece)
    return True


def _shell(pattern: str, command: JSON) -> bool:
    if not isinstance(command, str) or len(command) > _LONGEST:
        return True
    if pattern.endswith(":*"):
        pattern = pattern[:-2] + " *"
    if not _NAME_ONLY.fullmatch(pattern) and expands(command):
        return True
    try:
        commands = subcommands(command)
        if is_unjudged(command):
            return True
    except (Unclear, RecursionError):
        return True
    pattern = pattern.strip()
    bare = pattern[:-2] if pattern.endswith(" *") and pattern.count("*") == 1 else None
    return any(
        command.dynamic or any(wildcard(pattern, t) or t == bare for t in _texts(command)) for command in commands
    )


def _texts(subcommand: Subcommand) -> Iterator[str]:
    """Yield the texts on which a rule is tried: also those behind ``xargs`` without options, and before ``]``."""
    for text in (subcommand.text, subcommand.raw):
        yield text
        if inner := _XARGS.fullmatch(text):
            yield inner[1]
        if text.startswith("[ "):
            yield text.removesuffix(" ]")


def _web(pattern: str, url: JSON) -> bool:
    domain = pattern.removeprefix("domain:")
    if domain is pattern or not isinstance(url, str):
        return True
    from urllib.parse import urlsplit

    try:
        host = urlsplit(url).hostname
    except ValueError:
        return True
    return host is None or wildcard(domain.lower(), host.lower())


class PathRule:
    """A path pattern as in .gitignore: ``*.ts`` and ``build/`` anywhere, ``src/**`` below the working directory only.

    ``//x`` is absolute, ``~/x`` in the home directory, ``/x`` in the project. A pattern that matches a directory also
    matches everything in it. Letter case does not matter, as in 2.1.332 on every system.
    """

    __slots__ = ("anywhere", "pattern")

    def __init__(self, pattern: str, anywhere: bool = False) -> None:
        self.pattern = pattern
        self.anywhere = anywhere

    def matches(self, path: str, cwd: str, project: str, home: str) -> bool:
        """Return whether the pattern matches a path."""
        parts = _parts(path, cwd, home)
        text, base = self.pattern.removeprefix("./"), _parts(cwd, "/", home)
        if text.startswith("//"):
            text, base = text[1:], []
        elif text.startswith("~/"):
            text, base = text[1:], _parts(home, "/", home)
        elif text.startswith("/"):
            base = _parts(project, "/", home)
        rooted = "/" in text.rstrip("/") and not self.anywhere
        if rooted:
            if not _same(parts[: len(base)], base):
                return False
            parts = parts[len(base) :]
        wanted = [part for part in text.split("/") if part not in ("", ".")]
        if wanted and wanted[-1] == "**":
            wanted = wanted[:-1] or ["*"]  # the directory itself, and by its beginning each path in it
        if not base:
            wanted = _without_private(wanted)
        if not rooted:
            wanted = ["**", *wanted]
        return any(_segments(wanted, parts[:end]) for end in range(1, len(parts) + 1))


def is_below(path: str, base: str, cwd: str, home: str) -> bool:
    """Return whether a path is a directory, or below it."""
    directory = _parts(base, "/", home)
    return _same(_parts(path, cwd, home)[: len(directory)], directory)


def _parts(path: str, cwd: str, home: str) -> list[str]:
    path = path.replace("\\", "/")
    if path.startswith("~/"):
        path = home + path[1:]
    if not path.startswith("/") and not _DRIVE.match(path):
        path = f"{cwd}/{path}".replace("\\", "/")
    result: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del result[-1:]
        elif part not in ("", "."):
            result.append(part)
    return _without_private(result)


def _same(names: list[str], other: list[str]) -> bool:
    return names == other or [folded_name(part) for part in names] == [folded_name(part) for part in other]


def _segments(wanted: list[str], parts: list[str]) -> bool:
    """Return whether the parts match one by one, in any letter case; ``**`` matches any number of parts."""
    states = {0}
    for part in parts:
        states = _opened(states, wanted)
        following: set[int] = set()
        for state in states:
            if state < len(wanted):
                if wanted[state] == "**":
                    following.add(state)
                elif _matches(wanted[state], part):
                    following.add(state + 1)
        states = following
    return len(wanted) in _opened(states, wanted)


def _matches(pattern: str, part: str) -> bool:
    """Return whether a part matches, as it is or as a disk compares names (macOS finds ``café`` in both compositions)."""
    if compile_glob(pattern, extglob=False, ignore_case=True).matches(part):
        return True
    if part.isascii() and pattern.isascii():
        return False
    return compile_glob(folded_name(pattern), extglob=False, ignore_case=True).matches(folded_name(part))


def _without_private(parts: list[str]) -> list[str]:
    """Return the parts of an absolute path without macOS's ``/private``, to which ``/etc``, ``/tmp`` and ``/var`` lead.

    A path may be spelled either way, and a guard must run for both.
    """
    names = [part.lower() for part in parts[:2]]
    return parts[1:] if names[:1] == ["private"] and names[1:] and names[1] in _PRIVATE else parts


def _opened(states: set[int], wanted: list[str]) -> set[int]:
    result = set(states)
    for state in states:
        while state < len(wanted) and wanted[state] == "**":
            state += 1
            result.add(state)
    return result
