"""One call of ``Shell.run``: what everything in it shares."""

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
from ..fs.gated import Gated
from ..limits import Limits
from ..streams.base import Stream
from ..streams.fds import FdTable

if TYPE_CHECKING:
    from ..host.base import Host, Process
    from ..host.plumbing import Plumbing
    from ..notice import Notice
    from .context import Task
    from .evaluator import Evaluator
    from .jobs import Job

MEASURE_EVERY = 64 * 1024 * 1024

# What only this library does not run (``Run.notice``).
REFUSED = "refused"
TOO_LARGE = "too_large"


_runs = itertools.count(1)
_making = Lock()


class Files:
    """What the files of a run are made of, for the first look at one: most guards look at none.

    fs        those of the shell
    pinned    path -> content that the script reads there, whatever lies there now
    terminal  whether this process's terminal is the run's
    """

    __slots__ = ("_fs", "_pinned", "_terminal")

    def __init__(self, fs: FileSystem, pinned: Mapping[str, bytes] | None, terminal: bool) -> None:
        self._fs = fs
        self._pinned = pinned
        self._terminal = terminal

    def made(self, gate: Gate, scope: CancelScope, limits: Limits, processes: bool) -> Gated:
        """Return the files of one run. ``processes``: whether it sees others in ``/proc``."""
        fs = self._fs
        bind = getattr(fs, "bind", None)
        if bind is not None:
            bound = bind(scope, gate, processes=processes, terminal=self._terminal)
            fs = bound if processes else bound.unswapped()
        if self._pinned:
            from ..fs.pinned import Pinned

            fs = Pinned(fs, self._pinned)
        return Gated(fs, gate, scope, limits)


class Run:
    """The shared half of a run: host, files, gate, limits, children, notices."""

    __slots__ = (
        "_cookie",
        "_files",
        "_fs",
        "_number",
        "_numbers",
        "_resident",
        "_plumbing",
        "children",
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
        "kept",
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

    def __init__(  # its caller gives all of them by position: keywords take a tenth of the time of the shortest run
        self,
        host: Host,
        files: Files,
        gate: Gate,
        scope: CancelScope,
        limits: Limits,
        registry: Registry,
        spawn: bool,
        conditions: Callable[..., bool],
        evaluator: Evaluator,
        scripts: str = "auto",
        prefer_host: frozenset[str] = frozenset(),
    ) -> None:
        self.host = host
        self._files = files
        self._fs: Gated | None = None
        self.gate = gate
        self.scope = scope
        self.limits = limits
        self.registry = registry
        self.spawn = spawn
        self.conditions = conditions  # test's evaluation, handed in: utilities lie below this room
        self.evaluator = evaluator  # likewise what runs and expands text
        self.scripts = scripts
        self.prefer_host = prefer_host
        self._numbers = itertools.count(host.pid_base + 2)
        self.parent_pid = host.pid_base
        self.pid = host.pid_base + 1  # $$: known to our kill and wait only (rule 3)
        self.children: dict[int, Process] = {}  # by virtual pid
        self.jobs: dict[int, Job] = {}  # in-process jobs by virtual pid
        self.notices: list[Notice] = []
        self.own: tuple[str, Notice] | None = (
            None  # the first thing that did not run because of us: why, and its notice
        )
        self.main: Task | None = None
        self._plumbing: Plumbing | None = None
        self._number = next(_runs)
        self._cookie = ""  # in a worker: that of the run which has it
        self.stdin: Stream | None = None  # what the shell itself reads
        self.felled = False  # a child died of our TERM or KILL
        self.fault = ""  # why the main text could not be run to its end, where it is at fault itself
        self.kept: dict[str, Any] = {}  # what utilities remember for the next call (command/direct.py)
        self.started = monotonic()
        self.commands = 0  # counted only where the run is watched
        self.grown = 0  # bytes of values made since memory was last measured
        self._resident: int | None = None
        self.crowd = Crowd()
        self.trapped: frozenset[str] = frozenset()  # signals that the main shell traps now
        self.substitutions: list[tuple[FdTable, int]] = []  # process substitutions not yet let go of

    @property
    def fs(self) -> Gated:
        """The files, as this run may see and change them."""
        if self._fs is None:
            made = self._files.made(self.gate, self.scope, self.limits, self.spawn)
            with _making:
                if self._fs is None:  # else another job has looked at the same time: both count in one
                    self._fs = made
        return self._fs

    def next_pid(self) -> int:
        """Return a fresh virtual pid."""
        return next(self._numbers)

    def grew(self, size: int) -> None:
        """Count the bytes of a value that was made (small ones need not be told), and measure memory now and then.

        Nobody can say which values are still held, but the system knows what the process takes. The first measurement,
        64 MiB on, is what later ones are compared with.
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
        """Count one command or loop turn, where Limits.commands bounds them; in a crowd of threads take turns."""
        self.crowd.take_turn()
        self.commands += 1
        if self.commands > self.limits.commands > 0:
            raise Stop("limit", f"the run has more than {self.limits.commands} commands", "commands")

    @property
    def cookie(self) -> str:
        """What marks the processes of this run (ADR 2); the same for every thread that asks, and few runs ask."""
        return self._cookie or f"{self.host.getpid()}.{self._number}.{id(self):x}"

    @cookie.setter
    def cookie(self, text: str) -> None:
        self._cookie = text

    @property
    def plumbing(self) -> Plumbing:
        """What joins streams and native children; made for the first child."""
        plumbing = self._plumbing
        if plumbing is None:
            from ..host.plumbing import Plumbing

            # A background job may start its first child at this moment, and nobody would sync or close a second one.
            with self.gate:
                plumbing = self._plumbing
                if plumbing is None:
                    plumbing = self._plumbing = Plumbing(self.host, self.scope, self.gate)
        return plumbing

    def go_on_under(self, scope: CancelScope) -> Plumbing | None:
        """Go on under another scope; gives the plumbing so far, which ends with the old one and is the caller's to close."""
        self.scope = scope
        old, self._plumbing = self._plumbing, None
        return old

    @property
    def plumbed(self) -> Plumbing | None:
        """The plumbing if there was any child."""
        return self._plumbing

    def notice(
        self,
        what: str,
        kind: str,
        *,
        command: str = "",
        mend: str = "",
        status: int = 0,
        fault: bool = True,
        own: str = "",
    ) -> None:
        """Tell the caller of the run something (each text once); the fields are those of ``Notice``.

        ``fault``: a part of the script did not run. ``own``: it would have run outside of this library; ``refused`` (no
        process may be started), ``too_large`` (no process can be given its input).
        """
        from ..notice import OWN, STRICT, Notice

        decides = OWN if own else STRICT if fault else None
        said = Notice(what, kind, fault=decides, command=command, mend=mend, status=status)
        if said not in self.notices:
            self.notices.append(said)
        elif decides:
            self.notices[self.notices.index(said)] = said  # it may have been told before as no fault
        if own and self.own is None:
            self.own = (own, said)
