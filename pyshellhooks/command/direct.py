"""The direct way into a utility: a text in, a text out, without a call (``interp/compile/fused.py`` takes it)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..cancel import CancelScope
from ..limits import Limits

if TYPE_CHECKING:
    from ..fs.base import FileSystem


class Surroundings:
    """What a direct call may look at: the environment, files to read, the limits, and the scope to ask for the end.

    ``kept`` lives as long as the run: what is dear to make of an input may be left there for the next call. ``shared`` says
    that the input is the shell's own, which others read after this call.
    """

    __slots__ = ("cwd", "env", "fs", "kept", "limits", "scope", "shared")

    def __init__(
        self,
        env: Mapping[str, str],
        cwd: str,
        fs: FileSystem,
        scope: CancelScope,
        limits: Limits,
        kept: dict[str, Any],
        shared: bool = False,
    ) -> None:
        self.env = env
        self.cwd = cwd
        self.fs = fs
        self.scope = scope
        self.limits = limits
        self.kept = kept
        self.shared = shared

    def path(self, name: str) -> str:
        """Return the absolute path of a name."""
        return self.fs.absolute(self.cwd, name)


Direct = Callable[[bytes, Surroundings], "tuple[int, bytes] | None"]
"""The whole input to the status and the whole output; None: take the usual way, please."""

Prepare = Callable[[Sequence[str]], "Direct | None"]
"""The words after the name to a direct way for them; None where there is none."""
