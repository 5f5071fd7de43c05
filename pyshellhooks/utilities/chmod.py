"""chmod: change file modes (POSIX XCU chmod; GNU coreutils 9.1)."""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence

from ..command import Call, Flag, Flags, Options, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import encode
from .support.modes import Change, parse_mode
from .support.quoting import quote, quote_name
from .support.roots import refuses_root

_MODES = frozenset("rwxXstugoa,+=01234567")


class _ModeFlags(Flags):
    """Options in which ``-w``, ``-x`` and ``-644`` are parts of the mode, before or after operands."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words, modes = [], []
        rest = iter(argv)
        for word in rest:
            dashed = word.startswith("-")
            if word == "--" or (not dashed and "POSIXLY_CORRECT" in env):
                words += [word, *rest]
            elif dashed and word[1:2] in _MODES:
                modes.append(word)
            else:
                words.append(word)
        options, operands = super().parse(words, env)
        if not modes:
            return options, operands
        if options.reference:
            raise UsageError("cannot combine mode and --reference options")
        return options, [",".join(modes), *operands]


class _Changer:
    """The changes of one call."""

    def __init__(self, call: Call, change: Change) -> None:
        self.call = call
        self.fs = call.fs
        self.change = change
        self.reported = call.opts.last_of("verbose", "changes")

    def apply(self, name: str) -> bool:
        """Change one file or tree; return whether it succeeded."""
        call, fs = self.call, self.call.fs
        call.check()
        try:
            path = call.path(name)
            file_status = fs.stat(path)
        except OSError as error:
            if _is_link(call, name):
                self.complain(f"cannot operate on dangling symlink {quote_name(name)}")
            else:
                self.complain(f"cannot access {quote_name(name)}: {reason(error)}")
            if self.reported == "verbose":
                call.out.write(encode(f"{quote_name(name)} could not be accessed\n"))
            return False
        directory = stat.S_ISDIR(file_status.st_mode)
        tree = call.opts.recursive and directory
        try:
            if tree and self._is_guarded(name, path):
                return False
        except OSError as error:
            self.complain(f"cannot access {quote_name(name)}: {reason(error)}")
            return False
        old = stat.S_IMODE(file_status.st_mode)
        new = self.change(old, directory, call.umask)
        good = True
        try:
            fs.chmod(path, new)
        except OSError as error:
            good = False
            self.complain(f"changing permissions of {quote_name(name)}: {reason(error)}")
        if good:
            self._report_mode(name, old, new)
        if not tree:
            return good
        # After the directory itself, as in GNU's: a new mode may forbid reading it.
        return self._below(name, path) and good

    def complain(self, message: str) -> None:
        """Report an error, unless -f is set."""
        if not self.call.opts.quiet:
            self.call.error(message)

    def _report_mode(self, name: str, old: int, new: int) -> None:
        if self.reported is None or (self.reported == "changes" and old == new):
            return
        how = f"retained as {_shown(new)}"
        if old != new:
            how = f"changed from {_shown(old)} to {_shown(new)}"
        self.call.out.write(encode(f"mode of {quote_name(name)} {how}\n"))

    def _below(self, name: str, path: str) -> bool:
        """Change the entries of a directory; return whether it succeeded."""
        try:
            entries = sorted(self.fs.scandir(path), key=lambda entry: entry.name)
        except OSError as error:
            self.complain(f"cannot read directory {quote_name(name)}: {reason(error)}")
            return False
        good = True
        for entry in entries:
            inner = f"{name.rstrip('/')}/{entry.name}"
            if entry.kind != "l":
                good = self.apply(inner) and good
            elif self.reported == "verbose":
                text = f"neither symbolic link {quote_name(inner)} nor referent has been changed\n"
                self.call.out.write(encode(text))
        return good

    def _is_guarded(self, name: str, path: str) -> bool:
        """Return whether a directory is a root that must not be changed; a mount point may be changed."""
        root = self.fs.root_at(path)
        if root is not None and root.kind == "mount":
            return False
        return refuses_root(self.call, name, root)


def _is_link(call: Call, name: str) -> bool:
    try:
        return stat.S_ISLNK(call.fs.stat(call.path(name), follow=False).st_mode)
    except OSError:
        return False


@utility(
    "chmod",
    summary="Change the mode of each FILE to MODE.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... MODE[,MODE]... FILE...",
    flags=_ModeFlags(
        [
            Flag("-c", "--changes", help="like verbose but report only when a change is made"),
            Flag("-f", "--quiet", "--silent", help="suppress most error messages"),
            Flag("-v", "--verbose", help="output a diagnostic for every file processed"),
            Flag("--reference", value="RFILE", help="use RFILE's mode instead of MODE values"),
            Flag("--no-preserve-root", help="do not treat '/' specially; a drive or share stays"),
            Flag("--preserve-root", help="fail to operate recursively on '/' (default)"),
            Flag("-R", "--recursive", help="change files and directories recursively"),
        ]
    ),
)
def chmod(call: Call) -> int:
    args = list(call.args)
    if "reference" in call.opts:
        name = call.opts.value("reference")
        try:
            wanted = stat.S_IMODE(call.fs.stat(call.path(name)).st_mode)
        except OSError as error:
            raise UsageError(f"failed to get attributes of {quote_name(name)}: {reason(error)}", hint=False)
        change: Change | None = lambda old, directory, umask: wanted  # noqa: E731
    else:
        if not args:
            raise UsageError("missing operand")
        text = args.pop(0)
        if not args:
            after = "" if text.startswith("-") else f" after {quote(text, call.env)}"
            raise UsageError(f"missing operand{after}")
        change = parse_mode(text)
        if change is None:
            raise UsageError(f"invalid mode: {quote(text, call.env)}")
    if not args:
        raise UsageError("missing operand")
    assert change is not None
    changer = _Changer(call, change)
    return 0 if all([changer.apply(name) for name in args]) else 1


def _shown(mode: int) -> str:
    return f"{mode:04o} ({stat.filemode(mode)[1:]})"
