"""The corrections of ``check --fix``: of a config, if it is JSON, and of the scripts of its project.

They change modes, quotes, a guard's exit status 1, ``echo`` under sh, line ends and byte order marks. This module only
computes them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...hooks.model import HookSpec
from ...jsontext.document import Document, Node
from ...jsontext.string_offsets import place_in_string
from ...text import decode, encode
from ..scripts.agent_hook import LARGEST
from ..scripts.off_reason import Edit, OffReason
from ..scripts.off_rules import EXECUTE_BITS
from ..scripts.referenced_scripts import Project, read_disk

_MARK = "\ufeff"


#: Takes a path and its texts before and after; returns whether the new text has a mistake that the old one has not.
Breaks = Callable[[str, str, str], bool]


class Correction(NamedTuple):
    """The change of one file: its bytes and its mode, before and after; ``real`` is its path without links."""

    path: str
    real: str
    before: bytes
    after: bytes
    mode_before: int
    mode_after: int


class Fixes:
    """A collection of corrections, only for files of these projects and for the configs themselves."""

    __slots__ = ("_breaks", "_edits", "_plain", "_projects", "_startable", "kept")

    def __init__(self, projects: Iterable[Project], breaks: Breaks) -> None:
        self._projects = tuple(projects)
        self._breaks = breaks
        self.kept: list[str] = []  # why a file with mistakes is not corrected
        self._edits: dict[str, set[Edit]] = {}
        self._startable: set[str] = set()
        self._plain: set[str] = set()

    def add(self, reason: OffReason, spec: HookSpec, document: Document | None) -> None:
        """Add the correction of a reason, if it has one. ``document``: the config of the hook."""
        if reason.code in ("crlf", "byte-order-mark"):
            self.plain(reason.file)
        if reason.no_bit:
            self._startable.add(reason.no_bit)
        for edit in reason.edits:
            if reason.file:
                self.plain(reason.file)  # the offsets count its text without \r and a byte order mark
                self._edits.setdefault(reason.file, set()).add(edit)
            elif document is not None and reason.text == spec.command:
                written = _in_config(document, spec, edit)
                if written is not None:
                    self._edits.setdefault(spec.origin.file, set()).add(written)

    def plain(self, path: str) -> None:
        """Add the correction of a script to LF line ends without a byte order mark."""
        self._plain.add(path)

    def corrections(self, config: str) -> list[Correction]:
        """Return the correction of each file that changes; ``kept`` has the reasons for the others."""
        paths = [*self._edits, *self._plain, *self._startable]
        found = (self._of(path) for path in dict.fromkeys(paths) if self._may_change(path, config))
        return [one for one in found if one is not None]

    def _may_change(self, path: str, config: str) -> bool:
        """Return whether a file is in a project, or is a config that a person has named and not a symbolic link."""
        real = os.path.realpath(path).replace(os.sep, "/")
        if any(project.relative(real) is not None for project in self._projects):
            return True
        whole = os.path.abspath(path).replace(os.sep, "/")
        is_below = any(project.relative(whole) is not None for project in self._projects)
        is_own_file = path == config and not os.path.islink(path)
        if is_own_file and not is_below:
            return True
        fix = f"name that file: pyshellhooks check --fix {real}" if path == config else "correct it there"
        self.kept.append(f"{path} leads to {real}, outside the project, so it is not corrected; {fix}")
        return False

    def _of(self, path: str) -> Correction | None:
        try:
            before = read_disk(path, LARGEST)
            mode = os.stat(path).st_mode & 0o7777
        except OSError:
            return None
        text = decode(before)
        if path in self._plain:
            text = text.removeprefix(_MARK).replace("\r\n", "\n")
        # The offsets of edits do not count the byte order mark of a config.
        skipped = int(text.startswith(_MARK))
        edits = sorted(self._edits.get(path, ()), reverse=True)
        for begin, end, new in edits:
            text = text[: begin + skipped] + new + text[end + skipped :]
        if edits and self._breaks(path, decode(before).removeprefix(_MARK), text.removeprefix(_MARK)):
            self.kept.append(f"{path} is not corrected, because that would add another mistake; correct it by hand")
            return None
        after = encode(text)
        # Execute bits for those with read permission, as chmod +x sets them under the usual umask.
        startable = mode | (mode >> 2 & EXECUTE_BITS) if path in self._startable else mode
        if (after, startable) == (before, mode):
            return None
        return Correction(path, os.path.realpath(path), before, after, mode, startable)


def _in_config(document: Document, spec: HookSpec, edit: Edit) -> Edit | None:
    """Translate an edit of a command to its JSON string in the config; None for YAML, which is quoted differently."""
    begin, end, new = edit
    if document.text.lstrip()[:1] != "{":
        return None
    for node in _commands(document.root):
        if node.value == spec.command and document.place(node.offset) >= (spec.origin.line, spec.origin.column):
            places = [place_in_string(document.text, node.offset, at) for at in (begin, end)]
            return places[0], places[1], json.dumps(new, ensure_ascii=False)[1:-1]
    return None


def _commands(node: Node) -> Iterator[Node]:
    """Yield the strings below a node whose key is ``command``; an equal string under another key is not a command."""
    if node.kind == "array":
        for item in node.value:
            yield from _commands(item)
    elif node.kind == "object":
        for member in node.value:
            if member.key == "command" and member.node.kind == "string":
                yield member.node
            else:
                yield from _commands(member.node)


__all__ = ["Correction", "Fixes"]
