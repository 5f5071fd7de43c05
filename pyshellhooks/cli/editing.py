"""Line editing for ``pyshellhooks sh`` by prompt_toolkit (extra ``terminal``): history, completion, multiple lines."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from ..builtins._index import INDEX as BUILTINS
from ..errors import message_of
from ..state import variables
from ..state.options import is_on
from .reading import CommandReader

if TYPE_CHECKING:
    from ..shell import Dialogue

_MOST_FILES = 10_000  # names of a directory that are read
_KEYWORDS = "case do done elif else esac fi for function if in select then time until while".split()
_COMMAND_FOLLOWS = frozenset("! do elif else if then time until while { (".split())
_VARIABLE = re.compile(r"(?<!\\)\$\{?([A-Za-z_][A-Za-z0-9_]*)?$")
_SEPARATORS = ";|&()\n"
_BLANKS = " \t"
_WORD_ENDS = _BLANKS + "<>"
_SPECIAL_IN_QUOTES = frozenset('"\\$`')
_SPECIAL = frozenset(" \t\n'\"\\$`<>|&;(){}*?[]~#!")
HISTORY = "PYSHELLHOOKS_HISTORY"


class Editor(CommandReader):
    """Reads commands with prompt_toolkit. Enter submits a complete command, and adds a line to an incomplete one."""

    def __init__(self, dialogue: Dialogue, history: str | None) -> None:
        super().__init__(dialogue.deliver)
        self._dialogue = dialogue
        self._ended_by = 0  # the signal that ended the shell
        keys = KeyBindings()
        keys.add("enter")(self._enter)  # with multiline=True, Enter alone would always add a line
        self._session: PromptSession[str] = PromptSession(
            history=_history(history),
            completer=ShellCompleter(dialogue),
            complete_while_typing=False,
            key_bindings=keys,
            multiline=True,
        )

    def signal(self, number: int) -> None:
        """Handle a signal in the event loop; prompt_toolkit would print an exception of a signal handler."""
        app = self._session.app
        loop = app.loop
        if not self._reading or not app.is_running or loop is None:
            super().signal(number)
        elif number == 2:
            self._ended_by = 0
            loop.call_soon_threadsafe(lambda: app.exit(exception=KeyboardInterrupt))
        elif number in (1, 15):
            self._ended_by = number
            loop.call_soon_threadsafe(lambda: app.exit(exception=EOFError))
        else:
            super().signal(number)

    def _enter(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        menu = buffer.complete_state
        if menu is not None and menu.current_completion is not None:
            buffer.complete_state = None  # accept the chosen completion
        elif self._dialogue.is_complete(buffer.text + "\n"):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    def command(self, first: str, more: str) -> str | None:
        """Return a command with its newline; None at the end of the input. Raises KeyboardInterrupt."""
        self._reading = True
        vi = is_on(self._dialogue.ctx, "vi")
        self._session.editing_mode = EditingMode.VI if vi else EditingMode.EMACS
        try:
            text: str = self._session.prompt(
                ANSI(first),
                # A line that is only wrapped by the terminal has no prompt.
                prompt_continuation=lambda width, line, wrapped: "" if wrapped else ANSI(more),
                handle_sigint=False,
            )
            return text + "\n"
        except EOFError:
            if self._ended_by:
                raise SystemExit(128 + self._ended_by) from None
            return None
        finally:
            self._reading = False


class _IgnoreSpaceHistory(FileHistory):
    """A history file; commands that begin with a blank are not stored, as under bash's ``ignorespace``."""

    def store_string(self, string: str) -> None:
        if string.startswith(" "):
            return
        try:
            super().store_string(string)
        except OSError:
            pass  # such as a full disk: the command runs nevertheless


def _history(path: str | None) -> History:
    """Return a history in a file that only its owner can read, or in memory if the file cannot be created."""
    if path is None:
        return InMemoryHistory()
    try:
        # Created here, since prompt_toolkit would create it with the mode of the umask: commands may contain secrets.
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError as error:
        sys.stderr.write(f"sh: {path}: {message_of(error)}: the history is not saved\n")
        return InMemoryHistory()
    return _IgnoreSpaceHistory(path)


class ShellCompleter(Completer):
    """Completes commands, variables, options and files of a dialogue, in the dialogue's file system."""

    def __init__(self, dialogue: Dialogue) -> None:
        self._dialogue = dialogue
        self._shell = dialogue.shell

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield the completions of the word before the cursor."""
        words = _words(document.text_before_cursor)
        word = words[-1]
        start = -len(word)
        plain, quote = _unquoted(word)
        variable = _VARIABLE.search(word) if quote != "'" else None
        command = _command_of(words) if plain.startswith("-") else ""
        if variable is not None:
            yield from self._variables(variable[0])
        elif _is_command(words) and "/" not in plain:
            for name in self._commands(plain):
                yield Completion(name, start)
        elif command:
            for flag in self._options(command, plain):
                yield Completion(flag, start)
        else:
            yield from self._files(plain, quote, start)

    def _variables(self, begun: str) -> Iterator[Completion]:
        opening, closing = ("${", "}") if begun.startswith("${") else ("$", "")
        prefix = begun[len(opening) :]
        for name in sorted(self._dialogue.ctx.vars):
            if name.startswith(prefix):
                yield Completion(f"{opening}{name}{closing}", -len(begun))

    def _commands(self, prefix: str) -> list[str]:
        """Return the names of commands that begin with a prefix, keywords and functions included."""
        ctx = self._dialogue.ctx
        ours, own = self._shell.command_names()
        names: set[str] = {
            *_KEYWORDS,
            *BUILTINS,
            *ours,
            *(command.name for command in own),
            *ctx.functions,
            *ctx.aliases,
        }
        # Without a prefix, all programs of PATH would be too many to choose from.
        if self._shell.spawn and prefix:
            for directory in (variables.get(ctx, "PATH") or "").split(":"):
                names.update(name for name, kind in self._names(directory) if kind != "d")
        return sorted(name for name in names if name.startswith(prefix))

    def _options(self, command: str, prefix: str) -> list[str]:
        """Return the options of a builtin or utility that begin with a prefix."""
        utility = self._dialogue.ctx.run.registry.get(command)
        if utility is None:
            return []
        names: list[str] = []
        for flag in utility.listed:
            names += [f"-{letter}" for letter in flag.short]
            names += [f"--{name}" for name in flag.long]
        return sorted(name for name in names if name.startswith(prefix))

    def _files(self, begun: str, quote: str, start: int) -> Iterator[Completion]:
        above, slash, prefix = begun.rpartition("/")
        directory = above + slash
        if directory.startswith("~/") and not quote:
            directory = f"{variables.get(self._dialogue.ctx, 'HOME') or ''}{directory[1:]}"
        for name, kind in sorted(self._names(directory or ".")):
            hidden = name.startswith(".") and not prefix
            if hidden or not name.startswith(prefix):
                continue
            tail = "/" if kind == "d" else ""
            yield Completion(_quoted(above + slash + name, quote) + tail, start, display=name + tail)

    def _names(self, directory: str) -> list[tuple[str, str]]:
        """List a directory as names and kinds; a link to a directory has the kind ``d``."""
        fs, entries = self._shell.fs, []
        try:
            path = fs.absolute(self._dialogue.ctx.cwd, directory)
            # scandir does not follow links; the "." behind the name exists only in a directory.
            for entry in fs.scandir(path):
                kind = entry.kind
                if kind == "l" and fs.exists(f"{path}/{entry.name}/."):
                    kind = "d"
                entries.append((entry.name, kind))
                if len(entries) >= _MOST_FILES:
                    break
        except OSError:
            pass
        return entries


def _words(text: str) -> list[str]:
    """Split the text before the cursor into the words of its last command; the last is ``""`` after a blank."""
    words: list[str] = []
    word = quote = ""
    at = 0
    while at < len(text):
        c = text[at]
        if c == "\\" and quote != "'":
            word += text[at : at + 2]
            at += 2
            continue
        if quote:
            word += c
            if c == quote:
                quote = ""
        elif c in "'\"":
            quote, word = c, word + c
        elif c in _SEPARATORS:
            words, word = [], ""
        elif c in _WORD_ENDS:
            if word:
                words.append(word)
            if c not in _BLANKS:
                words.append(c)  # a redirection
            word = ""
        else:
            word += c
        at += 1
    return [*words, word]


def _is_command(words: list[str]) -> bool:
    """Return whether the last word is a command name: only assignments and words such as ``then`` precede it."""
    return all(word in _COMMAND_FOLLOWS or _is_assignment(word) for word in words[:-1])


def _command_of(words: list[str]) -> str:
    """Return the command that the last word is an argument of."""
    for end in range(1, len(words)):
        if not _is_command(words[: end + 1]):
            return words[end - 1]
    return ""


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def _unquoted(word: str) -> tuple[str, str]:
    """Return an unfinished word without its quotes, and the quote that is open at its end."""
    plain, quote, at = "", "", 0
    while at < len(word):
        c = word[at]
        if c == "\\" and quote != "'":
            plain += word[at + 1 : at + 2]
            at += 1
        elif c == quote:
            quote = ""
        elif not quote and c in "'\"":
            quote = c
        else:
            plain += c
        at += 1
    return plain, quote


def _quoted(name: str, quote: str) -> str:
    """Quote a name so that the shell reads it back; a leading ``~/`` stays unquoted."""
    if quote == "'":
        return "'" + name.replace("'", "'\\''")
    if quote == '"':
        return '"' + _with_backslashes(name, _SPECIAL_IN_QUOTES)
    home = "~/" if name.startswith("~/") else ""
    return home + _with_backslashes(name[len(home) :], _SPECIAL)


def _with_backslashes(name: str, special: frozenset[str]) -> str:
    return "".join("\\" + c if c in special else c for c in name)


def make_editor(dialogue: Dialogue, env: dict[str, str], virtual: bool) -> Editor:
    """Return an editor; its history is in memory if ``virtual`` or if ``PYSHELLHOOKS_HISTORY`` is empty."""
    from ..engine.trust.store import directory_of

    if virtual:
        return Editor(dialogue, None)
    path = env.get(HISTORY, f"{os.path.dirname(directory_of(env))}/history")
    return Editor(dialogue, os.path.expanduser(path) if path else None)
