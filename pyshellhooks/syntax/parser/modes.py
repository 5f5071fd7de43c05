"""The modes that affect parsing."""

from __future__ import annotations

from collections.abc import Hashable, Mapping


class Modes:
    """The modes in effect when a command is parsed: ``shopt -s extglob`` and ``alias`` affect the lines after them.

    ``aliases`` is None or empty if aliases are not expanded. ``depth`` limits how deep constructs nest
    (``Limits.parser_depth``). ``key`` is equal for Modes that parse alike; every cache key needs it.
    """

    __slots__ = ("aliases", "depth", "extglob", "key", "posix")

    def __init__(
        self,
        *,
        extglob: bool = False,
        posix: bool = False,
        aliases: Mapping[str, str] | None = None,
        depth: int = 100,
    ) -> None:
        self.extglob = extglob
        self.posix = posix
        self.aliases: dict[str, str] = dict(aliases) if aliases else {}
        self.depth = depth
        self.key: Hashable = (extglob, posix, depth, tuple(sorted(self.aliases.items())))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Modes) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Modes(extglob={self.extglob}, posix={self.posix}, aliases={self.aliases}, depth={self.depth})"


DEFAULT = Modes()
