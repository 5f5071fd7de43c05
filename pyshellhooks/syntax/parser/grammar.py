"""Lists and pipelines (POSIX XCU 2.9.2 and 2.9.3), and the choice among the kinds of commands."""

from __future__ import annotations

from ...text import EVERY, pause
from .. import nodes as n
from .compound import CompoundCommands

# Reserved words that end a list: none of them can begin a command.
_CLOSERS = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}", "in", "]]"))
_PREFIXES = frozenset(("!", "time"))
_COMPOUNDS = {
    "{": CompoundCommands.group,
    "if": CompoundCommands.if_command,
    "while": CompoundCommands.while_command,
    "until": CompoundCommands.until_command,
    "for": CompoundCommands.for_command,
    "case": CompoundCommands.case_command,
    "select": CompoundCommands.select_command,
    "[[": CompoundCommands.test_command,
}
_COMMANDS = {
    **_COMPOUNDS,
    "function": CompoundCommands.function_command,
    "coproc": CompoundCommands.coproc_command,
}

Items = list[tuple[n.Command, bool]]


class Grammar(CompoundCommands):
    """The whole grammar over one text."""

    __slots__ = ()

    # --- lists --------------------------------------------------------------------------------------

    def complete_command(self) -> n.List | None:
        """Read the commands of one line (of more if a construct continues); None at the end of the text."""
        items: Items = []
        while True:
            self.newlines()
            if self.modes.aliases and self._aliases():
                continue
            break
        if self.pos >= self.end:
            return None
        start = self.pos
        while True:
            items.append((self.and_or(), False))
            self.blanks()
            char = self.text[self.pos]
            if char in ";&":
                self._separator(items)
                self._aliases()
                self.blanks()
                char = self.text[self.pos]
            elif char != "\n" and self.pos < self.end:
                raise self.unexpected()
            end = self.pos
            if char == "\n":
                self.newline()
                if self._in_alias():
                    self.newlines()
                elif self.pos < self.end:
                    break
            if self.pos >= self.end:
                break
        if self.docs:
            self.here_documents()
        return n.List(tuple(items), start, end)

    def _in_alias(self) -> bool:
        # The value of an alias continues after a newline in it: an offset in the source cannot express that.
        return any(alias.start < self.pos < alias.end for alias in self.active)

    def command_list(self) -> n.List:
        """Read commands up to a token that can't begin one: a closing word, ``)``, ``;;`` or the end of the text."""
        items: Items = []
        start = self.pos
        while True:
            self.newlines()
            if self.modes.aliases and self._aliases():
                continue
            char = self.text[self.pos]
            if char in ");" or self.pos >= self.end or self.at_closer():
                break
            items.append((self.and_or(), False))
            self.blanks()
            char = self.text[self.pos]
            if char == "\n":
                self.newline()
            elif char not in ";&" or not self._separator(items):
                break
        return n.List(tuple(items), start, self.pos)

    def _lone(self) -> bool:
        return self.operator() in (";", "&")

    def _separator(self, items: Items) -> bool:
        if not self._lone():
            if self.opened and self.operator()[0] == ";":
                return False
            raise self.unexpected()
        if self.text[self.pos] == "&":
            items[-1] = (items[-1][0], True)
        self.pos += 1
        return True

    def at_closer(self) -> bool:
        """Return whether the cursor is at a reserved word that can't begin a command."""
        return self.command_word() in _CLOSERS

    def _aliases(self) -> bool:
        # An alias may contain anything: it is expanded before the grammar reads on.
        changed = False
        while self.modes.aliases and self.expand_alias():
            changed = True
            self.blanks()
        return changed

    def and_or(self) -> n.Command:
        """Read pipelines with ``&&`` and ``||`` between them."""
        start = self.pos
        first = self.pipeline()
        self.blanks()
        if self.text[self.pos] not in "&|":
            return first
        rest = []
        while True:
            op = self.operator()
            if op not in ("&&", "||"):
                break
            self.skip_operator(op)
            self.newlines()
            rest.append((op, self.pipeline()))
            self.blanks()
        if not rest:
            return first
        return n.AndOr(first, tuple(rest), start, rest[-1][1].end)

    # --- pipelines ------------------------------------------------------------------------------------

    def pipeline(self) -> n.Command:
        """Read ``[time [-p]] [!] a | b``."""
        start = self.pos
        timed: str | None = None
        negated = prefixed = False
        if self.modes.aliases:
            self._aliases()
        while (word := self.command_word()) in _PREFIXES:
            if word == "time" and self.modes.posix:
                following = self.text[self.pos + 4 :].lstrip(" \t")[:1]
                if following == "-":  # before an option it is the utility (bash "Pipelines")
                    break
            pause()
            prefixed = True
            self.pos += len(word)
            self.blanks()
            if word == "!":
                negated = not negated
            else:
                timed = self._time_option(timed or "")
            self._aliases()
        is_bare = self.pos >= self.end or self.text[self.pos] in "\n;"
        if prefixed and is_bare:  # bash allows ``!`` and ``time`` without a command
            return n.Pipeline((), (), negated, timed, self.line(start), start, self.pos)
        commands = [self.command()]
        both = []
        while True:
            self.blanks()
            if self.text[self.pos] != "|":
                break
            op = self.operator()
            if op == "||":
                break
            self.skip_operator(op)
            both.append(op == "|&")
            self.newlines()
            self._aliases()
            commands.append(self._piped())
        if len(commands) == 1 and not prefixed:
            return commands[0]
        return n.Pipeline(tuple(commands), tuple(both), negated, timed, self.line(start), start, commands[-1].end)

    def _piped(self) -> n.Command:
        if self.command_word() == "!":
            raise self.unexpected("a command (`!` is allowed only before the whole pipeline)")
        return self.command()

    def _time_option(self, timed: str) -> str:
        if self.command_word() == "-p":
            self.pos += 2
            self.blanks()
            timed = "-p"
        if self.command_word() == "--":
            self.pos += 2
            self.blanks()
        return timed

    # --- commands -------------------------------------------------------------------------------------

    def command(self) -> n.Command:
        """Read one command."""
        self.commands_read += 1
        if not self.commands_read % EVERY:
            pause()
        start = self.pos
        if self.text[start] == "(":
            return self.parenthesis(start)
        word = self.command_word()
        if word:
            read = _COMMANDS.get(word)
            if read is not None:
                self.pos = start + len(word)
                return read(self, start)
            if word in _CLOSERS:
                raise self.unexpected()
        return self.simple()

    def compound(self) -> n.Command | None:
        """Read a compound command; None if the cursor is not at one."""
        start = self.pos
        if self.text[start] == "(":
            return self.parenthesis(start)
        word = self.command_word()
        read = _COMPOUNDS.get(word)
        if read is None:
            return None
        self.pos = start + len(word)
        return read(self, start)
