"""One reason why a hook is off in its agent: its place, its message and hint, the change that fixes it, and its notice."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache

from ...host import current
from ...notice import STRICT, Notice
from ...syntax.source import Source
from ...syntax.text_diagnostic import TextDiagnostic

FIRST_LINE = "its first line names"
MARK = "\ufeff"  # the byte order mark
#: Reasons on systems whose sh is dash; they count even for a hook that is not a guard.
_OF_SH = frozenset({"bash-under-sh", "echo-under-sh"})

#: A change of a text: begin, end, new text.
Edit = tuple[int, int, str]


class Text:
    """A text that a shell of the agent reads.

    ``file``: its path, ``""`` for the hook's own command. ``shell``: the shell's name, ``""`` if it is not known.
    ``because``: why that shell reads it, as the beginning of a sentence. ``depth``: the number of scripts that lead to it.
    ``has_mark``: its file begins with a byte order mark; ``text`` is without it and with LF line ends, as places count.
    ``whole``: its exit status is the hook's. ``real``: a program of this machine runs it here too, if there is one.
    """

    __slots__ = ("because", "depth", "file", "has_mark", "real", "shell", "text", "whole")

    def __init__(
        self, text: str, file: str = "", shell: str = "", because: str = "", *, depth: int = 0, whole: bool = True
    ) -> None:
        self.text = text
        self.file = file
        self.shell = shell
        self.because = because
        self.depth = depth
        self.whole = whole
        self.has_mark = False
        self.real = because.startswith(FIRST_LINE)

    @classmethod
    def of_script(cls, content: str, file: str, shell: str, because: str, starter: Text) -> Text:
        """Return the text of a script that another text starts."""
        source = Source(content)
        text = cls(source.text, file, shell, because, depth=starter.depth + 1, whole=starter.whole)
        text.has_mark = content.startswith(MARK)
        return text


class OffReason(TextDiagnostic):
    """One reason why a hook is off in its agent.

    ``severity``  "error": the hook is off here and now; "warning": it may be off; "hint": it would be off elsewhere
    ``file``      ``""`` for the hook's own command
    ``text``      the whole text that ``begin`` and ``end`` are about
    ``name``      the word of the text that it is about
    ``is_here``   the hook is off now on this machine; only a warning for ``check``, which is about files
    ``edits``     begin, end and new text of each change that fixes it
    ``no_bit``    the file that needs an execute bit; ``""`` if none
    ``sought``    the word that the shell does not find; ``""`` if none
    ``real``      a program of this machine runs the text, if there is one
    ``only_with`` pattern of the payloads for which the hook is off; None for all
    """

    __slots__ = ("edits", "is_here", "name", "no_bit", "only_with", "real", "sought", "text")

    def __init__(
        self,
        code: str,
        name: str,
        message: str,
        hint: str,
        text: Text,
        place: tuple[int, int],
        *,
        severity: str = "error",
        edits: Iterable[Edit] = (),
        no_bit: str = "",
        sought: str = "",
        is_here: bool = False,
        only_with: re.Pattern[bytes] | None = None,
    ) -> None:
        super().__init__(code, message, hint, *place, severity, text.file)
        self.name = name
        self.text = text.text
        self.real = text.real
        self.is_here = is_here
        self.edits = tuple(edits)
        self.no_bit = no_bit
        self.sought = sought
        self.only_with = only_with
        self.locate(Source(text.text))

    @property
    def is_off(self) -> bool:
        """Whether verdicts report it: on systems whose sh is dash, a hook that is not a guard is off too."""
        if self.severity == "error" or self.is_here:
            return True
        return self.code in _OF_SH

    def counts_for(self, payload: bytes) -> bool:
        """Return whether the hook is off for a payload."""
        return self.only_with is None or self.only_with.search(payload) is not None

    def notice(self, is_run_by_program: bool) -> Notice:
        """Return the notice on a verdict. It is a fault if dash ran the script here too: a part of it did not run."""
        where = f"{current().relative(self.file)}:{self.line}: " if self.file else ""
        is_of_sh = self.code in _OF_SH and self.real
        is_fault = is_of_sh and is_run_by_program and is_dash()
        return Notice(where + self.message, "off-in-agent", hint=self.hint, fault=STRICT if is_fault else None)

    def __repr__(self) -> str:
        return f"OffReason({self.code}: {self.message})"


@cache
def is_dash() -> bool:
    """Return whether the sh of this machine is dash."""
    return os.path.basename(os.path.realpath("/bin/sh")) == "dash"
