"""One hook as its agent runs it, its texts and its scripts: the facts that the rules of ``off_rules`` share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from stat import S_ISDIR
from typing import TYPE_CHECKING

from ...analysis.bash_only import texts_for_sh
from ...analysis.named_commands import NamedCommand
from ...errors import ShellSyntaxError, Stop
from ...fs.base import READ
from ...hooks.dialect import Dialect
from ...hooks.installed import ENDING
from ...hooks.model import HookEvent, HookJob
from ...syntax.nodes.commands import List
from ...syntax.parser import parse
from ...text import decode
from .off_reason import Text
from .referenced_scripts import is_file, path_values

if TYPE_CHECKING:
    from ...fs.base import FileSystem

LARGEST = 1 << 18  # bytes of a script that are read
UNREADABLE = (ShellSyntaxError, Stop, RecursionError)

Files = dict[str, tuple[int, ...]]


def signature(fs: FileSystem, path: str) -> tuple[int, ...]:
    """Return mode, inode, size and modification time of a file; () if it is missing."""
    try:
        found = fs.stat(path)
    except OSError:
        return ()
    return found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns


class AgentHook:
    """One hook as its agent runs it, and the files of that machine.

    ``event``: an example of an event that runs it; None if it is not known. ``values``: the known values of variables.
    ``files``: each path that was tested, with its signature.
    """

    __slots__ = ("dialect", "event", "files", "fs", "job", "values")

    def __init__(self, job: HookJob, event: HookEvent | None, dialect: Dialect, fs: FileSystem) -> None:
        self.job = job
        self.event = event
        self.dialect = dialect
        self.fs = fs
        self.values = path_values(job.env)
        self.files: Files = {}

    @property
    def is_moved(self) -> bool:
        """Whether ``serve --install`` has moved the hook: then pyshellhooks runs it for the agent."""
        return self.job.spec.origin.file.endswith(ENDING)

    def may_be_guard(self) -> bool:
        """Return whether the hook runs before a call or for a prompt, or its event is not known."""
        return self.event is None or self.event.row.guards in ("call", "prompt")

    def starts_script(self, path: str) -> bool:
        """Return whether the operating system of the agent starts a script that is run by its path."""
        if not self.dialect.execute_bit or self.is_moved:
            return False
        return self.fs.host_path(path) is not None

    def is_there(self, path: str) -> bool:
        """Return whether a path is a regular file, and record its signature."""
        self.files[path] = signature(self.fs, path)
        return is_file(self.fs, path)

    def is_directory(self, path: str) -> bool:
        """Return whether a path is a directory, and record its signature."""
        self.files[path] = signature(self.fs, path)
        # A missing file has the signature ().
        mode = self.files[path][:1]
        return bool(mode) and S_ISDIR(mode[0])

    def content(self, path: str, most: int = LARGEST) -> str:
        """Return the beginning of a file; ``""`` if it can't be read."""
        try:
            stream = self.fs.open(path, READ).retain()
        except OSError:
            return ""
        try:
            return decode(stream.read(most))
        except OSError:
            return ""
        finally:
            stream.release()


class ShText:
    """A text that sh reads, in another text: the word after ``sh -c``. ``place``: its begin and end there."""

    __slots__ = ("place", "text", "tree")

    def __init__(self, text: str, tree: List, place: tuple[int, int]) -> None:
        self.text = text
        self.tree = tree
        self.place = place

    @classmethod
    def parsed(cls, text: str, place: tuple[int, int]) -> Iterator[ShText]:
        """Yield the text if it parses."""
        try:
            yield cls(text, parse(text), place)
        except UNREADABLE:
            return


class ParsedText:
    """A text that a shell of the agent reads, and its tree.

    ``values``: the known values of its variables. ``for_sh``: the texts in it that sh reads.
    """

    __slots__ = ("for_sh", "text", "tree", "values")

    def __init__(self, text: Text, tree: List, values: Mapping[str, str], for_sh: list[ShText] | None = None) -> None:
        self.text = text
        self.tree = tree
        self.values = values
        if for_sh is None:
            words = texts_for_sh(tree)
            for_sh = [one for node, inner in words for one in ShText.parsed(inner, (node.pos, node.end))]
        self.for_sh = for_sh


class NamedScript:
    """A script that a command of a text names.

    ``word``: the word of the command. ``path``: None if the file is missing. ``is_started``: the operating system starts
    it, for the first time. ``is_certain``: the hook's own command surely names it, in one known directory.
    """

    __slots__ = ("command", "is_certain", "is_started", "path", "text", "word")

    def __init__(
        self, command: NamedCommand, word: str, path: str | None, text: Text, *, is_started: bool, is_certain: bool
    ) -> None:
        self.command = command
        self.word = word
        self.path = path
        self.text = text
        self.is_started = is_started
        self.is_certain = is_certain


__all__ = ["LARGEST", "UNREADABLE", "AgentHook", "Files", "NamedScript", "ParsedText", "ShText", "signature"]
