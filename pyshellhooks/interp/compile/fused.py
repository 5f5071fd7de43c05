"""Text pipelines that run without pipes.

Examples are ``$(cat)``, ``$(echo "$x" | jq -r .y)``, ``echo "$x" | grep -q z`` and ``grep -q z <<<"$x"``.

Most hooks consist of stages that turn bytes into bytes. Such a pipeline needs no subshell, no descriptor table and no
pipe: each stage is a function of the previous stage's output. Fused pipelines are used in three places
(``compile_substitution``, ``fuse_pipeline``, ``fuse_simple``), each of which also compiles the ordinary closure.

**A script cannot observe the difference.** A stage has no side effects (a builtin's ``text``, a utility's ``direct``:
``builtin`` and ``utility`` define their contracts), so a fused run can be given up at any moment before the output is
written, and the ordinary closure runs instead. This happens for everything unusual:

- the shell: traced, with traps, counted commands, a background job or ``lastpipe``; or a name is a function, disabled,
  the host's, or has no direct form (``_is_usual``, ``Fused._find``);
- words: all but constants and plain parameters whose values are strings at that moment (``_Reads``): expanding those
  here gives the same as expanding them in a subshell;
- the data: an input that is not completely in memory, an output too large for ``$( )`` or to anywhere but memory;
- any exception. Only a ``Stop`` that already ended the run's scope is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...command.direct import Direct
from ...command.filters import Refused, make_filter
from ...command.registry import Registry
from ...command.utility import Utility
from ...errors import Stop, UsageError
from ...expand.braces import may_expand
from ...limits import Limits
from ...state.context import ExecutionContext as Ctx
from ...state.context import Task
from ...state.failure import ExpansionError
from ...state.references import is_digits, is_name
from ...streams.base import BytesReader, Stream
from ...streams.capture import Capture
from ...syntax import nodes as n
from ...text import encode
from ..builtin import BUILTINS
from ..jobs.traps import on_failure
from ..subshell import pipeline_status
from ..substitution import captured_text, command_substitution
from . import WORDS, Exec, compile_list

_PIPE = 65536  # bytes that a kernel's pipe holds: a writer of no more never sees EPIPE if the reader stops early
_KEPT = 4096  # characters of words for which a direct form is cached


class _Reads:
    """The variables that words read. ``optional`` ones may be unset; ``positional`` is the highest number."""

    __slots__ = ("optional", "positional", "variables")

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.optional: set[str] = set()
        self.positional = 0

    def add_word(self, word: n.Word) -> bool:
        """Record the variables that a word reads; return False if its expansion may do more than read variables."""
        return all(self._add_part(part) for part in word.parts)

    def _add_part(self, part: n.WordPart) -> bool:
        match part:
            case n.Literal() | n.Quoted():
                return True
            case n.DoubleQuoted():
                return all(self._add_part(inner) for inner in part.parts)
            case n.Parameter():
                return self._add_parameter(part)
        return False

    def _add_parameter(self, part: n.Parameter) -> bool:
        if part.length or part.indirect or part.index is not None:
            return False
        has_default = bool(part.op)
        if has_default:
            # ``${x-word}`` and ``${x:-word}`` neither assign nor fail; every other operator may.
            if part.op not in ("-", ":-"):
                return False
            if part.word is not None and not self.add_word(part.word):
                return False
        if is_name(part.name):
            names = self.optional if has_default else self.variables
            names.add(part.name)
        elif is_digits(part.name) and part.name != "0":
            if not has_default:
                self.positional = max(self.positional, int(part.name))
        else:
            return False
        return True

    def are_texts(self, ctx: Ctx) -> bool:
        """Return whether the value of each of them is a plain string now."""
        table = ctx.vars
        for name in self.variables:
            if table.get(name).__class__ is not str:
                return False
        if self.optional:
            for name in self.optional:
                if name in table and table[name].__class__ is not str:
                    return False
        return self.positional <= len(ctx.args)


class Stage:
    """One command: its name, its words, and the direct form that was last made of them."""

    __slots__ = ("_fields", "_known", "_reads", "constant", "name", "refused", "shared", "text")

    def __init__(self, name: str, words: Sequence[n.Word], reads: _Reads) -> None:
        self.name = name
        builtin = BUILTINS.get(name)
        self.text = None if builtin is None else builtin.text  # of a builtin that only writes
        self.constant = _constants(words)
        self._fields = WORDS.words(words)
        self._reads = reads
        self._known: tuple[Registry, Sequence[str], Direct | None] | None = None
        self.refused: Utility | None = None  # the utility whose direct form failed, most likely for a file
        self.shared = False  # it reads the shell's own stdin, which later commands go on reading

    def words(self, ctx: Ctx) -> Sequence[str] | None:
        """Expand the words after the name; None if their expansion may have side effects."""
        return self._fields(ctx) if self._reads.are_texts(ctx) else None

    def direct(self, registry: Registry, words: Sequence[str]) -> Direct | None:
        """Return the direct form of the utility of this name for these words, or None."""
        known = self._known
        if known is not None and known[0] is registry and known[1] == words:
            return known[2]
        command = registry.get(self.name)
        if command is None:
            return None
        direct_form = None if command.direct is None else command.direct(words)
        if direct_form is None and command.filters:
            direct_form = make_filter(command, words, self.shared)
        if sum(map(len, words)) < _KEPT:
            self._known = registry, words, direct_form
        return direct_form

    def never(self, registry: Registry) -> bool:
        """Return whether the registry has no direct form of this stage, whatever its words expand to."""
        command = registry.get(self.name)
        if command is None or command is self.refused:
            return True
        if not command.direct and not command.filters:
            return True
        return self.constant is not None and self.direct(registry, self.constant) is None


def _constants(words: Sequence[n.Word]) -> tuple[str, ...] | None:
    """Return the texts of words that never change; None if one of them may."""
    texts: list[str] = []
    for word in words:
        text = WORDS.constant(word)
        if text is None:
            return None
        texts.append(text)
    return tuple(texts)


Outcome = tuple[list[int], bytes, Sequence[str]]
"""What came of a fused pipeline: the statuses, the output, and the words of its last command without the name."""

_Filters = tuple[tuple[Stage, "Direct | None"], ...]
"""The stages that read, each with its direct way where its words never change."""


class Fused:
    """The plan of a pipeline that may be fused. ``here``: the text of ``<<<``; ``discards``: ends in ``>/dev/null``."""

    __slots__ = ("_first", "_known", "discards", "here", "names", "reads", "stages")

    def __init__(
        self, stages: tuple[Stage, ...], here: Callable[[Ctx], str] | None, reads: _Reads, discards: bool
    ) -> None:
        # The last run's utilities and limits, and the filters found for them; None if fusing is impossible.
        self._known: tuple[Registry, Limits, _Filters | None] | None = None
        self.stages = stages
        self._first = stages[0] if stages[0].text is not None else None  # writes, and reads nothing
        self.names = frozenset(stage.name for stage in stages)
        self.here = here
        self.reads = reads  # of ``here``
        self.discards = discards

    def run(self, ctx: Ctx, sink: Stream | None) -> Outcome | None:
        """Run the pipeline and write its output to ``sink`` if one is given. None: nothing was done."""
        run, first, known = ctx.run, self._first, self._known
        stdin: BytesReader | None = None
        try:
            if known is None or known[0] is not run.registry or known[1] is not ctx.limits:
                known = self._known = run.registry, ctx.limits, self._find(run.registry, ctx.limits)
            filters = known[2]
            if filters is None or not _is_usual(ctx, self.names):
                return None
            if first is None:
                stdin, data = self._input(ctx)
                outcome = self._filter(ctx, filters, data, [], ())
            else:
                words: Sequence[str] | None = first.constant
                if words is None:
                    words = first.words(ctx)
                if words is None or first.text is None:
                    return None
                outcome = self._filter(ctx, filters, first.text(ctx, [first.name, *words]), [0], words)
        except Stop:
            if ctx.task.scope.stop is not None:
                raise
            return None  # a limit: the ordinary run of the stage will report it
        except (ExpansionError, UsageError, OSError, RecursionError, MemoryError):
            return None
        if outcome is None or ctx.task.stop is not None:
            return None
        output = outcome[1]
        if sink is None:
            if len(output) > ctx.limits.substitution:
                return None
        elif output and sink.__class__ is not Capture:
            return None  # writing may fail or block
        if stdin is not None:
            stdin.rest()
        if sink is not None and output:
            _write(ctx, sink, output)
        return outcome

    def _find(self, registry: Registry, limits: Limits) -> _Filters | None:
        """Return the stages that read, with their direct forms; None if a stage cannot have one."""
        # A script may observe these limits: the ordinary run counts stages, and a small pipe blocks its writer.
        if len(self.stages) > limits.stages or limits.pipe < _PIPE:
            return None
        stages = self.stages if self._first is None else self.stages[1:]
        if any(stage.never(registry) for stage in stages):
            return None
        filters: list[tuple[Stage, Direct | None]] = []
        for stage in stages:
            direct_form = None
            if stage.constant is not None:
                direct_form = stage.direct(registry, stage.constant)
            filters.append((stage, direct_form))
        return tuple(filters)

    def _input(self, ctx: Ctx) -> tuple[BytesReader | None, bytes | None]:
        """Return the stream that the first stage reads, if any, and its data; None for data not wholly in memory."""
        if self.here is not None:
            if not self.reads.are_texts(ctx):
                return None, None
            return None, encode(self.here(ctx)) + b"\n"
        stream = ctx.fds.entries.get(0)
        if stream.__class__ is BytesReader:
            return stream, stream.peek()
        return None, None

    def _filter(
        self, ctx: Ctx, filters: _Filters, data: bytes | None, statuses: list[int], last: Sequence[str]
    ) -> Outcome | None:
        """Pass the data through the stages that read; ``statuses`` and ``last`` are of a first stage that writes."""
        if data is None:
            return None
        for stage, direct in filters:
            if direct is not None:
                last = stage.constant or ()
            else:
                words = stage.words(ctx)
                if words is None:
                    return None
                direct, last = stage.direct(ctx.run.registry, words), words
                if direct is None:
                    return None
            try:
                outcome = direct(data, ctx)
            except Refused:
                stage.refused, self._known = ctx.run.registry.get(stage.name), None
                return None
            if outcome is None:
                return None
            status, data = outcome
            statuses.append(status)
        return statuses, b"" if self.discards else data, last


def _is_usual(ctx: Ctx, names: frozenset[str]) -> bool:
    """Return whether nothing observes or changes how commands of these names run now: no trace, trap or function."""
    task = ctx.task
    if task.stop is not None or task.__class__ is not Task:  # the slot is set also if commands are counted
        return False
    if ctx.xtrace or ctx.debugging or ctx.noexec:
        return False
    if ctx.traps or ctx.inherited_traps or ctx.disabled_builtins:
        return False
    # GNU utilities parse their options differently under POSIXLY_CORRECT.
    if "lastpipe" in ctx.shopts or "POSIXLY_CORRECT" in ctx.exports:
        return False
    if ctx.depth + 2 >= ctx.limits.call_depth:
        return False
    if ctx.functions and not names.isdisjoint(ctx.functions):
        return False
    return not ctx.run.prefer_host or names.isdisjoint(ctx.run.prefer_host)


def _write(ctx: Ctx, sink: Stream, data: bytes) -> None:
    try:
        sink.write(data)
    except Stop as stop:
        if ctx.task.scope.stop is None:  # as ``run_subshell`` does
            ctx.run.scope.cancel(stop.reason, stop.detail, stop.limit)
        raise


# -- the pipelines that may be fused


def plan(commands: Sequence[n.Command], both: Sequence[bool] = ()) -> Fused | None:
    """Return the plan of a pipeline that may be fused, or None."""
    if any(both):
        return None
    stages: list[Stage] = []
    here: n.Word | None = None
    discards = False
    for number, command in enumerate(commands):
        is_first, is_last = number == 0, number == len(commands) - 1
        stage = _stage(command)
        if stage is None:
            return None
        only_writes = stage.text is not None
        if only_writes and not is_first:
            return None
        assert isinstance(command, n.Simple)
        ends = _ends(command.redirects)
        if ends is None:
            return None
        own_here, discards = ends
        if own_here is not None:
            if only_writes or not is_first:
                return None
            here = own_here
        if discards and not is_last:
            return None
        stages.append(stage)
    reads = _Reads()
    if here is not None and not reads.add_word(here):
        return None
    stages[0].shared = here is None
    here_text = None if here is None else WORDS.string(here, assignment=True)
    return Fused(tuple(stages), here_text, reads, discards)


def _stage(command: n.Command) -> Stage | None:
    if not isinstance(command, n.Simple) or command.assigns or not command.words:
        return None
    words: list[n.Word] = []
    for word in command.words:
        if not isinstance(word, n.Word) or may_expand(word):
            return None
        words.append(word)
    name = words[0].literal()
    if name is None or not name.isalnum():
        return None
    builtin = BUILTINS.get(name)
    if builtin is not None and builtin.text is None:
        return None
    reads = _Reads()
    if not all(reads.add_word(word) for word in words[1:]):
        return None
    return Stage(name, words[1:], reads)


def _ends(redirects: Sequence[n.Redirect]) -> tuple[n.Word | None, bool] | None:
    """Return the text of ``<<<``, and whether the output goes to ``/dev/null``; None for other redirections."""
    here: n.Word | None = None
    discards = False
    for redirect in redirects:
        target = redirect.target
        if redirect.variable is not None or not isinstance(target, n.Word):
            return None
        if redirect.op == "<<<" and not redirect.fd and here is None:
            here = target
        elif _discards(redirect, target.literal()):
            discards = True
        elif not _is_of_errors(redirect, target.literal()):
            return None
    return here, discards


def _discards(redirect: n.Redirect, target: str | None) -> bool:
    """Return whether a redirection is ``>/dev/null`` or ``&>/dev/null``."""
    if target != "/dev/null":
        return False
    if redirect.op == ">":
        return redirect.fd in (None, 1)
    return redirect.op == "&>" and redirect.fd is None


def _is_of_errors(redirect: n.Redirect, target: str | None) -> bool:
    """Return whether a redirection is ``2>/dev/null`` or ``2>&1``: they never fail; a direct form writes no errors."""
    return redirect.fd == 2 and (redirect.op, target) in ((">", "/dev/null"), (">&", "1"))


# -- the three places


def compile_substitution(node: n.List) -> Callable[[Ctx], str]:
    """Compile ``$( )``, fused if possible."""
    plans = _plan_of_list(node)
    if plans is None:
        body = compile_list(node)
        return lambda ctx: command_substitution(ctx, body)
    fused, fallback = plans

    def run(ctx: Ctx) -> str:
        outcome = fused.run(ctx, None)
        if outcome is None:
            return command_substitution(ctx, fallback)
        ctx.substituted = ctx.status = pipeline_status(ctx, outcome[0])
        return captured_text(ctx, outcome[1])

    return run


def _plan_of_list(node: n.List) -> tuple[Fused, Exec] | None:
    """Return the plan of the list in ``$( )``, and its ordinary closure, which does not try fusing again; or None."""
    from .lists import compile_pipeline
    from .simple import compile_simple

    if len(node.items) != 1 or node.items[0][1]:
        return None
    command = node.items[0][0]
    if isinstance(command, n.Simple):
        fused = plan((command,))
        if fused is None:
            return None
        return fused, compile_simple(command, fuses=False)
    if not isinstance(command, n.Pipeline) or command.negated or command.timed is not None:
        return None
    if len(command.commands) < 2:
        return None
    fused = plan(command.commands, command.both)
    if fused is None:
        return None
    return fused, compile_pipeline(command, fuses=False)


def fuse_pipeline(node: n.Pipeline, fallback: Exec) -> Exec:
    """Return a closure that tries the fused run of a pipeline, then ``fallback``, its ordinary closure."""
    fused = plan(node.commands, node.both)
    if fused is None:
        return fallback

    def run(ctx: Ctx) -> int:
        sink = ctx.fds.entries.get(1)
        outcome = fused.run(ctx, sink) if sink is not None else None
        if outcome is None:
            return fallback(ctx)
        ctx.pipestatus = outcome[0]
        return pipeline_status(ctx, outcome[0])

    return run


def fuse_simple(node: n.Simple, fallback: Exec) -> Exec:
    """Return a closure that tries the fused run of a command with ``<<<``, then ``fallback``. Others gain nothing."""
    if not any(redirect.op == "<<<" for redirect in node.redirects):
        return fallback
    fused = plan((node,))
    if fused is None:
        return fallback
    line, name = node.line, fused.stages[0].name

    def run(ctx: Ctx) -> int:
        sink = ctx.fds.entries.get(1)
        outcome = fused.run(ctx, sink) if sink is not None else None
        if outcome is None:
            return fallback(ctx)
        ctx.line, ctx.command, ctx.substituted = line, node, None
        statuses, _, words = outcome
        ctx.status = ctx.pipestatus = status = statuses[0]
        ctx.last_argument = words[-1] if words else name
        if status:
            on_failure(ctx, status)
        return status

    return run
