"""The failsafe that keeps roots: ``--preserve-root`` (GNU coreutils 9.1), and on Windows also for drives and shares."""

from __future__ import annotations

from ...command import Call
from ...fs.base import Root
from .quoting import quote_name


def refuses_root(call: Call, name: str, root: Root | None) -> bool:
    """Report that a call must not change the tree of a root (None: it is no root). Return whether that is so.

    ``--no-preserve-root`` overrides it, but not for a drive or share: a script that names ``/`` expects no drive there.
    """
    if root is None:
        return False
    final = root.kind == "volume"
    if not final and call.opts.last_of("preserve_root", "no_preserve_root") == "no_preserve_root":
        return False
    same = "" if name in ("/", root.name) else f" (same as {quote_name(root.name)})"
    call.error(f"it is dangerous to operate recursively on {quote_name(name)}{same}")
    if final:
        call.error("no option overrides this failsafe for a drive or a share")
    else:
        call.error("use --no-preserve-root to override this failsafe")
    return True
