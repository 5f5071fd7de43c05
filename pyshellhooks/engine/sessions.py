"""The sessions of one engine: one for each id, and for events without an id one for each project directory.

Without an id, two conversations can't be distinguished. With a new session for each firing, nothing could be counted, and
a hook that denies every stop would never be overruled; therefore all firings without an id share a session. It lasts until
``session_end`` is fired, or until its ``HookSession`` objects are gone: the references are weak, so a host need not close
them. Two such objects at a time share the counts, and every verdict has a notice of that (decisions sessions).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

from ..forks import renewed_after_fork
from ..hooks.dialect import EventSpec, HostContext
from ..hooks.session import HookSession, Memory, generated_id
from ..hooks.verdict import Verdict
from ..jsontext.compact import JSON
from ..notice import Notice
from .config.host_context import with_absolute_cwd

if TYPE_CHECKING:
    from .system import System

_GIVE_ID = 'give each session an id: engine.session("some id")'
REMEMBERED = 1000  # sessions with an id, and directories, that an engine keeps; the oldest are dropped

PROMPT, END = "prompt", "end"  # effects of an event on a session
_MEANING = {"before_prompt": PROMPT, "session_end": END}


def id_of(fields: Mapping[str, JSON], keys: Iterable[str]) -> str:
    """Return the session's id from the first of the keys that the fields of an event have; ``""`` if they have none."""
    for key in keys:
        id = fields.get(key)
        if id is not None and id != "":
            return id if isinstance(id, str) else str(id)
    return ""


class AnonymousSession:
    """The session without an id of a project directory. ``open``: the ``HookSession`` objects that hosts hold."""

    __slots__ = ("closed", "directory", "had_handle", "id", "memory", "open")

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.id = generated_id()
        self.memory = Memory()
        self.open: WeakSet[HookSession] = WeakSet()
        self.had_handle = False  # it had a HookSession object at some time
        self.closed = False  # its session_end was fired

    @property
    def over(self) -> bool:
        """Whether the session has ended, so that the next firing begins another one."""
        return self.closed or (self.had_handle and not self.open)


class EventSession:
    """The session of one firing, and a notice about it."""

    __slots__ = ("anonymous", "handle", "notice", "session")

    def __init__(
        self,
        session: HookSession,
        anonymous: AnonymousSession | None = None,
        handle: HookSession | None = None,
        notice: Notice | None = None,
    ) -> None:
        self.session = session
        self.anonymous = anonymous
        self.handle = handle
        self.notice = notice


class SessionsById:
    """The sessions with an id: the thousand that were used last. Safe to share between threads, and between engines."""

    __slots__ = ("__weakref__", "_lock", "_sessions")

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, HookSession] = OrderedDict()
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self._lock = threading.Lock()

    def of(self, id: str) -> HookSession:
        """Return the session of an id; a new one if the id has none."""
        with self._lock:
            session = self._sessions.get(id)
            if session is None:
                session = self._sessions[id] = HookSession(id)
                if len(self._sessions) > REMEMBERED:
                    self._sessions.popitem(last=False)
            else:
                self._sessions.move_to_end(id)
        return session

    def known(self, id: str) -> HookSession | None:
        """Return the session of an id if it has begun."""
        with self._lock:
            return self._sessions.get(id)


class Sessions:
    """The sessions of one engine; it finds, begins and ends them.

    ``by_id``: those with an id; engines that replace one another share them (``resident.engines``).
    """

    __slots__ = ("__weakref__", "_anonymous", "_host_context", "_files", "_joined", "_lock", "_names", "by_id")

    def __init__(self, host_context: HostContext, names: Iterable[str], files: Callable[[], object] | None) -> None:
        self._host_context = host_context
        self._names = tuple(dict.fromkeys(("session_id", *names)))
        self._files = files  # makes the file system of one session, if a system has one for each session
        self.by_id = SessionsById()
        self._anonymous: OrderedDict[str, AnonymousSession] = OrderedDict()
        self._joined: WeakKeyDictionary[HookSession, AnonymousSession] = WeakKeyDictionary()
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self._lock = threading.Lock()

    # -- finding ------------------------------------------------------------------------------------------------------

    def named(self, id: str) -> HookSession:
        """Return the session of an id. It is kept until 1000 other sessions have been used since."""
        return self.with_file_system(self.by_id.of(id))

    def fresh(self, strict: bool) -> HookSession:
        """Return a session without an id in the engine's own project directory.

        Raises ``RuntimeError`` under ``strict`` if one is already open: the two would count each other's stops.
        """
        session = HookSession()
        self._join(session, self._host_context.project_dir, strict)
        return session

    def of(self, session: HookSession | str | None, fields: Mapping[str, JSON]) -> EventSession:
        """Return the session of a firing; the id in its fields takes precedence."""
        id = id_of(fields, self._names)
        if session is None or session == "":
            if id:
                return EventSession(self.named(id))
            return self._without_id(None, fields)
        if isinstance(session, str):
            own = session
        elif session.id:
            if not id or id == session.id:
                return EventSession(self.with_file_system(session))
            own = session.id
        elif id:
            return EventSession(self.named(id))
        else:
            return self._without_id(session, fields)
        notice = None
        if id and id != own:
            message = f'the event belongs to the session "{id}", but was fired in "{own}": it counts for "{id}"'
            notice = Notice(message, "session-lost", hint="use the same id")
        return EventSession(self.named(id or own), notice=notice)

    def known(self, fields: Mapping[str, JSON]) -> HookSession | None:
        """Return the session of an event's fields if it has begun; else return None and begin none."""
        id = id_of(fields, self._names)
        if id:
            return self.by_id.known(id)
        with self._lock:
            anonymous = self._anonymous.get(self._directory(fields))
        if anonymous is None or anonymous.over:
            return None
        return HookSession(anonymous.id, anonymous.memory)

    def with_file_system(self, session: HookSession) -> HookSession:
        """Return a session after adding its own file system, if a system has one for each session."""
        if self._files is not None and session.files is None:
            with session.memory.lock:
                if session.files is None:
                    session.files = self._files()
        return session

    # -- without an id ------------------------------------------------------------------------------------------------

    def _without_id(self, handle: HookSession | None, fields: Mapping[str, JSON]) -> EventSession:
        if handle is not None:
            anonymous = self._joined.get(handle)
            is_member = anonymous is not None and handle in anonymous.open
            if anonymous is None or anonymous.closed or not is_member:
                anonymous = self._join(handle, self._directory(fields))
        else:
            directory = self._directory(fields)
            with self._lock:
                anonymous = self._anonymous_at(directory)
        notice = None
        if len(anonymous.open) > 1:
            open = len(anonymous.open)
            message = f"{open} sessions without an id are open in {anonymous.directory}: they count each other's stops"
            notice = Notice(message, "session-lost", hint=_GIVE_ID)
        # A new HookSession: variables and files must not leak into the next conversation, which has no id either.
        return EventSession(
            self.with_file_system(HookSession(anonymous.id, anonymous.memory)), anonymous, handle, notice
        )

    def _join(self, handle: HookSession, directory: str, alone: bool = False) -> AnonymousSession:
        with self._lock:
            anonymous = self._anonymous_at(directory)
            if alone and anonymous.open:
                raise RuntimeError(f"a session without an id is open in {directory}; {_GIVE_ID}")
            anonymous.memory.done |= handle.memory.done
            handle.memory = anonymous.memory
            anonymous.open.add(handle)
            anonymous.had_handle = True
            self._joined[handle] = anonymous
        return anonymous

    def _anonymous_at(self, directory: str) -> AnonymousSession:
        anonymous = self._anonymous.get(directory)
        if anonymous is None or anonymous.over:
            anonymous = self._anonymous[directory] = AnonymousSession(directory)
            if len(self._anonymous) > REMEMBERED:
                self._anonymous.popitem(last=False)
        return anonymous

    def _directory(self, fields: Mapping[str, JSON]) -> str:
        project_dir = fields.get("project_dir")
        if isinstance(project_dir, str) and project_dir:
            return project_dir
        if "cwd" not in fields:
            return self._host_context.project_dir
        cwd = with_absolute_cwd(fields, self._host_context).get("cwd")
        if not isinstance(cwd, str) or not cwd:
            return self._host_context.project_dir
        return self._host_context.project_of(cwd)

    # -- the effect of an event ---------------------------------------------------------------------------------------

    def settle(self, event_session: EventSession, meaning: str, verdict: Verdict) -> None:
        """Remember the followup for the next prompt, end the session on ``END``, and add notices of lost state."""
        session = event_session.session
        if verdict.followup is not None:
            session.memory.followup = verdict.followup
        if event_session.notice:
            verdict.notices += (event_session.notice,)
        anonymous = event_session.anonymous
        if anonymous is None:
            return
        if session.env:
            names = ", ".join(session.env)
            message = f"{names}: not kept: variables are kept only in a session with an id"
            verdict.notices += (Notice(message, "session-lost", hint="pass session_id"),)
        files: list[str] = session.files.workspace_names() if session.files is not None else []
        if files:
            message = f"{', '.join(files)}: not kept: files are kept only in a session with an id"
            verdict.notices += (Notice(message, "session-lost", hint="pass session_id"),)
        if meaning == END:
            with self._lock:
                handles = list(anonymous.open) if event_session.handle is None else [event_session.handle]
                for ended in handles:
                    anonymous.open.discard(ended)
                    ended.memory = Memory()  # the next firing begins another conversation
                anonymous.closed = not anonymous.open


def prompted(session: HookSession, rows: Iterable[EventSpec], fields: Mapping[str, JSON]) -> None:
    """Begin a turn: a person's prompt resets the count of denied stops, a follow-up (``followup=True``) does not."""
    names = ("prompt", *(row.places["prompt"] for row in rows if "prompt" in row.places))
    prompt = next((str(fields[name]) for name in names if name in fields), "")
    followup = fields.get("followup")
    session.prompted(prompt, None if followup is None else bool(followup))


def meaning(name: str, rows: Iterable[EventSpec]) -> str:
    """Return the effect of an event on its session: ``PROMPT``, ``END`` or ``""``.

    The neutral name has its effect even if a system has no such event, because its stops are counted too.
    """
    for neutral in (name, *(neutral for row in rows for neutral in row.neutral)):
        if neutral in _MEANING:
            return _MEANING[neutral]
    return ""


def session_parts(systems: Sequence[System], fs: Any, mounts: Mapping[str, Any]) -> tuple[list[str], Any]:
    """Return the systems' payload keys for a session's id, and a function that makes a session's files, or None."""
    names = [key for system in systems for key in system.dialect.session_keys]
    if not any(system.dialect.session_files for system in systems):
        return names, None

    def make() -> Any:
        from .config.file_systems import make_files

        return make_files(mounts, fs)

    return names, make
