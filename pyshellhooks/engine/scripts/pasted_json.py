"""The check for JSON into which a hook pastes a text of the payload: a quote in that text makes the output invalid.

A deny whose reason quotes the command is lost just for the commands that contain a quote. The text of the payload is traced
through variables, substitutions, pipelines, here-documents and functions, up to any step that may escape it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from ...analysis.named_commands import flat_parts, nodes, static_words
from ...syntax.nodes.base import Node
from ...syntax.nodes.commands import Function, List
from ...syntax.nodes.simple import HereDoc, Simple
from ...syntax.nodes.words import CommandSub, Literal, Parameter, Quoted, Word
from .command_context import Spot, spots
from .payload_keys import JqCall

SAYING = frozenset({"echo", "printf"})
#: Programs that print their input, or a part of it.
PASSING = frozenset({"awk", "cat", "cut", "fold", "head", "sed", "sort", "tail", "tee", "tr", "uniq"})
#: Operators of ``${x op …}`` that leave quotes unchanged. A replacement (``/``) or ``@Q`` may escape them, and removing
#: a pattern leaves a word or a name: ``${c%% *}``, ``${file##*/}``.
_LEAVING = frozenset(["", "-", ":-", "=", ":=", "?", ":?", "slice", "^", "^^", ",", ",,"])
_QUOTES = ('"', "\\042", "\\x22", "[:punct:]")  # a program with one of these in its words may escape quotes
_CHANGING = ("@", "tojson", "gsub", "sub(", "length", "type", "keys", "test(", "ascii", "explode")  # in a jq filter
_DEEPEST = 8

#: Parameter -> its known values: the words of a call, by the positional parameters of the function.
Arguments: TypeAlias = Mapping[str, tuple[Word, ...]]
_NO_ARGUMENTS: Arguments = {}


class Pasted:
    """A finder of the commands of one script that paste a text of the payload into JSON.

    values      variable -> all words assigned to it
    given       the variables in which the system passes texts of the payload
    is_payload  returns whether the stdin of a command is the unchanged payload
    """

    __slots__ = ("_functions", "_given", "_is_payload", "_values")

    def __init__(
        self,
        tree: List,
        values: Mapping[str, list[Word]],
        given: frozenset[str],
        is_payload: Callable[[Simple, Spot], bool],
    ) -> None:
        self._values = values
        self._given = given
        self._is_payload = is_payload
        self._functions: dict[str, Function | None] = {}
        for node in nodes(tree):
            if isinstance(node, Function):
                self._functions[node.name] = None if node.name in self._functions else node

    def pasting(self, commands: Iterable[tuple[Simple, Spot]]) -> Iterator[tuple[Simple, str]]:
        """Yield each command that prints such JSON as part of the hook's output, and the parameter that it pastes.

        The parameter is ``""`` for a command substitution.
        """
        seen: set[int] = set()
        for command, name in self._pasted_in(commands, _NO_ARGUMENTS, 0):
            if id(command) not in seen:
                seen.add(id(command))
                yield command, name

    def _pasted_in(
        self, commands: Iterable[tuple[Simple, Spot]], arguments: Arguments, depth: int
    ) -> Iterator[tuple[Simple, str]]:
        for command, spot in commands:
            words = static_words(command)
            if depth > _DEEPEST:
                return
            if not words or not spot.answers:
                continue
            function = self._functions.get(words[0] or "")
            if function is not None:
                inner = spots(function.body, Spot(spot.feed))
                yield from self._pasted_in(inner, _bound(command, arguments), depth + 1)
                continue
            for part in (part for text in self._printed(command, words) for part in flat_parts(text)):
                if self._is_foreign(part, arguments, depth):
                    yield command, part.name if isinstance(part, Parameter) else ""
                    break

    def _printed(self, command: Simple, words: list[str | None]) -> Iterator[Word]:
        """Yield the words that a command prints as JSON, or puts into it."""
        texts = [word for word in command.words[1:] if isinstance(word, Word)]
        if words[0] == "cat" and len(words) == 1:
            texts = _input_texts(command)
        elif words[0] not in SAYING:
            return
        form = words[1] if words[0] == "printf" and len(words) > 1 else None
        if form is not None and form.lstrip().startswith("{"):
            if "%s" in form:
                yield from texts[1:]
            return
        for word in texts:
            value = self._value(word)
            if _is_object(value):
                yield value

    def _value(self, word: Word) -> Word:
        """Return the value of a word that is a variable with a single value; else the word itself."""
        parts = list(flat_parts(word))
        if len(parts) != 1:
            return word
        part = parts[0]
        if not isinstance(part, Parameter) or part.op:
            return word
        values = self._values.get(part.name, [])
        return values[0] if len(values) == 1 else word

    def _is_foreign(self, part: Node, arguments: Arguments, depth: int) -> bool:
        """Return whether a part of a word expands to a text of the payload with its quotes unescaped."""
        if depth > _DEEPEST:
            return False
        if isinstance(part, CommandSub):
            return self._passes(part.body, Spot(), arguments, depth + 1)
        if not isinstance(part, Parameter) or part.op not in _LEAVING:
            return False
        if part.length or part.indirect:
            return False
        name = part.name
        if name in arguments or _is_positional(name):
            return self._any_foreign(arguments.get(name, ()), arguments, depth)
        values = self._values.get(name)
        if values is None:
            return name in self._given
        first = tuple(value for value in values if not _names(value, name))
        known = {**arguments, name: first}
        changed = (value for value in values if _names(value, name))
        if not all(self._any_foreign([value], known, depth) for value in changed):
            return False  # it is reassigned from its own value, which may escape it
        return self._any_foreign(first, arguments, depth)

    def _any_foreign(self, words: Iterable[Word], arguments: Arguments, depth: int) -> bool:
        return any(self._is_foreign(part, arguments, depth + 1) for word in words for part in flat_parts(word))

    def _passes(self, body: Node, spot: Spot, arguments: Arguments, depth: int) -> bool:
        """Return whether the last output of a list of commands is a text of the payload."""
        commands = [row for row in spots(body, spot) if row[1].answers and static_words(row[0])]
        return bool(commands) and self._command_passes(*commands[-1], arguments, depth)

    def _jq_passes(self, command: Simple, words: list[str | None], spot: Spot) -> bool:
        """Return whether a jq command prints a text of the payload raw and unchanged."""
        call = JqCall(words)
        if not call.raw or not call.plain:
            return False
        changes = any(word in call.filter for word in _CHANGING)
        return not changes and self._is_payload(command, spot)

    def _command_passes(self, command: Simple, spot: Spot, arguments: Arguments, depth: int) -> bool:
        """Return whether a command prints a text of the payload with its quotes unescaped."""
        words = static_words(command)
        if not words or depth > _DEEPEST:
            return False
        if words[0] == "jq":
            return self._jq_passes(command, words, spot)
        function = self._functions.get(words[0] or "")
        if function is not None:
            return self._passes(function.body, Spot(spot.feed), _bound(command, arguments), depth + 1)
        texts = [word for word in command.words[1:] if isinstance(word, Word)]
        if words[0] in SAYING:
            return self._any_foreign(texts, arguments, depth)
        if words[0] not in PASSING or _may_escape(words):
            return False
        if spot.feed is None:
            return self._any_foreign(_input_texts(command), arguments, depth)
        if not spot.feed:
            return True  # the payload itself
        *before, last = spot.feed
        return isinstance(last, Simple) and self._command_passes(last, Spot(tuple(before)), arguments, depth + 1)


def _may_escape(words: list[str | None]) -> bool:
    arguments = words[1:]
    # The complement of a set (``tr -cd a-z``) may contain the quotes.
    if words[0] == "tr" and any((word or "").startswith(("-c", "-C", "-dc", "-sc")) for word in arguments):
        return True
    return any(word is None or any(quote in word for quote in _QUOTES) for word in arguments)


def _bound(command: Simple, outer: Arguments) -> Arguments:
    """Return a function's positional parameters in a call, with those of its caller replaced by their values."""
    bound = {}
    words = [word for word in command.words[1:] if isinstance(word, Word)]
    for number, word in enumerate(words, 1):
        passed = [part.name for part in flat_parts(word) if isinstance(part, Parameter) and _is_positional(part.name)]
        bound[str(number)] = tuple(text for name in passed for text in outer.get(name, ())) if passed else (word,)
    together = tuple(text for texts in bound.values() for text in texts)
    return {**bound, "@": together, "*": together}


def _is_positional(name: str) -> bool:
    return name.isdigit() or name in ("@", "*")


def _input_texts(command: Simple) -> list[Word]:
    """Return the here-document or here-string that a command reads."""
    targets = [one.target for one in command.redirects if one.op.startswith("<<") and one.fd in (None, 0)]
    return [target.body if isinstance(target, HereDoc) else target for target in targets[-1:]]


def _names(word: Word, name: str) -> bool:
    return any(isinstance(node, Parameter) and node.name == name for node in nodes(word))


def _is_object(word: Word) -> bool:
    """Return whether a word begins like a JSON object with literal quotes."""
    texts = [part.text for part in flat_parts(word) if isinstance(part, Literal | Quoted)]
    first = next(flat_parts(word), None)
    begins = isinstance(first, Literal | Quoted) and first.text.lstrip()[:1] == "{"
    return begins and any('"' in text for text in texts)


def shown(name: str) -> str:
    """Return a parameter as it is written; for ``""``, a description of a command substitution."""
    return f"${name}" if name else "the output of $( )"
