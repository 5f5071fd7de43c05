"""The shared state of one call of ``Shell.run``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..cancel import CROWDED, CancelScope, Crowd, Gate, in_crowd
from ..command.registry import Registry
from ..errors import Stop
from ..fs.base import FileSystem
from ..fs.gated import GatedFS
from ..limits import Limits
from ..streams.base import Stream
from ..streams.fds import FdTable

if TYPE_CHECKING:
    from ..host.base import Host
    from ..host.pipe_bridge import PipeBridges
    from ..notice import Notice
    from .context import Task
    from .evaluator import Evaluator
    from .jobs import Job

MEASURE_EVERY = 64 * 1024 * 1024

# Reasons why only this library does not run a command (``Run.notice``).
REFUSED = "refused"
TOO_LARGE = "too_large"


_runs = itertools.count(1)
_making = Lock()


class Files:
    """The parts of a run's file system, which is created at the first access: most guards read no file.

    fs        the file system of the shell
    pinned    path -> content that the script reads there, whatever the file contains now
    terminal  whether the run may open this process's terminal
    """

    __slots__ = ("_fs", "_pinned", "_terminal")

    def __init__(self, fs: FileSystem, pinned: Mapping[str, bytes] | None, terminal: bool) -> None:
        self._fs = fs
        self._pinned = pinned
        self._terminal = terminal

    def create(self, gate: Gate, scope: CancelScope, limits: Limits, processes: bool) -> GatedFS:
        """Return the file system of one run. ``processes``: whether it sees other processes in ``/proc``."""
        fs = self._fs
        bind = getattr(fs, "bind", None)
        if bind is not None:
            bound = bind(scope, gate, processes=processes, terminal=self._terminal)
            fs = bound if processes else bound.race_free_view()
        if self._pinned:
            from ..fs.pinned import PinnedFS

            fs = PinnedFS(fs, self._pinned)
        return GatedFS(fs, gate, scope, limits)


class RunSettings:
    """The parts of a run that are the same for every run of a shell."""

    __slots__ = ("conditions", "evaluator", "host", "limits", "prefer_host", "registry", "scripts", "spawn")

    def __init__(
        self,
        *,
        host: Host,
        limits: Limits,
        registry: Registry,
        spawn: bool,
        conditions: Callable[..., bool],
        evaluator: Evaluator,
        scripts: str = "auto",
        prefer_host: frozenset[str] = frozenset(),
    ) -> None:
        self.host = host
        self.limits = limits
        self.registry = registry
        self.spawn = spawn
        self.conditions = conditions  # the evaluation of test(1), passed in because this room can't import utilities
        self.evaluator = evaluator  # passed in because this room can't import the interpreter
        self.scripts = scripts
        self.prefer_host = prefer_host


class Run:
    """The state that all contexts of a run share: host, files, gate, limits, jobs, notices."""

    __slots__ = (
        "_cookie",
        "_files",
        "_fs",
        "_number",
        "_numbers",
        "_resident",
        "_pipe_bridges",
        "conditions",
        "crowd",
        "evaluator",
        "commands",
        "fault",
        "felled",
        "gate",
        "grown",
        "host",
        "jobs",
        "cache",
        "limits",
        "main",
        "notices",
        "own",
        "parent_pid",
        "pid",
        "prefer_host",
        "registry",
        "scope",
        "scripts",
        "spawn",
        "started",
        "stdin",
        "substitutions",
        "trapped",
    )

    pid: int

    def __init__(self, settings: RunSettings, *, files: Files, gate: Gate, scope: CancelScope) -> None:
        self.host = host = settings.host
        self._files = files
        self._fs: GatedFS | None = None
        self.gate = gate
        self.scope = scope
        self.limits = settings.limits
        self.registry = settings.registry
        self.spawn = settings.spawn
        self.conditions = settings.conditions
        self.evaluator = settings.evaluator
        self.scripts = settings.scripts
        self.prefer_host = settings.prefer_host
        self._numbers = itertools.count(host.pid_base + 2)
        self.parent_pid = host.pid_base
        self.pid = host.pid_base + 1  # $$: only valid for our kill and wait (rule 3)
        self.jobs: dict[int, Job] = {}  # in-process jobs by virtual pid
        self.notices: list[Notice] = []
        self.own: tuple[str, Notice] | None = (
            None  # the reason and the notice of the first command that only this library did not run
        )
        self.main: Task | None = None
        self._pipe_bridges: PipeBridges | None = None
        self._number = next(_runs)
        self._cookie = ""  # in a worker: the cookie of the host's run
        self.stdin: Stream | None = None  # the input that the shell itself reads
        self.felled = False  # whether a child died of our TERM or KILL
        self.fault = ""  # the error in the main text that kept it from running to its end
        self.cache: dict[str, Any] = {}  # values that utilities keep for the next call (command/direct.py)
        self.started = monotonic()
        self.commands = 0  # counted only if the run is watched
        self.grown = 0  # bytes of values made since memory was last measured
        self._resident: int | None = None
        self.crowd = Crowd()
        self.trapped: frozenset[str] = frozenset()  # signals that the main shell traps now
        self.substitutions: list[tuple[FdTable, int]] = []  # open process substitutions

    @property
    def fs(self) -> GatedFS:
        """The file system of the run, with its gate and limits."""
        if self._fs is None:
            files = self._files.create(self.gate, self.scope, self.limits, self.spawn)
            with _making:
                if self._fs is None:  # otherwise another job was faster; both must count in one object
                    self._fs = files
        return self._fs

    def next_pid(self) -> int:
        """Return a fresh virtual pid."""
        return next(self._numbers)

    def grew(self, size: int) -> None:
        """Count the bytes of a new value (small ones can be left out), and measure the memory at every 64 MiB.

        The values that are still referenced are not known, but the resident memory of the process is. Later
        measurements are compared with the first. Raises ``Stop`` beyond ``Limits.memory``.
        """
        self.grown += size
        if self.grown < MEASURE_EVERY:
            return
        self.grown = 0
        resident = self.host.resident()
        if resident is None:
            return
        if self._resident is None:
            self._resident = resident
        elif resident - self._resident > self.limits.memory:
            raise Stop("limit", f"the run takes more than {self.limits.memory} bytes of memory", "memory")

    def start_thread(self, work: Callable[[], None], task: Task) -> None:
        """Run a part of the script on a thread of its own, under the scope of ``task``.

        All that lets commands run beside each other comes here, because they multiply in every mixture: a pipeline in a
        process substitution in a job. Raises ``Stop`` at ``Limits.threads``: each thread more makes the host's own wait
        longer for their turn, and the end of the run later. Threads of a crowd take turns from then on.
        """
        from ..host import threads

        threads_now = self.crowd.enter(self.limits.threads)
        if self.is_watched:
            task.watch()
        if threads_now == CROWDED + 1:
            self._watch_all()

        def counted() -> None:
            try:
                with in_crowd(self.crowd):
                    work()
            finally:
                self.crowd.leave()

        try:
            threads.start(counted, task.scope)
        except Stop:
            self.crowd.leave()
            raise

    def _watch_all(self) -> None:
        for job in list(self.jobs.values()):
            job.task.watch()
        if self.main is not None:
            self.main.watch()

    @property
    def is_watched(self) -> bool:
        """Whether each command and loop turn is attended to: commands are counted, or threads take turns."""
        return self.limits.commands > 0 or self.crowd.threads > CROWDED

    def count_command(self) -> None:
        """Count one command or loop iteration, and take turns in a crowd. Raises ``Stop`` beyond ``Limits.commands``."""
        self.crowd.take_turn()
        self.commands += 1
        if self.commands > self.limits.commands > 0:
            raise Stop("limit", f"the run has more than {self.limits.commands} commands", "commands")

    @property
    def cookie(self) -> str:
        """The mark of this run's processes (ADR 2). Computed, since few runs need it; equal in every thread."""
        return self._cookie or f"{self.host.getpid()}.{self._number}.{id(self):x}"

    @cookie.setter
    def cookie(self, text: str) -> None:
        self._cookie = text

    @property
    def pipe_bridges(self) -> PipeBridges:
        """The pipes between streams and native children, created for the first child."""
        pipe_bridges = self._pipe_bridges
        if pipe_bridges is None:
            from ..host.pipe_bridge import PipeBridges

            # A background job may start its first child at the same time, and second bridges would never be closed.
            with self.gate:
                pipe_bridges = self._pipe_bridges
                if pipe_bridges is None:
                    pipe_bridges = self._pipe_bridges = PipeBridges(self.host, self.scope, self.gate)
        return pipe_bridges

    def move_to_scope(self, scope: CancelScope) -> PipeBridges | None:
        """Continue under another scope. Return the previous bridges, which the caller must close, or None."""
        self.scope = scope
        old, self._pipe_bridges = self._pipe_bridges, None
        return old

    @property
    def open_pipe_bridges(self) -> PipeBridges | None:
        """The bridges, or None if the run has had no child."""
        return self._pipe_bridges

    def notice(
        self,
        what: str,
        kind: str,
        *,
        command: str = "",
        hint: str = "",
        status: int = 0,
        fault: bool = True,
        own: str = "",
    ) -> None:
        """Add a notice to the run's result, each text once; the fields are those of ``Notice``.

        ``fault``: a part of the script did not run. ``own``: the reason if it would have run outside of this library:
        ``refused`` (the run may not start processes), ``too_large`` (no process can take its input).
        """
        from ..notice import OWN, STRICT, Notice

        decides = OWN if own else STRICT if fault else None
        notice = Notice(what, kind, fault=decides, command=command, hint=hint, status=status)
        if notice not in self.notices:
            self.notices.append(notice)
        elif decides:
            self.notices[self.notices.index(notice)] = notice  # the earlier one may not be a fault
        if own and self.own is None:
            self.own = (own, notice)
