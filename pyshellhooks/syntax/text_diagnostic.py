"""``TextDiagnostic``: a diagnostic of a part of a text, such as a hook's command or a script."""

from __future__ import annotations

from ..errors import Diagnostic
from .source import Source


class TextDiagnostic(Diagnostic):
    """A diagnostic of a part of a text. ``begin``, ``end``: the offsets (int, from 0) of the part in the text."""

    __slots__ = ("begin", "end")

    def __init__(
        self, code: str, message: str, hint: str, begin: int, end: int, severity: str = "warning", file: str = ""
    ) -> None:
        super().__init__(file, 0, 0, message, hint, severity, code=code)
        self.begin = begin
        self.end = end

    def locate(self, source: Source) -> None:
        """Set line and columns in its text; the end column only if it is on the same line."""
        self.line = source.line(self.begin)
        self.column, self.end_column = source.columns(self.begin, self.end)
