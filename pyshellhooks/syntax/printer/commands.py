"""Commands as text, laid out as bash's ``declare -f`` does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...regexes import lazy_pattern
from .. import nodes as n
from ..quote import quote_word
from .words import WordPrinter

_RESERVED = frozenset(
    ("if", "then", "elif", "else", "fi", "do", "done", "case", "esac", "while", "until", "for", "select", "function")
    + ("coproc", "time", "in", "{", "}", "!", "[[", "]]")
)
_PLAIN_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_.:-]*")
_TABS = lazy_pattern(r"^\t", re.MULTILINE)
_ALONE = frozenset(("! ", "! ! ", "time ", "time -p "))
_INDENT = "    "


class CommandPrinter(WordPrinter):
    """Prints commands. The bodies of here-documents follow at the end of their line."""

    __slots__ = ("_docs", "_enclosing", "_indent", "_out")

    def __init__(self, enclosing: frozenset[str] = frozenset()) -> None:
        self._enclosing = enclosing  # delimiters of the here-documents around this text
        self._out: list[str] = []
        self._docs: list[tuple[n.HereDoc, bool]] = []  # and whether tabs are stripped (<<-)
        self._indent = 0

    def result(self) -> str:
        """Return the text."""
        if self._docs:
            self.newline()
        return "".join(self._out)

    # --- layout -------------------------------------------------------------------------------------

    def newline(self) -> None:
        """End the line."""
        out = self._out
        out.append("\n")
        enclosing = self._enclosing
        for doc, tabs in self._docs:
            self._enclosing = enclosing | {doc.delimiter}
            body = self.body(doc)
            self._enclosing = enclosing
            if tabs:
                body = _TABS.sub("\\\\\n\t", body)  # a tab can only remain after a continued line
            unended = self._unended(doc, body, tabs)
            if unended is not None:
                out.append(unended)
                break  # the text ended in it: the next ones are empty and have no delimiter either
            indent = ""
            if doc.delimiter in enclosing:
                indent = "\t"  # without it, the line would end the document around this one
            out.append(f"{body}{indent}{doc.delimiter}\n")
        self._docs.clear()
        out.append(_INDENT * self._indent)

    def _unended(self, doc: n.HereDoc, body: str, tabs: bool) -> str | None:
        """Return the body as it is printed if the text ended before its delimiter, else None."""
        if "\n" in doc.delimiter or (tabs and doc.delimiter.startswith("\t")):
            return body  # no line can be this delimiter
        if doc.delimiter in self._enclosing and not tabs:
            return body  # such a line would end the document around it
        if body.endswith("\\\n") and type(doc.body.parts[-1]) is n.Parameter:
            return body[:-1]  # a body with a syntax error
        if body and body[-1] != "\n":
            return body + "\\"  # its last line was continued
        return None

    def end(self, following: str) -> None:
        """End a command with ``;`` (or the newline that its here-document needs) and print ``following``."""
        if self._docs:
            self.newline()
            self._out.append(following)
        else:
            self._out.append("; " + following)

    def lines(self, commands: n.List) -> None:
        """Print commands one below the other."""
        last = len(commands.items) - 1
        for i, (command, background) in enumerate(commands.items):
            self.command(command)
            if background:
                self._out.append(" &")
            elif i < last and not self._docs:
                self._out.append(";")
            if i < last:
                self.newline()

    def block(self, commands: n.List, closing: str) -> None:
        """Print the indented body of a compound command and the word that ends it."""
        self._indent += 1
        self.newline()
        self.lines(commands)
        in_background = bool(commands.items) and commands.items[-1][1]
        ends_line = bool(commands.items) and not in_background and not self._docs
        if ends_line and closing != "}":
            self._out.append(";")  # bash writes none before the brace of a group
        self._indent -= 1
        self.newline()
        self._out.append(closing)

    def inline(self, body: n.List) -> str:
        """Print commands for ``$( … )``: on one line unless a here-document needs more."""
        inner = CommandPrinter(self._enclosing)
        inner.sequence(body)
        inner.ended()
        return inner.result()

    def ended(self) -> None:
        """Add ``;`` after a ``!`` or ``time`` without a command, which ``)`` does not end."""
        if self._out and self._out[-1] in _ALONE:
            self._out.append(";")

    def sequence(self, body: n.List) -> None:
        """Print commands on one line."""
        last = len(body.items) - 1
        for i, (command, background) in enumerate(body.items):
            self.command(command)
            if background:
                self._out.append(" & " if i < last else " &")
            if self._docs and i < last:
                self.newline()
            elif i < last and not background:
                self._out.append("; ")

    # --- commands -----------------------------------------------------------------------------------

    def command(self, command: n.Command) -> None:
        """Print one command and its redirections."""
        _PRINT[type(command)](self, command)
        if isinstance(command, n.Compound):
            for redirect in command.redirects:
                self._out.append(" " + self.redirect(redirect))

    def simple(self, node: n.Simple) -> None:
        """Print a simple command; its redirections come last, unless its first word would then be a reserved word."""
        redirects = [self.redirect(redirect) for redirect in node.redirects]
        pieces = [self._assign(assign) for assign in node.assigns]
        words = [self._assign(w) if isinstance(w, n.Assign) else self.word(w) for w in node.words]
        if words and not pieces and words[0] in _RESERVED:
            pieces, redirects = redirects, []
        self._out.append(" ".join(pieces + words + redirects))

    def _assign(self, node: n.Assign) -> str:
        name = node.name + self.subscript(node.index) + ("+=" if node.append else "=")
        value = node.value
        if isinstance(value, n.Word):
            return name + self.word(value)
        return f"{name}({' '.join(map(self._item, value.items))})"

    def _item(self, item: n.ArrayItem) -> str:
        if item.index is None:
            return self.word(item.word)
        operator = "+=" if item.append else "="
        return f"{self.subscript(item.index)}{operator}{self.word(item.word)}"

    def redirect(self, node: n.Redirect) -> str:
        """Print a redirection; the body of a here-document follows at the end of the line."""
        prefix = "" if node.fd is None else str(node.fd)
        if node.variable is not None:
            prefix = "{" + node.variable + "}"
        target = node.target
        if isinstance(target, n.HereDoc):
            self._docs.append((target, node.op == "<<-"))
            delimiter = quote_word(target.delimiter) if target.quoted else target.delimiter
            glue = " " if delimiter[0] in "-<>" else ""  # without the blank it would be part of the operator
            return f"{prefix}{node.op}{glue}{delimiter}"
        is_duplicate = node.op in (">&", "<&") and target.literal() is not None
        glue = "" if is_duplicate else " "
        return f"{prefix}{node.op}{glue}{self.word(target)}"

    def pipeline(self, node: n.Pipeline) -> None:
        """Print a pipeline."""
        if node.timed is not None:
            self._out.append("time -p " if node.timed else "time ")
        if node.negated:
            self._out.append("! ")
        elif node.timed is None and len(node.commands) < 2:
            self._out.append("! ! ")
        for i, command in enumerate(node.commands):
            if i:
                self._out.append(" |& " if node.both[i - 1] else " | ")
            self.command(command)

    def and_or(self, node: n.AndOr) -> None:
        """Print ``a && b``."""
        self.command(node.first)
        for op, command in node.rest:
            self._out.append(f" {op} ")
            self.command(command)

    # --- compound commands ----------------------------------------------------------------------------

    def group(self, node: n.Group) -> None:
        """Print ``{ list; }``."""
        self._out.append("{ ")
        self.block(node.body, "}")

    def subshell(self, node: n.Subshell) -> None:
        """Print ``( list )``."""
        self._out.append("( ")
        self.sequence(node.body)
        self.ended()
        if self._docs:
            self.newline()
        self._out.append(" )")

    def condition(self, condition: n.List, word: str) -> None:
        """Print the commands between ``if`` and ``then``."""
        self.sequence(condition)
        if condition.items[-1][1] and not self._docs:
            self._out.append(" " + word)
        else:
            self.end(word)

    def if_(self, node: n.If) -> None:
        """Print ``if … fi``."""
        for i, (condition, body) in enumerate(node.clauses):
            self._out.append("elif " if i else "if ")
            self.condition(condition, "then")
            closing = ""
            if i == len(node.clauses) - 1:
                closing = "fi" if node.otherwise is None else "else"
            self.block(body, closing)
        if node.otherwise is not None:
            self.block(node.otherwise, "fi")

    def while_(self, node: n.While) -> None:
        """Print ``while … done``."""
        self._out.append("until " if node.until else "while ")
        self.condition(node.condition, "do")
        self.block(node.body, "done")

    def each(self, node: n.For | n.Select) -> None:
        """Print ``for name …`` and ``select name …``."""
        keyword = "for" if isinstance(node, n.For) else "select"
        self._out.append(f"{keyword} {node.name}")
        if node.words is not None:
            self._out.append("".join([" in", *(" " + self.word(word) for word in node.words)]))
        self._do(node.body)

    def for_arithmetic(self, node: n.ForArith) -> None:
        """Print ``for ((…))``."""
        parts = [self.arithmetic(part) if part is not None else "" for part in (node.init, node.condition, node.step)]
        self._out.append(f"for (({'; '.join(parts)}))")
        self._do(node.body, end="")

    def _do(self, body: n.List, end: str = ";") -> None:
        self._out.append(end)
        self.newline()
        self._out.append("do")
        self.block(body, "done")

    def case(self, node: n.Case) -> None:
        """Print ``case … esac``."""
        self._out.append(f"case {self.word(node.word)} in ")
        self._indent += 1
        for arm in node.arms:
            self.newline()
            patterns = " | ".join(map(self.word, arm.patterns))
            if patterns.split(" ")[0] == "esac":  # it would end the command
                patterns = "(" + patterns
            self._out.append(f"{patterns})")
            self._indent += 1
            self.newline()
            self.lines(arm.body)
            self._indent -= 1
            self.newline()
            self._out.append(arm.terminator)
        self._indent -= 1
        self.newline()
        self._out.append("esac")

    def test_command(self, node: n.TestCommand) -> None:
        """Print ``[[ … ]]``."""
        self._out.append(f"[[ {self._test(node.expression, 0)} ]]")

    def _test(self, node: n.Test, level: int) -> str:
        # level: 0 anything, 1 the right side of || or a side of &&, 2 the right side of &&, 3 after !
        if isinstance(node, n.TestOr | n.TestAnd):
            op, tight = ("||", 1) if isinstance(node, n.TestOr) else ("&&", 2)
            text = f"{self._test(node.left, tight - 1)} {op} {self._test(node.right, tight)}"
            return f"( {text} )" if level >= tight else text
        if isinstance(node, n.TestNot):
            return f"! {self._test(node.operand, 3)}"
        if isinstance(node, n.TestUnary):
            return f"{node.op} {self.word(node.word)}"
        if isinstance(node, n.TestBinary):
            return f"{self.word(node.left)} {node.op} {self.word(node.right)}"
        return self.word(node.word)

    def arith_command(self, node: n.ArithCommand) -> None:
        """Print ``(( … ))``."""
        self._out.append(f"(({self.arithmetic(node.expression)}))")

    def function_(self, node: n.Function) -> None:
        """Print a function definition among other commands."""
        self.function(node.name, node.body)

    def function(self, name: str, body: n.Command) -> None:
        """Print ``name () body``."""
        is_plain = _PLAIN_NAME.fullmatch(name) and name not in _RESERVED
        if not is_plain:  # only after the word ``function`` it is a name
            self._out.append("function ")
        self._out.append(f"{name} () ")
        self.newline()
        self.command(body)

    def coproc(self, node: n.Coproc) -> None:
        """Print ``coproc name command``."""
        self._out.append("coproc " if isinstance(node.body, n.Simple) else f"coproc {node.name} ")
        self.command(node.body)


_PRINT: dict[type, Callable[[Any, Any], None]] = {
    n.Simple: CommandPrinter.simple,
    n.Pipeline: CommandPrinter.pipeline,
    n.AndOr: CommandPrinter.and_or,
    n.List: CommandPrinter.sequence,
    n.Group: CommandPrinter.group,
    n.Subshell: CommandPrinter.subshell,
    n.If: CommandPrinter.if_,
    n.While: CommandPrinter.while_,
    n.For: CommandPrinter.each,
    n.Select: CommandPrinter.each,
    n.ForArith: CommandPrinter.for_arithmetic,
    n.Case: CommandPrinter.case,
    n.Function: CommandPrinter.function_,
    n.TestCommand: CommandPrinter.test_command,
    n.ArithCommand: CommandPrinter.arith_command,
    n.Coproc: CommandPrinter.coproc,
}
