"""Runs of scripts on many lines at once.

Most scripts do the same to each line, or nothing to most of them. ``plan_of`` compiles a script to steps that act on a
text of whole lines, and to stops, which determine the lines that need an ordinary cycle: those that are selected by a
command without a step (``q``, ``a``, ``=``, a range between patterns). The stops may select too many lines, but never
too few.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...cancel import CancelScope
from ...patterns.emit import Options
from ...patterns.engines import Regex
from ...patterns.lines import LineFinder, between
from ...patterns.tree import Char, every_node
from .bulk_functions import Act, doubled, dropped, substituter, transliterator, unchanged
from .ranges import Ranges
from .script import Address, Command, Program, Substitution

_FOREVER = 1 << 62


class Unfit(Exception):
    """The command or the whole script needs ordinary cycles."""


class Step:
    """One command as an act on all lines that it selects.

    It selects them by their numbers, or by a ``range`` that stays open until a cycle closes it; ``inverted``: all
    others.
    """

    __slots__ = ("act", "first", "inverted", "last", "range")

    def __init__(self, act: Act, first: int, last: int, inverted: bool, range: Command | None = None) -> None:
        self.act = act
        self.first = first
        self.last = last
        self.inverted = inverted
        self.range = range

    @property
    def uses_numbers(self) -> bool:
        """Whether the numbers of lines decide which of them it selects."""
        return self.first > 0 or self.last < _FOREVER or self.inverted

    def selects(self, line: int, ranges: Ranges) -> bool:
        """Return whether the command selects a line, judged without its text."""
        if self.range is None:
            inside = self.first <= line <= self.last
        else:
            inside = ranges.active(self.range)
        return inside is not self.inverted

    def apply(self, text: bytes, line: int, scope: CancelScope) -> bytes:
        """Act on lines that ``selects`` accepts; ``line`` is the number of the first."""
        return self.act(text, scope)


class NthStep(Step):
    """``first~step`` with ``d`` or with the act that prints."""

    __slots__ = ("_start", "_step")

    def __init__(self, act: Act, start: int, step: int) -> None:
        super().__init__(act, start, _FOREVER, False)
        self._start = start
        self._step = step

    def apply(self, text: bytes, line: int, scope: CancelScope) -> bytes:
        """Keep or drop each such line."""
        lines = text.split(b"\n")
        lines.pop()
        start = (self._start - line) % self._step
        if self.act is dropped:
            del lines[start :: self._step]
        else:
            lines = lines[start :: self._step]
        lines.append(b"")
        return b"\n".join(lines)


class Stop:
    """A command that needs a cycle for its lines, which are selected by number or by ``finder``.

    ``stateful``: a range other than one between numbers. If a step handles the lines inside the range, ``closer`` finds
    its possible ends, except for a range that ends at the last line.
    """

    __slots__ = ("closer", "command", "finder", "first", "inverted", "last", "open", "stateful")

    def __init__(self, command: Command, first: int, last: int, finder: LineFinder | None, stateful: bool) -> None:
        self.command = command
        self.first = first
        self.last = last
        self.finder = finder
        self.stateful = stateful
        self.inverted = command.negated and not stateful
        self.open = False  # a step handles the lines inside
        self.closer: LineFinder | None = None

    def at(self, line: int, ranges: Ranges) -> bool:
        """Return whether a line needs a cycle, judged by its number and the state of the range."""
        if self.stateful and ranges.active(self.command):
            return not self.open
        if self.finder is not None:
            return False  # the text decides: stop_in
        if self.stateful:
            return self.first <= line and not ranges.closed(self.command)
        return (self.first <= line <= self.last) is not self.inverted

    def finds(self, ranges: Ranges) -> LineFinder | None:
        """Return the finder of the lines that need a cycle, or None if numbers and states decide."""
        if self.stateful and ranges.active(self.command):
            return self.closer
        return self.finder


class Plan:
    """The steps and stops of a script. It has no state of a run."""

    __slots__ = ("_edges", "_printing", "_quiet", "_steps", "_stops", "utf8")

    def __init__(self, steps: list[Step], stops: list[Stop], quiet: bool, printing: bool, utf8: bool) -> None:
        self._steps = steps
        self._stops = stops
        self._quiet = quiet
        self._printing = printing  # the last step is the one that prints, with -n
        self.utf8 = utf8
        spans = [(item.first, item.last) for item in steps] + [(item.first, item.last) for item in stops]
        self._edges = sorted({edge for first, last in spans for edge in (first, last + 1)})

    def until(self, line: int) -> int:
        """Return the first line after ``line`` for which numbers may decide differently."""
        return next((edge for edge in self._edges if edge > line), _FOREVER)

    def stops(self, line: int, ranges: Ranges) -> bool:
        """Return whether a line needs a cycle, judged without its text."""
        return any(stop.at(line, ranges) for stop in self._stops)

    def stop_in(self, text: bytes, start: int, end: int, ranges: Ranges, scope: CancelScope) -> int:
        """Return the offset of the first line that needs a cycle because of its text, or ``end``."""
        for stop in self._stops:
            if (finder := stop.finds(ranges)) is not None:
                runs: Iterator[tuple[int, int]] = finder.runs(text, start, scope, valid=True)
                if stop.inverted:
                    runs = between(runs, len(text), start)
                low, _ = next(runs, (end, end))
                end = min(end, low)
        return end

    def run(self, text: bytes, line: int, ranges: Ranges, scope: CancelScope) -> bytes:
        """Return the output of the script for lines without a stop; ``line`` is the number of the first."""
        if self._quiet:
            prints = self._printing and self._steps[-1].selects(line, ranges)
            if not prints:
                return b""
        for step in self._steps:
            if step.selects(line, ranges):
                text = step.apply(text, line, scope)
        return text


class _Planner:
    """Compiles the commands from ``start`` to ``stop``. ``last``: the script ends with them."""

    def __init__(self, commands: list[Command], start: int, stop: int, quiet: bool, last: bool) -> None:
        self._commands = commands
        self._range = start, stop
        self._quiet = quiet
        self._last = last
        self._changed = False  # an earlier step may have changed the line that an address matches
        self._thinned = False  # an earlier step may have deleted lines, so numbers no longer count them
        self.steps: list[Step] = []
        self.stops: list[Stop] = []
        self.printing = False

    def read(self) -> None:
        """Compile all commands."""
        at, end = self._range
        while at < end:
            command = self._commands[at]
            after = command.jump if command.name == "{" else at + 1
            try:
                self._read_step(command, after)
            except Unfit:
                self.stops.append(self._stop(command))
            at = after

    def _read_step(self, command: Command, after: int) -> None:
        range = stop = None
        if command.first is not None and command.first.kind == "step" and command.second is None:
            self._read_nth(command, command.first, after)
            return
        try:
            first, last, finder = self._numbers(command)
        except Unfit:
            range, stop = command, self._range_stop(command)
            first, last, finder = 0, _FOREVER, None
        act, prints = self._act(command, after)
        if finder is not None:
            act = _on_runs(finder, act, command.negated, not prints)
        self.steps.append(Step(act, first, last, command.negated and finder is None, range))
        if stop is not None:
            self.stops.append(stop)
        self.printing |= prints
        self._changed |= command.name in "sy{"
        self._thinned |= command.name in "d{"

    def _read_nth(self, command: Command, first: Address, after: int) -> None:
        act, prints = self._act(command, after)
        if act is not dropped and act is not unchanged:
            raise Unfit
        if command.negated or self._thinned:
            raise Unfit
        self.steps.append(NthStep(act, first.number, first.step))
        self.printing |= prints
        self._thinned = True

    def _range_stop(self, command: Command) -> Stop:
        """Return the stop that opens and closes a range whose lines a step handles."""
        first, second = command.first, command.second
        if first is None or second is None:
            raise Unfit
        if first.kind not in ("regex", "number") or second.kind not in ("regex", "last"):
            raise Unfit
        if self._changed:
            raise Unfit
        opener = finder_of(first) if first.kind == "regex" else None
        if opener is None:
            start = first.number
        else:
            start = 0
        stop = Stop(command, start, _FOREVER, opener, True)
        stop.open = True
        stop.closer = finder_of(second) if second.kind == "regex" else None
        return stop

    def _block(self, start: int, stop: int, last: bool) -> tuple[Act, bool]:
        inner = _Planner(self._commands, start, stop, self._quiet, last)
        inner.read()
        acts = [step.act for step in inner.steps]
        if inner.stops or any(step.uses_numbers for step in inner.steps):
            raise Unfit  # steps inside a block do not know line numbers

        def act(text: bytes, scope: CancelScope) -> bytes:
            for one in acts:
                text = one(text, scope)
            return text

        return act, inner.printing

    def _numbers(self, command: Command) -> tuple[int, int, LineFinder | None]:
        """Return the lines that the addresses select: from, to, and the finder among them."""
        first, second = command.first, command.second
        if first is None:
            return 0, _FOREVER, None
        if second is not None:
            if first.kind != "number" or not first.number:
                raise Unfit
            if second.kind == "last":
                return first.number, _FOREVER, None
            if second.kind == "number":
                # A second number before the first one selects one line (POSIX XCU sed, Addresses).
                return first.number, max(first.number, second.number), None
            raise Unfit
        if first.kind == "number":
            return first.number, first.number, None
        if first.kind == "last":
            return _FOREVER, _FOREVER, None  # the last line always gets a cycle
        if first.kind == "regex":
            return 0, _FOREVER, finder_of(first)
        raise Unfit

    def _act(self, command: Command, after: int) -> tuple[Act, bool]:
        """Return a command's act, and whether it is the one that prints with -n."""
        name = command.name
        final = self._last and after == self._range[1]
        if name == "{":
            return self._block(command.index + 1, after, final)
        if name == "d":
            return dropped, False
        if name == "p" and final:
            if self._quiet:
                return unchanged, True
            return doubled, False
        if name == "y" and command.table is not None:
            return transliterator(command.table), False
        if command.substitution is None:
            raise Unfit
        return self._act_of_substitution(command.substitution, final)

    def _act_of_substitution(self, substitution: Substitution, final: bool) -> tuple[Act, bool]:
        if substitution.regex is None:
            raise Unfit
        if substitution.evaluate or substitution.target is not None:
            raise Unfit
        prints_result = self._quiet and final
        if substitution.printed and not prints_result:
            raise Unfit
        literals = [part for part in substitution.replacement.parts if isinstance(part, bytes)]
        if not final and any(b"\n" in part for part in literals):
            raise Unfit  # a later command would still see one line
        act = substituter(for_lines(substitution.regex), substitution)
        if act is None:
            raise Unfit
        return act, substitution.printed

    def _stop(self, command: Command) -> Stop:
        first, second = command.first, command.second
        if first is None or first.kind == "step":
            raise Unfit
        if first.kind == "regex":
            if self._changed or (second is not None and command.negated):
                raise Unfit
            return Stop(command, 0, _FOREVER, finder_of(first), second is not None)
        between_numbers = second is not None and first.kind == second.kind == "number" and first.number > 0
        if second is None or between_numbers:
            low, high, _ = self._numbers(command)
            return Stop(command, low, high, None, False)
        if command.negated or first.kind != "number":
            raise Unfit
        return Stop(command, first.number, _FOREVER, None, True)


def plan_of(program: Program, quiet: bool) -> Plan | None:
    """Return the plan of a script, cached. None if every line needs a cycle."""
    if quiet not in program.plans:
        program.plans[quiet] = _plan(program, quiet)
    return program.plans[quiet]


def _plan(program: Program, quiet: bool) -> Plan | None:
    regexes: list[Regex] = []
    for command in program.commands:
        for address in (command.first, command.second):
            if address is not None and address.kind == "regex":
                if address.regex is None:  # the last regex used, which only a run knows
                    return None
                regexes.append(address.regex)
        if command.substitution is not None:
            if command.substitution.regex is None:
                return None
            regexes.append(command.substitution.regex)
    planner = _Planner(program.commands, 0, len(program.commands), quiet, True)
    try:
        planner.read()
    except Unfit:
        return None
    utf8 = any(regex.spec[1].utf8 for regex in regexes)
    return Plan(planner.steps, planner.stops, quiet, planner.printing, utf8)


def _on_runs(finder: LineFinder, act: Act, inverted: bool, whole: bool) -> Act:
    """Apply an act to the lines that match; the others are kept (``whole``) or dropped."""

    def apply(text: bytes, scope: CancelScope) -> bytes:
        runs: Iterator[tuple[int, int]] = finder.runs(text, 0, scope, valid=True)
        if inverted:
            runs = between(runs, len(text))
        if act is unchanged and not whole:
            return b"".join([text[low:high] for low, high in runs])
        out: list[bytes] = []
        at = 0
        for low, high in runs:
            if whole and at < low:
                out.append(text[at:low])
            if act is not dropped:
                out.append(act(text[low:high], scope))
            at = high
        if whole:
            out.append(text[at:])
        return b"".join(out)

    return apply


def finder_of(address: Address) -> LineFinder:
    """Return the finder of the lines that an address matches."""
    if address.finder is None:
        if address.regex is None:
            raise Unfit
        regex = for_lines(address.regex)
        address.finder = LineFinder(*regex.spec, regex)
    return address.finder


def for_lines(regex: Regex) -> Regex:
    """Return the regex for use on many lines at once."""
    tree, options = regex.spec
    if any(isinstance(node, Char) and node.char == "\n" for node in every_node(tree)):
        raise Unfit
    switches = Options(options.ignore_case, newline_anchors=True, newline_dot=False, captures=True, utf8=options.utf8)
    return Regex(tree, regex.groups, switches, prove=regex.provable, warnings=())
