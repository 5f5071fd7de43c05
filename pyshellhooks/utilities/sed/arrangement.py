"""Scripts that write every few lines in the same order: ``N;s/\\n/ /``, ``n;d``, ``G``, ``=``.

Where no command has a condition, each cycle reads as many lines as the one before and writes them in the same places. So the
script is run once on lines that are only numbers, and what it wrote is the form into which the lines of a whole block are put.
"""

from __future__ import annotations

from ...pattern.literals import literal_of
from .script import Command, Program, Substitution

_END = b"\n"
_MOST = 64
# What is written: bytes as they are, a line of the cycle by its place, or (~place) the number of one.
Pieces = list[bytes | int]


class Arrangement:
    """What one cycle makes of its lines. ``step``: how many it reads; ``most``: what it makes of all of them is no longer than so often their length."""

    __slots__ = ("_form", "_hold", "_places", "most", "step")

    def __init__(self, step: int, out: Pieces, hold: Pieces | None, most: int) -> None:
        self.step = step
        self.most = most
        self._form, self._places = _form(out)
        self._hold = None if hold is None else _form(hold)

    def written(self, lines: list[bytes], line: int) -> bytes:
        """Return what is written for lines (as many as some cycles read); ``line`` is the number of the first."""
        if not self._places:
            return self._form % () * (len(lines) // self.step)
        columns = [
            lines[place :: self.step] if place >= 0 else range(line + ~place, line + len(lines), self.step)
            for place in self._places
        ]
        form = self._form
        return b"".join([form % record for record in zip(*columns, strict=True)])

    def hold(self, lines: list[bytes]) -> bytes | None:
        """Return what is in the hold space after the last cycle; None where it is as before."""
        if self._hold is None:
            return None
        form, places = self._hold
        return form % tuple([lines[place - self.step] for place in places])


def _form(pieces: Pieces) -> tuple[bytes, list[int]]:
    """Return the format of some pieces, and the places of the lines that go into it."""
    places = [piece for piece in pieces if isinstance(piece, int)]
    texts = [
        piece.replace(b"%", b"%%") if isinstance(piece, bytes) else b"%b" if piece >= 0 else b"%d" for piece in pieces
    ]
    return b"".join(texts), places


class _Cycle:
    """One cycle, on lines that are only numbers."""

    def __init__(self, quiet: bool, holding: bool) -> None:
        self._quiet = quiet
        self.space: Pieces = [0]
        self.hold: Pieces | None = None if holding else []  # None: it is another cycle's
        self.read = 0
        self.out: Pieces = []
        self.most = 1

    def run(self, command: Command) -> bool:
        """Run one command; False for one that is not for this."""
        name = command.name
        if name == "n":
            self.end()
        if name in "nN":
            self.read += 1
            self.space = [self.read] if name == "n" else [*self.space, _END, self.read]
        elif name == "=":
            self.out += [~self.read, _END]
        elif name == "p":
            self.out += [*self.space, _END]
        elif name == "P":
            first = self.space.index(_END) if _END in self.space else len(self.space)
            self.out += [*self.space[:first], _END]
        elif name == "h":
            self.hold = self.space
        elif name == "s" and command.substitution is not None:
            return self._joins(command.substitution)
        elif name not in "gGHx" or self.hold is None:
            return False
        elif name == "x":
            self.space, self.hold = self.hold, self.space
        elif name == "H":
            self.hold = [*self.hold, _END, *self.space]
        else:
            self.space = self.hold if name == "g" else [*self.space, _END, *self.hold]
        self.most = max(self.most, len(self.space), len(self.hold or ()))
        return len(self.out) + self.most <= _MOST

    def _joins(self, substitution: Substitution) -> bool:
        """Do ``s/\\n/text/``."""
        regex, text = substitution.regex, substitution.replacement.literal
        if regex is None or literal_of(*regex.spec) != _END or text is None or b"\n" in text:
            return False
        if substitution.number != 1 or substitution.printed or substitution.evaluate or substitution.target is not None:
            return False
        ends = [at for at, piece in enumerate(self.space) if piece == _END]
        self.space = list(self.space)  # the hold space may be the same list
        for at in ends if substitution.every else ends[:1]:
            self.space[at] = text
        return True

    def end(self) -> None:
        """Write the pattern space, as the end of a cycle and ``n`` do."""
        if not self._quiet:
            self.out += [*self.space, _END]


def arrangement_of(program: Program, quiet: bool) -> Arrangement | None:
    """Read a script; None for one that is not of this kind, or that is no more than ``p`` and ``d``. Remembered."""
    if quiet not in program.arrangements:
        program.arrangements[quiet] = _arrangement(program.commands, quiet)
    return program.arrangements[quiet]


def _arrangement(commands: list[Command], quiet: bool) -> Arrangement | None:
    holding = any(command.name in "hHx" for command in commands)
    cycle = _Cycle(quiet, holding)
    worthwhile = False
    for command in commands:
        if command.first is not None:
            if command.first.kind != "last" or command.second is not None:
                return None
            if not command.negated:
                if command.name == "{":
                    return None
                continue  # the last line is never among those at hand
        if command.name == "d":
            break
        if not cycle.run(command):
            return None
        worthwhile |= command.name in "nN=G"
    else:
        cycle.end()
    if not worthwhile:
        return None
    return Arrangement(cycle.read + 1, cycle.out, cycle.hold if holding else None, max(cycle.most, len(cycle.out)))
