"""libjq in a worker process, for slow jq programs: it races with the evaluator, and the faster one's results count.

Once a run takes longer than the size of its input explains, the current input and the buffered lines of JSON after it
are sent to a worker, while the evaluator continues. If the worker has a result for the input that the evaluator is
processing, and nothing was written for that input, the evaluator gives it up (``Answered``), and the worker's results
are written, for the following inputs as well. If the worker gives no more results, for whatever reason, the evaluator
continues alone. So a worker can only make a run shorter.

This requires programs for which both give the same bytes: those that read nothing from their run or the system, and
call only builtins of ``SAME``. The worker gives only texts of results: inputs, error messages, positions and statuses
are the command's.
"""

from __future__ import annotations

from json import JSONDecoder
from math import inf
from typing import TYPE_CHECKING, Any, Final

from ...workers import Session
from .inputs import END, Inputs, JsonInputs
from .json.numbers import Literal
from .json.reader import Parser
from .json.writer import compact, pieces
from .running import PATIENCE, PER_CHARACTER, Answered, Run

if TYPE_CHECKING:
    from .arguments import Arguments

_GROWING: Final = 4  # factor of the patience after a worker that did not help
_WORTHWHILE: Final = 4096  # characters of lines for which a worker that was faster gets another request
_MOST: Final = 1 << 24  # characters of an input
_MOST_SCANNED: Final = 1 << 21  # characters of a result that is parsed and rendered again

# Without dates, regular expressions and most mathematics, whose results depend on C libraries or other engines.
SAME: Final = frozenset(
    """
    IN INDEX JOIN abs add all any arrays ascii_downcase ascii_upcase booleans bsearch ceil combinations contains del
    delpaths empty endswith env error explode fabs finites first flatten floor from_entries fromjson fromstream getpath
    group_by has have_decnum have_literal_numbers implode in index indices infinite inside isempty isfinite isinfinite
    isnan isnormal iterables join keys keys_unsorted last length limit ltrim ltrimstr map map_values max max_by min min_by
    nan normals not nth nulls numbers objects path paths pick range recurse repeat reverse rindex round rtrim rtrimstr
    scalars select setpath skip sort sort_by split/1 sqrt startswith strings to_entries toarray toboolean tojson tonumber
    tostream tostring transpose trim trimstr trunc truncate_stream type unique unique_by until utf8bytelength values walk
    while with_entries
    """.split()
)


class Handover:
    """The worker of one command, and the state of the race with it."""

    __slots__ = (
        "_arguments",
        "_at",
        "_current",
        "_direct",
        "_end",
        "_patience",
        "_program",
        "_run",
        "_session",
        "_since",
        "_trusted",
        "written",
    )

    def __init__(self, run: Run, arguments: Arguments, text: str, variables: dict[str, Any]) -> None:
        self._run = run
        self._arguments = arguments
        # In color, nan and null differ, but the worker's text of both is null.
        is_odd = arguments.raw0 or arguments.color or run.call.stdout.isatty()
        self._program = None if is_odd else _wrap(run, text, variables)
        self._session: Session | None = None
        self._patience = PATIENCE
        self._since: tuple[float, int] | None = (0.0, 0)  # CPU seconds and characters read when the patience began
        self._at = 0  # the number of the next event's input, counted from the request
        self._current = 0  # the number of the command's current input
        self._end = 0  # the position of the end of the request
        self._trusted = False  # the worker was faster for the last input
        self.written = 0  # of the current input's results
        layout = arguments.layout
        # The worker's texts are already in the output format.
        is_usual = not (layout.sort or layout.ascii or arguments.seq)
        self._direct = is_usual and layout.indent is None and not arguments.unbuffered

    def look(self, spent: float, value: Any, inputs: Inputs | None) -> float:
        """Poll the worker; return the CPU seconds of the run at which to look again.

        ``value`` is the evaluator's current input, or END if it can't be given up. Raise ``Answered`` if the worker has
        a result for it.
        """
        if self._program is None:
            return inf
        if value is END:
            return 0.0
        session = self._session
        if session is None or self._trusted:
            return self._wait(spent, value, inputs)
        while (event := session.peek()) is not None:
            if self._at == self._current:
                raise Answered
            session.drop_event()
            self._at += event[0] != b"r"
        if not session.is_asking:
            self._lose()
        return 0.0

    def _wait(self, spent: float, value: Any, inputs: Inputs | None) -> float:
        """Send a request to the worker if the patience is over; return the CPU time of the next look."""
        read = _position(inputs)
        if self._since is None:
            self._since = spent, read
        since, start = self._since
        due = since + self._patience + PER_CHARACTER * (read - start)
        if spent < due:
            return due
        self._trusted = False
        if not self._send_inputs(value, inputs):
            self._lose()
        return 0.0

    def _send_inputs(self, value: Any, inputs: Inputs | None) -> bool:
        """Send the current input and the buffered lines after it; return False if the input can't be sent."""
        assert self._program is not None
        text = _spell(self._run, value)
        if text is None:
            return False
        rest = _rest(inputs)
        if self._session is None:
            self._session = Session(self._program, self._run.scope.remaining())
        self._session.send(f"{text}\n{rest}".encode())
        self._at = self._current = 0
        self._end = _position(inputs) + len(rest)
        return True

    def _lose(self) -> None:
        """End the worker, and wait longer before the next one."""
        self.close()
        self._session = None
        self._trusted = False
        self._since = None
        self._patience *= _GROWING

    def close(self) -> None:
        """End the worker."""
        if self._session is not None:
            self._session.close()

    # -- from input to input

    def advance(self, value: Any, inputs: Inputs | None) -> bool:
        """Go to the next input; return whether the worker has a result for it."""
        session = self._session
        if session is None:
            return False
        self._current += 1
        if not self._trusted:
            if _position(inputs) > self._end:  # the evaluator was faster
                self._lose()
            return False
        if session.wait(self._run.scope) is not None:
            return True
        if session.is_over:
            self._lose()
            return False
        return len(_rest(inputs)) >= _WORTHWHILE and self._send_inputs(value, inputs)

    def pass_on(self, command: Any) -> bool:
        """Write the worker's results for the current input; return False if it stopped after ``written`` results."""
        session = self._session
        assert session is not None
        self._trusted = True
        self._since = None
        self.written = 0
        while (event := session.wait(self._run.scope)) is not None:
            letter, data = event
            if data == b"null" and self._arguments.exit_status:
                break  # it may be nan, which is true for -e
            is_raw_string = self._arguments.raw and data[:1] == b'"'
            is_text = letter == b"r" and self._direct and not is_raw_string
            value = None
            try:
                if not is_text and letter != b".":
                    value = _read(data)
            except (ValueError, RecursionError):
                break
            session.drop_event()
            if letter != b"r":
                self._at += 1
                if letter == b"e":
                    command.complain(value)
                return True
            self.written += 1
            if is_text:
                command.write_text(data)
            else:
                command.write(value)
        self._lose()
        return False


# -- programs


def _wrap(run: Run, text: str, variables: dict[str, Any]) -> str | None:
    """Return the jq program for the worker, or None if its results might differ from the evaluator's."""
    from .parser.syntax import parse_program

    program = parse_program(text, run)
    if program.imports or run.has_home_module():
        return None
    assert program.body is not None
    calls: set[str] = set()
    defined: set[str] = set()
    named: set[str] = set()
    for node in program.body.walk():
        if node.kind == "call":
            calls.add(f"{node.value}/{len(node.parts)}")
        elif node.kind == "variable":
            named.add(str(node.value)[1:])
        elif node.kind == "def":
            assert isinstance(node.value, tuple)
            name, parameters = node.value
            defined.add(f"{name}/{len(parameters)}")
            defined.update(f"{parameter.lstrip('$')}/0" for parameter in parameters)
    own = defined - _builtins()
    for key in calls:
        if key not in own and key not in SAME and key.partition("/")[0] not in SAME:
            return None
    bound = {name: value for name, value in variables.items() if name in named}
    head = ""
    if "env/0" in calls or "ENV" in named:
        bound["ENV"] = run.environment()
        head = "def env: $ENV; "
    for name, value in bound.items():
        spelled = _spell(run, value)
        if spelled is None:
            return None
        head = f"({compact(run, spelled)} | fromjson) as ${name} | {head}"
    # On one line, for $__loc__; two newlines, since a comment that ends with a backslash continues after the first.
    return f"{head}(try (({text}\n\n) | tojson) catch [tojson]), null"


def _builtins() -> set[str]:
    """Return the names of the evaluator's own builtins."""
    from .compiler.control import CONSTRUCTS
    from .compiler.definitions import TEXTS
    from .functions.index import INDEX

    return {*CONSTRUCTS, *TEXTS, *INDEX}


# -- inputs


def _position(inputs: Inputs | None) -> int:
    return 0 if inputs is None else inputs._window()[2]


def _rest(inputs: Inputs | None) -> str:
    """Return the complete lines that were read but not yet parsed."""
    if not isinstance(inputs, JsonInputs):
        return ""
    parser = inputs._parser
    if not isinstance(parser, Parser) or not parser.is_between():
        return ""
    text, start, at = inputs._window()
    rest = text[at - start : text.rfind("\n") + 1]
    try:
        rest.encode()
    except UnicodeEncodeError:  # invalid UTF-8 can't be sent
        return ""
    return rest


def _spell(run: Run, value: Any) -> str | None:
    """Return a text that libjq parses to the same value, or None if there is none or it is too long."""
    texts: list[str] = []
    size = 0
    for text in pieces(run, value):
        texts.append(text)
        size += len(text)
        # Infinity is rendered as the greatest double, which libjq would read as finite.
        if size > _MOST or "e+308" in text:
            return None
    text = "".join(texts)
    if "null" in text and _has_nan(run, value):
        return None
    return text


def _has_nan(run: Run, value: Any) -> bool:
    """Return whether a value contains nan, whose text is ``null``."""
    stack = [[value]]
    while stack:
        run.check()
        for item in stack.pop():
            if type(item) is dict:
                stack.append(list(item.values()))
            elif type(item) is list:
                stack.append(item)
            elif item != item:
                return True
    return False


# -- results


def _keep_spelling(text: str) -> Literal:
    """Return a number that is rendered with the same text."""
    return Literal(0.0, text)


_scan = JSONDecoder(parse_int=_keep_spelling, parse_float=_keep_spelling).scan_once  # type: ignore[attr-defined]


def _read(data: bytes) -> Any:
    """Parse a result. Raise ``ValueError`` or ``RecursionError`` if one scan can't do it."""
    text = data.decode()
    if len(text) > _MOST_SCANNED and text[0] != '"':
        raise ValueError("too large")
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("no JSON") from None
    if end != len(text):
        raise ValueError("more than JSON")
    return value
