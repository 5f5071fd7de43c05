"""Direct calls of utilities: functions from input to output, without a ``Call`` (for ``interp/compile/fused.py``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..cancel import CancelScope
from ..limits import Limits

if TYPE_CHECKING:
    from ..fs.base import FileSystem


class DirectContext(Protocol):
    """The state that a direct call may read but not change.

    The shell's context implements it, so none must be created.
    """

    @property
    def env(self) -> Mapping[str, str]:
        """The exported variables."""

    @property
    def cwd(self) -> str:
        """The working directory."""

    @property
    def fs(self) -> FileSystem:
        """The files, for reading."""

    @property
    def scope(self) -> CancelScope:
        """The scope that reports whether the run is over."""

    @property
    def limits(self) -> Limits:
        """The limits of the run."""

    @property
    def cache(self) -> dict[str, Any]:
        """A cache for values that are expensive to compute from an input. It lives as long as the run."""

    def path(self, name: str) -> str:
        """Return the absolute path of a name."""


Direct = Callable[[bytes, DirectContext], "tuple[int, bytes] | None"]
"""The whole input to the status and the whole output; None: take the usual way, please."""

Prepare = Callable[[Sequence[str]], "Direct | None"]
"""The words after the name to a direct way for them; None where there is none."""
