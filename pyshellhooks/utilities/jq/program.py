"""Programs: what is known about one, the text that libjq compiles for it, and the cache of both.

The ``jq`` binding gives results as Python data, in which numbers lose their spelling, knows no ``$ENV`` but the host's,
and ends at the first error. So a program runs inside a short one, on the same line, so that line numbers hold: values
come in as data (the compiled form depends on *names* only), and each result goes out as JSON text, an error as a list
of one text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from json import JSONEncoder
from typing import TYPE_CHECKING, Any

from .lexer import BadEscape, Lexer, NotUnderstood, first_word
from .syntax import Node, parse

if TYPE_CHECKING:
    from .paths import Path
    from .reads import Reads

Events = Iterator[object]  # str: a result as JSON text; [str]: an error, its value as JSON text

_dump = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

HALT = "pyshellhooks:halt"


class CompileError(Exception):
    """libjq does not take the program; the text is libjq's."""


class Program:
    """One filter with the names of its named arguments."""

    __slots__ = (
        "_compiled",
        "_path",
        "_path_known",
        "calls",
        "filter",
        "halts",
        "names",
        "node",
        "plain_source",
        "reads",
        "reads_environment",
        "source",
        "swallows",
        "variables",
        "verdicts",
    )

    def __init__(self, filter_: str, names: tuple[str, ...]) -> None:
        self.filter = filter_
        self.names = names
        self._compiled: dict[str, Any] = {}
        self._path: Path | None = None
        self._path_known = False
        self.verdicts: dict[object, float] = {}  # what ``bounded`` found, by sizes of the input
        self.calls: frozenset[str] = frozenset()
        self.variables: frozenset[str] = frozenset()
        self.swallows = True
        self.reads: Reads | None = None  # what else it reads, where that can be told
        try:
            self.node: Node | None = parse(filter_)
        except (NotUnderstood, RecursionError):
            self.node = None
            self.reads_environment = True
        else:
            self._look()
        self.halts = self.node is None or bool(self.calls & _HALTS)
        self.source = self._wrap(_MARKED if self.halts else "")
        # With libjq's own halt, and a 0 at the end of what did not halt.
        self.plain_source = f"({self._wrap('')}), 0" if self.halts and self.swallows else ""

    def _look(self) -> None:
        assert self.node is not None
        calls: set[str] = set()
        variables: set[str] = set()
        swallows = False
        for node in self.node.walk():
            kind = node.kind
            if kind == "call":
                calls.add(str(node.value))
            elif kind == "variable":
                variables.add(str(node.value))
            elif kind == "try":
                swallows = True
            elif kind in ("bind", "reduce", "foreach"):
                swallows = swallows or (isinstance(node.value, tuple) and len(node.value) > 1)  # ?//
        self.calls = frozenset(calls)
        self.variables = frozenset(variables)
        self.swallows = swallows
        self.reads_environment = "env" in calls or "$ENV" in variables
        if calls & _READING:
            from .reads import find_reads

            self.reads = find_reads(self.node)

    @property
    def needs_extras(self) -> bool:
        """Say whether the program is given more than its input."""
        return bool(
            self.node is None
            or self.names
            or self.reads_environment
            or "$ARGS" in self.variables
            or self.calls & _EXTRA_CALLS
        )

    def _wrap(self, halting: str) -> str:
        filter_ = self.filter if self.reads is None else self.reads.rewrite(self.filter)
        # Two newlines: a comment that ends in a backslash goes on after the first.
        body = f"{halting}try (({filter_}\n\n)|tojson) catch [tojson]"
        if not self.needs_extras:
            return body
        head = ". as [$__i, $__x] | "
        if self.reads_environment:
            head += "$__x.env as $ENV | def env: $ENV; "
        for name in self.names:
            head += f"$__x.args.named.{name} as ${name} | "
        head += "$__x.args as $ARGS | "
        calls = self.calls
        if "input_filename" in calls:
            head += "def input_filename: $__x.file; "
        if "input_line_number" in calls:
            head += "def input_line_number: $__x.line; "
        if self.reads is not None:
            head += self.reads.definitions()
        return f"{head}$__i | {body}"

    def path(self) -> Path | None:
        """Give the program as a path, if it is one."""
        if not self._path_known:
            self._path_known = True
            if self.node is not None and not self.names:
                from .paths import compile_path

                self._path = compile_path(self.node)
        return self._path

    def reads_unclearly(self) -> bool:
        """Say that the program reads inputs in a way that can't be foreseen."""
        return self.reads is None and bool(self.calls & _READING)

    def refusal(self) -> str | None:
        """Say why the program may not run at all: it would read modules of the host."""
        word = first_word(self.filter)
        if word not in ("import", "include", "module"):
            if "modulemeta" not in self.calls:
                return None
            word = "modulemeta"
        elif _is_malformed_module(self.filter):
            # libjq finds out before it looks for any file.
            complaint = self.complaint()
            if complaint is not None:
                return complaint
        return f"jq: error: modules are not available here: {word}\njq: 1 compile error"

    def compiled(self, source: str = "") -> Any:
        """Give libjq's form of one of the sources; ``CompileError`` with the text that jq prints."""
        source = source or self.source
        compiled = self._compiled.get(source)
        if compiled is None:
            import jq

            # A text that this grammar does not know might only make sense within our own brackets.
            complaint = self.complaint() if self.node is None else None
            if complaint is not None:
                raise CompileError(complaint)
            try:
                compiled = self._compiled[source] = jq.compile(source)
            except ValueError as error:
                raise CompileError(self.complaint() or str(error)) from None
        return compiled

    def folds_little(self) -> bool:
        """Say that compiling alone can't take long: libjq computes ``"a" * 1000000000`` then and there."""
        if "*" not in self.filter:
            return True
        product = 1.0
        for spelled in _NUMBERS.findall(self.filter):
            product *= max(1.0, float(spelled))
        return product * len(self.filter) < 1e6

    def complaint(self) -> str | None:
        """Give libjq's words about the program as it was written: columns count from its start."""
        import jq

        try:
            named = {name: None for name in self.names}
            jq.compile(self.filter, args={**named, "ARGS": {"positional": [], "named": named}})
        except ValueError as error:
            return str(error)
        return None

    def data(self, text: str, extras: Callable[[Program], dict[str, str]]) -> str:
        """Give what libjq gets for an input."""
        if not self.needs_extras:
            return text
        members = ",".join(f"{_dump(key)}:{value}" for key, value in extras(self).items())
        return f"[{text},{{{members}}}]"


def _is_malformed_module(program: str) -> bool:
    """Say that the first import, include or module can't be right, whatever files there are."""
    try:
        tokens = Lexer(program).tokens()
    except BadEscape:
        return True
    except (NotUnderstood, RecursionError):
        return False
    words = [token.text for token in tokens]
    if words[0] == "module":
        return words[1] != "{" and "import" not in words and "include" not in words
    if tokens[1].kind != "string" or len(tokens[1].parts or ()) > 1:
        return True
    after = 4 if words[0] == "import" else 2
    return words[after : after + 1] not in ([";"], ["{"])


_HALTS = frozenset(("halt", "halt_error"))
_READING = frozenset(("input", "inputs"))
_EXTRA_CALLS = _READING | {"input_filename", "input_line_number"}
_MARKED = (
    'def halt_error($__c): if ($__c|type) != "number" then error("halt_error/1: number required")'
    f' else error({{"{HALT}":[., $__c]}}) end; def halt_error: halt_error(5); def halt: null|halt_error(0); '
)
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")

_kept: dict[tuple[str, tuple[str, ...]], Program] = {}
_kept_size = 0
_MOST = 128
_MOST_SIZE = 1 << 20  # characters of source


def get_program(filter_: str, names: tuple[str, ...] = ()) -> Program:
    """Give the program of a filter, kept from the last time if possible."""
    global _kept_size
    key = (filter_, names)
    program = _kept.get(key)
    if program is None:
        program = Program(filter_, names)
        if len(_kept) >= _MOST or _kept_size > _MOST_SIZE:
            _kept.clear()
            _kept_size = 0
        _kept[key] = program
        _kept_size += len(filter_)
    return program


def run_here(program: Program, source: str, data: str) -> Events:
    """Run in this process. Only for what is known to end soon: libjq holds the GIL."""
    # The iterator must not be asked again after an error (libjq aborts): a generator ends by itself.
    yield from program.compiled(source).input_text(data)


def cut_here(text: str) -> Iterator[str]:
    """Let libjq cut a text into values."""
    global _cutter
    if _cutter is None:
        import jq

        _cutter = jq.compile("tojson")
    yield from _cutter.input_text(text)


_cutter: Any = None
