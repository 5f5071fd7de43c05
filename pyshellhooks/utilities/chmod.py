"""chmod: change file modes (POSIX XCU chmod; GNU coreutils 9.1)."""

from __future__ import annotations

import stat
from collections.abc import Sequence

from ..command import Call, Flag, Flags, Options, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import encode
from .modes import Change, parse_mode
from .quoting import quote, quote_name


class _ModeFlags(Flags):
    """Options, where ``-w`` and ``-x`` are modes."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], *, posixly_correct: bool = False) -> tuple[Options, list[str]]:
        words = list(argv)
        for at, word in enumerate(words):
            if word == "--" or word[:1] != "-":
                break
            if word[1:2] in tuple("rwxXstugo0,=+") and parse_mode(word) is not None:
                words.insert(at, "--")
                break
        return super().parse(words, posixly_correct=posixly_correct)


def _change(call: Call, name: str, change: Change) -> bool:
    opts, fs = call.opts, call.fs
    call.check()
    try:
        path = call.path(name)
        found = fs.stat(path)
    except OSError as error:
        if not opts.quiet:
            what = "cannot operate on dangling symlink" if _is_link(call, name) else "cannot access"
            tail = "" if what != "cannot access" else f": {reason(error)}"
            call.error(f"{what} {quote_name(name)}{tail}")
        if opts.last_of("verbose", "changes") == "verbose":
            call.out.write(encode(f"{quote_name(name)} could not be accessed\n"))
        return False
    directory = stat.S_ISDIR(found.st_mode)
    if directory and opts.recursive and opts.last_of("preserve_root", "no_preserve_root") == "preserve_root":
        if fs.realpath(path) == "/":
            same = "" if name == "/" else " (same as '/')"
            call.error(f"it is dangerous to operate recursively on {quote_name(name)}{same}")
            call.error("use --no-preserve-root to override this failsafe")
            return False
    old = stat.S_IMODE(found.st_mode)
    new = change(old, directory, call.umask)
    good = True
    try:
        fs.chmod(path, new)
    except OSError as error:
        good = False
        if not opts.quiet:
            call.error(f"changing permissions of {quote_name(name)}: {reason(error)}")
    told = opts.last_of("verbose", "changes")
    if good and told and (told == "verbose" or old != new):
        shape = f"{old:04o} ({stat.filemode(old)[1:]}) to {new:04o} ({stat.filemode(new)[1:]})"
        kept = f"mode of {quote_name(name)} retained as {new:04o} ({stat.filemode(new)[1:]})"
        text = kept if old == new else f"mode of {quote_name(name)} changed from {shape}"
        call.out.write(encode(text + "\n"))
    if directory and opts.recursive:
        try:
            entries = sorted(fs.scandir(path), key=lambda entry: entry.name)
        except OSError as error:
            if not opts.quiet:
                call.error(f"cannot read directory {quote_name(name)}: {reason(error)}")
            return False
        for entry in entries:
            inner = f"{name.rstrip('/')}/{entry.name}"
            if entry.kind != "l":
                good = _change(call, inner, change) and good
            elif told == "verbose":
                call.out.write(encode(f"neither symbolic link {quote_name(inner)} nor referent has been changed\n"))
    return good


def _is_link(call: Call, name: str) -> bool:
    try:
        return stat.S_ISLNK(call.fs.stat(call.path(name), follow=False).st_mode)
    except OSError:
        return False


@utility(
    "chmod",
    summary="Change the mode of each FILE to MODE.",
    usage="[OPTION]... MODE[,MODE]... FILE...",
    flags=_ModeFlags(
        [
            Flag("-c", "--changes", help="like verbose but report only when a change is made"),
            Flag("-f", "--quiet", "--silent", help="suppress most error messages"),
            Flag("-v", "--verbose", help="output a diagnostic for every file processed"),
            Flag("--reference", value="RFILE", help="use RFILE's mode instead of MODE values"),
            Flag("--no-preserve-root", help="do not treat '/' specially (the default)"),
            Flag("--preserve-root", help="fail to operate recursively on '/'"),
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
        change = parse_mode(text)
        if change is None:
            raise UsageError(f"invalid mode: {quote(text, call.env)}")
        if not args:
            raise UsageError(f"missing operand after {quote(text, call.env)}")
    if not args:
        raise UsageError("missing operand")
    assert change is not None
    return 0 if all([_change(call, name, change) for name in args]) else 1
