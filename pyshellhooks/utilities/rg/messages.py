"""``--json``: results as messages, one per line (https://docs.rs/grep-printer/0.1/grep_printer/struct.JSON.html)."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from ...text import encode
from .results import Line, Sink, Stats, Writer
from .settings import Settings


class Messages(Sink):
    """Writes ``begin match context end`` for each file with a match, and one ``summary``."""

    __slots__ = ("_has_begun",)

    def __init__(self, settings: Settings, out: Writer) -> None:
        super().__init__(settings, out)
        self.wants_spans = True
        self._has_begun = False

    def begin(self, name: str) -> None:
        super().begin(name)
        self.name = encode(name)
        self._has_begun = False

    def matched(self, line: Line) -> bool:
        line.drop_end()
        goes_on = self._tally(line)
        self._write("match", line)
        return goes_on

    def context(self, line: Line) -> bool:
        self._after -= self._after > 0
        self._write("context", line)
        return self._goes_on()

    def finish(self, searched: int) -> None:
        super().finish(searched)
        if self._has_begun:
            offset = None if self.binary < 0 else self.binary
            data = {"path": _text(self.name), "binary_offset": offset, "stats": _facts(self.stats)}
            self._put({"type": "end", "data": data})

    @property
    def is_counted(self) -> bool:
        return self._has_begun

    def _write(self, kind: str, line: Line) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._put({"type": "begin", "data": {"path": _text(self.name)}})
        matches = [{"match": _text(line.text[low:high]), "start": low, "end": high} for (low, high), *_ in line.spans]
        number = line.number if self.settings.line_number else None
        data = {
            "path": _text(self.name),
            "lines": _text(line.text),
            "line_number": number,
            "absolute_offset": line.offset,
            "submatches": matches,
        }
        self._put({"type": kind, "data": data})

    def _put(self, message: dict[str, Any]) -> None:
        self.out.write(_written(message))


def _text(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"bytes": b64encode(data).decode("ascii")}


def _written(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _facts(stats: Stats) -> dict[str, Any]:
    return {
        "elapsed": _elapsed(stats.seconds),
        "searches": stats.searches,
        "searches_with_match": stats.matched,
        "bytes_searched": stats.searched,
        "bytes_printed": stats.printed,
        "matched_lines": stats.lines,
        "matches": stats.matches,
    }


def _elapsed(seconds: float) -> dict[str, Any]:
    nanos = int(seconds * 1_000_000_000)
    return {"secs": nanos // 1_000_000_000, "nanos": nanos % 1_000_000_000, "human": f"{seconds:.6f}s"}


def summary_message(total: Stats, seconds: float) -> bytes:
    """Return the last message, whose keys are sorted."""
    data = {"elapsed_total": _elapsed(seconds), "stats": _facts(total)}
    text = json.dumps({"data": data, "type": "summary"}, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def summary_text(total: Stats, seconds: float) -> bytes:
    """Return the text of ``--stats``."""
    lines = (
        "",
        f"{total.matches} matches",
        f"{total.lines} matched lines",
        f"{total.matched} files contained matches",
        f"{total.searches} files searched",
        f"{total.printed} bytes printed",
        f"{total.searched} bytes searched",
        f"{total.seconds:.6f} seconds spent searching",
        f"{seconds:.6f} seconds",
        "",
    )
    return "\n".join(lines).encode()
