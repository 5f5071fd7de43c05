"""Cache of loaded engines: one for each project, system and environment, loaded again when a config changes."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..engine import HookEngine
from ..engine.config.host_context import joined, read_host_context
from ..engine.config.loading import led_to
from ..engine.executor import ShellExecutor
from ..engine.scripts.referenced_scripts import read_disk
from ..engine.sessions import SessionsById
from ..engine.trust.store import Store
from ..engine.trust.trust import HINT, Trust, TrustState
from ..errors import PyShellHooksError, message_of
from ..hooks.installed import beside
from .answering import Options

if TYPE_CHECKING:
    from ..hooks.dialect import Dialect

WRITING = 0.5  # seconds to wait for the end of a write to a config
RECENT = 10.0  # seconds in which an empty or missing config may be one that is being written: its events are denied
KEPT = 64  # cached engines; the least recently used one is dropped
FILES = 4096  # configs whose last state is remembered

Key = tuple[Options, str, frozenset[tuple[str, str]]]
State = tuple[int, ...]
Stamp = tuple[State, ...]


class ConfigChanging(PyShellHooksError):
    """The configs keep changing while they are read."""


class HooksChanged(PyShellHooksError):
    """Hooks that a person trusted have changed."""


class _CachedEngine:
    """An engine, the state of its configs when it was loaded, and the number of its running requests."""

    __slots__ = ("borrowers", "engine", "retired", "stamp")

    def __init__(self, engine: HookEngine, stamp: Stamp) -> None:
        self.engine = engine
        self.stamp = stamp
        self.borrowers = 0
        self.retired = False


class Engines:
    """Lends engines to requests. Safe to share between threads. A context manager that closes all engines at the end.

    stays  whether this process stays: then background work of a hook continues after the hook
    """

    def __init__(self, *, stays: bool = True) -> None:
        self._stays = stays
        self._lock = threading.Lock()
        self._cached: OrderedDict[Key, _CachedEngine] = OrderedDict()
        # By the name of their dialect. They outlive the engines, which a changed config replaces.
        self._sessions: dict[str, SessionsById] = {}
        self._seen: OrderedDict[str, State] = OrderedDict()  # the last state of the configs of all callers

    @contextmanager
    def borrowed(self, options: Options, cwd: str, env: Mapping[str, str]) -> Iterator[HookEngine]:
        """Yield the engine of a project. Raises ``ConfigError`` for an invalid config, ``OSError`` for a read error."""
        cached = self._acquire(options, cwd, env)
        try:
            yield cached.engine
        finally:
            with self._lock:
                cached.borrowers -= 1
                over = cached.retired and not cached.borrowers
            if over:
                cached.engine.close()

    def _acquire(self, options: Options, cwd: str, env: Mapping[str, str]) -> _CachedEngine:
        """Return the engine of a project with one more borrower; a new engine if its configs have changed."""
        key = (options, cwd, frozenset(env.items()))
        until = time.monotonic() + WRITING
        while True:
            with self._lock:
                cached = self._cached.get(key)
            stamp = self._stable_stamp(options, cwd, env, cached.stamp if cached is not None else None)
            with self._lock:
                cached = self._cached.get(key)
                if cached is not None and cached.stamp == stamp:
                    self._cached.move_to_end(key)
                    cached.borrowers += 1
                    return cached
            cached_engine = _CachedEngine(_new_engine(options, cwd, env, self._stays), stamp)
            sessions = cached_engine.engine.sessions
            with self._lock:
                sessions.by_id = self._sessions.setdefault(options.dialect.name, sessions.by_id)
            if _stamp(options, cwd, env) == stamp:
                return self._cache_new(key, cached_engine)
            cached_engine.engine.close()  # loaded in the middle of a change
            if time.monotonic() > until:
                raise ConfigChanging("the hooks can't be loaded: their configs keep changing")

    def _stable_stamp(self, options: Options, cwd: str, env: Mapping[str, str], known: Stamp | None) -> Stamp:
        """Return the state of the configs once none is being written: an editor first empties a file, or removes it.

        ``known`` is their state at this caller's last request. Whether a config existed before is known from requests
        of all callers, since another terminal has another environment. Raises ``ConfigChanging``.
        """
        until = time.monotonic() + WRITING
        while True:
            files = _files(options, cwd, env)
            stamp = tuple(map(_state, files))
            if known == stamp:
                return stamp
            states = dict(zip(files, stamp, strict=True))
            changing = [file for file in files if _is_being_written(file, self._last_state(file), states[file])]
            if not changing:
                self._remember(states)
                return stamp
            if time.monotonic() > until:
                raise ConfigChanging(f"the hooks can't be loaded: {changing[0]} was emptied or removed a moment ago")
            time.sleep(0.005)

    def _last_state(self, file: str) -> State:
        """Return the last state of a config for any caller; () if it did not exist."""
        with self._lock:
            for name in _names(file):
                state = self._seen.get(name)
                if state:
                    return state
        return ()

    def _remember(self, states: Mapping[str, State]) -> None:
        with self._lock:
            for file, state in states.items():
                for name in _names(file):
                    self._seen[name] = state
                    self._seen.move_to_end(name)
            while len(self._seen) > FILES:
                self._seen.popitem(last=False)

    def _cache_new(self, key: Key, cached_engine: _CachedEngine) -> _CachedEngine:
        cached_engine.borrowers = 1
        with self._lock:
            gone = [self._cached.pop(key)] if key in self._cached else []
            self._cached[key] = cached_engine
            while len(self._cached) > KEPT:
                gone.append(self._cached.popitem(last=False)[1])
            for engine in gone:
                engine.retired = True
            idle = [engine for engine in gone if not engine.borrowers]
        for engine in idle:
            engine.engine.close()
        return cached_engine

    def __len__(self) -> int:
        return len(self._cached)

    def __enter__(self) -> Engines:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all engines, even one that a request still uses: the caller has waited for requests, or drops them."""
        with self._lock:
            gone = list(self._cached.values())
            self._cached.clear()
        for engine in gone:
            engine.engine.close()


def _new_engine(options: Options, cwd: str, env: Mapping[str, str], stays: bool) -> HookEngine:
    engine = _load_engine(options, cwd, env)
    if not stays and isinstance(engine.executor, ShellExecutor):
        engine.executor.leaves_running = False
    return engine


def _load_engine(options: Options, cwd: str, env: Mapping[str, str]) -> HookEngine:
    if options.hook is not None:
        written_for, event, command = options.hook
        spec = written_for.added(event, command)
        spec.timeout = options.timeout or spec.timeout
        return HookEngine(written_for, [spec], cwd=cwd, env=env, strict=options.strict)
    if options.configs:
        named = _named_configs(options, cwd)
        # The files of --installed come last among those that the words name.
        end = len(options.configs)
        moved = named[end - len(options.installed) : end]
        trust = _trust_of(options.dialect, moved, cwd, env)
        engine = HookEngine.load(
            named,
            options.dialect,
            env=env,
            cwd=cwd,
            agent=options.agent,
            strict=options.strict,
            permissions=False,  # the agent applies its own rules
        )
        if trust is not None:
            for system in engine.systems:
                system.trust_state = TrustState(trust, system.dialect, ())
        return engine
    return HookEngine.discover(
        cwd,
        options.dialect,
        env=env,
        agent=options.agent,
        strict=options.strict,
        trust_project=True if options.trust_project else "store",
        permissions=False,
    )


def _trust_of(dialect: Dialect, files: Sequence[str], cwd: str, env: Mapping[str, str]) -> Trust | None:
    """Return the trust for scripts of hooks that ``serve --install`` moved, or None if nothing is trusted here.

    A file without trust counts, like one of ``--config``: the agent's settings name it. Raises ``HooksChanged`` for a
    file that was trusted and has changed, and if the record of trust can't be read.
    """
    if not files:
        return None
    trust = Trust.of(Store.of(env), read_host_context(cwd, env), [dialect])
    if trust.problem is not None:  # it is not known whether they have changed
        raise HooksChanged(f"can't read the project's record of trust: {trust.problem}; {HINT}")
    for file in files:
        try:
            data, why = read_disk(file), ""
        except OSError as error:
            data, why = None, message_of(error)
        for lock in trust.check_config(dialect, file, data, why)[1]:
            raise HooksChanged(str(lock.notice))
    if trust.record is None:
        return None
    return trust


def _stamp(options: Options, cwd: str, env: Mapping[str, str]) -> Stamp:
    """Return the state of the configs and of the trust in them, which differs after a change."""
    return tuple(map(_state, _files(options, cwd, env)))


def _files(options: Options, cwd: str, env: Mapping[str, str]) -> list[str]:
    if options.hook is not None:
        return []  # the words themselves have the hook
    records = f"{Store.of(env).directory}/projects"  # each record is written by an atomic rename
    if options.configs:
        named = _named_configs(options, cwd)
        return [*named, records] if options.installed else named
    places = options.dialect.all_places(read_host_context(cwd, env), at_times=False)
    # A file with a diagnostic is turned off; once it is turned on, the list has one more file, which is a change too.
    files = [file.path for file in places if file.diagnostic is None]
    return [*files, *map(beside, files), records]


def _named_configs(options: Options, cwd: str) -> list[str]:
    """Return the files that the words name, then those that these lead to."""
    named = [joined(cwd, config) for config in options.configs]
    for config in tuple(named):
        named += led_to(options.dialect, config)
    return named


def _is_being_written(file: str, before: State, now: State) -> bool:
    """Return whether a config has become empty recently, or a non-empty one has been removed recently."""
    if now and now[2] >= 0:
        return now[2] == 0 and _is_recent(now)
    if not before or before[2] <= 0:
        return False
    # The directory may be missing too, and if the config is a link, its target may be.
    return any(_is_recent(_state(_directory_of(path))) for path in (file, os.path.realpath(file)))


def _directory_of(path: str) -> str:
    """Return the nearest existing directory above a path."""
    directory = os.path.dirname(path)
    while directory != os.path.dirname(directory) and not os.path.isdir(directory):
        directory = os.path.dirname(directory)
    return directory


def _names(file: str) -> tuple[str, str]:
    """Return the path of a config as a caller spells it, and with its directory resolved: the same for all callers."""
    return file, os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file))


def _is_recent(state: State) -> bool:
    # The ctime changes with the name, the mode and the content: an old file may have been moved to this place.
    return bool(state) and time.time() - max(state[:2]) / 1e9 < RECENT


def _state(file: str) -> State:
    try:
        status = os.stat(file)
    except OSError:
        return ()
    # Windows reports the size 0 for every directory, which must not look like an empty file.
    size = -1 if stat.S_ISDIR(status.st_mode) else status.st_size
    return (status.st_mtime_ns, status.st_ctime_ns, size, status.st_ino, status.st_dev)
