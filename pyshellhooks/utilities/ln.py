"""ln: make links (POSIX XCU ln; GNU coreutils 9.1)."""

from __future__ import annotations

import os
import stat

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import encode
from .backups import FLAGS as BACKUP_FLAGS
from .backups import Backup
from .basename import base_of
from .quoting import name_of, quote_name
from .realpath import relative
from .records import agrees


def _link(call: Call, target: str, name: str) -> bool:
    opts, fs = call.opts, call.fs
    symbolic = opts.symbolic is True
    path = call.path(name) if name else ""
    try:
        source = call.path(target) if target else ""
        if not symbolic:
            found = fs.stat(source, follow=opts.logical is True)
            if stat.S_ISDIR(found.st_mode):
                if opts.directory:  # no system lets one
                    call.error(f"failed to create hard link {quote_name(name)} => {quote_name(target)}: {_REFUSED}")
                else:
                    call.error(f"{name_of(target)}: hard link not allowed for directory")
                return False
    except OSError as error:
        call.error(f"failed to access {quote_name(target)}: {reason(error)}")
        return False
    kind = "symbolic" if symbolic else "hard"
    saved = ""
    try:
        if opts.relative:
            parent = fs.realpath(path.rpartition("/")[0] or "/")
            target = relative(fs.realpath(source), parent)
        old = None
        try:
            old = fs.stat(path, follow=False)
        except FileNotFoundError:
            pass
        how = opts.last_of("force", "interactive")
        if old is not None and how == "interactive" and not agrees(call, f"replace {quote_name(name)}? "):
            return True
        if old is not None and (how or "backup" in opts or "suffix" in opts):
            if stat.S_ISDIR(old.st_mode):
                call.error(f"{name_of(name)}: cannot overwrite directory")
                return False
            if not symbolic and os.path.samestat(old, fs.stat(source, follow=False)):
                if fs.realpath(source) == fs.realpath(path):
                    call.error(f"{quote_name(target)} and {quote_name(name)} are the same file")
                    return False
            saved = _clear(call, name, path)
        if symbolic:
            fs.symlink(target, path)
        else:
            fs.link(fs.realpath(source) if opts.logical else source, path)
    except OSError as error:
        arrow = "->" if symbolic else "=>"
        # GNU names the target only where it may be what is wrong.
        bare = target != "" and (symbolic or isinstance(error, FileExistsError))
        to = "" if bare else f" {arrow} {quote_name(target)}"
        call.error(f"failed to create {kind} link {quote_name(name)}{to}: {reason(error)}")
        return False
    if opts.verbose:
        call.out.write(encode(f"{saved}{quote_name(name)} {'->' if symbolic else '=>'} {quote_name(target)}\n"))
    return True


def _clear(call: Call, name: str, path: str) -> str:
    """Take away or set aside what has the name; gives how ``-v`` says so."""
    backup = Backup(call)
    if not backup.on:
        call.fs.unlink(path)
        return ""
    ending = backup.ending(path)
    call.fs.rename(path, path + ending)
    return f"{quote_name(name + ending)} ~ "


_REFUSED = "Operation not permitted"


def _problem(call: Call, name: str) -> str:
    """Say why a name is no directory to link in."""
    there = name != "" and call.fs.exists(call.path(name))
    return "Not a directory" if there else "No such file or directory"


def _is_folder(call: Call, name: str) -> bool:
    try:
        return stat.S_ISDIR(call.fs.stat(call.path(name), follow="no_dereference" not in call.opts).st_mode)
    except OSError:
        return False


@utility(
    "ln",
    summary="Create links to TARGETs, in the current directory or in DIRECTORY.",
    usage="[OPTION]... TARGET... [LINK_NAME | DIRECTORY]",
    flags=[
        *BACKUP_FLAGS,
        Flag("-d", "-F", "--directory", help="(refused: no system lets one hard link directories)"),
        Flag("-i", "--interactive", help="prompt whether to remove destinations"),
        Flag("-f", "--force", help="remove existing destination files"),
        Flag("-L", "--logical", help="dereference TARGETs that are symbolic links"),
        Flag("-n", "--no-dereference", help="treat LINK_NAME as a normal file if it is a link to a directory"),
        Flag("-P", "--physical", help="make hard links directly to symbolic links (default)"),
        Flag("-r", "--relative", help="with -s, create links relative to link location"),
        Flag("-s", "--symbolic", help="make symbolic links instead of hard links"),
        Flag("-t", "--target-directory", value="DIRECTORY", help="specify the DIRECTORY in which to create the links"),
        Flag("-T", "--no-target-directory", help="treat LINK_NAME as a normal file always"),
        Flag("-v", "--verbose", help="print name of each linked file"),
    ],
)
def ln(call: Call) -> int:
    opts, args = call.opts, call.args
    if not args:
        raise UsageError("missing file operand")
    if opts.relative and not opts.symbolic:
        raise UsageError("cannot do --relative without --symbolic", hint=False)
    folder = opts.value("target_directory")
    if opts.no_target_directory:
        if len(args) != 2:
            if len(args) < 2:
                raise UsageError(f"missing destination file operand after {quote_name(args[0])}")
            raise UsageError(f"extra operand {quote_name(args[2])}")
        return 0 if _link(call, args[0], args[1]) else 1
    targets = args
    if "target_directory" in opts and not _is_folder(call, folder):
        problem = _problem(call, folder)
        what = "target directory" if problem.startswith("Not") else "failed to access"
        raise UsageError(f"{what} {quote_name(folder)}: {problem}", hint=False)
    if not folder:
        if len(args) == 1:
            folder = "."
        elif _is_folder(call, args[-1]):
            targets, folder = args[:-1], args[-1]
        elif len(args) == 2:
            return 0 if _link(call, args[0], args[1]) else 1
        else:
            raise UsageError(f"target {quote_name(args[-1])}: {_problem(call, args[-1])}", hint=False)
    status = 0
    for target in targets:
        name = f"{folder.rstrip('/')}/{base_of(target)}" if folder != "." or len(args) > 1 else f"./{base_of(target)}"
        if not _link(call, target, name):
            status = 1
    return status
