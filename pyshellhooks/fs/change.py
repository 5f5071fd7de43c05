"""Changes of files, in file systems that record them."""

from __future__ import annotations

from typing import Any, NamedTuple


class Change:
    """One difference to the files at the start: ``kind`` (``create``, ``modify`` or ``delete``) and ``path`` (str)."""

    __slots__ = ("kind", "path")

    def __init__(self, kind: str, path: str) -> None:
        self.kind = kind
        self.path = path

    def __repr__(self) -> str:
        return f"Change({self.kind!r}, {self.path!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Change) and (self.kind, self.path) == (other.kind, other.path)

    def __hash__(self) -> int:
        return hash((self.kind, self.path))


class Original(NamedTuple):
    """The file at a path at the start: its mode with the type bits, and a file's content or a link's target."""

    mode: int
    content: bytes


def of_kind(saved: Any, kind: str) -> Any:
    """Return saved files if they have this ``kind``. Raises ``ValueError`` for another kind."""
    saved_kind = saved.get("kind") if isinstance(saved, dict) else None  # a snapshot may come from outside
    if saved_kind != kind:
        raise ValueError(
            f"the snapshot has files of the kind {saved_kind}, but this file system has {kind}: the mounts differ"
        )
    return saved
