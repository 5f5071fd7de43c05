"""The walk over all files: each once, directories before or after their entries, only on the call's file system."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from ...command.call import reason
from ...fs.base import Entry
from ..support.quoting import quote
from .expression import Test
from .files import File
from .state import State


def _below(directory: str, name: str) -> str:
    if directory.endswith("/"):
        return directory + name
    return f"{directory}/{name}"


class Walk:
    """Evaluation of an expression for all files of the operands' trees. Entries are visited in order of their names."""

    __slots__ = ("_device", "_level", "_settings", "_state", "_test")

    def __init__(self, state: State, test: Test) -> None:
        self._state = state
        self._settings = state.settings
        self._test = test
        self._level = -1
        self._device = 0

    def start(self, name: str) -> None:
        """Walk one operand."""
        settings = self._settings
        try:
            file = File(settings, name, settings.call.path(name), name, 0)
            self._device = file.found.st_dev
        except OSError as error:
            settings.fail_file(name, error)
            return
        # Each open directory with an iterator over its remaining entries. No recursion: trees may be deep.
        stack: list[tuple[File, Iterator[Entry]]] = []
        self._enter(file, stack)
        while stack:
            settings.call.check()
            directory, entries = stack[-1]
            entry = next(entries, None)
            if entry is None:
                stack.pop()
                if settings.depth_first:
                    self._visit(directory)
                continue
            shown = _below(directory.path, entry.name)
            place = _below(directory.place, entry.name)
            self._enter(File(settings, shown, place, name, directory.depth + 1, entry.kind), stack)

    def _deletes_root(self, file: File) -> bool:
        """Return whether a directory is a root that -delete would reach after deleting its contents; report it."""
        would_delete, settings = self._state.would_delete, self._settings
        if would_delete is None or file.depth < settings.min_depth:
            return False
        if not would_delete(file):
            return False
        root = settings.call.fs.root_at(file.place)
        # -delete skips the working directory, so that one that is a mount point is only emptied.
        if root is None or (root.kind == "mount" and file.path == "."):
            return False
        env = settings.call.env
        same = ""
        if file.path not in ("/", root.name):
            same = f" (same as {quote(root.name, env)})"
        settings.fail(f"it is dangerous to operate recursively on {quote(file.path, env)}{same}")
        settings.fail("-delete never removes a root; add a test that selects files below it")
        return True

    def _enter(self, file: File, stack: list[tuple[File, Iterator[Entry]]]) -> None:
        """Visit a file, and push a directory on the stack."""
        settings = self._settings
        try:
            is_directory = file.kind == "d"
            if is_directory and settings.follow == "L" and self._is_loop(file, stack):
                return
            if is_directory and self._deletes_root(file):
                return
        except OSError as error:
            self._report_failure(file, error)
            return
        if not is_directory:
            self._visit(file)
            return
        if not settings.depth_first:
            self._visit(file)
        if self._goes_into(file):
            try:
                entries = sorted(settings.call.fs.scandir(file.place), key=lambda entry: entry.name)
            except OSError as error:
                self._report_failure(file, error)
                entries = []  # it is visited all the same
            stack.append((file, iter(entries)))
        elif settings.depth_first:
            self._visit(file)

    def _goes_into(self, file: File) -> bool:
        settings = self._settings
        if settings.max_depth is not None and file.depth >= settings.max_depth:
            return False
        if file.pruned and not settings.depth_first:
            return False
        if settings.one_device and file.depth:
            try:
                return file.found.st_dev == self._device
            except OSError as error:
                self._report_failure(file, error)
                return False
        return True

    def _is_loop(self, file: File, stack: list[tuple[File, Iterator[Entry]]]) -> bool:
        found = file.found
        if not found.st_ino:
            return False  # a file system without inodes
        file.identity = found.st_dev, found.st_ino
        for above, _ in stack:
            if above.identity == file.identity:
                env = self._settings.call.env
                self._settings.fail(
                    f"File system loop detected; {quote(file.path, env)} is part of the same file system loop as "
                    f"{quote(above.path, env)}."
                )
                return True
        return False

    def _visit(self, file: File) -> None:
        state = self._state
        if file.depth != self._level:
            # As GNU find: -execdir ... + runs its collected names when the level changes.
            self._level = file.depth
            for batch in state.batches:
                if batch.in_place:
                    batch.run()
        if file.depth < self._settings.min_depth:
            return
        try:
            self._test(file)
        except BrokenPipeError:
            raise
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            self._report_failure(file, error)

    def _report_failure(self, file: File, error: OSError) -> None:
        # An operand that vanishes is an error, even if races are ignored.
        vanished = isinstance(error, FileNotFoundError) and file.depth
        if vanished and self._settings.ignore_race:
            return
        self._settings.fail(f"{quote(file.path, self._settings.call.env)}: {reason(error)}")
