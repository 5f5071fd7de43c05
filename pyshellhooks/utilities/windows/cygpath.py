"""cygpath: convert paths (Cygwin 3.5), only on Windows: scripts for Git's bash call it if it exists.

Scripts here see ``C:/x``, not ``/c/x``, so that is the result of ``-u`` too (decisions paths on Windows).
"""

from __future__ import annotations

from ...command import Call, Flag, utility
from ...errors import UsageError
from ...host.windows_text import shell_list, split_list
from ...text import encode, paced
from ...windows_paths import script_path_or_relative, with_backslashes


@utility(
    "cygpath",
    summary="Convert Unix and Windows format paths.",
    version="Cygwin 3.5",
    usage="[-u|-w|-m] [-a] [-p] NAME...",
    flags=[
        Flag("-u", "--unix", help="print the form of scripts (C:/x); the default"),
        Flag("-m", "--mixed", help="like -u"),
        Flag("-w", "--windows", help="print the form of native programs (C:\\x)"),
        Flag("-a", "--absolute", help="print an absolute path"),
        Flag("-p", "--path", help="NAME is a list of paths, like PATH"),
        Flag("-l", "--long-name", help="ignored: paths are not shortened"),
        Flag("-i", "--ignore", help="ignore missing argument"),
    ],
)
def cygpath(call: Call) -> int:
    opts = call.opts
    if not call.args and not opts.ignore:
        raise UsageError("not enough arguments")
    for name in paced(call.args):
        if opts.path:
            text = _converted_list(call, name)
        else:
            text = _converted(call, name)
        call.out.write(encode(text + "\n"))
    return 0


def _converted_list(call: Call, paths: str) -> str:
    """Return a list of paths; in the form of ``$PATH`` (``/c/x:/d/y``), which ``IFS=:`` splits, if it is for scripts."""
    if not (call.opts.windows or call.opts.mixed):
        return shell_list(paths)
    return ";".join(_converted(call, path) for path in split_list(paths))


def _converted(call: Call, name: str) -> str:
    """Return one path in the form that the options name."""
    path = script_path_or_relative(name, call.fs.exists)
    if call.opts.absolute:
        path = call.path(path or ".")
    if not call.opts.windows:
        return path
    if call.fs.is_absolute(path):
        return with_backslashes(path)
    return path.replace("/", "\\")
