"""The colors of ``--color`` and ``--palette`` (diffutils manual 13, diff Options)."""

from __future__ import annotations

from ...command import Call
from ...regexes import lazy_pattern
from ...text import encode

_CODE = lazy_pattern(r"(?P<part>[^:]{2})=(?P<code>[^:\\^]*)", 0)


class Colors:
    """Escape sequences around parts of the output: ``hd`` headers, ``ln`` line numbers, ``de`` and ``ad`` lines."""

    __slots__ = ("_codes",)

    def __init__(self, call: Call, on: bool) -> None:
        codes = {"rs": "0", "hd": "1", "ad": "32", "de": "31", "ln": "36"}
        self._codes: dict[str, bytes] = {}
        if on and self._reads(call, codes):
            self._codes = {part: encode(f"\x1b[{code}m") for part, code in codes.items()}

    @staticmethod
    def _reads(call: Call, codes: dict[str, str]) -> bool:
        """Parse --palette into ``codes``; report an error and return False if it is invalid, so nothing is colored."""
        for entry in filter(None, call.opts.value("palette").split(":")):
            match = _CODE.fullmatch(entry)
            if match is not None and match["part"] in codes:
                codes[match["part"]] = match["code"]
                continue
            if match is not None:
                call.error(f"unrecognized prefix: {match['part']}")
            call.error("unparsable value for --palette")
            return False
        return True

    def painted(self, part: str, text: bytes) -> bytes:
        """Return a text in the color of a part; the part "" has no color."""
        color = self._codes.get(part)
        if color is not None:
            return color + text + self._codes["rs"]
        return text
