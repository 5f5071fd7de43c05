"""Scripts that write every few lines in the same order: ``N;s/\\n/ /``, ``n;d``, ``G``, ``=``.

If no command has a condition, each cycle reads the same number of lines and writes them in the same positions. So the
script is run once on line numbers instead of lines, and its output is the format for the lines of a whole block.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...patterns.literals import literal_of
from .script import Command, Program, Substitution

_END = b"\n"
_MOST = 64
# Output: literal bytes, a line of the cycle by its index, or (~index) that line's number.
Pieces = list[bytes | int]


class Arrangement:
    """The output format of one cycle.

    ``step`` is the number of lines that a cycle reads. ``most``: its output is at most ``most`` times as long as its
    lines.
    """

    __slots__ = ("_form", "_hold", "_places", "most", "step")

    def __init__(self, step: int, out: Pieces, hold: Pieces | None, most: int) -> None:
        self.step = step
        self.most = most
        self._form, self._places = _form(out)
        self._hold = None if hold is None else _form(hold)

    def written(self, lines: list[bytes], line: int) -> bytes:
        """Return the output for the lines of some whole cycles; ``line`` is the number of the first."""
        if not self._places:
            return self._form % () * (len(lines) // self.step)
        columns: list[Sequence[bytes] | range] = []
        for place in self._places:
            if place >= 0:
                columns.append(lines[place :: self.step])
            else:  # a line number, for =
                columns.append(range(line + ~place, line + len(lines), self.step))
        form = self._form
        return b"".join([form % record for record in zip(*columns, strict=True)])

    def hold(self, lines: list[bytes]) -> bytes | None:
        """Return the hold space after the last cycle, or None if it is unchanged."""
        if self._hold is None:
            return None
        form, places = self._hold
        return form % tuple([lines[place - self.step] for place in places])


def _form(pieces: Pieces) -> tuple[bytes, list[int]]:
    """Return the format string of some pieces, and the indexes of the lines that it formats."""
    places = [piece for piece in pieces if isinstance(piece, int)]
    texts: list[bytes] = []
    for piece in pieces:
        if isinstance(piece, bytes):
            texts.append(piece.replace(b"%", b"%%"))
        else:
            texts.append(b"%b" if piece >= 0 else b"%d")
    return b"".join(texts), places


class _Cycle:
    """One cycle, run on line numbers instead of lines."""

    def __init__(self, quiet: bool, holding: bool) -> None:
        self._quiet = quiet
        self.space: Pieces = [0]
        self.hold: Pieces | None = None if holding else []  # None: left by an earlier cycle, unknown
        self.read = 0
        self.out: Pieces = []
        self.most = 1

    def run(self, command: Command) -> bool:
        """Run one command. Return False if the script cannot be arranged."""
        name = command.name
        if name == "n":
            self.end()
        if name in "nN":
            self.read += 1
            if name == "n":
                self.space = [self.read]
            else:
                self.space = [*self.space, _END, self.read]
        elif name == "=":
            self.out += [~self.read, _END]
        elif name == "p":
            self.out += [*self.space, _END]
        elif name == "P":
            end = self.space.index(_END) if _END in self.space else len(self.space)
            self.out += [*self.space[:end], _END]
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
        elif name == "g":
            self.space = self.hold
        else:
            self.space = [*self.space, _END, *self.hold]
        self.most = max(self.most, len(self.space), len(self.hold or ()))
        return len(self.out) + self.most <= _MOST

    def _joins(self, substitution: Substitution) -> bool:
        """Run ``s/\\n/text/``. Return False for any other substitution."""
        regex, text = substitution.regex, substitution.replacement.literal
        if regex is None or literal_of(*regex.spec) != _END:
            return False
        if text is None or b"\n" in text:
            return False
        has_effects = substitution.printed or substitution.evaluate or substitution.target is not None
        if substitution.number != 1 or has_effects:
            return False
        ends = [at for at, piece in enumerate(self.space) if piece == _END]
        self.space = list(self.space)  # it may be the hold space's list
        if substitution.every:
            places = ends
        else:
            places = ends[:1]
        for at in places:
            self.space[at] = text
        return True

    def end(self) -> None:
        """Write the pattern space, as at the end of a cycle and for ``n``."""
        if not self._quiet:
            self.out += [*self.space, _END]


def arrangement_of(program: Program, quiet: bool) -> Arrangement | None:
    """Return the arrangement of a script, cached. None if it has none, or does no more than ``p`` and ``d``."""
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
                continue  # the last line of the input is never in a block
        if command.name == "d":
            break
        if not cycle.run(command):
            return None
        worthwhile |= command.name in "nN=G"
    else:
        cycle.end()
    if not worthwhile:
        return None
    hold = cycle.hold if holding else None
    return Arrangement(cycle.read + 1, cycle.out, hold, max(cycle.most, len(cycle.out)))
