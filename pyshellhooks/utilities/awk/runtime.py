"""State of a run: variables, the record and its fields, special variables (POSIX XCU awk, "Special Variables")."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...cancel import CancelScope
from ...command import Call, reason
from ...errors import Stop
from ...patterns.charclass import is_utf8
from ...streams.base import Stream
from ...streams.pipe import pipe_of
from ...text import decode, encode
from ..support.gauge import Gauge
from .formatting import Formatter, to_integer
from .randomness import Generator
from .regexes import Regexes
from .splitting import Splitter, Splitting, has_odd_blanks, split_blanks
from .values import NO_FIELD, UNSET, Array, AwkError, StrNum, Value, from_input, misused, to_bool, to_number
from .wide import Characters

if TYPE_CHECKING:
    from .channels import Channels

_DEFAULTS: dict[str, bytes] = {
    "CONVFMT": b"%.6g",
    "FS": b" ",
    "OFMT": b"%.6g",
    "OFS": b" ",
    "ORS": b"\n",
    "RS": b"\n",
    "SUBSEP": b"\x1c",
    "FPAT": b"[^[:space:]]+",
    "TEXTDOMAIN": b"messages",
    "FIELDWIDTHS": b"",
    "FILENAME": b"",
    "ERRNO": b"",
    "ROUNDMODE": b"N",
    "RT": b"",
}
_COUNTS = {
    "NF": 0.0,
    "NR": 0.0,
    "FNR": 0.0,
    "IGNORECASE": 0.0,
    "RSTART": 0.0,
    "RLENGTH": -1.0,
    "BINMODE": 0.0,
    "LINT": 0.0,
    "ARGIND": 0.0,
    "PREC": 53.0,
}
DATE_FORMAT = b"%a %b %e %H:%M:%S %Z %Y"


class Assigned:
    """A field to which the program assigned a string: unlike input, it is never a ``StrNum``."""

    __slots__ = ("text",)

    def __init__(self, text: bytes) -> None:
        self.text = text


Piece = bytes | float | StrNum | Assigned


class Runtime:
    """The state of one run."""

    __slots__ = (
        *(
            "call",
            "channels",
            "characters",
            "convert",
            "environ_used",
            "fields",
            "fnr",
            "formatter",
            "gauge",
            "generator",
            "getline",
        ),
        *(
            "names",
            "nr",
            "ofmt",
            "ofs",
            "ors",
            "regexes",
            "rs",
            "rs_mode",
            "rt",
            "seed",
            "slots",
            "splitting",
            "subsep",
        ),
        *(
            "_assigned",
            "_dirty",
            "_blanks",
            "_record",
            "_split_by",
            "_splitter",
            "most",
            "odd_blanks",
            "setters",
            "exit_status",
            "depth",
        ),
    )

    channels: Channels
    getline: Callable[[], bytes | None]

    def __init__(self, call: Call) -> None:
        self.call = call
        utf8 = is_utf8(call.env) and not call.opts.characters_as_bytes
        self.gauge = Gauge(call.limits, "awk")
        self.formatter = Formatter(utf8, call.limits.string, self.gauge)
        self.convert = self.formatter.text
        self.characters = Characters()
        self.regexes = Regexes(utf8)
        self.splitting = Splitting(self.regexes, call.scope, utf8)
        self.names: dict[str, int] = {}
        self.slots: list[Value] = []
        self.fields: list[Piece] | None = []
        self._record = b""
        self._assigned = False  # a string was assigned to $0
        self._dirty = False  # a field has changed, so $0 must be joined again
        self._splitter: Splitter = split_blanks
        self._blanks = True  # FS is a single space, the default
        self.most = -1  # maximum number of splits of a record: -1 for all
        self.odd_blanks = False  # the input has white space that bytes.split() splits at and awk does not
        self._split_by = "FS"  # the variable that defines fields: the last one assigned (gawk manual 4.7.1)
        # These variables are attributes, since each record or print uses them; ``setters`` update them.
        self.nr = self.fnr = 0.0
        self.rs, self.rs_mode, self.rt = b"\n", "char", b""
        self.ofs, self.ors, self.ofmt, self.subsep = b" ", b"\n", b"%.6g", b"\x1c"
        self.seed = 1.0
        self.generator: Generator | None = None
        self.exit_status = 0
        self.depth = 0
        self.environ_used = False
        self.setters: dict[str, Callable[[Value], None]] = {
            "CONVFMT": self._set_convfmt,
            "FIELDWIDTHS": self._set_widths,
            "FNR": self._set_fnr,
            "FPAT": self._set_fpat,
            "FS": self._set_fs,
            "IGNORECASE": self._set_ignore_case,
            "NF": self.set_field_count,
            "NR": self._set_nr,
            "OFMT": self._set_ofmt,
            "OFS": self._set_ofs,
            "ORS": self._set_ors,
            "RS": self._set_rs,
            "SUBSEP": self._set_subsep,
        }
        for name, text in _DEFAULTS.items():
            self.slots[self.slot(name)] = text
        for name, number in _COUNTS.items():
            self.slots[self.slot(name)] = number
        self._fill_arrays()

    def _fill_arrays(self) -> None:
        environ = self.array("ENVIRON")
        for name, text in self.call.env.items():
            environ[encode(name)] = from_input(encode(text))
        about = self.array("PROCINFO")
        about[b"FS"] = b"FS"
        about[b"strftime"] = DATE_FORMAT
        about[b"version"] = b"5.2.1"
        about[b"platform"] = b"posix"
        for name in ("FUNCTAB", "SYMTAB"):
            self.array(name)  # filled if the program names it

    def split_only(self, most: int | None) -> None:
        """Split records into no more fields than the program uses (None: all)."""
        self.most = -1 if most is None else most
        if most is not None:
            self._choose_splitter()

    # Variables

    def slot(self, name: str) -> int:
        """Return the index of a global variable in ``slots``; a new variable is added."""
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = len(self.slots)
            self.slots.append(UNSET)
        return found

    def array(self, name: str) -> Array:
        """Return a global array, which is created if the variable is unset."""
        slot = self.slot(name)
        value = self.slots[slot]
        if isinstance(value, Array):
            return value
        if value is not UNSET:
            raise AwkError(f"attempt to use scalar `{name}' as an array")
        array = self.slots[slot] = Array(name, self.gauge)
        return array

    def assign(self, name: str, value: Value) -> None:
        """Assign a global variable, with the side effects of a special variable."""
        slot = self.slot(name)
        if isinstance(self.slots[slot], Array):
            raise misused(self.slots[slot])
        self.slots[slot] = value
        setter = self.setters.get(name)
        if setter is not None:
            setter(value)

    def environment(self) -> dict[str, str] | None:
        """Return ENVIRON as the environment of children, or None if the program does not use it."""
        if not self.environ_used:
            return None
        values = self.array("ENVIRON").items()
        return {decode(name): decode(self.convert(value)) for name, value in values if value.__class__ is not Array}

    # Failures

    def set_errno(self, text: bytes, number: int) -> None:
        """Set ERRNO and its number in PROCINFO."""
        self.assign("ERRNO", text)
        self.array("PROCINFO")[b"errno"] = float(number)

    def failed(self, error: OSError) -> None:
        """Set ERRNO to an error, for the program to read."""
        self.set_errno(encode(reason(error)), error.errno or 0)

    def may_retry(self, name: bytes) -> bool:
        """Return whether the program retries a read after a timeout (gawk manual 4.12)."""
        return name + self.subsep + b"RETRY" in self.array("PROCINFO")

    def await_input(self, stream: Stream, name: bytes) -> None:
        """Wait for input up to the program's READ_TIMEOUT (gawk manual 4.11); raise TimeoutError if none arrives."""
        found = self.array("PROCINFO").get(name + self.subsep + b"READ_TIMEOUT", UNSET)
        milliseconds = 0.0 if found is UNSET else to_number(found)
        pipe = pipe_of(stream) if milliseconds > 0 else None
        if pipe is None:
            return
        with CancelScope(timeout=milliseconds / 1000, grace=0.0, parent=self.call.scope) as scope:
            try:
                pipe.await_data(scope)
            except Stop:
                self.call.check()
                raise TimeoutError(errno.ETIMEDOUT, "Connection timed out") from None

    # Special variables

    def _set_convfmt(self, value: Value) -> None:
        self.formatter.convfmt = self.convert(value)

    def _set_ofmt(self, value: Value) -> None:
        self.ofmt = self.convert(value)

    def _set_ofs(self, value: Value) -> None:
        if self._dirty:
            self.record()  # join with the separator at the time when the field changed
        self.ofs = self.convert(value)

    def _set_ors(self, value: Value) -> None:
        self.ors = self.convert(value)

    def _set_subsep(self, value: Value) -> None:
        self.subsep = self.convert(value)

    def _set_nr(self, value: Value) -> None:
        self.nr = to_number(value)

    def _set_fnr(self, value: Value) -> None:
        self.fnr = to_number(value)

    def _set_ignore_case(self, value: Value) -> None:
        self.split()
        self.regexes.ignore_case = to_bool(value)
        self._choose_splitter()

    def _set_rs(self, value: Value) -> None:
        rs = self.convert(value)
        if not rs:
            mode = "paragraph"
        elif len(rs) == 1:
            mode = "char"
        else:
            mode = "regex"
            self.regexes.get(rs)
        was = self.rs_mode
        if rs != self.rs or mode != was:
            self.rs, self.rs_mode = bytes(bytearray(rs)), mode  # a new object: readers compare by identity
        if "paragraph" in (was, mode) and was != mode:  # newlines begin or cease to separate fields
            self.split()
            self._choose_splitter()

    def _set_fs(self, value: Value) -> None:
        self.split()  # POSIX XCU awk: the current record is split with the former separator
        self._set_split_by("FS")

    def _set_fpat(self, value: Value) -> None:
        self.split()
        self._set_split_by("FPAT")

    def _set_widths(self, value: Value) -> None:
        self.split()
        self._set_split_by("FIELDWIDTHS")

    def _set_split_by(self, name: str) -> None:
        self._split_by = name
        self.array("PROCINFO")[b"FS"] = name.encode()
        self._choose_splitter()

    def _choose_splitter(self) -> None:
        kind = self._split_by
        self._blanks = False
        text = self.convert(self.slots[self.names[kind]])
        splitting = self.splitting
        if kind == "FPAT":
            self._splitter = splitting.by_content(text)
        elif kind == "FIELDWIDTHS":
            self._splitter = splitting.by_widths(text)
        else:
            self._splitter = splitting.by_separator(text, paragraph=self.rs_mode == "paragraph")
            self._blanks = text == b" "
            is_character = len(text) == 1 and not self._blanks and self.rs_mode != "paragraph"
            if is_character and self.most > 0:
                most = self.most
                self._splitter = lambda record: record.split(text, most) if record else []

    # The record

    def take(self, record: bytes) -> None:
        """Set the record to a text from the input."""
        self._record = record
        self.fields = None
        self._dirty = self._assigned = False

    def record(self) -> bytes:
        """Return $0 as text."""
        if self._dirty:
            convert = self.convert
            fields = self.fields or []
            pieces = [piece if piece.__class__ is bytes else convert(piece) for piece in fields]
            self._record = self.ofs.join(pieces)
            self._dirty = False
            self._assigned = True
        return self._record

    def record_value(self) -> Value:
        """Return $0 as a value."""
        text = self.record()
        return text if self._assigned else from_input(text)

    def set_record(self, value: Value) -> None:
        """Assign to $0."""
        text = self.convert(value)
        self.odd_blanks = self.odd_blanks or has_odd_blanks(text)
        self.take(text)
        self._assigned = value.__class__ is not StrNum

    def split(self) -> list[Piece]:
        """Return the fields; split the record if it is not split yet."""
        fields = self.fields
        if fields is None:
            pieces: Any  # list[bytes], which mypy does not accept as list[Piece]
            if self._blanks and not self.odd_blanks:
                pieces = self._record.split(None, self.most)
            else:
                pieces = self._splitter(self._record)
            fields = self.fields = pieces
        return fields

    def field(self, index: int) -> Value:
        """Return ``$index`` as a value."""
        if index <= 0:
            if index < 0:
                raise AwkError(f"attempt to access field {index}")
            return self.record_value()
        fields = self.fields
        if fields is None:
            fields = self.split()
        if index > len(fields):
            return NO_FIELD
        piece = fields[index - 1]
        if piece.__class__ is bytes:
            return from_input(piece)
        return piece.text if piece.__class__ is Assigned else piece

    def field_text(self, index: int) -> bytes:
        """Return ``$index`` as text."""
        if index <= 0:
            if index < 0:
                raise AwkError(f"attempt to access field {index}")
            return self.record()
        fields = self.fields
        if fields is None:
            fields = self.split()
        if index > len(fields):
            return b""
        piece = fields[index - 1]
        return piece if piece.__class__ is bytes else self.convert(piece)

    def set_field(self, index: int, value: Value) -> None:
        """Assign to ``$index``; $0 is joined again when it is read."""
        if index <= 0:
            if index < 0:
                raise AwkError(f"attempt to access field {index}")
            self.set_record(value)
            return
        fields = self.split()
        self._extend(fields, index)
        kind = value.__class__
        if kind is float or kind is StrNum:
            fields[index - 1] = value
        else:
            fields[index - 1] = Assigned(self.convert(value))
        self._dirty = True

    def _extend(self, fields: list[Piece], count: int) -> None:
        if count > len(fields):
            if count > self.call.limits.array:
                raise Stop("limit", f"a record of awk has more than {self.call.limits.array} fields", "array")
            fields.extend([Assigned(b"")] * (count - len(fields)))

    def set_field_count(self, value: Value) -> None:
        """Assign to NF."""
        count = to_integer(value)
        if count < 0:
            raise AwkError("NF set to negative value")
        fields = self.split()
        self._extend(fields, count)
        del fields[count:]
        self._dirty = True
