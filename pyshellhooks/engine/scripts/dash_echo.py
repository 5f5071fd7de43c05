"""Uses of ``echo`` with payload text in scripts for dash, whose ``echo`` interprets ``\\n``, ``\\c`` and ``\\\\``.

JSON of the payload loses its escapes, and the text after a ``\\c`` is lost. bash does neither (dash 0.5.12, echo;
POSIX XCU echo leaves it open). The analysis follows texts from the payload through variables, substitutions, pipelines
and functions, whatever their order. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...analysis.named_commands import flat_parts, nodes, static_words
from ...syntax.nodes.base import Node
from ...syntax.nodes.commands import Function, List
from ...syntax.nodes.simple import Assign, HereDoc, Redirect, Simple
from ...syntax.nodes.words import CommandSub, Literal, Parameter, Quoted, Word
from .command_context import SEARCHING, Spot, spots
from .off_reason import Edit
from .payload_keys import JqCall

#: How a value contains a text from the payload, the weakest first: not at all; raw; within JSON; within JSON output.
NONE, TEXT, PAYLOAD, ANSWER = range(4)
#: JSON of the payload, read by a program that reads lines.
LINES = 4
#: The harm, by kind; ``{0}`` is the parameter, ``{1}`` its reader.
_HARM = {
    NONE: "turns the \\n in this JSON into a newline: {1} can't read it",
    TEXT: "ends at a \\c in {0}: {1} does not get the rest",
    PAYLOAD: "interprets each \\n and \\\\ in {0} as an escape: {1} can't read the JSON of such a call",
    ANSWER: "interprets each \\n and \\\\ in {0} as an escape: {1} can't read such output",
    LINES: "prints each \\n in {0} as a newline: {1} reads each line of such a call separately",
}
#: An escape that dash's ``echo`` interprets.
_ESCAPE = re.compile(r"\\[abcefnrtv0-7\\]")
#: By kind: the bytes of a payload that ``echo`` changes; without them the output is the same.
CHANGED = {
    TEXT: re.compile(rb"\\\\(?:[abcefnrtv0-7]|\\\\)"),
    PAYLOAD: re.compile(rb"\\[bfnrt\\]"),
    ANSWER: re.compile(rb"\\[bfnrt\\]"),
    LINES: re.compile(rb"\\[bfnrt\\]"),
}
#: Programs that read JSON from their input, and every script, which may.
_JSON_READERS = re.compile(
    r"(?:jq|gojq|jaq|yq|fx|gron|dasel|python[\d.]*|node|deno|bun|ruby|perl|php|npx|tsx|uvx?|bash|sh|dash)\Z|.*[/.]"
)
#: Programs whose output or status depends on each line of their input.
_LINE_READERS = frozenset("awk cut egrep fgrep gawk grep mawk read rg sed".split())
#: Programs that copy their input to their output, and those that copy parts of it.
_COPYING = frozenset("cat head tail tee tr".split())
_CUTTING = frozenset("awk cut egrep fgrep fold gawk grep mawk rg sed sort uniq xargs".split())
_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
#: Keys of payloads whose values the model can't choose freely.
_FIXED = frozenset(
    "session_id tool_name hook_event_name permission_mode tool_use_id source trigger transcript_path cwd agent_type"
    " agent_id stop_hook_active event hook_event conversation_id generation_id".split()
)
_KEY = re.compile(r"\.([A-Za-z_]\w*)")
#: Filters of jq whose outputs are numbers, booleans or encoded.
_COUNTING = re.compile(
    r"\b(?:length|type|keys|has|test|contains|startswith|endswith|any|all|index)\b|@base64|@uri|==|!="
)
#: A pattern that may match across an escape of JSON.
_SPANNING = re.compile(r'[".^$\[\]*+]')
_DEEPEST = 8
_MOST = 2000  # commands of a text that are analyzed

#: Variables in which a system passes a text from the payload (crush 2.2).
_VARIABLES = re.compile(r"CRUSH_TOOL_INPUT_\w+\Z")


class Echo:
    """One ``echo`` whose output dash changes.

    ``kind``    ``TEXT``, ``PAYLOAD``, ``ANSWER`` or ``LINES``; ``NONE`` for literal JSON with escapes
    ``name``    the parameter, ``""`` for a substitution and for literal JSON
    ``reader``  the name of the program that reads it, ``""`` for the agent
    ``edit``    the change to ``printf``, None if it is not safe
    """

    __slots__ = ("command", "edit", "kind", "name", "reader")

    def __init__(self, command: Simple, kind: int, name: str, reader: str, edit: Edit | None) -> None:
        self.command = command
        self.kind = kind
        self.name = name
        self.reader = reader
        self.edit = edit

    @property
    def shown(self) -> str:
        """Return the parameter as it is written in a script."""
        return f"${self.name}" if self.name else "$( )"

    def harm(self, agent: str) -> str:
        """Return the effect on the reader, which is the agent if no program reads the output."""
        return _HARM[self.kind].format(self.shown, self.reader or agent)

    @property
    def harmful(self) -> re.Pattern[bytes] | None:
        """Return a pattern of the payload bytes because of which the output changes; None if it always does."""
        return CHANGED.get(self.kind)

    @property
    def is_rarely_harmful(self) -> bool:
        r"""Whether only unusual calls are changed: those with a ``\c``, or with several lines."""
        return self.kind in (TEXT, LINES)

    @property
    def hint(self) -> str:
        """Return the hint."""
        text = f'"{self.shown}"' if self.kind else "'…'"
        return f"write printf '%s\\n' {text} instead of echo"


def echoes(tree: List, text: str, *, has_input: bool) -> list[Echo]:
    """Return every ``echo`` of a text whose output dash changes so that its reader misreads it.

    ``has_input``: the payload is JSON on standard input.
    """
    return list(_Reading(tree, text, has_input).echoes())


class _Reading:
    """The analysis of one text and its variables. ``_spots``: the place of each command, by its ``id()``."""

    __slots__ = ("_calls", "_functions", "_has_input", "_owners", "_read", "_rows", "_spots", "_text", "_values")

    def __init__(self, tree: List, text: str, has_input: bool) -> None:
        self._text = text
        self._has_input = has_input
        self._functions = {node.name: node for node in nodes(tree) if isinstance(node, Function)}
        # The function around each command, by its ``id()``.
        self._owners = {id(node): name for name, one in self._functions.items() for node in nodes(one.body)}
        self._calls: dict[str, list[Simple]] = {}
        self._values: dict[str, list[Word]] = {}
        self._read: dict[str, list[Simple]] = {}
        self._rows: list[tuple[Simple, Spot, str]] = []
        self._spots: dict[int, tuple[Spot, str]] = {}
        self._visit(tree, Spot(), "", 0)
        for node in nodes(tree):
            if not isinstance(node, Assign) or node.index is not None:
                continue
            if isinstance(node.value, Word):
                self._values.setdefault(node.name, []).append(node.value)

    def _visit(self, body: Node, at: Spot, function: str, depth: int) -> None:
        """Record the commands of a body, and those of the functions that it calls."""
        for command, spot in spots(body, at):
            if len(self._rows) >= _MOST:
                return
            if self._owners.get(id(command), "") != function:
                continue  # in a function's definition: it runs only in a call
            if id(command) in self._spots and not spot.feed:
                continue  # of a function that was visited for an earlier call
            self._rows.append((command, spot, function))
            self._spots.setdefault(id(command), (spot, function))
            words = static_words(command)
            name = words[0] if words else None
            if name == "read":
                for word in words[1:]:
                    self._read.setdefault(word or "", []).append(command)
            called = self._functions.get(name or "")
            if called is not None and depth < _DEEPEST:
                self._calls.setdefault(called.name, []).append(command)
                self._visit(called.body, Spot(spot.feed, spot.answers), called.name, depth + 1)

    # -- the echoes ---------------------------------------------------------------------------------------------------

    def echoes(self) -> Iterator[Echo]:
        """Yield each ``echo`` once, in the order of the text."""
        if "echo" in self._functions:
            return
        readers = self._readers()
        seen: set[int] = set()
        for command, spot, function in self._rows:
            if id(command) in seen or not _is_echo(command):
                continue
            seen.add(id(command))
            one = self._echo_of(command, spot, function, readers.get(id(command), []))
            if one is not None:
                yield one

    def _readers(self) -> dict[int, list[Simple]]:
        """Return the commands that each ``echo`` is piped into, by its ``id()``."""
        readers: dict[int, list[Simple]] = {}
        for command, spot, _ in self._rows:
            for fed in spot.feed or ():
                for one in _tails(fed):
                    readers.setdefault(id(one), []).append(command)
        return readers

    def _echo_of(self, command: Simple, spot: Spot, function: str, readers: Sequence[Simple]) -> Echo | None:
        words = [word for word in command.words[1:] if isinstance(word, Word)]
        names = [_name(one) for one in readers]
        json_reader = next((name for name in names if _JSON_READERS.match(name)), "")
        is_answer = not readers and spot.answers
        kind, name = self._strongest(words, function)
        if is_answer or json_reader:
            if any(_is_spoilt(word) for word in words):
                return Echo(command, NONE, "", json_reader, self._edit(command))
            is_spoilt_payload = kind == PAYLOAD and bool(json_reader)
            if kind == ANSWER or is_spoilt_payload:
                return Echo(command, kind, name, json_reader, self._edit(command))
        reader = self._line_reader(readers, kind)
        if not reader:
            return None
        return Echo(command, TEXT if kind == TEXT else LINES, name, reader, self._edit(command))

    def _line_reader(self, readers: Sequence[Simple], kind: int) -> str:
        return next((_name(one) for one in readers if self._harms(one, kind)), "") if kind else ""

    def _harms(self, reader: Simple, kind: int) -> bool:
        """Return whether a program that reads lines gives another output or status for changed lines."""
        name = _name(reader)
        if name not in _LINE_READERS or any(_leaves(one) for one in reader.redirects):
            return False
        if kind == TEXT or name not in SEARCHING:
            return True
        # In JSON a backslash of the payload is doubled, so ``\\c`` cuts nothing off: only the lines become shorter.
        patterns = [word for word in static_words(reader)[1:] if word is None or not word.startswith("-")]
        return patterns[:1] == [None] or any(_SPANNING.search(one) for one in patterns[:1] if one)

    def _edit(self, command: Simple) -> Edit | None:
        """Return the change to ``printf``; None for several words, and for a word that the shell splits."""
        words = static_words(command)
        if len(words) != 2 or (words[1] or "").startswith("-"):
            return None
        first, word = command.words
        if self._text[first.pos : word.pos].rstrip() != "echo":
            return None  # within backquotes, or with a redirection between
        written = self._text[word.pos : word.end]
        is_parameter = isinstance(word, Word) and len(word.parts) == 1 and isinstance(word.parts[0], Parameter)
        if is_parameter:
            return first.pos, word.end, f"printf '%s\\n' \"{written}\""
        if written[:1] in ("'", '"'):
            return first.pos, word.pos, "printf '%s\\n' "
        return None

    # -- values -------------------------------------------------------------------------------------------------------

    def _strongest(self, words: Iterable[Word], function: str) -> tuple[int, str]:
        """Return how words contain a text from the payload, and the parameter that does."""
        kind, name = NONE, ""
        for part in (part for word in words for part in flat_parts(word)):
            own = self._part(part, function, 0)
            if own > kind:
                kind, name = own, part.name if isinstance(part, Parameter) else ""
        return kind, name

    def _words(self, words: Iterable[object], function: str, depth: int) -> int:
        whole = [word for word in words if isinstance(word, Word)]
        return max((self._part(part, function, depth) for word in whole for part in flat_parts(word)), default=NONE)

    def _part(self, part: Node, function: str, depth: int) -> int:
        """Return how a part of a word contains a text from the payload."""
        if depth > _DEEPEST:
            return NONE
        if isinstance(part, CommandSub):
            return self._substitution(part, depth + 1)
        if not isinstance(part, Parameter):
            return NONE
        if part.length or part.indirect:
            return NONE
        kind = self._variable(part.name, function, depth + 1)
        if part.word is not None and part.op in (":-", "-", ":=", "="):
            kind = max(kind, self._words([part.word], function, depth + 1))
        if part.op.startswith(("%", "#")):  # without its beginning or end it no longer parses as JSON
            return min(kind, TEXT)
        return kind

    def _substitution(self, part: CommandSub, depth: int) -> int:
        if part.input_file is None:
            return self._output(part.body, depth)
        file = self._text[part.input_file.pos : part.input_file.end]
        if self._has_input and file in _INPUT:
            return PAYLOAD
        return NONE

    def _variable(self, name: str, function: str, depth: int) -> int:
        if name.isdigit() or name in ("@", "*"):
            arguments = [word for call in self._calls.get(function, ()) for word in _arguments(call, name)]
            return self._words(arguments, "", depth)
        kinds = [TEXT] if _VARIABLES.match(name) else []
        kinds += [self._words([value], function, depth) for value in self._values.get(name, ())]
        kinds += [self._input(command, depth) for command in self._read.get(name, ())]
        return max(kinds, default=NONE)

    # -- outputs ------------------------------------------------------------------------------------------------------

    def _output(self, body: Node, depth: int) -> int:
        return max((self._printed(one, depth) for one in _tails(body)), default=NONE)

    def _printed(self, command: Simple, depth: int) -> int:
        """Return how the output of a command contains a text from the payload."""
        words, name = static_words(command), _name(command)
        function = self._spots[id(command)][1] if id(command) in self._spots else ""
        if depth > _DEEPEST or not words:
            return NONE
        if name in ("echo", "printf"):
            return self._words(command.words[1:], function, depth)
        if name == "jq":
            return self._jq(command, words, function, depth)
        called = self._functions.get(name)
        if called is not None:
            return self._output(called.body, depth + 1)
        operands = [word for word in words[1:] if word is None or not word.startswith("-") or word == "-"]
        if name == "cat" and not set(operands) <= _INPUT:
            return NONE  # it prints files
        if name in _COPYING:
            return self._input(command, depth)
        if name in _CUTTING or _JSON_READERS.match(name):
            return min(self._input(command, depth), TEXT)
        return NONE

    def _jq(self, command: Simple, words: list[str | None], function: str, depth: int) -> int:
        call = JqCall(words)
        if not call.filter or _COUNTING.search(call.filter):
            return NONE
        is_object = "{" in call.filter
        if not _has_no_input(words):
            kind = self._filtered(command, call.filter, depth)
        elif is_object and self._words(command.words[1:], function, depth):
            kind = ANSWER
        else:
            kind = NONE
        if call.raw and not is_object:
            return min(kind, TEXT)
        return kind

    def _filtered(self, command: Simple, program: str, depth: int) -> int:
        """Return how the output of a jq filter contains a text from the payload, if its input does."""
        keys = _KEY.findall(program)
        if keys and set(keys) <= _FIXED:
            return NONE
        kind = self._input(command, depth)
        prints_decision = "{" in program and "ecision" in program  # ``decision`` or ``permissionDecision``
        if kind and prints_decision:
            return ANSWER
        return kind

    def _input(self, command: Simple, depth: int) -> int:
        """Return how the input of a command contains a text from the payload."""
        spot, function = self._spots.get(id(command), (Spot(None), ""))
        texts = [one.target for one in command.redirects if one.op.startswith("<<") and one.fd in (None, 0)]
        if texts:
            return self._words([one.body if isinstance(one, HereDoc) else one for one in texts], function, depth)
        if spot.feed is None:
            return NONE
        if not spot.feed:
            return PAYLOAD if self._has_input else NONE
        return self._output(spot.feed[-1], depth + 1)


def _tails(body: Node) -> list[Simple]:
    """Return the commands that write the output of a command or a list."""
    return [command for command, spot in spots(body, Spot()) if spot.answers]


def _name(command: Simple) -> str:
    words = static_words(command)
    if not words:
        return ""
    return words[0] or ""


def _has_no_input(words: Sequence[str | None]) -> bool:
    """Return whether a jq command reads no input."""
    return any(word and re.match(r"-[a-zA-Z]*n|--null-input\Z", word) for word in words[1:])


def _is_echo(command: Simple) -> bool:
    """Return whether a command is the ``echo`` of the shell with output to another program or to the agent."""
    return _name(command) == "echo" and not any(_leaves(one) for one in command.redirects)


def _leaves(redirect: Redirect) -> bool:
    """Return whether a redirection sends standard output elsewhere: to a file or to stderr."""
    return redirect.op.startswith((">", "&>")) and redirect.fd in (None, 1)


def _arguments(call: Simple, name: str) -> Iterator[Word]:
    """Yield the arguments of a call that a positional parameter of the function expands to."""
    words = call.words[1:]
    if name.isdigit():
        words = words[int(name) - 1 : int(name)]
    for word in words:
        if isinstance(word, Word):
            yield word


def _is_spoilt(word: Word) -> bool:
    """Return whether a word is literal JSON with an escape that dash's ``echo`` interprets."""
    parts = list(flat_parts(word))
    texts = [part.text for part in parts if isinstance(part, Literal | Quoted)]
    if not texts or not isinstance(parts[0], Literal | Quoted):
        return False
    if not texts[0].lstrip().startswith(("{", "[")):
        return False
    has_string = any('"' in text for text in texts)
    return has_string and any(_ESCAPE.search(text) for text in texts)


__all__ = ["ANSWER", "CHANGED", "LINES", "NONE", "PAYLOAD", "TEXT", "Echo", "echoes"]
