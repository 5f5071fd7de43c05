"""The state of a shell and of a run: the only door that closures have to the world.

``Run``   one call of ``Shell.run``: host, files, gate, limits, processes, notices. Shared by everything in it.
``Task``  one line of control that can be stopped on its own: the run itself, or one background job.
``ExecutionContext``  one shell environment (POSIX XCU 2.12). A subshell is a ``subshell()`` of it: cheap, because what
the shell waits for shares everything with it, and copies what it changes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..cancel import CancelScope, answering, ask
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

# Letters of ``set`` to attribute names; the rest of ``set -o`` lives in ``shopts`` under its own name.
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

# What functions and subshells inherit only under an option.
TRACED = {"DEBUG": "functrace", "ERR": "errtrace", "RETURN": "functrace"}

WATCHED = object()


class Task:
    """What can be stopped: ``stop`` is the one slot that closures read at each command and loop turn.

    It holds ``None``, or anything at all when there is something to attend to (see ``traps.attend``); ``idle`` is what
    it holds when there is not: ``None``, but where the run is watched. ``sheds``: the next redirections of this context
    are its whole command's, and what they replace is let go: a job that writes elsewhere holds no pipe (bash).
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
        """Deliver a virtual signal: the next command attends to it."""
        self.pending.append(number)
        if self.stop is self.idle:
            self.stop = self

    def watch(self) -> None:
        """Attend to each command from now on (``Run.is_watched``)."""
        self.idle = WATCHED
        if self.stop is None:
            self.stop = self.scope.stop or WATCHED

    def move(self, scope: CancelScope) -> None:
        """Go on under another scope (the grace of a cancelled one), on the thread of this task."""
        answering(scope)
        self.scope = scope
        self.stop = self if self.pending else self.idle
        scope._add(self._wake)

    def close(self) -> None:
        """Let go of the scope."""
        self.scope._remove(self._wake)


class FunctionDefinition:
    """A function as it stands in the table: its body compiled, and where it was written."""

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
    """One function call (or sourced file): what to put back when it ends.

    ``owner`` is that of the context whose it is: a subshell copies the frames that it is in before it changes one.
    """

    __slots__ = ("args_set", "function", "line", "name", "options", "owner", "parent", "saved", "source", "temporary")

    def __init__(
        self, name: str, parent: Frame | None, line: int, source: str, function: bool = True, owner: object = None
    ) -> None:
        self.name = name
        self.parent = parent
        self.line = line  # where it was called
        self.source = source  # the name of the text that it is defined in
        self.function = function
        self.saved: dict[str, tuple[str | Var | None, bool]] = {}
        self.temporary: frozenset[str] = frozenset()  # names bound by ``x=1 f``
        self.args_set = False  # ``set --`` ran in it
        self.options: dict[str, Any] | None = None  # ``local -``
        self.owner = owner

    def copy(self, owner: object) -> Frame:
        """Return an independent one."""
        new = Frame(self.name, self.parent, self.line, self.source, self.function, owner)
        new.saved, new.temporary = self.saved.copy(), self.temporary
        new.args_set, new.options = self.args_set, self.options
        return new

    def enclosing(self) -> Frame | None:
        """Return the innermost function call that this is or lies in: sourced files have frames, too."""
        return next((frame for frame in outwards(self) if frame.function), None)

    def keep(self, ctx: ExecutionContext, name: str) -> None:
        """Remember a name's value before it becomes local."""
        if name not in self.saved:
            self.saved[name] = (ctx.vars.get(name), name in ctx.exports)

    def restore(self, ctx: ExecutionContext, name: str) -> None:
        """Put one name back."""
        variables.put_back(ctx, name, *self.saved.pop(name))

    def keep_options(self, ctx: ExecutionContext) -> None:
        """Remember the shell options, to be put back with the rest (``local -``)."""
        if self.options is None:
            self.options = {name: getattr(ctx, name) for name in (*OPTION_ATTRIBUTES, "shopts")}

    def restore_options(self, ctx: ExecutionContext) -> None:
        """Put the shell options back."""
        for name, value in (self.options or {}).items():
            setattr(ctx, name, value)

    def restore_all(self, ctx: ExecutionContext) -> None:
        """Put everything back."""
        for name in list(self.saved):
            self.restore(ctx, name)


def without(table: dict[str, str], name: str) -> dict[str, str]:
    """Return a copy of a table without a name: what subshells share is replaced, never changed."""
    return {key: value for key, value in table.items() if key != name}


def outwards(frame: Frame | None) -> Iterator[Frame]:
    """Yield a frame and those around it, the innermost first."""
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
    exports_shared: bool  # they are not ours: to be copied before a change
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
        self.owner: object = fds  # what marks the Vars that may be changed here; not self: that would be a cycle
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
        self.pipestatus: list[int] | int | None = None  # a number: of a command that was no pipeline
        self.command: Command | None = None  # BASH_COMMAND
        self.trapped_command: Command | str | None = None  # BASH_COMMAND in a trap: what ran when it came
        self.last_background = 0
        self.last_argument = ""  # $_
        self.condition = 0  # >0: a failure is being tested, errexit and ERR are off
        self.inverted = -1  # the depth of a command behind `!`: its own failure is heard by nobody
        self.loops = self.depth = self.level = 0
        self.nesting = 0  # of evaluations: how often ``set -x`` repeats the first character of PS4
        self.arith_depth = 0
        self.operands: list[int] = []  # what the expansions of an expression gave that is being evaluated
        self.pid = run.pid
        self.shell_pid = 0  # $$ of a shell inside the run; 0: the run's own
        self.frame: Frame | None = None
        self.umask = 0o022
        self.directories: list[str] = []
        self.aliases: dict[str, str] = {}
        self.hashed: dict[str, str] = {}
        self.hashed_path: str | None = None  # the PATH that ``hashed`` holds for
        self.traps: dict[str, str] = {}
        self.inherited_traps: dict[str, str] = {}  # the parent's: ``trap`` shows them until it sets one (POSIX)
        self.debugging = False  # there is a DEBUG trap, and it is heard here
        self.command_string = True  # sh -c
        self.in_trap = False
        self.exiting: int | None = None  # while the EXIT trap runs: the status that the shell ends with
        self.jobs: JobTable | None = None
        self.outer_jobs: JobTable | None = None  # the parent's: what ``$(jobs -p)`` shows
        self.shopts: frozenset[str] = DEFAULT_SHOPTS
        self.allexport = self.noclobber = self.errexit = self.noglob = self.noexec = False
        self.nounset = self.verbose = self.xtrace = self.pipefail = False

    @property
    def fs(self) -> DescriptorFS:
        """The files, with the names of this environment's own descriptors."""
        held = self._fs
        if held is None or held.fds is not self.fds:
            held = self._fs = DescriptorFS(self.run.fs, self.fds)
        return held

    # --- what a direct call may look at (command/direct.py), beside ``cwd``, ``fs`` and ``limits`` ------------------

    @property
    def env(self) -> Mapping[str, str]:
        """The exported variables."""
        return Environment(self)

    @property
    def scope(self) -> CancelScope:
        """Whom to ask whether the run is over."""
        return self.task.scope

    @property
    def kept(self) -> dict[str, Any]:
        """What utilities remember for the next call."""
        return self.run.kept

    def path(self, name: str) -> str:
        """Return the absolute path of a name."""
        return self.fs.absolute(self.cwd, name)

    def subshell(self, *, waits: bool = False) -> ExecutionContext:  # noqa: PLR0915 - written out for speed
        """Return a copy: what it changes stays in it.

        ``waits``: this shell does nothing until the copy has ended. Then nothing is copied before the copy changes it.
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
            new.own_frames()
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
        """A subshell resets trapped signals to their defaults and keeps ignored ones (POSIX XCU 2.12)."""
        kept = {name: action for name, action in self.traps.items() if action == ""}
        for name, option in TRACED.items():
            if name in self.traps and option in self.shopts:
                kept[name] = self.traps[name]
        self.inherited_traps = {**self.inherited_traps, **self.traps}
        self.traps = kept
        self.debugging = bool(kept.get("DEBUG"))

    # --- messages --------------------------------------------------------------------------------------

    def write_error(self, text: str) -> None:
        """Write to the shell's stderr, whatever state it is in."""
        stream = self.fds.entries.get(2)
        if stream is not None:
            with suppress(OSError):
                stream.write(encode(text))

    def say(self, text: str) -> None:
        """Write to stdout what bash does not ask whether it was written; a reader that has gone is heard of all the same."""
        stream = self.fds.entries.get(1)
        if stream is not None:
            try:
                stream.write(encode(text))
            except BrokenPipeError:
                raise
            except OSError:
                pass

    def warn(self, message: str) -> None:
        """Write a message as bash does: ``name: line n: message``."""
        ask()  # a builtin may have a message for each of a million operands
        self.write_error(f"{self.name}: line {self.line}: {message}\n")

    def own_functions(self) -> dict[str, FunctionDefinition]:
        """Return the function table for a change."""
        if self.functions_shared:
            self.functions = dict(self.functions)
            self.functions_shared = False
        return self.functions

    def own_exports(self) -> set[str]:
        """Return the exported names for a change."""
        if self.exports_shared:
            self.exports = set(self.exports)
            self.exports_shared = False
        assert isinstance(self.exports, set)
        return self.exports

    def own_frames(self, *, inner: bool = False) -> Frame | None:
        """Return the innermost frame for a change: of any, or (``inner``) up to the innermost function call's.

        A subshell has copies of its parent's.
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
        """Return ``$BASHPID``: made when first asked for."""
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
