"""Protection of the root directory by ``--preserve-root`` (GNU coreutils 9.1); on Windows also of drives and shares."""

from __future__ import annotations

from ...command import Call
from ...fs.base import Root
from .quoting import quote_name


def refuses_root(call: Call, name: str, root: Root | None) -> bool:
    """Return whether a call must not change a tree because it is a root (None: it is not); if so, report it.

    ``--no-preserve-root`` overrides this, but not for a drive or share: a script that names ``/`` does not expect one.
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
