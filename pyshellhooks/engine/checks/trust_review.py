"""The files that a person is to trust: a project's configs and the scripts that they name, each read once.

The bytes that the person sees are those whose hashes are stored.
"""

from __future__ import annotations

import os
import stat as modes
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ... import dialects
from ...errors import Diagnostic, message_of
from ...hooks.dialect import Dialect, HostContext
from ...hooks.model import HookJob, HookSpec
from ..config import loading
from ..config.discovery import hook_files, host_contexts
from ..config.host_context import environment, read_host_context, working_directory
from ..scripts.referenced_scripts import Project, Reader, read_disk
from ..trust.store import CONFIG, SCRIPT, WORKTREE, Record, Store, TrustedFile, UnreadableRecord, hash_of
from ..trust.trust import Trust, project_at, sample_jobs

if TYPE_CHECKING:
    from ...fs.base import FileSystem

TRUSTED, KNOWN, NEW, CHANGED, MISSING, UNREADABLE = "trusted", "known", "new", "changed", "missing", "unreadable"


class Item:
    """One file: its path in the project, and its state of trust.

    ``state``: ``trusted``; ``known`` (trusted in another project under this path, or here before it went missing);
    ``new``; ``changed`` (``before`` is the content that was trusted last, if the store still has it); ``missing``;
    ``unreadable`` (``message``). ``events``: dialect -> native events of the hooks that are defined in it or name it.
    ``needed``: as long as it is missing, these events are denied.
    """

    __slots__ = ("before", "data", "events", "kind", "message", "name", "needed", "state")

    def __init__(self, name: str, kind: str, state: str, data: bytes | None = None, message: str = "") -> None:
        self.name = name
        self.kind = kind
        self.state = state
        self.data = data
        self.before: bytes | None = None
        self.message = message
        self.events: dict[str, set[str]] = {}
        self.needed = kind == SCRIPT

    @property
    def fine(self) -> bool:
        """Return whether its hooks run without a further decision of a person."""
        return self.state in (TRUSTED, KNOWN)

    def as_json(self) -> dict[str, object]:
        """Return the item as a JSON object."""
        events = {name: sorted(found) for name, found in self.events.items()}
        return {"file": self.name, "kind": self.kind, "state": self.state, "events": events, "why": self.message}


class Survey:
    """The files of one project, and their changes since ``trust`` ran last."""

    def __init__(
        self, cwd: str | None, env: Mapping[str, str] | None, agent: str, mounts: Mapping[str, FileSystem | str]
    ) -> None:
        variables = environment(env)
        self._place = read_host_context(working_directory(cwd, None), variables)
        self.project: Project = project_at(self._place.worktree or self._place.cwd)
        self.store = Store.of(variables)
        self.problem: UnreadableRecord | None = None  # the record exists but can't be read
        self.record: Record | None = None
        try:
            self.record = self.store.record(self.project.real)
        except UnreadableRecord as problem:
            self.problem = problem
        self.trust = Trust(self.store, self.project, self.record)
        found = Trust.of(self.store, self._place, [dialects.get(name) for name in dialects.names()])
        self.outer = found.project.real if found.moved else ""  # the project that this was trusted as a part of
        self.items: dict[str, Item] = {}
        self.untold: dict[str, None] = {}  # commands that run files which the text does not determine
        self.said: list[Diagnostic] = []
        self._mounts = mounts
        self._reader = Reader(self.project)
        around = host_contexts(self._place.cwd, variables, {}, None)
        for name in dialects.names():
            self._system(dialects.get(name), agent, around)
        self._gone()

    def _system(self, dialect: Dialect, agent: str, around: Callable[[loading.Configuration], HostContext]) -> None:
        """Add the files of one system."""
        sources = self._configs(dialect)
        if not sources:
            return
        whole = loading.load(dialect, sources, agent)
        recorded = any(dialect.name in file.events for file in self._files().values())
        guarded = loading.guarded(dialect, sources, whole, agent)
        guards_events = any(guarded.values())
        if not guards_events and not whole.errors and not recorded:
            for source in sources:  # a file without hooks
                self.items.pop(self.project.relative(source.name) or "", None)
            return
        self.said += whole.errors
        for file, events in guarded.items():
            item = self.items.get(self.project.relative(file) or "")
            if item is not None and events:
                item.events.setdefault(dialect.name, set()).update(events)
        off = [row.spec for row in whole.left_out if row.spec is not None and not row.reported]  # may be enabled again
        self._scripts(dialect, sample_jobs(dialect, [*whole.specs, *off], around(whole), everywhere=True))

    def _files(self) -> dict[str, TrustedFile]:
        if self.record is None or self.record.revoked:
            return {}
        return self.record.files

    def _configs(self, dialect: Dialect) -> list[loading.Source]:
        """Read the configs of a system that are in the project."""
        found: list[loading.Source] = []
        for file in dialect.all_places(self._place, at_times=False):
            if file.scope != "project" or not file.supported:
                continue
            if file.diagnostic is not None or not os.path.isfile(file.path):
                continue
            source = self._config(file.path)
            if source is None:
                continue
            source.at(file)
            found.append(source)
            moved = loading.moved_to(dialect, source)
            ours = self._config(moved) if moved else None
            if ours is not None:
                found.append(ours)
        return found

    def _config(self, path: str) -> loading.Source | None:
        """Read one config and add its item; return None if it is outside the project or can't be read."""
        name = self.project.relative(path)
        if name is None:
            return None
        try:
            data = read_disk(path)
        except FileNotFoundError:
            self.items[name] = Item(name, CONFIG, MISSING)
            return None
        except OSError as error:
            self.items[name] = Item(name, CONFIG, UNREADABLE, message=message_of(error))
            return None
        self._add(name, CONFIG, data)
        return loading.source_of(path, data, "project")

    def _scripts(self, dialect: Dialect, jobs: Iterable[tuple[HookSpec, HookJob | None]]) -> None:
        fs = hook_files(dialect, None, self._mounts)
        for spec, job in jobs:
            if job is None:
                self.untold[spec.title] = None
                continue
            named = self._reader.named(job, fs, self.trust.expects)
            self.untold.update(dict.fromkeys(named.untold))
            for script in named.scripts:
                item = self.items.get(script.key)
                if item is None:
                    try:
                        item = self._add(script.key, SCRIPT, self.project.content(fs, script.path)[0])
                    except FileNotFoundError:
                        item = self.items[script.key] = Item(script.key, SCRIPT, MISSING)
                        item.needed = not script.expected
                    except OSError as error:
                        item = Item(script.key, SCRIPT, UNREADABLE, message=message_of(error))
                        self.items[script.key] = item
                item.events.setdefault(dialect.name, set()).add(spec.event)
            lock = self.trust.check_scripts(job, named, fs)[0]
            config = self.items.get(self.project.relative(spec.origin.file) or "")
            if lock is None or not lock.is_open:
                continue
            if config is not None and config.state == KNOWN:
                config.state, config.message = NEW, lock.message

    def _add(self, name: str, kind: str, data: bytes) -> Item:
        known = self._files().get(name)
        if known is None or not known.hashes:
            elsewhere = self.record is None and self.trust.allows(name, hash_of(data))
            item = Item(name, kind, KNOWN if elsewhere else NEW, data)
        elif hash_of(data) in known.hashes:
            item = Item(name, kind, TRUSTED if known.present else KNOWN, data)
        else:
            item = Item(name, kind, CHANGED, data)
            item.before = self.store.content(known.hashes[-1])
        self.items[name] = item
        return item

    def _gone(self) -> None:
        """Add the configs that were trusted and are now missing or unreadable."""
        for name, file in self._files().items():
            if name in self.items:
                continue
            if file.kind != CONFIG or not file.present:
                continue
            state, why = _state(f"{self.project.path.rstrip('/')}/{name}")
            if state:
                item = self.items[name] = Item(name, CONFIG, state, message=why)
                item.events = {dialect: set(events) for dialect, events in file.events.items()}

    @property
    def trusted(self) -> bool:
        """Return whether nothing of the project is left out or locked."""
        if self.problem is not None or self.outer:
            return False
        return all(item.fine for item in self.items.values())

    def keep(self) -> None:
        """Trust the contents that were read, and accept that missing configs are gone. Raises OSError."""
        files = dict(self._files())
        for item in self.items.values():
            if item.data is not None:
                file = files.setdefault(item.name, TrustedFile(item.kind))
                file.now(hash_of(item.data), item.events)
            elif item.state == MISSING and item.name in files:
                files[item.name].present = False  # if it comes back unchanged, it is trusted
        contents = [item.data for item in self.items.values() if item.data is not None]
        known = [] if self.record is None else self.record.directories
        below = self.project.relative(self._place.cwd)
        directories = [*known, *([below] if below is not None else []), *([WORKTREE] if self._place.worktree else [])]
        self.store.write(Record(self.project.real, files, directories=directories), contents)

    def revoke(self) -> None:
        """Trust nothing of this project any more, whatever its content. Raises OSError."""
        self.store.write(Record(self.project.real, revoked=True))


def _state(path: str) -> tuple[str, str]:
    """Return ``missing`` or ``unreadable`` and the system's message if a path can't be read; else two times ``""``."""
    try:
        return ("", "") if modes.S_ISREG(os.stat(path).st_mode) else (MISSING, "it is not a regular file")
    except (FileNotFoundError, NotADirectoryError):
        return MISSING, ""
    except OSError as error:
        return UNREADABLE, message_of(error)
