"""``SYMTAB``, ``FUNCTAB`` and the elements of ``PROCINFO`` that describe a program (gawk manual 7.5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from ...fs.identity import identity
from ...text import decode, encode
from . import nodes as n
from .analysis import Usage
from .lexer import BUILTINS
from .runtime import Runtime
from .values import UNSET, Array, AwkError, Value

TABLES = ("SYMTAB", "FUNCTAB")
_COUNTS = {"FNR": "fnr", "NR": "nr", "RT": "rt"}
_FACTS = {b"api_major": 3.0, b"api_minor": 2.0, b"prec_max": 53.0, b"prec_min": 53.0}


class Table(Array):
    """A read-only array that gawk maintains: a program cannot add or delete its elements."""

    __slots__ = ()

    def __missing__(self, key: bytes) -> Value:
        raise AwkError(f"reference to uninitialized element `{self.element(key)} is not allowed'")

    def __setitem__(self, key: bytes, value: Value) -> None:
        raise AwkError(f"cannot assign to elements of {self.name}")

    def pop(self, key: bytes, *_: object) -> NoReturn:
        self.clear()

    def clear(self) -> NoReturn:
        raise AwkError(f"`delete' is not allowed with {self.name}")


class Functions(Table):
    """``FUNCTAB``: the names of all functions."""

    __slots__ = ()

    def __init__(self, runtime: Runtime, program: n.Program) -> None:
        super().__init__("FUNCTAB", runtime.gauge)
        self.update({encode(name): encode(name) for name in (*BUILTINS, *program.functions)})


class Symbols(Table):
    """``SYMTAB``: the global variables by name. Assigning to an element assigns the variable, with its side effects."""

    __slots__ = ("_runtime",)

    def __init__(self, runtime: Runtime, usage: Usage) -> None:
        super().__init__("SYMTAB", runtime.gauge)
        self._runtime = runtime
        for name in sorted(usage.names):
            if usage.is_only_array(name):
                runtime.array(name)
            runtime.slot(name)

    def _names(self) -> list[str]:
        return [name for name in self._runtime.names if name not in TABLES]

    def _current(self, name: str) -> Value:
        runtime = self._runtime
        if name == "NF":
            return float(len(runtime.split()))
        if name in _COUNTS:
            return getattr(runtime, _COUNTS[name])
        return runtime.slots[runtime.names[name]]

    def __contains__(self, key: object) -> bool:
        name = decode(key) if isinstance(key, bytes) else ""
        return name in self._runtime.names and name not in TABLES

    def __getitem__(self, key: bytes) -> Value:
        if key in self:
            return self._current(decode(key))
        return self.__missing__(key)

    def __setitem__(self, key: bytes, value: Value) -> None:
        if key not in self:
            raise AwkError("cannot assign to arbitrary elements of SYMTAB")
        self._runtime.assign(decode(key), value)

    def __iter__(self) -> Iterator[bytes]:
        return iter([encode(name) for name in self._names()])

    def __len__(self) -> int:
        return len(self._names())

    def get(self, key: bytes, default: Any = None) -> Value:
        return self._current(decode(key)) if key in self else default

    def items(self) -> Any:
        return {encode(name): self._current(name) for name in self._names()}.items()

    def subarray(self, key: bytes) -> Array:
        found = self[key]
        if isinstance(found, Array):
            return found
        raise AwkError(f"attempt to use scalar `{self.element(key)}' as an array")


def provide(runtime: Runtime, program: n.Program, usage: Usage) -> None:
    """Create those of gawk's predefined arrays that a program names."""
    if "FUNCTAB" in usage.names:
        runtime.slots[runtime.slot("FUNCTAB")] = Functions(runtime, program)
    if "PROCINFO" in usage.names:
        _describe(runtime, program, usage)
    if "SYMTAB" in usage.names:
        runtime.slots[runtime.slot("SYMTAB")] = Symbols(runtime, usage)


def _describe(runtime: Runtime, program: n.Program, usage: Usage) -> None:
    """Fill PROCINFO: the user and groups, the process ids, the command line and the program's identifiers."""
    call, about = runtime.call, runtime.array("PROCINFO")
    about.update(_FACTS)
    who = identity(call.fs)
    numbers = {b"uid": who.uid(), b"euid": who.euid(), b"gid": who.gid(), b"egid": who.egid()}
    numbers |= {b"group%d" % at: group for at, group in enumerate(who.groups(), 1)}
    about.update({name: float(number) for name, number in numbers.items()})
    if usage.reads_process_facts:
        about.update(dict.fromkeys((b"pid", b"ppid", b"pgrpid"), _process(runtime)))
    words = about.subarray(b"argv")
    words.update({b"%d" % at: encode(word) for at, word in enumerate(call.argv)})
    kinds = about.subarray(b"identifiers")
    kinds.update(dict.fromkeys(map(encode, BUILTINS), b"builtin"))
    kinds.update(dict.fromkeys(map(encode, program.functions), b"user"))
    for name in {*usage.names, *runtime.names} - {*program.functions}:
        kinds[encode(name)] = _kind(runtime, name)


def _kind(runtime: Runtime, name: str) -> bytes:
    value = runtime.slots[runtime.slot(name)]
    if value.__class__ is Array:
        return b"array"
    if value is UNSET:
        return b"untyped"
    return b"scalar"


def _process(runtime: Runtime) -> float:
    """Return the process id that is ``$PPID`` in commands that the program starts: it is virtual (rule 3)."""
    from ...streams.capture import Capture

    capture = Capture(64)
    runtime.call.start(["sh", "-c", "echo $PPID"], stdout=capture).wait()
    return float(capture.getvalue() or b"0")
