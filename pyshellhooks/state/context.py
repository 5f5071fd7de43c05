"""The state of a shell and of a run, through which compiled closures access everything else.

``Run``   one call of ``Shell.run``: host, files, gate, limits, processes, notices. Shared by all its contexts.
``Task``  one thread of control that can be stopped on its own: the run itself, or one background job.
``ExecutionContext``  one shell environment (POSIX XCU 2.12). A subshell is a ``subshell()`` of it: cheap, because one
that the shell waits for shares its state, and copies a part only before it changes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..cancel import CancelScope, check_cancelled, set_active_scope
from ..errors import Stop
from ..limits import Limits
from ..streams.fds import FdTable
from ..text import encode
from . import variables
from .descriptors import DescriptorFS
from .environment import Environment
from .variables import Table, Var, for_job, for_subshell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..syntax.nodes import Command, Function
    from .jobs import JobTable
    from .run import Run

# Letters of ``set`` to attribute names; the other options of ``set -o`` are in ``shopts`` under their names.
OPTION_LETTERS = {
    "a": "allexport",
    "C": "noclobber",
    "e": "errexit",
    "f": "noglob",
    "n": "noexec",
    "u": "nounset",
    "v": "verbose",
    "x": "xtrace",
}
OPTION_ATTRIBUTES = (*OPTION_LETTERS.values(), "pipefail")

# Traps that functions and subshells inherit only under an option.
TRACED = {"DEBUG": "functrace", "ERR": "errtrace", "RETURN": "functrace"}

WATCHED = object()


class Task:
    """A thread of control that can be stopped: closures read only ``stop``, at each command and loop iteration.

    ``stop`` differs from ``idle`` if there is a cancel or a signal to handle (see ``traps.handle_stop``). ``idle`` is None,
    or ``WATCHED`` if the run is watched. ``sheds``: the context whose next redirections are those of its whole
    command; the replaced streams are released, so that a job with another output holds no pipe (bash).
    """

    __slots__ = ("idle", "pending", "scope", "sheds", "stop")

    def __init__(self, scope: CancelScope, watched: bool = False) -> None:
        self.pending: list[int] = []
        self.sheds: ExecutionContext | None = None
        self.idle = self.stop = WATCHED if watched else None
        self.scope = scope
        scope._add(self._wake)

    def _wake(self) -> None:
        self.stop = self.scope.stop

    def check(self) -> None:
        """Raise ``Stop`` if the task was cancelled."""
        if self.scope.stop is not None:
            self.scope.check()

    def signal(self, number: int) -> None:
        """Deliver a virtual signal, which is handled at the next command."""
        self.pending.append(number)
        if self.stop is self.idle:
            self.stop = self

    def watch(self) -> None:
        """Attend to each command from now on (``Run.is_watched``)."""
        self.idle = WATCHED
        if self.stop is None:
            self.stop = self.scope.stop or WATCHED

    def move(self, scope: CancelScope) -> None:
        """Continue under another scope (the grace of a cancelled one). Called on the thread of this task."""
        set_active_scope(scope)
        self.scope = scope
        self.stop = self if self.pending else self.idle
        scope._add(self._wake)

    def close(self) -> None:
        """Detach from the scope."""
        self.scope._remove(self._wake)


class FunctionDefinition:
    """A function of the shell: its compiled body, and the place of its definition."""

    __slots__ = ("body", "line", "name", "node", "source")

    def __init__(
        self, name: str, node: Function, body: Callable[[ExecutionContext], int], source: str, line: int
    ) -> None:
        self.name = name
        self.node = node
        self.body = body
        self.source = source
        self.line = line


class Frame:
    """One function call (or sourced file), with the values to restore at its end.

    ``owner`` is that of its context: a subshell copies its parent's frames before it changes one.
    """

    __slots__ = ("args_set", "function", "line", "name", "options", "owner", "parent", "saved", "source", "temporary")

    def __init__(
        self, name: str, parent: Frame | None, line: int, source: str, function: bool = True, owner: object = None
    ) -> None:
        self.name = name
        self.parent = parent
        self.line = line  # the line of the call
        self.source = source  # the name of the text that defines it
        self.function = function
        self.saved: dict[str, tuple[str | Var | None, bool]] = {}
        self.temporary: frozenset[str] = frozenset()  # names bound by ``x=1 f``
        self.args_set = False  # ``set --`` ran in it
        self.options: dict[str, Any] | None = None  # ``local -``
        self.owner = owner

    def copy(self, owner: object) -> Frame:
        """Return an independent copy for another owner."""
        new = Frame(self.name, self.parent, self.line, self.source, self.function, owner)
        new.saved, new.temporary = self.saved.copy(), self.temporary
        new.args_set, new.options = self.args_set, self.options
        return new

    def enclosing(self) -> Frame | None:
        """Return the innermost frame of a function, this one or an outer one: sourced files have frames, too."""
        return next((frame for frame in outwards(self) if frame.function), None)

    def keep(self, ctx: ExecutionContext, name: str) -> None:
        """Save a name's value before it becomes local."""
        if name not in self.saved:
            self.saved[name] = (ctx.vars.get(name), name in ctx.exports)

    def restore(self, ctx: ExecutionContext, name: str) -> None:
        """Restore one name."""
        variables.restore_binding(ctx, name, *self.saved.pop(name))

    def keep_options(self, ctx: ExecutionContext) -> None:
        """Save the shell options, to restore them at the end (``local -``)."""
        if self.options is None:
            self.options = {name: getattr(ctx, name) for name in (*OPTION_ATTRIBUTES, "shopts")}

    def restore_options(self, ctx: ExecutionContext) -> None:
        """Restore the shell options, if they were saved."""
        for name, value in (self.options or {}).items():
            setattr(ctx, name, value)

    def restore_all(self, ctx: ExecutionContext) -> None:
        """Restore all names."""
        for name in list(self.saved):
            self.restore(ctx, name)


def without(table: dict[str, str], name: str) -> dict[str, str]:
    """Return a copy of a table without a name: tables that subshells share are replaced, never changed."""
    return {key: value for key, value in table.items() if key != name}


def outwards(frame: Frame | None) -> Iterator[Frame]:
    """Yield a frame and its outer frames, the innermost first."""
    while frame is not None:
        yield frame
        frame = frame.parent


class ExecutionContext:
    """One shell execution environment."""

    __slots__ = (
        "_fs",
        "aliases",
        "allexport",
        "arg0",
        "args",
        "arith_depth",
        "command",
        "command_string",
        "condition",
        "cwd",
        "debugging",
        "depth",
        "directories",
        "errexit",
        "exiting",
        "exported_functions",
        "exports",
        "exports_shared",
        "fds",
        "frame",
        "functions",
        "functions_shared",
        "readonly_functions",
        "disabled_builtins",
        "hashed",
        "hashed_path",
        "in_trap",
        "inherited_traps",
        "inverted",
        "jobs",
        "last_argument",
        "last_background",
        "level",
        "limits",
        "line",
        "loops",
        "name",
        "nesting",
        "noclobber",
        "noexec",
        "noglob",
        "nounset",
        "operands",
        "outer_jobs",
        "owner",
        "pid",
        "pipefail",
        "pipestatus",
        "run",
        "shell_pid",
        "shopts",
        "status",
        "substituted",
        "task",
        "trapped_command",
        "traps",
        "umask",
        "vars",
        "verbose",
        "xtrace",
    )

    arg0: str
    cwd: str
    exports: Set[str]
    exports_shared: bool  # whether they must be copied before a change
    last_background: int
    level: int
    line: int
    run: Run
    shell_pid: int
    status: int

    # Written out for speed and for the type checker; ``subshell`` copies them all.
    def __init__(self, run: Run, task: Task, fds: FdTable, cwd: str) -> None:
        self.run = run
        self.task = task
        self.fds = fds
        self._fs: DescriptorFS | None = None
        self.limits: Limits = run.limits
        self.cwd = cwd
        self.owner: object = fds  # the mark of Vars that may be changed here; not self: that would be a reference cycle
        self.vars: Table = {}
        self.exports, self.exports_shared = frozenset(), True
        self.exported_functions: frozenset[str] = frozenset()
        self.functions: dict[str, FunctionDefinition] = {}
        self.functions_shared = False
        self.readonly_functions: frozenset[str] = frozenset()
        self.disabled_builtins: frozenset[str] = frozenset()
        self.args: Sequence[str] = []
        self.arg0 = "bash"
        self.name = "bash"
        self.line = 0
        self.status = 0
        self.substituted: int | None = None  # status of the last $( ), for assignments
        self.pipestatus: list[int] | int | None = None  # a number: of a command that was not a pipeline
        self.command: Command | None = None  # BASH_COMMAND
        self.trapped_command: Command | str | None = None  # BASH_COMMAND in a trap: the interrupted one
        self.last_background = 0
        self.last_argument = ""  # $_
        self.condition = 0  # >0: a failure is being tested, errexit and ERR are off
        self.inverted = -1  # the depth of a command after `!`, whose failure triggers neither errexit nor ERR
        self.loops = self.depth = self.level = 0
        self.nesting = 0  # depth of evaluations: ``set -x`` repeats the first character of PS4 so often
        self.arith_depth = 0
        self.operands: list[int] = []  # the values of the expansions in the current arithmetic expression
        self.pid = run.pid
        self.shell_pid = 0  # $$ of a shell inside the run; 0: the run's own
        self.frame: Frame | None = None
        self.umask = 0o022
        self.directories: list[str] = []
        self.aliases: dict[str, str] = {}
        self.hashed: dict[str, str] = {}
        self.hashed_path: str | None = None  # the PATH for which ``hashed`` is valid
        self.traps: dict[str, str] = {}
        self.inherited_traps: dict[str, str] = {}  # the parent's: ``trap`` prints them until it sets one (POSIX)
        self.debugging = False  # whether there is a DEBUG trap that runs here
        self.command_string = True  # sh -c
        self.in_trap = False
        self.exiting: int | None = None  # while the EXIT trap runs: the status that the shell ends with
        self.jobs: JobTable | None = None
        self.outer_jobs: JobTable | None = None  # the parent's, for ``$(jobs -p)``
        self.shopts: frozenset[str] = DEFAULT_SHOPTS
        self.allexport = self.noclobber = self.errexit = self.noglob = self.noexec = False
        self.nounset = self.verbose = self.xtrace = self.pipefail = False

    @property
    def fs(self) -> DescriptorFS:
        """The run's files, in which ``/dev/fd`` has this environment's descriptors."""
        files = self._fs
        if files is None or files.fds is not self.fds:
            files = self._fs = DescriptorFS(self.run.fs, self.fds)
        return files

    # --- the interface of a direct call (command/direct.py), besides ``cwd``, ``fs`` and ``limits`` -----------------

    @property
    def env(self) -> Mapping[str, str]:
        """The exported variables."""
        return Environment(self)

    @property
    def scope(self) -> CancelScope:
        """The cancel scope of the task."""
        return self.task.scope

    @property
    def cache(self) -> dict[str, Any]:
        """Values that utilities keep for the next call."""
        return self.run.cache

    def path(self, name: str) -> str:
        """Return the absolute path of a name."""
        return self.fs.absolute(self.cwd, name)

    def subshell(self, *, waits: bool = False) -> ExecutionContext:  # noqa: PLR0915 - written out for speed
        """Return the context of a subshell. Raises ``Stop`` beyond ``Limits.call_depth``.

        ``waits``: this shell waits for the subshell's end. Then state is copied only before the subshell changes it.
        """
        new: ExecutionContext = ExecutionContext.__new__(ExecutionContext)
        new.run = self.run
        new.task = self.task
        new.fds = self.fds.copy()
        new._fs = None
        new.limits = self.limits
        new.cwd = self.cwd
        new.owner = new.fds
        new.frame = self.frame
        if waits:
            new.vars = for_subshell(self.vars)
            new.exports, new.functions = self.exports, self.functions
        else:
            new.vars = for_job(self.vars, new.owner)
            new.exports, new.functions = frozenset(self.exports), self.functions.copy()
            new.writable_frames()
        new.exports_shared = new.functions_shared = True
        new.exported_functions = self.exported_functions
        new.readonly_functions, new.disabled_builtins = self.readonly_functions, self.disabled_builtins
        new.args = self.args
        new.arg0 = self.arg0
        new.name = self.name
        new.line = self.line
        new.status = self.status
        new.substituted = None
        new.pipestatus = self.pipestatus
        new.command, new.trapped_command = self.command, self.trapped_command
        new.last_argument = self.last_argument
        new.last_background = self.last_background
        new.condition, new.inverted, new.operands = self.condition, -1, []
        new.loops = new.arith_depth = new.pid = 0
        new.exiting = None
        new.depth = self.depth + 1
        new.level = self.level + 1
        new.nesting = self.nesting
        new.umask = self.umask
        new.directories = self.directories
        new.aliases = self.aliases
        new.hashed, new.hashed_path = self.hashed, self.hashed_path
        new.traps, new.inherited_traps = self.traps, self.inherited_traps
        new.debugging = self.debugging
        new.command_string = self.command_string
        new.shell_pid = self.shell_pid
        new.in_trap = self.in_trap
        new.jobs, new.outer_jobs = None, self.jobs or self.outer_jobs
        new.shopts = self.shopts
        new.allexport = self.allexport
        new.noclobber = self.noclobber
        new.errexit = self.errexit
        new.noglob = self.noglob
        new.noexec = self.noexec
        new.nounset = self.nounset
        new.verbose = self.verbose
        new.xtrace = self.xtrace
        new.pipefail = self.pipefail
        if new.traps or new.inherited_traps:
            new._inherit_traps()
        if new.depth > self.limits.call_depth:
            raise Stop("limit", f"subshells nested deeper than {self.limits.call_depth}", "call_depth")
        return new

    def _inherit_traps(self) -> None:
        """Reset trapped signals to their defaults and keep ignored ones, as a subshell does (POSIX XCU 2.12)."""
        ignored = {name: action for name, action in self.traps.items() if action == ""}
        for name, option in TRACED.items():
            if name in self.traps and option in self.shopts:
                ignored[name] = self.traps[name]
        self.inherited_traps = {**self.inherited_traps, **self.traps}
        self.traps = ignored
        self.debugging = bool(ignored.get("DEBUG"))

    # --- messages --------------------------------------------------------------------------------------

    def write_error(self, text: str) -> None:
        """Write to the shell's stderr. Ignores ``OSError``."""
        stream = self.fds.entries.get(2)
        if stream is not None:
            with suppress(OSError):
                stream.write(encode(text))

    def write_stdout(self, text: str) -> None:
        """Write to stdout, for output whose errors bash ignores. Only ``BrokenPipeError`` is raised."""
        stream = self.fds.entries.get(1)
        if stream is not None:
            try:
                stream.write(encode(text))
            except BrokenPipeError:
                raise
            except OSError:
                pass

    def warn(self, message: str) -> None:
        """Write a message to stderr in bash's form: ``name: line n: message``."""
        check_cancelled()  # a builtin may have a message for each of a million operands
        self.write_error(f"{self.name}: line {self.line}: {message}\n")

    def writable_functions(self) -> dict[str, FunctionDefinition]:
        """Return the function table for a change; a shared one is copied first."""
        if self.functions_shared:
            self.functions = dict(self.functions)
            self.functions_shared = False
        return self.functions

    def writable_exports(self) -> set[str]:
        """Return the exported names for a change; shared ones are copied first."""
        if self.exports_shared:
            self.exports = set(self.exports)
            self.exports_shared = False
        assert isinstance(self.exports, set)
        return self.exports

    def writable_frames(self, *, inner: bool = False) -> Frame | None:
        """Return the innermost frame, after all frames are copied for a change if they are the parent's.

        ``inner``: copy only up to the frame of the innermost function call.
        """
        below: Frame | None = None
        frame = self.frame
        while frame is not None:
            if frame.owner is not self.owner:
                frame = frame.copy(self.owner)
                if below is None:
                    self.frame = frame
                else:
                    below.parent = frame
            if inner and frame.function:
                break
            below, frame = frame, frame.parent
        return self.frame

    def child_pid(self) -> int:
        """Return ``$BASHPID``, assigned at the first call."""
        if not self.pid:
            self.pid = self.run.next_pid()
        return self.pid


DEFAULT_SHOPTS = frozenset(
    {
        "braceexpand",
        "hashall",
        "checkwinsize",
        "interactive-comments",
        "cmdhist",
        "complete_fullquote",
        "extquote",
        "force_fignore",
        "globasciiranges",
        "globskipdots",
        "hostcomplete",
        "interactive_comments",
        "patsub_replacement",
        "progcomp",
        "promptvars",
        "sourcepath",
    }
)
