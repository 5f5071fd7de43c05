"""cp: copy files and directories (POSIX XCU cp; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import stat

from ..command import Call, Flag, RawArgument, utility
from ..command.call import reason
from ..errors import UsageError
from .support.backups import FLAGS as BACKUP_FLAGS
from .support.copying import Copier, inside, only_target, operands, refuse_both
from .support.kinds import Choice
from .support.quoting import quote_name

_REFLINK, _SPARSE = Choice("auto", "always", "never"), Choice("never", "auto", "always")
_ALL = {"mode", "timestamps", "links"}  # the attributes of --preserve=all that are supported
_ATTRIBUTE = Choice("mode", "timestamps", "ownership", "links", "context", "xattr", "all")


def _attributes(argument: RawArgument) -> str:
    """Parse a list of attributes."""
    words = [RawArgument(word, argument.env, flag=argument.flag) for word in argument.text.split(",")]
    return ",".join(map(_ATTRIBUTE, words))


def _read_attributes(copy: Copier, call: Call) -> None:
    """Set the attributes to preserve from the options."""
    opts = call.opts
    if opts.archive:
        copy.preserve |= _ALL
    if opts.d:
        copy.preserve.add("links")
    for dest, value in opts.given:
        words = set((value or "mode,timestamps").split(","))
        if dest in ("p", "preserve"):
            copy.preserve |= words
            if "all" in words:
                copy.preserve |= _ALL
        elif dest == "no_preserve":
            copy.preserve -= words
            if not words.isdisjoint(("mode", "all")):
                copy.default_mode = True
    if "mode" in copy.preserve:
        copy.default_mode = False


def copier(call: Call) -> Copier:
    """Return a copier with the settings of the options."""
    opts = call.opts
    prompt = opts.last_of("interactive", "no_clobber")
    if opts.link and opts.symbolic_link:
        raise UsageError("cannot make both hard and symbolic links")
    refuse_both(opts, prompt == "no_clobber")
    copy = Copier(call)
    copy.recursive = "R" in opts or opts.recursive or opts.archive
    _read_links(copy, call)
    _read_attributes(copy, call)
    for option in ("reflink", "sparse"):
        if option in opts and opts.value(option, "always") == "always":
            raise UsageError(f"option '--{option}=always' is not supported", hint=False)
    copy.same_device = opts.one_file_system
    copy.force = opts.force
    copy.interactive, copy.no_clobber = prompt == "interactive", prompt == "no_clobber"
    copy.update = opts.update
    copy.verbose = opts.verbose
    copy.hard_links, copy.symbolic_links = opts.link, opts.symbolic_link
    copy.attributes_only = opts.attributes_only
    copy.remove_destination = opts.remove_destination
    return copy


def _read_links(copy: Copier, call: Call) -> None:
    """Set which links are followed: the last option decides, else whether the copy is recursive (POSIX XCU cp)."""
    last = call.opts.last_of("dereference", "no_dereference", "d", "H", "archive")
    if last is None:
        # GNU's copies the links of a tree as links, but follows them for -l, as FreeBSD's cp does.
        follow = not copy.recursive or call.opts.link
    else:
        follow = last == "dereference"
    copy.follow = follow
    copy.follow_operands = follow or last == "H"


def _with_parents(copy: Copier, source: str, folder: str) -> str | None:
    """Create the parent directories of a source below the target (``--parents``).

    Return the name of the copy, or report an error and return None.
    """
    call = copy.call
    goal = folder.rstrip("/")
    parts = [part for part in source.split("/") if part]
    done = "/" if source.startswith("/") else ""
    for part in parts[:-1]:
        done = f"{done}{part}"
        goal = f"{goal}/{part}"
        try:
            there = call.path(goal)
            if not call.fs.exists(there):
                mode = call.fs.stat(call.path(done)).st_mode
                if not stat.S_ISDIR(mode):
                    raise OSError(errno.ENOTDIR, "Not a directory")
                # With the mode of the source's directory, as if it had been copied too.
                call.fs.mkdir(there, mode & 0o777 & ~call.umask)
                copy.write_verbose(f"{done} -> {goal}")
            elif not stat.S_ISDIR(call.fs.stat(there).st_mode):
                copy.fail(f"{quote_name(goal)} exists but is not a directory")
                return None
        except OSError as error:
            copy.fail(f"failed to get attributes of {quote_name(done)}: {reason(error)}")
            return None
        done += "/"
    return f"{goal}/{parts[-1]}" if parts else goal


def _goal(copy: Copier, source: str, goal: str) -> str:
    """Return the name of a copy: the name of a backup for a file that is copied onto itself with ``-bf``."""
    if source != goal or not copy.force or not copy.backup.on:
        return goal
    try:
        there = copy.call.path(goal)
        if not stat.S_ISREG(copy.fs.stat(there).st_mode):
            return goal
        goal += copy.backup.ending(there)
    except OSError:
        return goal
    copy.backup.on = False  # the copy itself is the backup
    return goal


@utility(
    "cp",
    paths=True,
    summary="Copy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... SOURCE... DEST",
    flags=[
        Flag("-a", "--archive", help="same as -dR --preserve=all"),
        Flag("--attributes-only", help="don't copy the file data, just the attributes"),
        *BACKUP_FLAGS,
        Flag("--copy-contents", help="(special files are never read as they are copied)"),
        Flag("-d", help="same as --no-dereference --preserve=links"),
        Flag("-f", "--force", help="if a destination file cannot be opened, remove it and try again"),
        Flag("-i", "--interactive", help="prompt before overwrite"),
        Flag("-H", help="follow command-line symbolic links in SOURCE"),
        Flag("-l", "--link", help="hard link files instead of copying"),
        Flag("-L", "--dereference", help="always follow symbolic links in SOURCE"),
        Flag("-n", "--no-clobber", help="do not overwrite an existing file"),
        Flag("-P", "--no-dereference", help="never follow symbolic links in SOURCE"),
        Flag("-p", help="same as --preserve=mode,ownership,timestamps"),
        Flag(
            "--preserve", value="ATTR_LIST", optional=True, kind=_attributes, help="preserve the specified attributes"
        ),
        Flag("--no-preserve", value="ATTR_LIST", kind=_attributes, help="don't preserve the specified attributes"),
        Flag("--parents", help="use full source file name under DIRECTORY"),
        Flag("-R", help="copy directories recursively"),
        Flag("-r", "--recursive", help="copy directories recursively"),
        Flag("--reflink", value="WHEN", optional=True, kind=_REFLINK, help="(auto or never: files are copied)"),
        Flag("--remove-destination", help="remove each existing destination file before attempting to open it"),
        Flag("--sparse", value="WHEN", kind=_SPARSE, help="(auto or never: holes are not made)"),
        Flag("--strip-trailing-slashes", help="remove any trailing slashes from each SOURCE argument"),
        Flag("-s", "--symbolic-link", help="make symbolic links instead of copying"),
        Flag(
            "-t",
            "--target-directory",
            value="DIRECTORY",
            kind=only_target,
            help="copy all SOURCE arguments into DIRECTORY",
        ),
        Flag("-T", "--no-target-directory", help="treat DEST as a normal file"),
        Flag("-u", "--update", help="copy only when the SOURCE file is newer than the destination"),
        Flag("-v", "--verbose", help="explain what is being done"),
        Flag("-x", "--one-file-system", help="stay on the file system of each SOURCE"),
        Flag("-Z", dest="Z", help="(no effect: security contexts are not supported)"),
        Flag("--context", value="CTX", optional=True, help="(warns: security contexts are not supported)"),
    ],
)
def cp(call: Call) -> int:
    copy = copier(call)
    for _ in call.opts.all("context"):
        call.error("warning: ignoring --context; it requires an SELinux-enabled kernel")
    sources, folder = operands(call)
    if call.opts.parents and folder is None:
        raise UsageError("with --parents, the destination must be a directory")
    if folder is None:
        copy.copy(sources[0], _goal(copy, sources[0], sources[1]))
        return int(copy.failed)
    # A failure for one source does not stop the others.
    for source in sources:
        goal = _with_parents(copy, source, folder) if call.opts.parents else inside(folder, source)
        if goal is not None:
            copy.copy(source, goal)
    return int(copy.failed)
