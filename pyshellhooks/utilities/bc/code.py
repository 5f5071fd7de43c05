"""What a bc program is compiled to: the operations of GNU bc's machine, at the addresses its messages name."""

from __future__ import annotations

from .numbers import Number

# (operation, argument, address after it)
Instruction = tuple[str, object, int]


class Code:
    """One list of operations with its labels."""

    __slots__ = ("address", "instructions", "labels")

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self.labels: dict[int, int] = {}
        self.address = 0

    def add(self, op: str, argument: object = None, size: int = 1) -> None:
        """Add an operation of so many bytes."""
        self.address += size
        self.instructions.append((op, argument, self.address))

    def jump(self, op: str, label: int) -> None:
        """Add a jump: ``J`` always, ``Z`` on 0, ``B`` on anything else."""
        self.add(op, label, 3)

    def mark(self, label: int) -> None:
        """Say that a label is here."""
        self.labels[label] = len(self.instructions)


class Function:
    """A function: parameters and local variables as (kind, name), kind one of ``simple``, ``array``, ``shared``."""

    __slots__ = ("autos", "code", "name", "native", "params", "void")

    def __init__(self, name: str) -> None:
        self.name = name
        self.params: list[tuple[str, str]] = []
        self.autos: list[tuple[str, str]] = []
        self.code: Code | None = None
        self.void = False
        self.native = ""  # a function of the mathematical library


class Names:
    """The numbers that names have in addresses."""

    def __init__(self) -> None:
        self._simple: dict[str, int] = {"ibase": 0, "obase": 1, "scale": 2, "history": 3, "last": 4}
        self._arrays: dict[str, int] = {}
        self._functions: dict[str, int] = {}

    def simple(self, name: str) -> int:
        """Return the size of an operation on a variable."""
        return 2 + (self._simple.setdefault(name, len(self._simple)) > 127)

    def array(self, name: str) -> int:
        """Return the size of an operation on an array."""
        return 2 + (self.array_number(name) > 127)

    def array_number(self, name: str) -> int:
        """Return an array's number."""
        return self._arrays.setdefault(name, len(self._arrays) + 1)

    def function(self, name: str) -> int:
        """Return the size of a call up to its parameters."""
        return 2 + (self._functions.setdefault(name, len(self._functions)) > 127)


Frame = tuple[Code, int, "Function | None", list[tuple[str, str, "Number | dict[int, Number] | None"]], int]
