"""The state of one conversation that hooks leave for later hooks: the only mutable hook state."""

from __future__ import annotations

import os
import threading
from typing import Any

from ..forks import renewed_after_fork


class Memory:
    """The counters of a conversation. Several ``HookSession`` may share one; a lock protects them."""

    __slots__ = ("__weakref__", "counters", "done", "followup", "lock")

    def __init__(self) -> None:
        self.counters: dict[str, int] = {}
        self.done: set[str] = set()
        self.followup: str | None = None  # the latest follow-up of a hook, until the next prompt
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """Replace the lock, which a fork may have copied while it was held (see ``forks``)."""
        self.lock = threading.Lock()


_SHOWN = 200  # characters of a ``repr``


class HookSession:
    """One conversation. Safe to share between threads.

    ``counters``: how many stops hooks have refused since the person's last prompt. ``done``: the names that ``once``
    has seen. ``env``: variables that the hooks of the session's start set for later hooks. ``files``: the file system
    for systems whose hooks have one of their own; the engine makes it when first needed. All sessions without an id
    in one engine and project directory are the same session, and keep no variables and files (decisions sessions).
    """

    __slots__ = ("__weakref__", "env", "files", "id", "memory")

    def __init__(self, id: str = "", memory: Memory | None = None) -> None:
        self.id = id
        self.memory = memory or Memory()
        self.env: dict[str, str] = {}
        self.files: Any = None  # a FileSystem, which this room does not import

    def __repr__(self) -> str:
        parts = [repr(self.id)]
        parts += [f"{name}: {count}" for name, count in self.counters.items()]
        if self.done:
            parts.append(f"done: {' '.join(sorted(self.done))}")
        if self.env:
            parts.append(f"env: {' '.join(self.env)}")
        if self.files is not None:
            parts.append(f"files: {type(self.files).__name__}")
        line = f"HookSession({', '.join(parts)})"
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...)"

    @property
    def counters(self) -> dict[str, int]:
        """How often a hook kept the agent going, by the counter's name."""
        return self.memory.counters

    @property
    def done(self) -> set[str]:
        """The names that ``once`` was called with."""
        return self.memory.done

    def once(self, name: str) -> bool:
        """Return True the first time, and then False: ``if session.once("session_start"): engine.fire(...)``."""
        memory = self.memory
        with memory.lock:
            if name in memory.done:
                return False
            memory.done.add(name)
            return True

    def count(self, name: str) -> int:
        """Increment a counter and return its new value. Safe to call from several threads."""
        memory = self.memory
        with memory.lock:
            count = memory.counters[name] = memory.counters.get(name, 0) + 1
            return count

    def prompted(self, prompt: str, followup: bool | None = None) -> None:
        """Reset the counters of refused stops: a person sent a new prompt.

        The prompt of a follow-up resets nothing, else a hook that always refuses would never be overruled. With
        ``followup=None`` the prompt is a follow-up if its text is the follow-up that a hook has just returned.
        """
        memory = self.memory
        with memory.lock:
            returned, memory.followup = memory.followup, None
            if followup is None:
                followup = returned is not None and prompt.strip() == returned.strip()
            if not followup:
                memory.counters.clear()


def generated_id() -> str:
    """Return a random id, in the form of a UUID, for a conversation without one."""
    digits = os.urandom(16).hex()  # not the module uuid, whose import takes 20 ms
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
