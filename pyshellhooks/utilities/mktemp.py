"""mktemp: create a temporary file or directory with a unique name (GNU coreutils 9.1)."""

from __future__ import annotations

import os
import secrets

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import encode, paced
from .support.quoting import quote

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_TRIES = 100


def _template(call: Call) -> tuple[str, str]:
    """Return the path with its X's, and the suffix; raise UsageError as GNU does."""
    opts = call.opts
    env = call.env
    if len(call.args) > 1:
        raise UsageError("too many templates")
    template, suffix = _split(call, call.args[0] if call.args else "tmp.XXXXXXXXXX")
    if "/" in suffix:
        raise UsageError(f"invalid suffix {quote(suffix, env)}, contains directory separator", hint=False)
    # Messages contain the template with the suffix of --suffix.
    shown = quote(template + opts.value("suffix"), env)
    if len(template) - len(template.rstrip("X")) < 3:
        raise UsageError(f"too few X's in template {shown}", hint=False)
    if opts.t:
        # Unlike --tmpdir, the older -t prefers the variable to the option.
        folder = env.get("TMPDIR") or opts.value("tmpdir") or call.fs.temporary_directory()
        if "/" in template:
            raise UsageError(f"invalid template, {shown}, contains directory separator", hint=False)
    elif "tmpdir" in opts or not call.args:
        folder = opts.value("tmpdir") or env.get("TMPDIR") or call.fs.temporary_directory()
        if template.startswith("/"):
            raise UsageError(f"invalid template, {shown}; with --tmpdir, it may not be absolute", hint=False)
    else:
        return template, suffix
    return f"{folder.rstrip('/')}/{template}", suffix


def _split(call: Call, template: str) -> tuple[str, str]:
    """Split a template after its last X. With ``--suffix`` nothing may follow that."""
    if "suffix" in call.opts:
        if not template.endswith("X"):
            raise UsageError(f"with --suffix, template {quote(template, call.env)} must end in X", hint=False)
        return template, call.opts.value("suffix")
    end = template.rfind("X") + 1
    if not end:
        return template, ""
    return template[:end], template[end:]


@utility(
    "mktemp",
    paths=True,
    summary="Create a temporary file or directory, safely, and print its name.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [TEMPLATE]",
    flags=[
        Flag("-d", "--directory", help="create a directory, not a file"),
        Flag("-u", "--dry-run", help="do not create anything; merely print a name (unsafe)"),
        Flag("-q", "--quiet", help="suppress diagnostics about file/dir-creation failure"),
        Flag("--suffix", value="SUFF", help="append SUFF to TEMPLATE"),
        Flag("-p", value="DIR", dest="tmpdir", help="interpret TEMPLATE relative to DIR"),
        Flag("--tmpdir", value="DIR", optional=True, help="the same; without DIR, $TMPDIR or /tmp"),
        Flag("-t", help="interpret TEMPLATE as a single file name component, relative to a directory"),
    ],
)
def mktemp(call: Call) -> int:
    template, suffix = _template(call)
    stem = template.rstrip("X")
    count = len(template) - len(stem)
    kind = "directory" if call.opts.directory else "file"
    for turn in range(_TRIES):
        name = stem + "".join([secrets.choice(_LETTERS) for _ in paced(range(count))]) + suffix
        path = call.path(name)
        try:
            if call.opts.dry_run:
                if call.fs.exists(path):
                    continue
            elif call.opts.directory:
                call.fs.mkdir(path, 0o700 & ~call.umask)
            else:
                call.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600).release()
        except FileExistsError:
            if turn + 1 < _TRIES:
                continue
            raise
        except OSError as error:
            if not call.opts.quiet:
                call.error(
                    f"failed to create {kind} via template {quote(template + suffix, call.env)}: {reason(error)}"
                )
            return 1
        call.out.write(encode(name) + b"\n")
        return 0
    return 1
