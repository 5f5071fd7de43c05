"""Who a script is and on which machine: the host's answers, or those of nobody in particular."""

from __future__ import annotations

from typing import Protocol

NUMBER = 1000  # the owner of what a file system in memory holds, too
NAME = "user"


class Identity(Protocol):
    """What ``id``, ``uname``, ``nproc``, ``$UID``, ``~`` and prompts ask. See ``Host``, which answers for this process."""

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
    """A user and a machine that are the same everywhere, for scripts that live on no disk of the host."""

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
