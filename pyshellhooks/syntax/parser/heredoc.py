"""Here-documents (POSIX XCU 2.7.4)."""

from __future__ import annotations

from ...errors import ShellSyntaxError
from ...regexes import lazy_pattern
from ...text import pause
from .. import nodes as n
from .words import Parts, Words, unquote

_BODY = lazy_pattern(r"[^\\$`\0]+")
_IN_BODY = "$`\\"


class HereDocuments(Words):
    """Reads the bodies of here-documents."""

    __slots__ = ()

    def here_document(self, tabs: bool) -> n.HereDoc:
        """Read the delimiter after ``<<`` (``tabs``: after ``<<-``); the body follows with the next newline."""
        word = self.wanted_word("the delimiter of a here-document")
        delimiter, quoted = unquote(word, self.text)
        doc = n.HereDoc(delimiter, n.Word((), word.end, word.end), quoted, word.pos, word.end)
        self.docs.append((doc, tabs))
        return doc

    def here_documents(self) -> None:
        """Read the bodies of the here-documents of the line that ended; each runs to its delimiter or to the end."""
        docs, self.docs = self.docs, []
        for doc, tabs in docs:
            start = self.pos
            body = self._body(doc, tabs)
            doc.body = self._parse_body(body, doc.quoted, start)

    def _body(self, doc: n.HereDoc, tabs: bool) -> str:
        text = self.text
        delimiter = doc.delimiter
        lines: list[str] = []
        pos = self.pos
        while pos < self.end:
            stop = self._line_end(pos, doc.quoted)
            line = text[pos:stop]
            if tabs:
                line = line.lstrip("\t")
            if not doc.quoted and "\\\n" in line:  # a continued line may be the delimiter
                is_last = line.replace("\\\n", "") == delimiter
            else:
                is_last = line == delimiter
            if is_last:
                self.pos = min(stop + 1, self.end)
                return "".join(lines)
            if self.substitutions and line.startswith(delimiter) and ")" in line[len(delimiter) :]:
                # bash accepts the ) of $( … ) on the delimiter's line
                self.pos = stop - len(line) + len(delimiter)
                return "".join(lines)
            lines.append(line + "\n")
            pos = stop + 1
        self.pos = self.end
        self.unended_document(doc)
        return "".join(lines)

    def _line_end(self, pos: int, quoted: bool) -> int:
        # Without quotes, a line that ends in an unquoted backslash continues in the next one.
        text = self.text
        while True:
            pause()
            stop = text.find("\n", pos, self.end)
            if stop < 0:
                return self.end
            if quoted or text[stop - 1] != "\\":
                return stop
            line = text[pos:stop]
            if (len(line) - len(line.rstrip("\\"))) % 2 == 0:
                return stop
            pos = stop + 1

    def _parse_body(self, body: str, quoted: bool, pos: int) -> n.Word:
        if not body:
            return n.Word((), pos, pos)
        if quoted:
            return n.Word((n.Quoted(body, "'", pos, self.pos),), pos, self.pos)
        if "$" not in body and "`" not in body and "\\" not in body:
            return n.Word((n.Quoted(body, '"', pos, self.pos),), pos, self.pos)
        try:
            parts = self.child(body, pos).here_parts()
        except ShellSyntaxError:
            # bash parses the body when it is needed, and continues after an error in it
            parts = [n.Parameter(body, pos, self.pos, op="bad", line=self.line(pos))]
        return n.Word(tuple(parts), pos, self.pos)

    def here_parts(self) -> Parts:
        """Read the whole text as the body of a here-document: as in double quotes, but ``"`` is plain."""
        parts: Parts = []
        self.quoted_parts(parts, _BODY, _IN_BODY)
        return parts
