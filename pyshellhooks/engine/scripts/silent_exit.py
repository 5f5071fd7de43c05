"""The rule on a block without a message: some systems take such an exit status 2 for a failure, and go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...analysis.named_commands import nodes, static_text, static_words
from ...hooks.model import HookRun
from ...notice import Notice
from ...syntax.nodes.base import Node
from ...syntax.nodes.commands import AndOr, Function, If, Pipeline, While
from ...syntax.nodes.simple import Redirect, Simple
from ...syntax.nodes.words import Word
from ...syntax.text_diagnostic import TextDiagnostic
from .rule import reports

if TYPE_CHECKING:
    from .script_advice import HookContext, Script

#: Commands that write nothing to standard error, also if they fail; "" is an assignment.
_SILENT = frozenset(["", ":", "[", "echo", "egrep", "exit", "false", "fgrep", "grep", "printf", "read", "test", "true"])
#: Commands that write to standard error only if they fail.
_QUIET = _SILENT | frozenset(
    "awk basename break case cat continue cut date declare dirname export head jq local readonly return sed shift sort"
    " tail tr typeset uniq unset wc".split()
)
_PRINTING = frozenset(["cat", "echo", "jq", "printf"])


@reports("silent-exit-2")
def silent_exit_2(script: Script) -> Iterator[TextDiagnostic]:
    """Report ``exit 2`` in a script that writes no message, if its system goes on then.

    Only if every command of the script is known to write nothing to standard error: the message may be a program's.
    """
    exits = [(node, spot) for node, spot in script.commands if spot.ends and static_words(node) == ["exit", "2"]]
    hook = script.hook
    if not exits or hook.event.row.guards not in ("call", "prompt") or _may_write_message(script):
        return
    prints = any(spot.answers and _name(node) in _PRINTING for node, spot in script.commands)
    loss = _loss(hook, b"no" if prints else b"")
    if loss is not None:
        node, _ = exits[0]
        yield TextDiagnostic("silent-exit-2", loss.message, loss.hint, node.pos, node.end, "error")


def _loss(hook: HookContext, stdout: bytes) -> Notice | None:
    """Return the notice of a system that blocks at exit status 2 with a message, and goes on without one."""
    with_message, *_ = hook.read(HookRun(status=2, stderr=b"no"))
    without, *_ = hook.read(HookRun(status=2, stdout=stdout))
    notices = [notice for notice in without.notices if isinstance(notice, Notice)]
    off = [notice for notice in notices if notice.kind == "off-in-agent"]
    if not with_message.blocks or (without.blocks and not off):
        return None
    return next(iter(off or notices), None)


def _may_write_message(script: Script) -> bool:
    """Return whether a script may write to standard error before it ends with status 2."""
    tree = list(nodes(script.tree))
    functions = {node.name for node in tree if isinstance(node, Function)}
    names = {_name(node) for node in tree if isinstance(node, Simple)}
    if "$?" in script.text or any(_is_to_stderr(node) for node in tree if isinstance(node, Redirect)):
        return True
    if not names <= _QUIET | functions:
        return True
    tested = [part for node in tree for part in _tested(node)]
    return not {_name(node) for part in tested for node in nodes(part) if isinstance(node, Simple)} <= _SILENT


def _name(command: Simple) -> str | None:
    """Return the name of a command: None if it is not literal, ``""`` for an assignment alone."""
    words = static_words(command)
    return words[0] if words else ""


def _is_to_stderr(redirect: Redirect) -> bool:
    """Return whether a redirection sends output to standard error."""
    target = static_text(redirect.target) if isinstance(redirect.target, Word) else None
    if redirect.op == ">&":
        return redirect.fd != 2 and target not in ("1", "-")
    return target is not None and (target.endswith(("stderr", "/fd/2")))


def _tested(node: Node) -> Iterator[Node]:
    """Yield the commands whose failure may lead to another command: it may have written the message."""
    if isinstance(node, Pipeline) and node.negated:
        yield node
    elif isinstance(node, While):
        yield node.condition
    elif isinstance(node, If) and (node.otherwise is not None or len(node.clauses) > 1):
        yield from [condition for condition, _ in node.clauses]
    elif isinstance(node, AndOr):
        parts = (node.first, *[command for _, command in node.rest])
        yield from [part for part, (op, _) in zip(parts, node.rest, strict=False) if op == "||"]
