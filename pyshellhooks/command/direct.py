"""The direct way into a utility: a text in, a text out, without a call (``interp/compile/fused.py`` takes it)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..cancel import CancelScope
from ..limits import Limits

if TYPE_CHECKING:
    from ..fs.base import FileSystem


class Surroundings(Protocol):
    """What a direct call may look at, and change nothing of. The shell's context is one, so that none need be made."""

    @property
    def env(self) -> Mapping[str, str]:
        """The exported variables."""

    @property
    def cwd(self) -> str:
        """The working directory."""

    @property
    def fs(self) -> FileSystem:
        """The files, to be read."""

    @property
    def scope(self) -> CancelScope:
        """Whom to ask whether the run is over."""

    @property
    def limits(self) -> Limits:
        """The limits of the run."""

    @property
    def kept(self) -> dict[str, Any]:
        """What is dear to make of an input, left here for the next call. It lives as long as the run."""

    def path(self, name: str) -> str:
        """Return the absolute path of a name."""


Direct = Callable[[bytes, Surroundings], "tuple[int, bytes] | None"]
"""The whole input to the status and the whole output; None: take the usual way, please."""

Prepare = Callable[[Sequence[str]], "Direct | None"]
"""The words after the name to a direct way for them; None where there is none."""
