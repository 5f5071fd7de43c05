"""What hooks of one conversation leave for later ones: the only mutable hook state."""

from __future__ import annotations

import os
import threading
from typing import Any

from ..forks import renewed_after_fork


class Memory:
    """What a conversation is counted by. Several ``HookSession`` may share one; a lock keeps counts whole."""

    __slots__ = ("__weakref__", "counters", "done", "followup", "lock")

    def __init__(self) -> None:
        self.counters: dict[str, int] = {}
        self.done: set[str] = set()
        self.followup: str | None = None  # what a hook last had the agent go on with, until the next prompt
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self.lock = threading.Lock()


_SHOWN = 200  # characters of a ``repr``


class HookSession:
    """One conversation. Safe to share between threads.

    ``counters``: stops that hooks have refused since the person's last prompt. ``done``: what happens once in a
    session, and has. ``env``: variables that a session's start gave to later hooks. ``files``: the file system of
    systems whose hooks live on one of their own; the engine makes it when first needed. A session without an id is
    one with all others of its engine and project directory, and has no variables and files that stay
    (decisions sessions).
    """

    __slots__ = ("__weakref__", "env", "files", "id", "memory")

    def __init__(self, id: str = "", memory: Memory | None = None) -> None:
        self.id = id
        self.memory = memory or Memory()
        self.env: dict[str, str] = {}
        self.files: Any = None  # a FileSystem; this room knows none

    def __repr__(self) -> str:
        said = [repr(self.id)]
        said += [f"{name}: {count}" for name, count in self.counters.items()]
        said += [f"done: {' '.join(sorted(self.done))}"] if self.done else []
        said += [f"env: {' '.join(self.env)}"] if self.env else []
        said += [f"files: {type(self.files).__name__}"] if self.files is not None else []
        line = f"HookSession({', '.join(said)})"
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...)"

    @property
    def counters(self) -> dict[str, int]:
        """How often a hook had the agent go on, by the counter's name."""
        return self.memory.counters

    @property
    def done(self) -> set[str]:
        """The names that ``once`` was asked about."""
        return self.memory.done

    def once(self, name: str) -> bool:
        """Say True the first time, and False ever after: ``if session.once("session_start"): engine.fire(...)``."""
        memory = self.memory
        with memory.lock:
            if name in memory.done:
                return False
            memory.done.add(name)
            return True

    def count(self, name: str) -> int:
        """Add one to a counter, and give it. Two threads that count at once are two."""
        memory = self.memory
        with memory.lock:
            found = memory.counters[name] = memory.counters.get(name, 0) + 1
            return found

    def prompted(self, prompt: str, followup: bool | None = None) -> None:
        """Forget the refused stops: a person has spoken.

        A follow-up's prompt forgets nothing, else a hook that always refuses would never be overruled. Who does not say
        which it is (None) is taken to send a follow-up where the text is the one that a hook has just given.
        """
        memory = self.memory
        with memory.lock:
            given, memory.followup = memory.followup, None
            if followup is None:
                followup = given is not None and prompt.strip() == given.strip()
            if not followup:
                memory.counters.clear()


def generated_id() -> str:
    """Return an id for a conversation that has none: random, in the form of a UUID."""
    digits = os.urandom(16).hex()  # the module uuid takes 20 ms to import
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
