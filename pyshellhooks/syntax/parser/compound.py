"""Compound commands and functions (POSIX XCU 2.9.4 and 2.9.5, bash manual 3.2.5 and 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...regexes import lazy_pattern
from ...text import pause
from .. import nodes as n
from .scanner import COMMAND_WORD
from .tests import Tests

_PARENTHESES = lazy_pattern(r"\((?:[ \t]++|\\\n)*+\)")


class CompoundCommands(Tests):
    """Reads compound commands; the cursor is after the reserved word that begins one."""

    __slots__ = ()

    def begin(self, word: str, start: int) -> None:
        """Open a construct."""
        self.enter()
        self.opened.append((word, start))

    def expect(self, word: str) -> None:
        """Skip a reserved word. Raises ShellSyntaxError for any other word."""
        if self.modes.aliases:
            self.newlines()
        if self.command_word() != word:
            raise self.unexpected(f"`{word}`")
        self.pos += len(word)

    def finish(self) -> tuple[n.Redirect, ...]:
        """Close a construct and read its redirections."""
        self.opened.pop()
        self.depth -= 1
        return self.redirects()

    def commands(self) -> n.List:
        """Read commands, at least one."""
        commands = self.command_list()
        if not commands.items:
            raise self.unexpected("a command")
        return commands

    def body(self, stop: str) -> n.List:
        """Read commands, at least one, and the reserved word after them."""
        commands = self.commands()
        self.expect(stop)
        return commands

    # --- groups -------------------------------------------------------------------------------------

    def group(self, start: int) -> n.Command:
        """Read ``{ list; }``."""
        self.begin("{", start)
        body = self.body("}")
        redirects = self.finish()
        return n.Group(body, redirects, self.line(start), start, self.pos)

    def parenthesis(self, start: int) -> n.Command:
        """Read ``( list )`` or ``(( expression ))``; the cursor is at the parenthesis."""
        text = self.text
        self.pos = start + 1
        # ``((`` may also begin two subshells, between which POSIX XCU 2.9.4 requires a blank.
        if text[start + 1] == "(" and self.is_arithmetic(start + 2):
            self.begin("((", start)
            self.pos = start + 2
            content = self.arithmetic_text()
            self.close_arithmetic(start)
            expression = self.arithmetic_node(content, start)
            redirects = self.finish()
            return n.ArithCommand(expression, redirects, self.line(start), start, self.pos)
        self.begin("(", start)
        body = self.commands()
        if self.text[self.pos] != ")":
            raise self.unexpected("`)`")
        self.pos += 1
        redirects = self.finish()
        return n.Subshell(body, redirects, self.line(start), start, self.pos)

    # --- conditions and loops -------------------------------------------------------------------------

    def if_command(self, start: int) -> n.Command:
        """Read ``if … fi``."""
        self.begin("if", start)
        clauses = []
        otherwise = None
        while True:
            condition = self.body("then")
            clauses.append((condition, self.commands()))
            word = self.command_word()
            if word == "elif":
                self.pos += 4
                continue
            if word == "else":
                self.pos += 4
                otherwise = self.body("fi")
            else:
                if word != "fi":
                    raise self.unexpected("`elif`, `else` or `fi`")
                self.pos += 2
            break
        redirects = self.finish()
        return n.If(tuple(clauses), otherwise, redirects, self.line(start), start, self.pos)

    def while_command(self, start: int) -> n.Command:
        """Read ``while … done``."""
        return self._loop(False, start)

    def until_command(self, start: int) -> n.Command:
        """Read ``until … done``."""
        return self._loop(True, start)

    def _loop(self, until: bool, start: int) -> n.Command:
        self.begin("until" if until else "while", start)
        condition = self.body("do")
        body = self.body("done")
        redirects = self.finish()
        return n.While(until, condition, body, redirects, self.line(start), start, self.pos)

    def for_command(self, start: int) -> n.Command:
        """Read ``for name …`` or ``for ((…;…;…)) …``."""
        self.begin("for", start)
        self.blanks()
        if self.text.startswith("((", self.pos):
            return self._for_arithmetic(start)
        name, words, body, redirects = self._each()
        return n.For(name, words, body, redirects, self.line(start), start, self.pos)

    def select_command(self, start: int) -> n.Command:
        """Read ``select name …``."""
        self.begin("select", start)
        name, words, body, redirects = self._each()
        return n.Select(name, words, body, redirects, self.line(start), start, self.pos)

    def _each(self) -> tuple[str, tuple[n.Word, ...] | None, n.List, tuple[n.Redirect, ...]]:
        self.blanks()
        self.expand_following()
        word = self.wanted_word("the name of a variable")
        name = word.literal() or self.text[word.pos : word.end]  # an invalid name fails at run time, as in bash
        words: tuple[n.Word, ...] | None = None
        self.blanks()
        self.expand_following()
        if self.text[self.pos] == ";":
            self.pos += 1
            self.newlines()
        else:
            if self.command_word() == "{":  # braces may replace do and done only after a separator (bash)
                raise self.unexpected("`in`, `do`, `;` or a newline")
            self.newlines()
            if self.command_word() == "in":
                self.pos += 2
                words = self._words()
        body = self._do()
        return name, words, body, self.finish()

    def _words(self) -> tuple[n.Word, ...]:
        words = []
        while True:
            pause()
            self.blanks()
            self.expand_following()
            word = self.word()
            if word.end == word.pos:
                break
            words.append(word)
        char = self.text[self.pos]
        if char == ";":
            self.pos += 1
        elif char != "\n":
            raise self.unexpected("a word, `;` or a newline")
        self.newlines()
        return tuple(words)

    def _do(self) -> n.List:
        if self.command_word() == "{":  # bash accepts ``for x in a; { …; }``, which no manual describes
            self.begin("{", self.pos)
            self.pos += 1
            body = self.body("}")
            self.opened.pop()
            self.depth -= 1
            return body
        self.expect("do")
        return self.body("done")

    def _for_arithmetic(self, start: int) -> n.Command:
        opened = self.pos
        self.pos += 2
        parts = []
        for last in (False, False, True):
            while self.text[self.pos] in " \t\n" or self.text.startswith("\\\n", self.pos):
                self.pos += 1 + (self.text[self.pos] == "\\")
            parts.append(self.arithmetic_section())
            if not last:
                if self.text[self.pos] != ";":
                    if self.pos >= self.end:
                        raise self.unclosed("((", "))", opened)
                    hint = "`for ((` takes three expressions with `;` between them"
                    shown = self.text[opened : self.text.find("))", opened) + 2]
                    message = "syntax error: arithmetic expression required"
                    raise self.error(message, hint, opened, offending=f"syntax error: `{shown}'")
                self.pos += 1
        self.close_arithmetic(opened)
        self.blanks()
        if self.text[self.pos] == ";":
            self.pos += 1
        self.newlines()
        body = self._do()
        redirects = self.finish()
        init, condition, step = parts
        return n.ForArith(init, condition, step, body, redirects, self.line(start), start, self.pos)

    # --- case ---------------------------------------------------------------------------------------

    def case_command(self, start: int) -> n.Command:
        """Read ``case … esac``."""
        self.begin("case", start)
        self.blanks()
        self.expand_following()
        word = self.wanted_word("a word")
        self.newlines()
        self.expand_following()
        self.expect("in")
        arms = []
        while True:
            self.newlines()
            if self.command_word() == "esac":
                break
            arm, ended = self._arm()
            arms.append(arm)
            if ended:
                break
        self.expect("esac")
        redirects = self.finish()
        return n.Case(word, tuple(arms), redirects, self.line(start), start, self.pos)

    def _arm(self) -> tuple[n.CaseArm, bool]:
        start = self.pos
        if self.text[start] == "(":  # optional (POSIX XCU 2.9.4)
            self.pos += 1
        patterns: list[n.Word] = []
        while True:
            pause()
            self.blanks()
            patterns.append(self.wanted_word("a pattern after `|`" if patterns else "a pattern"))
            self.blanks()
            char = self.text[self.pos]
            if char == ")":
                break
            if self.operator() != "|":
                raise self.unexpected("`|` or `)` after the pattern")
            self.pos += 1
        self.pos += 1
        body = self.command_list()
        terminator = self.operator()
        if terminator in (";;", ";&", ";;&"):
            self.skip_operator(terminator)
            return n.CaseArm(tuple(patterns), body, terminator, start, self.pos), False
        if self.command_word() != "esac":
            raise self.unexpected("`;;` or `esac`")
        # The last arm needs no terminator (POSIX XCU 2.9.4).
        return n.CaseArm(tuple(patterns), body, ";;", start, self.pos), True

    # --- functions and coprocesses ----------------------------------------------------------------------

    def function_command(self, start: int) -> n.Command:
        """Read ``function name [()] body``."""
        self.blanks()
        word = self.wanted_word("the name of a function")
        name = word.literal() or self.text[word.pos : word.end]
        self.blanks()
        parentheses = _PARENTHESES.match(self.text, self.pos)
        if parentheses is not None:
            self.pos = parentheses.end()
        return self.function_body(start, name)

    def function_body(self, start: int, name: str) -> n.Function:
        """Read the body of a function: any compound command."""
        self.newlines()
        body = self.compound()
        if body is None:
            raise self.unexpected("the function's body, such as `{ …; }`")
        name = name.replace("\\\n", "")
        return n.Function(name, body, self.text[start : self.pos], self.line(start), start, self.pos)

    def coproc_command(self, start: int) -> n.Command:
        """Read ``coproc [name] command``."""
        self.blanks()
        body = self.compound()
        name = "COPROC"
        if body is None:
            # Only before a compound command is the word a name: ``coproc cat file`` runs cat (bash "Coprocesses").
            begin = self.pos
            match = COMMAND_WORD.match(self.text, begin)
            if match is not None and not self.at_closer():
                self.pos = match.end()
                self.blanks()
                body = self.compound()
                name = match.group()
        if body is None:
            name = "COPROC"
            self.pos = begin
            if self.at_closer():
                raise self.unexpected("a command")
            body = self.simple()
        return n.Coproc(name, body, self.line(start), start, self.pos)

    # --- methods of the layer above ---------------------------------------------------------------------

    if TYPE_CHECKING:

        def compound(self) -> n.Command | None:
            """Read a compound command if one begins under the cursor."""

        def at_closer(self) -> bool:
            """Return whether the cursor is at a reserved word that can't begin a command."""
