"""Static checks of a hook's script: mistakes that parse, run, and let everything pass.

The dialect decides the effect of an exit status or an output. A rule that is not sure reports nothing: a false alarm
costs more than a missed mistake. Each rule is a function of its own, and its docstring explains it:
docs/diagnostics.md shows it at the rule's code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ...analysis.named_commands import nodes, parse_script, static_text, static_words
from ...errors import ShellSyntaxError, Stop
from ...hooks.dialect import CLOSED, Dialect
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.suggest import misspelt, nearest
from ...hooks.tool_kinds import KINDS
from ...jsontext import explain
from ...jsontext.repeated_keys import repeated_keys
from ...notice import Notice
from ...syntax.nodes.commands import Case, Command, List
from ...syntax.nodes.simple import Assign, Simple
from ...syntax.nodes.tests import TestBinary
from ...syntax.nodes.words import Literal, Quoted, Word
from ...syntax.text_diagnostic import TextDiagnostic
from .command_context import SEARCHING, Spot, spots
from .literal_output import (
    failing_end,
    is_to_stderr,
    literal_output,
    plain_variable,
    printed_around,
    prints_message,
    reads_all_input,
    status_after,
)
from .macos_forms import bsd_form, linked_directory
from .path_forms import absolute_path_test, endless_walk
from .rule import reports
from .silent_exit import silent_exit_2

if TYPE_CHECKING:
    from .payload_keys import JqCall, Path

_LOOKING_UP = frozenset({"command", "type", "hash", "which"})

#: Kinds of notices on an output that the agent ignores as a whole.
_UNREAD = frozenset({"bad-output", "off-in-agent"})
_DECIDES = re.compile(r'"(?:d|permissionD)ecision"')
#: A key or a value of JSON that people write for a deny.
_NO = re.compile(r'"(?:deny|block|reject)\\*"|"(?:ok|allow|allowed|approve|approved)"\s*:\s*false')

_NOTHING: Mapping[str, str] = {}


class HookContext:
    """The hook that a text belongs to, as far as it is known.

    ``event``: an example; ``others``: the same event with tools of other kinds, on which an output may have an effect.
    ``keys``: the possible keys of its payload. ``below``: the known keys of the tool's arguments.
    ``tools``: the tools that its matcher takes, if these can be listed; else empty.
    ``given``: the variables in which the system passes texts of the payload.
    """

    __slots__ = ("below", "dialect", "event", "given", "keys", "others", "spec", "tools")

    def __init__(
        self,
        dialect: Dialect,
        spec: HookSpec,
        event: HookEvent,
        others: Iterable[HookEvent],
        keys: Iterable[str] = (),
        below: Mapping[str, str] = _NOTHING,
        given: Iterable[str] = (),
        tools: Iterable[str] = (),
    ) -> None:
        self.dialect = dialect
        self.spec = spec
        self.event = event
        self.others = tuple(others)
        self.keys = frozenset(keys)
        self.below = below
        self.given = frozenset(given)
        self.tools = tuple(tools)

    def has(self, path: Path) -> bool:
        """Return whether the payload may have a key, or a key inside it."""
        known = self.inputs
        if path[0] not in self.keys:
            return False
        is_argument = len(path) >= 2 and path[0] == self.place
        if not is_argument or not known:
            return True
        return path[1] in known

    @property
    def place(self) -> str:
        """The payload's key for the tool's input; ``""`` if it has none."""
        return self.event.row.places.get("tool_input", "")

    @property
    def inputs(self) -> frozenset[str]:
        """The possible arguments of the hook's tools; empty unless they are known for each tool."""
        known = [self.dialect.inputs.get(tool, ()) for tool in self.tools]
        return frozenset(key for keys in known for key in keys) if all(known) else frozenset()

    def meant(self, key: str) -> str:
        """Return the key of the tool's input that a wrong key is meant for: another system's name for it, or a typo."""
        kinds = [kind for kind in KINDS if not set(self.tools).isdisjoint(self.dialect.tools.get(kind.name, ()))]
        found = (kind.spelled.get(key, "") for kind in kinds)
        return next((one for one in found if one in self.inputs), "") or misspelt(key, self.inputs)

    def slip(self, path: Path) -> str:
        """Return the system's own name for a key of another system; ``""`` if a tool of the system has the key itself.

        Only for hooks that match every tool; even there, a tool of an MCP server may have the key.
        """
        place, key = path
        every: set[str] = set()
        for keys in self.dialect.inputs.values():
            every.update(keys)
        if self.spec.matcher not in (None, "", "*", ".*"):
            return ""
        if place != self.place or key in every:
            return ""
        for kind in KINDS:
            own_name = kind.spelled.get(key, "")
            if own_name in every:
                return own_name
        return ""

    def is_foreign(self, key: str) -> bool:
        """Return whether guards read this key in tools of another kind."""
        return any(
            key in kind.needs and set(self.tools).isdisjoint(self.dialect.tools.get(kind.name, ())) for kind in KINDS
        )

    def blocks(self, status: int) -> bool:
        """Return whether a hook blocks if it ends with a status and prints nothing to stdout."""
        policy = self.spec.on_failure if self.spec.on_failure is not None else self.event.row.failure
        closed = policy == CLOSED if isinstance(policy, str) else policy.get("nonzero") == CLOSED
        if closed and status:
            return True
        (outcome, *_) = self.read(HookRun(status=status, stderr=b"no"))
        return outcome.blocks

    def read(self, run: HookRun) -> list[HookOutcome]:
        """Return the outcome of a run for each of the events."""
        return [self.dialect.parse(run, self.spec, event) for event in (self.event, *self.others)]


class Script:
    """One text whose exit status and output are a hook's, with the data that the rules share.

    ``commands``: its simple commands and their contexts, in order. ``values``: variable -> all words assigned to it.
    """

    __slots__ = ("commands", "hook", "text", "tree", "values")

    def __init__(self, text: str, tree: List, hook: HookContext) -> None:
        self.text = text
        self.tree = tree
        self.commands = list(spots(tree, Spot()))
        self.hook = hook
        self.values: dict[str, list[Word]] = {}
        for node in nodes(tree):
            if not isinstance(node, Assign) or node.index is not None:
                continue
            if isinstance(node.value, Word):
                self.values.setdefault(node.name, []).append(node.value)

    def may_answer(self) -> bool:
        """Return whether the text may print JSON output, itself or with jq."""
        for node in nodes(self.tree):
            if not isinstance(node, Literal | Quoted) or "{" not in node.text:
                continue
            if ":" in node.text or '"' in node.text:
                return True
        return any(spot.answers and static_words(command)[:1] == ["jq"] for command, spot in self.commands)

    def is_payload(self, command: Simple, spot: Spot) -> bool:
        """Return whether the stdin of a command is the unchanged payload."""
        if spot.feed == ():
            return True
        if spot.feed is None:
            strings = [one.target for one in command.redirects if one.op == "<<<" and isinstance(one.target, Word)]
            return len(strings) == 1 and self.holds_payload(strings[0])
        if len(spot.feed) != 1 or not isinstance(spot.feed[0], Simple):
            return False
        words, node = static_words(spot.feed[0]), spot.feed[0]
        if words == ["cat"]:
            return not node.redirects
        is_echo = words[:1] == ["echo"] and len(words) == 2
        is_printf = words[:2] == ["printf", "%s"] and len(words) == 3
        if is_echo or is_printf:
            last = node.words[-1]
            return isinstance(last, Word) and self.holds_payload(last)
        return False

    def holds_payload(self, word: Word) -> bool:
        """Return whether a word is a variable that holds the payload."""
        name = plain_variable(word)
        values = self.values.get(name, [])
        # With several assignments, the order of the commands decides which one counts.
        return len(values) == 1 and reads_all_input(values[0])


class SimpleCommand:
    """One simple command of a script. ``words``: its words, None for one that is not literal; never empty."""

    __slots__ = ("node", "spot", "words")

    def __init__(self, node: Simple, spot: Spot, words: list[str | None]) -> None:
        self.node = node
        self.spot = spot
        self.words = words


#: A rule on a whole script.
ScriptRule: TypeAlias = Callable[[Script], Iterator[TextDiagnostic]]
#: A rule on one simple command of a script.
CommandRule: TypeAlias = Callable[[Script, SimpleCommand], Iterator[TextDiagnostic]]


def advise(text: str, hook: HookContext) -> Iterator[TextDiagnostic]:
    """Yield advice on a text whose exit status and output are the hook's. Yield nothing if it does not parse."""
    try:
        script = Script(text, parse_script(text), hook)
    except (ShellSyntaxError, Stop, RecursionError):
        return
    for rule in SCRIPT_RULES:
        yield from rule(script)
    for node, spot in script.commands:
        words = static_words(node)
        if words:
            command = SimpleCommand(node, spot, words)
            for command_rule in COMMAND_RULES:
                yield from command_rule(script, command)


def ends_with_one(text: str, tree: List, hook: HookContext) -> Iterator[TextDiagnostic]:
    """Yield the places where a guard is meant to block but ends with a status that its system ignores."""
    script = Script(text, tree, hook)
    if hook.event.row.guards not in ("call", "prompt"):
        return
    if hook.blocks(1) or not hook.blocks(2):
        return
    if not script.may_answer():
        for rule in END_RULES:
            yield from rule(script)


# -- statuses ---------------------------------------------------------------------------------------------------------


@reports("exit-1-does-not-block")
def exit_1(script: Script) -> Iterator[TextDiagnostic]:
    """Report ``exit 1`` of a guard if the system goes ahead with it and the text has no other way to block.

    Only after a test of the input and beside a message: an ``exit 1`` for a missing program is intended.
    """
    ends = [(command, static_words(command), spot) for command, spot in script.commands]
    exits = [(command, words, spot) for command, words, spot in ends if words[:1] in (["exit"], ["return"])]
    # Another status shows that the author knows how to block.
    if any(words[1:2] not in (["0"], ["1"], []) for _, words, _ in exits):
        return
    for command, words, spot in exits:
        is_exit = words == ["exit", "1"] and spot.ends
        if not is_exit or not _judges(spot.conditions):
            continue
        if prints_message((*spot.conditions, *spot.before)):
            message = f"exit 1 does not block: {script.hook.dialect.title} continues"
            yield _advice("exit-1-does-not-block", command, message, "write exit 2")


@reports("exit-1-does-not-block")
def always_fails(script: Script) -> Iterator[TextDiagnostic]:
    """Report a text that writes a message and always fails, also by a last ``false`` or ``kill $$``.

    A hint, since it may not be meant to block.
    """
    command = script.tree.items[-1][0]
    before = tuple(one for one, _ in script.tree.items[:-1])
    end = failing_end(command)
    if not end or not isinstance(command, Simple):
        return
    if prints_message(before):
        if all(isinstance(one, Simple) for one in before):
            message = f"{end} does not block: {script.hook.dialect.title} continues"
            yield _advice("exit-1-does-not-block", command, message, "to block, write exit 2", "hint")


@reports("answer-no-effect")
def exit_2_without_effect(script: Script) -> Iterator[TextDiagnostic]:
    """Report the first ``exit 2`` of a guard if it has no effect: a hint, for example for a hook that is asynchronous."""
    hook = script.hook
    if hook.event.row.guards not in ("call", "prompt") or hook.blocks(2):
        return
    (outcome, *_) = hook.read(HookRun(status=2, stderr=b"no"))
    why = next((one for one in outcome.notices if isinstance(one, Notice)), None)
    ends = [command for command, spot in script.commands if spot.ends and static_words(command) == ["exit", "2"]]
    if why is not None and ends:
        yield _advice("answer-no-effect", ends[0], why.message, why.hint, "hint")


# -- the input --------------------------------------------------------------------------------------------------------


@reports("jq-syntax")
def jq_syntax(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report a jq filter that does not compile: jq prints nothing, and the guard lets everything pass."""
    from .payload_keys import compiles  # imports jq's parser, which running hooks does not need

    if command.words[0] != "jq":
        return
    call, place = _jq(command)
    if call.filter and not compiles(call.filter):
        hint = "correct the filter (jq -n FILTER shows where)"
        yield _advice("jq-syntax", place, "the filter does not compile", hint)


@reports("payload-key")
def payload_key(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report keys in a jq filter that the payload never has, nor the input of the tools that the matcher matches."""
    from .payload_keys import unknown_keys

    hook = script.hook
    program, place = _payload_filter(script, command)
    if not program:
        return
    for key, *inner in unknown_keys(program, hook.has):
        if inner:
            problem = _unknown_input(script, inner[0])
            if problem is not None:
                yield _advice("payload-key", place, *problem)
            continue
        meant = hook.below.get(key) or nearest(key, hook.keys)
        fix = f"did you mean .{meant}?" if meant else f"expected one of: {', '.join(sorted(hook.keys))}"
        message = f"the payload of {hook.event.row.native} never has .{key}: jq reads null"
        yield _advice("payload-key", place, message, fix)


@reports("payload-key")
def key_of_other_system(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report keys of another system in a filter of a hook that is for every tool: a hint, as MCP tools may have them."""
    from .payload_keys import unknown_keys

    hook = script.hook
    program, place = _payload_filter(script, command)
    if not program:
        return
    for _, key in unknown_keys(program, lambda path: len(path) < 2 or not hook.slip(path)):
        fix = f"did you mean .{hook.place}.{hook.slip((hook.place, key))}?"
        message = f"no tool of {hook.dialect.title} itself has {hook.place}.{key}"
        yield _advice("payload-key", place, message, fix, "hint")


@reports("read-backslash")
def read_backslash(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report a ``read`` without ``-r``, which removes the backslashes from the payload."""
    words = command.words
    if words[0] != "read" or None in words:
        return
    # Without ``-r`` a backslash is an escape character (POSIX XCU read); other options change the reading further.
    if any((word or "").startswith("-") for word in words[1:]):
        return
    reads_json = len(words) >= 2 and bool(script.hook.keys)
    if reads_json and script.is_payload(command.node, command.spot):
        message = "read without -r removes backslashes, which JSON often has"
        hint = f"write read -r {' '.join(str(one) for one in words[1:])}"
        yield _advice("read-backslash", command.node, message, hint)


# -- the output -------------------------------------------------------------------------------------------------------


@reports("json-pasted")
def json_pasted(script: Script) -> Iterator[TextDiagnostic]:
    """Report JSON into which the script pastes a text that may contain quotes or newlines.

    Also in a here-document, in a function, or through ``$( )``.
    """
    from .pasted_json import Pasted, shown  # imports jq's parser too

    pasted = Pasted(script.tree, script.values, script.hook.given, script.is_payload)
    for command, parameter in pasted.pasting(script.commands):
        name = parameter.lower() if parameter.isidentifier() else "text"
        source = f"${parameter}" if parameter else "$(...)"
        message = (
            f"{shown(parameter)} is inserted into JSON without escaping: a quote or a newline in it breaks the output"
        )
        hint = f"use jq: jq -n --arg {name} \"{source}\" '{{… ${name} …}}'"
        yield _advice("json-pasted", command, message, hint)


@reports("answer-unreadable")
def json_in_json(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report an output that is a JSON string with the JSON of a decision in it."""
    if _printed_json(command) and _is_json_in_json(literal_output(command.node, command.words)):
        title = script.hook.dialect.title
        message = f"{title} can't parse this output: it is a JSON string that contains JSON"
        hint = "print the object itself, without quotes around it"
        yield _advice("answer-unreadable", command.node, message, hint)


@reports("answer-unreadable")
def unreadable_output(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report an output that the system can't parse, or that it ignores as a whole."""
    output = _Output.of(script, command)
    problem = output.why_unreadable() if output is not None else None
    if output is not None and problem is not None:
        reason, better = problem
        message = f"{script.hook.dialect.title} can't use this output as intended: {reason}"
        hint = explain.hint_for(output.text) or better
        if not hint:
            hint = _schema_hint(script.hook)
        yield _advice("answer-unreadable", command.node, message, hint)


@reports("answer-no-effect")
def output_without_effect(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report an output that has no effect on this event, or that decides nothing.

    A hint for a text that denies in the words of another system.
    """
    output = _Output.of(script, command)
    if output is None or output.why_unreadable() is not None:
        return
    hint = _schema_hint(script.hook)
    fault = _without_effect(script, output.outcome, output.others)
    if fault:
        message, better = _of_notice(fault)
        yield _advice("answer-no-effect", command.node, message, better or hint)
    elif _NO.search(output.text) and not any(_counts(one) for one in (output.outcome, *output.others)):
        message = f"{script.hook.dialect.title} finds no decision in this output"
        yield _advice("answer-no-effect", command.node, message, hint, "hint")


@reports("answer-no-effect")
def deny_on_stderr(script: Script, command: SimpleCommand) -> Iterator[TextDiagnostic]:
    """Report a deny that is printed to stderr, where it has no effect: a hint."""
    if command.spot.answers or not is_to_stderr(command.node):
        return
    hook, text, status = script.hook, literal_output(command.node, command.words), status_after(command.spot.after)
    if not text.startswith("{") or not _NO.search(text):
        return
    if not status.isdigit():
        return
    (outcome, *_) = hook.read(HookRun(status=int(status), stderr=text.encode()))
    if not outcome.blocks:
        message = f"{hook.dialect.title} does not read a decision from stderr"
        yield _advice("answer-no-effect", command.node, message, "print it to stdout, and exit with 0", "hint")


#: The rules on the ends of a guard, in the order of their reports.
END_RULES: tuple[ScriptRule, ...] = (always_fails, exit_1)
#: The rules on a whole script, in the order of their reports.
SCRIPT_RULES: tuple[ScriptRule, ...] = (
    json_pasted,
    exit_2_without_effect,
    silent_exit_2,
    absolute_path_test,
    endless_walk,
    linked_directory,
)
#: The rules on each simple command of a script, in the order of their reports.
COMMAND_RULES: tuple[CommandRule, ...] = (
    jq_syntax,
    payload_key,
    key_of_other_system,
    read_backslash,
    bsd_form,
    json_in_json,
    unreadable_output,
    output_without_effect,
    deny_on_stderr,
)


# -- helpers of the rules ---------------------------------------------------------------------------------------------


def _judges(conditions: tuple[Command, ...]) -> bool:
    """Return whether conditions test the input, and not whether a program is installed."""
    judged = False
    for condition in conditions:
        if isinstance(condition, Case):
            judged = True
            continue
        for node in nodes(condition):
            if isinstance(node, TestBinary):
                judged |= node.op in ("=~", "==", "=")
            elif isinstance(node, Simple):
                words = static_words(node)
                # A test for an installed program does not judge the call.
                if words and words[0] in _LOOKING_UP:
                    return False
                if not words:
                    continue
                compares = words[0] in ("[", "test") and "=" in words
                judged |= compares or words[0] in SEARCHING
    return judged


def _jq(command: SimpleCommand) -> tuple[JqCall, Simple | Word]:
    """Return the command line of a jq command, and the word of its filter, or the command if none is literal."""
    from .payload_keys import JqCall

    call = JqCall(command.words)
    texts = (word for word in command.node.words if isinstance(word, Word))
    place = next((word for word in texts if static_text(word) == call.filter), None)
    return call, place or command.node


def _payload_filter(script: Script, command: SimpleCommand) -> tuple[str, Simple | Word]:
    """Return a jq command's filter and its place; ``""`` if it does not compile or its input is not the payload."""
    from .payload_keys import compiles

    if command.words[0] != "jq":
        return "", command.node
    call, place = _jq(command)
    if not call.plain or not call.filter or not script.hook.keys:
        return "", place
    if not compiles(call.filter) or not script.is_payload(command.node, command.spot):
        return "", place
    return call.filter, place


def _unknown_input(script: Script, key: str) -> tuple[str, str] | None:
    """Return message and hint for a key that no tool of the hook has; None if it is probably intended.

    A text that also reads a key that the tools have may be written for several tools or systems.
    """
    hook = script.hook
    meant = hook.meant(key)
    slip = bool(meant) and not any(key in kind.spelled for kind in KINDS)
    if not slip:
        if not meant and not hook.is_foreign(key):
            return None
        if any(f".{one}" in script.text for one in hook.inputs):
            return None
    message = f"the {hook.place} of {' and '.join(hook.tools)} never has .{key}: jq reads null"
    if meant:
        return message, f"did you mean .{hook.place}.{meant}?"
    return message, f"expected one of: {', '.join(sorted(hook.inputs))}"


def _printed_json(command: SimpleCommand) -> str:
    """Return the literal output of a command if it may be JSON output of a hook that ends with 0 or 2; else ``""``."""
    if not command.spot.answers:
        return ""
    text = literal_output(command.node, command.words)
    if "{" not in text or status_after(command.spot.after) not in ("0", "2"):
        return ""
    return text


class _Output:
    """The JSON output of a hook that one command prints.

    ``text``: the text of the command. ``printed``: the whole output. ``outcome``, ``others``: its outcome for each event.
    """

    __slots__ = ("others", "outcome", "printed", "text")

    def __init__(self, text: str, printed: str, outcome: HookOutcome, others: Sequence[HookOutcome]) -> None:
        self.text = text
        self.printed = printed
        self.outcome = outcome
        self.others = others

    @classmethod
    def of(cls, script: Script, command: SimpleCommand) -> _Output | None:
        """Return the output of a command; None if its text is not JSON output of the hook."""
        text = _printed_json(command)
        if not text or _is_json_in_json(text):
            return None
        spot = command.spot
        printed = "\n".join([*printed_around(spot.before), text, *printed_around(spot.after)])
        outcome, *others = script.hook.read(HookRun(status=int(status_after(spot.after)), stdout=printed.encode()))
        is_json = text.startswith("{") and (text.endswith("}") or _decides(text))
        if not outcome.blocks and not is_json:
            return None
        return cls(text, printed, outcome, others)

    def why_unreadable(self) -> tuple[str, str] | None:
        """Return problem and hint if the system can't parse the output or ignores all of it; else None."""
        return _why_unreadable(self.outcome, self.printed)


def _schema_hint(hook: HookContext) -> str:
    return f"see the valid output: pyshellhooks schema {hook.dialect.name} output {hook.event.row.native}"


def _without_effect(script: Script, outcome: HookOutcome, others: Sequence[HookOutcome]) -> str:
    """Return the notice about a part of the output that has no effect; ``""`` if there is none."""
    for fault in outcome.faults:
        if all(fault in other.faults for other in others):
            return fault
    if _counts(outcome) or script.text != script.hook.spec.command:  # a script may be for several events
        return ""
    ignored = (one for one in outcome.notices if isinstance(one, Notice) and one.kind == "answer-ignored")
    return next(ignored, "")


def _advice(code: str, node: Simple | Word, message: str, hint: str, severity: str = "warning") -> TextDiagnostic:
    return TextDiagnostic(code, message, hint, node.pos, node.end, severity)


def _is_json_in_json(text: str) -> bool:
    """Return whether an output with a decision is encoded as JSON twice."""
    if not text.startswith('"') or not text.endswith('"'):
        return False
    try:
        inner = json.loads(text)
        return _decides(inner) and isinstance(json.loads(inner), dict)
    except ValueError:
        return False


def _decides(printed: str) -> bool:
    """Return whether a text contains the key of a decision, also if it is encoded as UTF-16."""
    return _DECIDES.search(printed.replace("\0", "")) is not None


def _why_unreadable(outcome: HookOutcome, printed: str) -> tuple[str, str] | None:
    """Return why the system can't parse an output as it is meant, and the hint or ``""``; None if it can."""
    unread = [one for one in outcome.notices if isinstance(one, Notice) and one.kind in _UNREAD]
    if outcome.ended == "bad_output" or unread:
        return _of_notice([*unread, *outcome.notices, "it is not a valid output"][0])
    problem = _spoilt(printed)
    return (problem, "") if problem else None


def _spoilt(printed: str) -> str:
    """Return the JSON problem of an output with a decision: invalid, or with a repeated key; ``""`` if it has none."""
    if not printed.startswith("{") or not _decides(printed):
        return ""
    try:
        json.loads(printed)
    except ValueError as error:
        return f"invalid JSON: {error}"
    twice = repeated_keys(printed)
    return f'duplicate key "{twice[0]}": only the last value counts' if twice else ""


def _counts(outcome: HookOutcome) -> bool:
    """Return whether any part of an outcome has an effect."""
    if outcome.blocks or outcome.decision is not Decision.NONE:
        return True
    if outcome.effects:
        return True
    texts = (outcome.context, outcome.user_message, outcome.rewrite, outcome.output, outcome.followup)
    return any(text is not None and text != "" for text in texts)


def _of_notice(one: str) -> tuple[str, str]:
    """Return the message and the hint of a notice."""
    return (one.message, one.hint) if isinstance(one, Notice) else (one, "")
