"""The user and the machine that a script sees: those of the host, or fixed ones."""

from __future__ import annotations

from typing import Protocol

NUMBER = 1000  # also the owner of files in a file system in memory
NAME = "user"


class Identity(Protocol):
    """The facts for ``id``, ``uname``, ``nproc``, ``$UID``, ``~`` and prompts. ``Host`` has those of this process."""

    def uid(self) -> int: ...
    def gid(self) -> int: ...
    def euid(self) -> int: ...
    def egid(self) -> int: ...
    def groups(self) -> list[int]: ...
    def groups_of(self, user: str, gid: int) -> list[int]: ...
    def account(self, user: str | int) -> tuple[str, int, int] | None: ...
    def group_name(self, number: int) -> str | None: ...
    def user_name(self) -> str | None: ...
    def home(self, user: str = "") -> str | None: ...
    def hostname(self) -> str: ...
    def system(self) -> tuple[str, str, str, str]: ...
    def processors(self, *, installed: bool = False) -> int: ...
    def niceness(self) -> int: ...


class Nobody:
    """A user and a machine that are the same everywhere, for scripts without access to the host's disk."""

    def uid(self) -> int:
        return NUMBER

    gid = euid = egid = uid

    def groups(self) -> list[int]:
        return [NUMBER]

    def groups_of(self, user: str, gid: int) -> list[int]:
        return [gid]

    def account(self, user: str | int) -> tuple[str, int, int] | None:
        return (NAME, NUMBER, NUMBER) if user in (NAME, NUMBER) else None

    def group_name(self, number: int) -> str | None:
        return NAME if number == NUMBER else None

    def user_name(self) -> str | None:
        return NAME

    def home(self, user: str = "") -> str | None:
        return "/" if user in ("", NAME) else None

    def hostname(self) -> str:
        return "localhost"

    def system(self) -> tuple[str, str, str, str]:
        return "Linux", "6.0.0", "#1", "x86_64"

    def processors(self, *, installed: bool = False) -> int:
        return 1

    def niceness(self) -> int:
        return 0


NOBODY = Nobody()
