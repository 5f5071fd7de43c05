"""A backtracking machine that supports all of Oniguruma, on UTF-8 bytes.

It is slow and exact: loops, captures and recursive groups behave as in Oniguruma 6.9.10, even inside a character.
``re``, RE2 and ``regex`` run the patterns for which their results are the same (``oniguruma``). The machine does not
recurse, and calls ``check`` at least every few thousand steps.

A program is a list of ``(operation, a, b)``. ``stack`` has alternatives, ``(address, position, lowest position)``, and
values of registers to restore when it backtracks past them, ``(~register, value, 0)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import Stop
from .folding import folding_of
from .nodes import Dot
from .sets import CharSet

TEXT, SET, SPLIT, JUMP, STAR, PUT, RARE, MATCH = range(8)
STOP = 0  # the address that ends an attempt
LASTING = -1  # instead of the lowest position: an atomic group does not remove this alternative
ALL_REGISTERS = -1 << 40

Check = Callable[[], None]
Step = tuple[int, Any, Any]
# A rare operation returns the next address and position; address -1 to backtrack.
Rare = Callable[["State", int, int], tuple[int, int]]

_MOST_STACK = 1_000_000
_MOST_KNOWN = 20_000
_FUEL = 4000
# The length of a character by its first byte. A byte that can't be first counts as one character.
LENGTHS = b"\1" * 0xC0 + b"\2" * 0x20 + b"\3" * 0x10 + b"\4" * 5 + b"\1" * 11
_TEST = 8  # in a table: added to the length if the character itself must be tested


class Chars:
    """A set for the machine: per lead byte the character's length, 0 if not in the set, plus ``_TEST`` if unknown."""

    __slots__ = ("_chars", "_known", "table")

    def __init__(self, chars: CharSet) -> None:
        self._chars = chars
        self._known: dict[bytes, bool] = {}
        mask = chars.mask()
        beyond = chars.beyond()
        table = bytearray(256)
        for byte in range(256):
            length = LENGTHS[byte]
            if byte < 128:
                table[byte] = mask >> byte & 1
            elif length == 1:
                table[byte] = chars.takes_stray(byte)
            elif beyond is None:
                table[byte] = length + _TEST
            elif beyond and not chars.stray >> byte & 1:
                table[byte] = length
        self.table = bytes(table)

    def has(self, data: bytes) -> bool:
        """Return whether a character of several bytes is in the set."""
        known = self._known.get(data)
        if known is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            known = self._known[data] = self._chars.contains(data.decode("utf-8", "replace")[:1])
        return known


def dot_chars(dot: Dot) -> Chars:
    """Return the set of ``.``."""
    chars = Chars(CharSet(negated=True))
    if not dot.newline:
        chars.table = chars.table[:10] + b"\0" + chars.table[11:]
    return chars


class State:
    """One attempt to match."""

    __slots__ = ("check", "data", "end", "keep", "limit", "origin", "registers", "stack")

    def __init__(self, data: bytes, start: int, origin: int, registers: list[Any], check: Check) -> None:
        self.data = data
        self.end = len(data)
        self.limit = self.end  # the end of the readable text
        self.keep = start  # the reported start of the match
        self.origin = origin  # the start of the search
        self.registers = registers
        self.stack: list[tuple[int, Any, int]] = [(STOP, 0, 0)]
        self.check = check

    def refuel(self) -> None:
        """Check the deadline and the memory."""
        self.check()
        if len(self.stack) > _MOST_STACK:
            raise Stop("regex", "a regular expression needs too much memory")

    def put(self, register: int, value: Any) -> None:
        """Set a register; backtracking restores its value."""
        self.stack.append((~register, self.registers[register], 0))
        self.registers[register] = value

    def cut(self, height: int) -> None:
        """Remove the alternatives that were pushed since the stack had this height."""
        self.stack[height:] = [entry for entry in self.stack[height:] if entry[0] < 0 or entry[2] == LASTING]

    def undo(self, height: int) -> None:
        """Remove all entries above this height of the stack, and restore the registers."""
        stack = self.stack
        while len(stack) > height:
            address, value, _ = stack.pop()
            if address < 0:
                self.restore(address, value)

    def back(self) -> tuple[int, int]:
        """Backtrack: return the address and the position of the last alternative."""
        stack = self.stack
        while True:
            address, value, low = stack.pop()
            if address < 0:
                self.restore(address, value)
                continue
            if value > low >= 0:
                stack.append((address, _previous(self.data, value, low), low))
            return address, value

    def restore(self, address: int, value: Any) -> None:
        """Restore the value of one register, or of all registers of a call."""
        if address == ALL_REGISTERS:
            low, values = value
            self.registers[low : low + len(values)] = values
        else:
            self.registers[~address] = value

    def head_before(self, at: int) -> int:
        """Return the start of the character before a position."""
        at -= 1
        data = self.data
        while at > 0 and data[at] & 0xC0 == 0x80:
            at -= 1
        return at

    def is_word(self, at: int, words: Chars) -> bool:
        """Return whether the character at a position is a word character."""
        length = words.table[self.data[at]]
        if length > _TEST:
            return words.has(self.data[at : at + length - _TEST])
        return bool(length)


class Machine:
    """A compiled program. ``registers``: their number."""

    __slots__ = ("code", "registers")

    def __init__(self, code: list[Step], registers: int) -> None:
        self.code = code
        self.registers = registers

    def attempt(self, state: State, start: int, accept: Callable[[State, int], bool]) -> bool:
        """Match at one position. ``accept`` decides whether an end is accepted; if not, the machine backtracks."""
        code, stack, registers, data = self.code, state.stack, state.registers, state.data
        address, s = 1, start
        fuel = _FUEL
        while True:
            operation, a, b = code[address]
            address += 1
            if operation == TEXT:
                if data.startswith(a, s) and s + b <= state.limit:
                    s += b
                    continue
            elif operation == SET:
                if s < state.limit:
                    length = a[data[s]]
                    if length > 1:
                        length = _length(state, length, b, s)
                    if length:
                        s += length
                        continue
            elif operation == SPLIT:
                stack.append((a, s, b))
                continue
            elif operation == PUT:
                stack.append((~a, registers[a], 0))
                registers[a] = s
                continue
            elif operation == STAR:
                s = _star(state, a, b, s, address)
                continue
            elif operation == MATCH:
                if accept(state, s):
                    return True
            else:
                # Every loop passes here.
                if operation == RARE:
                    address, s = a(state, address, s)
                else:
                    address = a
                fuel -= 1
                if fuel < 0:
                    fuel = _FUEL
                    state.refuel()
                if address >= 0:
                    continue
            address, s = state.back()
            if address == STOP:
                return False
            fuel -= 1
            if fuel < 0:
                fuel = _FUEL
                state.refuel()


def _star(state: State, table: bytes, has: Callable[[bytes], bool], s: int, address: int) -> int:
    """Return the end of a run of a set's characters; the alternatives at all earlier positions are one stack entry."""
    data, limit, low = state.data, state.limit, s
    fuel = _FUEL
    while s < limit:
        length = table[data[s]]
        if length > 1:
            length = _length(state, length, has, s)
        if not length:
            break
        s += length
        fuel -= 1
        if not fuel:
            fuel = _FUEL
            state.check()
    if s != low:
        state.stack.append((address, _previous(data, s, low), low))
    return s


def _length(state: State, length: int, has: Callable[[bytes], bool], s: int) -> int:
    """Return the length of a character of several bytes, 0 if it is not in the set or incomplete."""
    if length > _TEST:
        length -= _TEST
        if not has(state.data[s : s + length]):
            return 0
    return length if s + length <= state.limit else 0


def _previous(data: bytes, s: int, low: int) -> int:
    """Return the start of the character before ``s``; from ``low`` on there may be bytes without a lead byte."""
    at = s - 1
    while at > low and data[at] & 0xC0 == 0x80:
        at -= 1
    return s - 1 if data[at] & 0xC0 == 0x80 else at


def folds_alike(data: bytes, low: int, high: int, s: int) -> int:
    """Compare a captured text with the text at a position, in any case; return the end there, or -1."""
    end = s + high - low
    one, other = data[low:high], data[s:end]
    if one.isascii() and other.isascii():
        return end if one.lower() == other.lower() else -1
    while low < high:
        length, length_here = LENGTHS[data[low]], LENGTHS[data[s]]
        # Oniguruma compares only the captured length, so a longer character is cut.
        if s + length_here > end or folding_of(data[low : low + length]) != folding_of(data[s : s + length_here]):
            return -1
        low += length
        s += length_here
        if s >= end:
            return s if low >= high else -1
    return s
