"""dirname: strip the last component of paths (POSIX XCU dirname; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..text import encode, paced
from ..windows_paths import root_of


def directory_of(path: str, has_drives: bool = False) -> str:
    """Return the path without its last component. ``has_drives``: of ``C:/x`` it is ``C:/``, and of ``C:/`` it is ``/``."""
    root = root_of(path) if has_drives else ""
    if root:
        return _below_root(root, path[len(root) :].strip("/"))
    stripped = path.rstrip("/")
    if not stripped:
        return "/" if path else "."
    head, slash, _ = stripped.rpartition("/")
    if not slash:
        return "."
    return head.rstrip("/") or "/"


def _below_root(root: str, below: str) -> str:
    """Return the directory of a path on a drive or share; above a drive is the root of all drives."""
    if not below:
        return "/"
    head = below.rpartition("/")[0].rstrip("/")
    if not head:
        return root
    return f"{root.rstrip('/')}/{head}"


@utility(
    "dirname",
    paths=True,
    summary="Print each NAME with its last non-slash component and trailing slashes removed.",
    version="GNU coreutils 9.1",
    usage="[OPTION] NAME...",
    flags=[Flag("-z", "--zero", help="end each output line with NUL, not newline")],
)
def dirname(call: Call) -> int:
    if not call.args:
        raise UsageError("missing operand")
    end = b"\0" if call.opts.zero else b"\n"
    has_drives = call.fs.has_drives()
    for name in paced(call.operands()):
        call.out.write(encode(directory_of(name, has_drives)) + end)
    return 0
