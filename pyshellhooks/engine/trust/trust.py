"""Trust in a project's files: a file is trusted, was never trusted, or has changed since (docs/trust.md).

A file is identified by its content and its path in the project. If a trusted file has changed, is missing or can't be
read, the events that it guarded are locked: they are denied and none of its hooks runs. The hooks of a file that was
never trusted are left out and reported (``engine.excluded_hooks``).
"""

from __future__ import annotations

import os
import stat as modes
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ...errors import Diagnostic, message_of
from ...hooks.dialect import GUARDED, Dialect, EventSpec, HostContext
from ...hooks.failure_notices import left_out, strict_fault
from ...hooks.fields import sample
from ...hooks.model import Decision, HookJob, HookSpec
from ...hooks.verdict import Verdict
from ...notice import Notice
from ...text import visible
from ..scripts.referenced_scripts import Named, Project, Reader, Script, absolute
from .coverage import uncovered
from .store import CONFIG, WORKTREE, Record, Store, UnreadableRecord, hash_of

if TYPE_CHECKING:
    from ...fs.base import FileSystem
    from ...hooks.dialect import HostContext

STORE: Final = "store"  # the value of the option ``trust_project``
VARIABLE = "PYSHELLHOOKS_TRUST"  # set to 1: trust_project=True, for CI and containers
HINT = "look at it, then let a person run `pyshellhooks trust` in the project"
#: Why the hooks of a file are left out.
UNTRUSTED = left_out("the project is not trusted", "pass trust_project=True if you trust it")
NEVER = left_out("this file is not trusted", HINT)
NEVER_HERE = "this file is not trusted in this directory"


def left_out_diagnostic(file: str, why: Notice) -> Diagnostic:
    """Return the diagnostic that the hooks of a file are skipped."""
    return Diagnostic(file, 0, 0, f"{why.message}; its hooks are skipped", why.hint, "warning", code="hook-left-out")


class TrustLock:
    """Events that are denied until a person trusts again. ``events``: None for all of the system.

    ``is_open``: all contents are known, but a command may run a file without a hash.
    """

    __slots__ = ("events", "file", "is_open", "message")

    def __init__(self, file: str, message: str, events: Iterable[str] | None, *, is_open: bool = False) -> None:
        self.file = file
        self.message = message
        self.is_open = is_open
        self.events = None if events is None else frozenset(events)

    @property
    def notice(self) -> Notice:
        """The notice on the verdict."""
        return strict_fault(f"{self.file}: {self.message}", "not-trusted", HINT)

    def diagnostic(self) -> Diagnostic:
        """Return the diagnostic for the time when the engine is made."""
        names = "all guarded events" if self.events is None else ", ".join(sorted(self.events)) or "none"
        return Diagnostic(
            self.file, 0, 0, f"{self.message}; denied events: {names}", HINT, "warning", code="not-trusted"
        )

    def __repr__(self) -> str:
        return f"TrustLock({self.notice})"


class Trust:
    """The trust record of the project around a directory, read when an engine is made."""

    __slots__ = ("_elsewhere", "moved", "problem", "project", "record", "store")

    def __init__(
        self,
        store: Store,
        project: Project,
        record: Record | None,
        problem: UnreadableRecord | None = None,
        moved: str = "",
    ) -> None:
        self.store = store
        self.project = project
        self.record = record
        self.problem = problem  # the record exists but can't be read: the guarded events are not known
        self.moved = moved  # the project's present root, if the record is about another one
        self._elsewhere: dict[str, set[str]] | None = None

    @classmethod
    def of(cls, store: Store, place: HostContext, dialects: Iterable[Dialect]) -> Trust:
        """Find the project: the worktree or the directory itself; else one around it whose record includes this place.

        A new ``.git`` must not turn a trusted project into an unknown one: the trusted files lock their events then,
        because their commands would lead elsewhere.
        """
        root = project_at(place.worktree or place.cwd)
        try:
            record = store.record(root.real)
        except UnreadableRecord as problem:
            return cls(store, root, None, problem)
        if record is not None:
            return cls(store, root, record)
        files = [file.path for dialect in dialects for file in dialect.places(place) if file.scope == "project"]
        for path in _above(place.cwd):
            project = project_at(path)
            try:
                record = store.record(project.real)
            except UnreadableRecord:
                continue
            if record is None or record.revoked:
                continue
            if _is_part(place, project, record, files):
                return cls(store, project, record, moved=root.path)
        return cls(store, root, None)

    # -- configs ------------------------------------------------------------------------------------------------------

    def check_config(
        self, dialect: Dialect, path: str, data: bytes | None, why: str = ""
    ) -> tuple[Notice | None, list[TrustLock]]:
        """Check a config by its bytes, or None if unreadable. In an unknown project, its scripts need a check too."""
        if self.problem is not None:
            return NEVER, []
        name = self.project.relative(path)
        record = self.record
        if record is None:
            known = name is not None and data is not None and hash_of(data) in self._known(name)
            return (None if known else NEVER), []
        file = record.files.get(name) if name is not None and not record.revoked else None
        if file is None or file.kind != CONFIG:
            return NEVER, []
        if self.moved:
            what = f"it was trusted, and is now a part of another worktree: {self.moved}"
            return left_out(what, HINT), [TrustLock(path, what, file.events.get(dialect.name, ()))]
        if data is not None and hash_of(data) in file.hashes:
            return None, []
        # Also for a file that ``trust`` saw missing: it may have come back unchanged and guarded since.
        what = (
            f"it was trusted, and can't be read now: {why}" if data is None else "it has changed since it was trusted"
        )
        return left_out(what, HINT), [TrustLock(path, what, file.events.get(dialect.name, ()))]

    def missing_config_locks(self, dialect: Dialect, place: HostContext, there: Iterable[str]) -> Iterator[TrustLock]:
        """Yield the locks of configs that were trusted for a system, belong here, and are no longer read.

        ``there``: the files that were found. They are not looked up again: a file that came back in between would be
        neither read nor absent.
        """
        if self.problem is not None:
            yield TrustLock(
                self.problem.file, f"can't read the project's record of trust: {self.problem.message}", None
            )
        record = self.record
        if record is None or record.revoked:
            return
        recorded = {name: file for name, file in record.files.items() if file.kind == CONFIG and file.present}
        as_trusted = self._as_trusted(place, recorded)
        names = {self.project.relative(path) for path in there}
        read = self._names_read_now(dialect, place)
        for name in dict.fromkeys([*read, *(self.project.relative(file.path) for file in dialect.places(as_trusted))]):
            file = recorded.get(name) if name is not None else None
            if file is None or name in names or dialect.name not in file.events:
                continue
            path = f"{self.project.path.rstrip('/')}/{name}"
            why = _why_unreadable(path, "was missing a moment ago" if name in read else "is no longer read here")
            yield TrustLock(path, f"it was trusted, and {why}", file.events[dialect.name])

    def _names_read_now(self, dialect: Dialect, place: HostContext) -> set[str | None]:
        """Return the names in the project of the configs that a system reads now, with None for those outside it."""
        return {
            self.project.relative(file.path)
            for file in dialect.all_places(place, at_times=False)
            if file.supported and file.diagnostic is None
        }

    def _as_trusted(self, place: HostContext, recorded: Iterable[str]) -> HostContext:
        """Return the host context in which only the directories of trusted configs exist, with these configs.

        A new directory (``.crush``, ``.git``) must not make the system skip a trusted file.
        """
        names: dict[str, list[str]] = {}
        for name in sorted(recorded):
            folder, _, last = name.rpartition("/")
            names.setdefault(folder, []).append(last)
        return HostContext(
            absolute(place.cwd), env=place.env, home=place.home, windows=place.windows,
            worktree=self.project.path if self.moved else place.worktree,
            exists=lambda path: self.project.relative(path) in names,
            names=lambda path: names.get(self.project.relative(path) or "", []),
        )  # fmt: skip

    # -- scripts ------------------------------------------------------------------------------------------------------

    def allows(self, name: str, hash: str) -> bool:
        """Return whether the content of a script is trusted. Read the record again if not: it may have been updated."""
        if self.record is None:
            return self.problem is None and hash in self._known(name)
        if self.record.knows(name, hash):
            return True
        try:
            again = self.store.record(self.record.project)
        except UnreadableRecord:
            return False
        return again is not None and again.knows(name, hash)

    def check_scripts(self, job: HookJob, named: Named, fs: FileSystem) -> tuple[TrustLock | None, dict[str, bytes]]:
        """Check the scripts that a job names. Return the lock of the first untrusted one or None, and the contents.

        In a directory without a record, hashes must cover every file that a hook of the project runs.
        """
        contents: dict[str, bytes] = {}
        for script in named.scripts:
            try:
                data, runs = self.project.content(fs, script.path)
            except OSError as error:
                why = f"{self._recorded(script)}, and can't be read: {message_of(error)}"
                return TrustLock(script.path, why, ()), {}
            if not self.allows(script.key, hash_of(data)):
                known = self._recorded(script)
                return TrustLock(script.path, f"{known}, and has changed since" if known == _WAS else known, ()), {}
            if runs:
                contents[script.path] = data
        if self.record is None and job.spec.origin.scope == "project":
            command = uncovered(job, self.project, fs, contents)
            if command:
                why = f"{NEVER_HERE}: no hash covers all that `{visible(command)}` may run"
                return TrustLock(job.spec.origin.file, why, (), is_open=True), {}
        return None, contents

    def _recorded(self, script: Script) -> str:
        return _WAS if self.was_trusted(script.key) else "the script is not trusted"

    def was_trusted(self, name: str) -> bool:
        """Return whether any content was ever trusted under a path of the project."""
        return name in self.record.files if self.record is not None else bool(self._known(name))

    def expects(self, name: str) -> bool:
        """Return whether a file was trusted under a path of the project and was present when ``trust`` ran last."""
        if self.record is None:
            return bool(self._known(name))
        file = self.record.files.get(name)
        return file is not None and file.present

    def _known(self, name: str) -> set[str]:
        """Return the hashes that were trusted under a path in any project."""
        if self._elsewhere is None:
            self._elsewhere = {}
            for record in self.store.records():
                for path, file in record.files.items() if not record.revoked else ():
                    self._elsewhere.setdefault(path, set()).update(file.hashes)
        return self._elsewhere.get(name, set())


_WAS = "it was trusted"


def project_at(path: str) -> Project:
    """Return a directory as a project."""
    path = absolute(path)
    return Project(path, absolute(os.path.realpath(path)))


def _is_part(place: HostContext, project: Project, record: Record, files: Iterable[str]) -> bool:
    """Return whether a place belongs to a project around it that was trusted, whatever worktree it is in now."""
    # A worktree that has lost its ``.git``, also if it is now inside another: ``trust`` covered all its directories.
    if WORKTREE in record.directories and not os.path.exists(f"{project.path.rstrip('/')}/.git"):
        return True
    if project.relative(place.cwd) in record.directories:
        return True
    if any(project.relative(file) in record.files for file in files):
        return True
    worktree = project.relative(place.worktree) if place.worktree else None
    return worktree is not None and any(f"{directory}/".startswith(f"{worktree}/") for directory in record.directories)


def _above(cwd: str) -> Iterator[str]:
    """Yield a directory and its parents, except the root."""
    path = absolute(cwd).rstrip("/")
    while path:
        yield path
        path = path.rpartition("/")[0]


def _why_unreadable(path: str, there: str) -> str:
    """Return why a path can't be read; ``there`` if it is a regular file."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"can't be read now: {message_of(error)}"
    return there if modes.S_ISREG(mode) else "is no longer a regular file"


def sample_jobs(
    dialect: Dialect, specs: Iterable[HookSpec], host_context: HostContext
) -> Iterator[tuple[HookSpec, HookJob | None]]:
    """Yield each command hook with an example of its job, to find the scripts that it names; None if that fails."""
    dialect.prepare(host_context)
    for spec in dialect.arrange(list(specs), host_context):
        row = dialect.events.get(spec.event)
        if row is None or spec.kind != "command":
            continue
        try:
            own = {field.native for field in row.fields if field.neutral in ("cwd", "project_dir")}
            fields = {name: value for name, value in sample(row, False).items() if name not in own}
            yield spec, dialect.job(dialect.make_event(row, False, fields, host_context, None), spec, host_context)
        except Exception:  # its event will report the error
            yield spec, None


class TrustState:
    """The trust checks for the hooks of one system: its locked events, and a check before each hook runs."""

    __slots__ = ("_reader", "locks", "reasons", "trust")

    def __init__(
        self, trust: Trust, dialect: Dialect, locks: Iterable[TrustLock], reader: Reader | None = None
    ) -> None:
        self.trust = trust
        self.locks = tuple(locks)
        self._reader = reader or Reader(trust.project)
        #: Native event -> why it is locked.
        self.reasons: dict[str, tuple[Notice, ...]] = {}
        for native in dialect.events:
            notices = [lock.notice for lock in self.locks if lock.events is None or native in lock.events]
            if notices:
                self.reasons[native] = tuple(dict.fromkeys(notices))

    def verdict(self, row: EventSpec) -> Verdict | None:
        """Return a deny if the event is locked and guards a call, a prompt or a result; else None."""
        notices = self.reasons.get(row.native)
        if notices is None or row.guards not in GUARDED:
            return None
        reason = "\n".join(notices)
        return Verdict(
            row.native, Decision.DENY, reason=reason, notices=notices, faults=notices, withholds=row.guards == "result"
        )

    def refuse(self, job: HookJob, fs: FileSystem) -> str:
        """Return why a hook must not run; or return ``""`` and pin the checked contents to its job.

        A hook of the user may have replaced an equal one of the project: of its scripts, those that were ever trusted
        are checked.
        """
        if job.spec.kind != "command":
            return ""
        named = self._reader.named(job, fs, self.trust.expects)
        if job.spec.origin.scope != "project":
            named = Named(script for script in named.scripts if self.trust.was_trusted(script.key))
        if named.outside:
            why = f"{named.outside}: a relative path leads from {job.cwd} to this script, which nobody has trusted"
            return strict_fault(why, "not-trusted", "name the script from the project's directory")
        refused, job.pinned = self.trust.check_scripts(job, named, fs)
        return refused.notice if refused is not None else ""


def locks_of_scripts(
    trust: Trust, jobs: Iterable[tuple[HookSpec, HookJob | None]], reader: Reader, fs: FileSystem
) -> list[TrustLock]:
    """Return the locks of the scripts that the hooks of a project name."""
    events_by_lock: dict[tuple[str, str, bool], set[str]] = {}
    for spec, job in jobs:
        if spec.origin.scope != "project":
            continue
        if job is None:
            refused: TrustLock | None = TrustLock(str(spec.origin), "the scripts that its command runs are unknown", ())
        else:
            refused, _ = trust.check_scripts(job, reader.named(job, fs, trust.expects), fs)
        if refused is not None:
            events_by_lock.setdefault((refused.file, refused.message, refused.is_open), set()).add(spec.event)
    return [TrustLock(file, why, events, is_open=is_open) for (file, why, is_open), events in events_by_lock.items()]


def effective_trust_option(option: object, env: Mapping[str, str]) -> object:
    """Return the effective value of ``trust_project`` in an environment."""
    return True if option == STORE and env.get(VARIABLE) == "1" else option
