"""Options of the programs of diffutils, whose usage hint begins with the program's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...command import Flag, Flags
from ...command.flags import Options
from ...errors import UsageError


def hinted(message: str, name: str) -> UsageError:
    """Return a usage error with diffutils' hint."""
    return UsageError(f"{message}\n{name}: Try '{name} --help' for more information.", 2, hint=False)


class DiffFlags(Flags):
    """The options of cmp or diff.

    ``styles`` maps the dest of an option to the output format that it selects; a second format is an error. ``digits``:
    ``-2`` means two lines of context, and digits that follow each other form one number, even in several words
    (``-1 -2`` is 12).
    """

    __slots__ = ("digits", "name", "styles")

    def __init__(
        self, name: str, flags: Sequence[Flag], *, styles: Mapping[str, str] | None = None, digits: bool = False
    ) -> None:
        super().__init__(flags)
        self._long = dict(sorted(self._long.items()))  # the order of GNU's list of possible options in an error
        self.name = name
        self.styles = styles or {}
        self.digits = digits

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        """Parse the words into options and operands; errors have diffutils' form."""
        try:
            return super().parse(argv, env)
        except UsageError as error:
            if error.status is not None:
                raise
            raise hinted(error.message, self.name) from None

    def _parse_short(self, cluster: str, arguments: Iterator[str], options: Options, env: Mapping[str, str]) -> None:
        for at, letter in enumerate(cluster):
            flag = self._short.get(letter)
            if self.digits and "0" <= letter <= "9":
                last, value = "", None
                if options.given:
                    last, value = options.given[-1]
                digits = letter
                if last == "digits":
                    digits = (value or "") + letter
                options.add("digits", digits)
            elif flag is None or flag.value:
                super()._parse_short(cluster[at:], arguments, options, env)
                self._check_style(options)
                return
            else:
                options.add(flag.dest, None)
                self._check_style(options)

    def _parse_long(self, text: str, arguments: Iterator[str], options: Options, env: Mapping[str, str]) -> None:
        super()._parse_long(text, arguments, options, env)
        self._check_style(options)

    def _check_style(self, options: Options) -> None:
        """Raise UsageError if the last option selects another format than an earlier option."""
        if not options.given:
            return
        style = self.styles.get(options.given[-1][0])
        if style and any(dest in options for dest, other in self.styles.items() if other != style):
            raise hinted("conflicting output style options", self.name)
