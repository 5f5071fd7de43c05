"""Options as the programs of diffutils read them: their hint has the program's name before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...command import Flag, Flags
from ...command.flags import Options
from ...errors import UsageError
from ...text import paced


def hinted(message: str, name: str) -> UsageError:
    """Make the error of a wrong call."""
    return UsageError(f"{message}\n{name}: Try '{name} --help' for more information.", hint=False)


class DiffFlags(Flags):
    """The options of cmp or diff."""

    __slots__ = ("name",)

    def __init__(self, name: str, flags: Sequence[Flag], numeric: str = "") -> None:
        super().__init__(flags, numeric=numeric)
        self.name = name

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        """Split the words; errors in diffutils' form."""
        try:
            return super().parse(list(self._unclustered(argv)), env)
        except UsageError as error:
            raise hinted(error.message, self.name) from None

    def _unclustered(self, argv: Sequence[str]) -> Iterator[str]:
        """Yield the words, with digits that begin a cluster (``-2u``) as a word of their own."""
        words = paced(argv)
        for word in words:
            found = re.match(r"-[0-9]+(?=[A-Za-z])", word) if self.numeric else None
            if found is not None:
                yield found[0]
                word = "-" + word[found.end() :]
            yield word
            if word == "--":
                break
            if len(word) > 1 and word[0] == "-":
                flag = self._short.get(word[-1]) if word[1] != "-" else self._long.get(word[2:])
                if flag is not None and flag.value and not flag.optional:
                    yield from (value for value in (next(words, None),) if value is not None)
        yield from words
