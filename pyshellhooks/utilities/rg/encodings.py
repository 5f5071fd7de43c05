"""Decoding of files that are not UTF-8, by a byte order mark or by ``-E`` (WHATWG Encoding, labels)."""

from __future__ import annotations

import codecs

from ...errors import UsageError
from ...streams.base import Stream

# Labels of the standard, by Python's name of the encoding.
_NAMES = {
    "utf-8": "utf8 utf-8 unicode-1-1-utf-8",
    "utf-16-le": "utf-16 utf-16le unicode ucs-2 csunicode iso-10646-ucs-2",
    "utf-16-be": "utf-16be unicodefffe",
    "cp1252": "ascii us-ascii ansi_x3.4-1968 latin1 l1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 windows-1252 cp1252 x-cp1252",
    "iso8859-2": "latin2 l2 iso-8859-2 iso8859-2 iso88592",
    "iso8859-5": "iso-8859-5 iso8859-5 cyrillic",
    "iso8859-7": "iso-8859-7 iso8859-7 greek",
    "cp1254": "latin5 l5 iso-8859-9 iso8859-9 windows-1254 cp1254",
    "iso8859-15": "iso-8859-15 iso8859-15 l9",
    "cp1250": "windows-1250 cp1250",
    "cp1251": "windows-1251 cp1251",
    "cp1253": "windows-1253 cp1253",
    "cp866": "cp866 ibm866 866",
    "koi8-r": "koi8-r koi8 koi",
    "koi8-u": "koi8-u",
    "cp932": "shift_jis shift-jis sjis ms_kanji windows-31j x-sjis",
    "euc_jp": "euc-jp x-euc-jp",
    "gb18030": "gb18030 gbk gb2312 gb_2312 chinese x-gbk",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5",
    "cp949": "euc-kr korean ks_c_5601-1987 windows-949",
}
_LABELS = {label: name for name, labels in _NAMES.items() for label in labels.split()}
_MARKS = ((codecs.BOM_UTF8, ""), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def coding_of(label: str) -> str:
    """Return Python's name of an encoding, or ``auto`` for UTF-8 unless a mark differs, or ``none`` for no decoding."""
    name = label.strip().lower()
    if name in ("auto", "none"):
        return name
    if name not in _LABELS:
        raise UsageError(f"grep config error: unknown encoding: {label}", hint=False)
    return _LABELS[name]


class Transcoder(Stream):
    """A stream in another encoding, read as UTF-8. Invalid bytes become U+FFFD."""

    __slots__ = ("_coding", "_decoder", "_stream")

    def __init__(self, stream: Stream, coding: str) -> None:
        super().__init__()
        self._stream = stream
        self._coding = coding
        self._decoder: codecs.IncrementalDecoder | None = None

    def read(self, size: int = 65536, /) -> bytes:
        while True:
            chunk = self._stream.read(size)
            if self._coding:
                chunk = self._begin(chunk)
            if self._decoder is None:
                return chunk
            text = self._decoder.decode(chunk, not chunk)
            if text or not chunk:
                return text.encode("utf-8", "replace")

    def _begin(self, chunk: bytes) -> bytes:
        """Choose the decoder by the byte order mark, if any."""
        while 0 < len(chunk) < 3 and (more := self._stream.read(3 - len(chunk))):
            chunk += more
        coding = "utf-8" if self._coding == "auto" else self._coding
        self._coding = ""
        for mark, marked in _MARKS:
            if chunk.startswith(mark):
                chunk, coding = chunk[len(mark) :], marked or coding
                break
        if coding != "utf-8":
            self._decoder = codecs.getincrementaldecoder(coding)("replace")
        return chunk or self._stream.read()  # an empty chunk would mean the end of the stream

    def path(self) -> str | None:
        return self._stream.path()
