"""What changes how a text parses."""

from __future__ import annotations

from collections.abc import Hashable, Mapping


class Modes:
    """The parsing modes of one moment: ``shopt -s extglob`` or ``alias`` on line 1 change what line 2 means.

    ``aliases`` is None or empty where aliases are not expanded. ``depth`` bounds how deep constructs nest
    (``Limits.parser_depth``). ``key`` tells whether two Modes parse alike; it belongs in every cache key.
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
