"""Actions: print, delete, run commands (POSIX XCU find; GNU findutils 4.9)."""

from __future__ import annotations

from collections.abc import Sequence

from ...command.call import reason
from ...streams.capture import LineWriter
from ...text import encode
from ..support.quoting import quote
from .commands import ARGUMENTS, inserted, launch, most_bytes, size_of, split_path
from .expression import Test
from .files import File
from .formats import Format
from .listing import Listing
from .state import Quit, State, bad_argument, wrong


def printer(state: State, end: bytes, out: LineWriter) -> Test:
    """``-print -print0 -fprint -fprint0``."""
    state.acts = True

    def test(file: File) -> bool:
        out.write(encode(file.path) + end)
        return True

    return test


def formatter(state: State, text: str, out: LineWriter) -> Test:
    """``-printf -fprintf``."""
    state.acts = True
    fmt = Format(state, text)

    def test(file: File) -> bool:
        out.write(fmt.write(file))
        return True

    return test


def lister(state: State, out: LineWriter) -> Test:
    """``-ls -fls``."""
    state.acts = True
    listing = Listing(state)

    def test(file: File) -> bool:
        out.write(listing.line(file))
        return True

    return test


def prune(state: State, word: str) -> Test:
    """``-prune``."""
    state.prunes = True

    def test(file: File) -> bool:
        file.pruned = True
        return True

    return test


def quit_now(state: State, word: str) -> Test:
    """``-quit``."""

    def test(file: File) -> bool:
        raise Quit

    return test


def delete(state: State, word: str) -> Test:
    """``-delete``: the working directory itself is skipped."""
    state.acts = state.deletes = state.settings.depth_first = True
    fs = state.call.fs

    def test(file: File) -> bool:
        if file.path == ".":
            return True
        try:
            if file.kind == "d":
                fs.rmdir(file.place)
            else:
                fs.unlink(file.place)
        except FileNotFoundError as error:
            if state.settings.ignore_race:
                return True
            return _not_deleted(state, file, error)
        except OSError as error:
            return _not_deleted(state, file, error)
        return True

    return test


def _not_deleted(state: State, file: File, error: OSError) -> bool:
    state.settings.fail(f"cannot delete {quote(file.path, state.call.env)}: {reason(error)}")
    return False


# --- commands -------------------------------------------------------------------------------------------------


def _check_search_path(state: State) -> None:
    """Raise UsageError for a PATH from which -execdir would run programs of the visited directories."""
    for part in split_path(state.call):
        # An empty part of PATH is the current directory (POSIX XBD 8.3).
        if part in ("", "."):
            raise wrong(
                "The current directory is included in the PATH environment variable, which is insecure in combination "
                "with the -execdir action of find.  Please remove the current directory from your $PATH (that is, "
                'remove ".", doubled colons, or leading or trailing colons)'
            )
        if not state.call.fs.is_absolute(part):
            raise wrong(
                f"The relative path {quote(part, state.call.env)} is included in the PATH environment variable, which "
                "is insecure in combination with the -execdir action of find.  Please remove that entry from $PATH"
            )


def command(state: State, word: str, arguments: Sequence[str]) -> tuple[Test, int]:
    """``-exec -execdir``: parse the words up to ``;`` or ``{} +``; return the test and the number of words."""
    if not arguments:
        raise wrong(f"missing argument to `{word}'")
    braces = 0
    for at, argument in enumerate(arguments):
        if argument == ";":
            break
        # POSIX XCU find: only a "+" after "{}" ends the command.
        if argument == "+" and at and "{}" in arguments[at - 1]:
            _check_braces(state, word, arguments[at - 1], braces)
            break
        braces += "{}" in argument
    else:
        raise wrong(f"missing argument to `{word}'")
    if at == 0:
        raise bad_argument(word, argument)
    if word == "-execdir":
        _check_search_path(state)
    state.acts = True
    words = list(arguments[:at])
    if arguments[at] == ";":
        return _each(state, word == "-execdir", words), at + 1
    batch = Batch(state, word == "-execdir", words[:-1])
    state.batches.append(batch)
    return batch.add, at + 1


def _check_braces(state: State, word: str, last: str, braces: int) -> None:
    if braces > 1:
        raise wrong(f"Only one instance of {{}} is supported with {word} ... +")
    if last != "{}":
        env = state.call.env
        raise wrong(
            f"In {quote(word + ' ... {} +', env)} the {quote('{}', env)} must appear by itself, but you specified "
            f"{quote(last, env)}"
        )


def where(file: File) -> tuple[str, str]:
    """Return the directory of a file and its name in it, for -execdir."""
    bare = file.place.rstrip("/")
    if not bare:
        return "/", "/"
    return bare.rpartition("/")[0] or "/", "./" + file.name


def _run(state: State, argv: list[str], cwd: str | None) -> int | None:
    """Run a command and return its status; report an error and return None if it could not be started."""
    state.flush()  # the output of find before that of the command
    state.call.check()
    try:
        launched = launch(state.call, argv, cwd=cwd)
        status = launched.wait()
    except BrokenPipeError:
        raise
    except OSError as error:
        state.call.error(f"{quote(argv[0], state.call.env)}: {reason(error)}")
        return None
    if launched.signaled is not None:
        state.call.error(f"{quote(argv[0], state.call.env)} terminated by signal {launched.signaled}")
    return status


def _each(state: State, in_place: bool, words: list[str]) -> Test:
    most = min(ARGUMENTS, most_bytes(state.call.env))

    def test(file: File) -> bool:
        cwd, name = where(file) if in_place else (None, file.path)
        return _run(state, inserted((), words, "{}", name, most), cwd) == 0

    return test


class Batch:
    """``-exec COMMAND {} +``: names are collected until a command line is full."""

    __slots__ = ("_cwd", "_in_place", "_initial", "_most", "_names", "_size", "_state", "_words")

    def __init__(self, state: State, in_place: bool, words: list[str]) -> None:
        self._state = state
        self._in_place = in_place
        self._words = words
        self._initial = sum(map(size_of, words))
        self._most = min(ARGUMENTS, most_bytes(state.call.env))
        self._cwd: str | None = None
        self._names: list[str] = []
        self._size = 0

    def add(self, file: File) -> bool:
        """Add a file; run the command if the command line is full. Return True."""
        cwd, name = where(file) if self._in_place else (None, file.path)
        size = size_of(name)
        if self._initial + size > self._most:
            raise wrong("cannot fit single argument within argument list size limit")
        # With -execdir the names of one command are all in one directory.
        if cwd != self._cwd or self._initial + self._size + size > self._most:
            self.run()
        self._cwd = cwd
        self._names.append(name)
        self._size += size
        return True

    def run(self) -> None:
        """Run the command on the collected names."""
        if self._names:
            names, self._names, self._size = self._names, [], 0
            if _run(self._state, [*self._words, *names], self._cwd) != 0:
                self._state.settings.status = 1  # POSIX XCU find: only commands of {} + affect the exit status

    @property
    def in_place(self) -> bool:
        """Whether it belongs to -execdir."""
        return self._in_place
