"""The context of each simple command in a hook's text: its input, the use of its output, and its conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ...syntax.nodes.base import Node
from ...syntax.nodes.commands import (
    AndOr,
    Case,
    Command,
    Compound,
    For,
    ForArith,
    Function,
    Group,
    If,
    List,
    Pipeline,
    Select,
    Subshell,
    While,
)
from ...syntax.nodes.simple import ArrayLiteral, Assign, HereDoc, Redirect, Simple
from ...syntax.nodes.words import CommandSub, DoubleQuoted, Parameter, ProcessSub, Word

Commands: TypeAlias = tuple[Command, ...]

#: Programs that search their input for a pattern.
SEARCHING = frozenset({"egrep", "fgrep", "grep", "rg"})


class Spot:
    """The context of a simple command.

    ``feed``       the commands piped into it, in order; () for the hook's own stdin; None for any other input
    ``answers``    its output is part of the hook's output
    ``ends``       an ``exit`` here ends the hook
    ``conditions`` the commands of ``if``, ``case`` and ``&&`` that held; those that failed are not included
    ``before``, ``after``  its neighbours in the list
    """

    __slots__ = ("after", "answers", "before", "conditions", "ends", "feed")

    def __init__(
        self,
        feed: Commands | None = (),
        answers: bool = True,
        ends: bool = True,
        conditions: Commands = (),
        before: Commands = (),
        after: Commands = (),
    ) -> None:
        self.feed = feed
        self.answers = answers
        self.ends = ends
        self.conditions = conditions
        self.before = before
        self.after = after

    def under(self, *conditions: Command) -> Spot:
        """Return the same context under more conditions."""
        return Spot(self.feed, self.answers, self.ends, (*self.conditions, *conditions), self.before, self.after)

    def redirected(self, redirects: tuple[Redirect, ...]) -> Spot:
        """Return the same context with redirections."""
        feed, answers = self.feed, self.answers
        for one in redirects:
            if one.op.startswith("<") and one.fd in (None, 0):
                feed = None
            elif one.op in (">", ">>", ">|", "&>", "&>>", ">&") and one.fd in (None, 1):
                answers = False
        return Spot(feed, answers, self.ends, self.conditions, self.before, self.after)


def spots(node: Node, at: Spot) -> Iterator[tuple[Simple, Spot]]:
    """Yield every simple command of a tree with its context, in the order of the text."""
    if isinstance(node, Simple):
        yield node, at.redirected(node.redirects)
        for word in (*node.words, *node.assigns, *(one.target for one in node.redirects)):
            yield from _inside(word, at)
        return
    if isinstance(node, Compound):
        at = at.redirected(node.redirects)
    match node:
        case List():
            yield from _in_list(node, at)
        case Pipeline():
            yield from _in_pipeline(node, at)
        case AndOr():
            yield from _in_and_or(node, at)
        case Group():
            yield from spots(node.body, at)
        case Subshell():
            # ``exit`` ends the subshell only (POSIX XCU 2.12).
            yield from spots(node.body, Spot(at.feed, at.answers, False, at.conditions))
        case If():
            for condition, body in node.clauses:
                yield from spots(condition, at)
                yield from spots(body, at.under(condition))
            if node.otherwise is not None:
                yield from spots(node.otherwise, at)
        case Case():
            yield from _inside(node.word, at)
            for arm in node.arms:
                if arm.body is not None:
                    yield from spots(arm.body, at.under(node))
        case While():
            yield from spots(node.condition, at)
            yield from spots(node.body, at)
        case For() | Select() | ForArith():
            for word in getattr(node, "words", None) or ():
                yield from _inside(word, at)
            yield from spots(node.body, at)
        case Function():
            # A definition runs nothing: the input and the output are those of each call.
            yield from spots(node.body, Spot(None, False, True, at.conditions))


def _in_list(node: List, at: Spot) -> Iterator[tuple[Simple, Spot]]:
    """Yield the commands of a list, each with the commands before and after it."""
    commands = tuple(command for command, _ in node.items)
    for index, command in enumerate(commands):
        here = Spot(at.feed, at.answers, at.ends, at.conditions, commands[:index], commands[index + 1 :])
        yield from spots(command, here)


def _in_pipeline(node: Pipeline, at: Spot) -> Iterator[tuple[Simple, Spot]]:
    """Yield the commands of a pipeline: only the last one's output is the hook's, and each is fed by those before."""
    is_single = len(node.commands) == 1
    for index, command in enumerate(node.commands):
        is_last = index == len(node.commands) - 1
        feed = at.feed
        if index:
            feed = node.commands[:index]
        # ``exit`` in a pipeline of several commands ends a subshell only (POSIX XCU 2.12; bash runs the last one in the shell with ``lastpipe``).
        yield from spots(command, Spot(feed, at.answers and is_last, at.ends and is_single, at.conditions))


def _in_and_or(node: AndOr, at: Spot) -> Iterator[tuple[Simple, Spot]]:
    """Yield the commands of an AND-OR list: a command after ``&&`` has the earlier ones as its conditions."""
    yield from spots(node.first, at)
    held: Commands = (node.first,)
    for op, command in node.rest:
        if op != "&&":
            held = ()
        yield from spots(command, at.under(*held))
        held = (*held, command)


def _inside(node: Word | Assign | HereDoc | Node, at: Spot) -> Iterator[tuple[Simple, Spot]]:
    """Yield the commands of the substitutions in a word: their output is a value, not the hook's output."""
    if isinstance(node, Assign):
        value = node.value
        words = [item.word for item in value.items] if isinstance(value, ArrayLiteral) else [value]
        for inner in words:
            yield from _inside(inner, at)
    elif isinstance(node, HereDoc):
        yield from _inside(node.body, at)
    elif isinstance(node, Word | DoubleQuoted):
        for part in node.parts:
            yield from _inside(part, at)
    elif isinstance(node, CommandSub | ProcessSub):
        yield from spots(node.body, Spot(at.feed, False, False, at.conditions))
    elif isinstance(node, Parameter) and node.word is not None:
        yield from _inside(node.word, at)
