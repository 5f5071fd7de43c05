"""ripgrep's option syntax (clap 2): no abbreviations, ``-A=3``, and a hidden ``--no-`` form of most switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...command import Flag, Flags, Options
from ...command.flags import Kind, RawArgument
from ...errors import UsageError
from ...regexes import lazy_pattern

_WHOLE = lazy_pattern(r"\+?([0-9]+)")
_SIZE = lazy_pattern(r"([0-9]+)([KMG]?)")
_MOST = 2**64
_OWN_WORD = "\0"  # marks an option value that was a separate word; words contain no NUL


class RipgrepFlags(Flags):
    """The options of rg.

    ``undo``: names with a form ``--no-NAME``. ``redo``: names ``no-NAME`` with a form ``--NAME``.
    """

    __slots__ = ("_hidden",)

    def __init__(
        self,
        flags: Sequence[Flag],
        *,
        permute: bool = True,
        numeric: str = "",
        undo: Sequence[str] = (),
        redo: Sequence[str] = (),
    ) -> None:
        super().__init__(flags, permute=permute, numeric=numeric)
        self._hidden = frozenset((*(f"no-{name}" for name in undo), *(name.removeprefix("no-") for name in redo)))

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        # Options may follow operands, even with POSIXLY_CORRECT.
        return super().parse(argv, {name: value for name, value in env.items() if name != "POSIXLY_CORRECT"})

    def take(self, options: Options, flag: Flag, value: str, option: str, env: Mapping[str, str]) -> None:
        if len(option) == 2:
            # Directly after its letter a value loses each leading = (clap 2); as a separate word it keeps them.
            if value.startswith(_OWN_WORD):
                value = value[1:]
            else:
                value = value.lstrip("=")
        super().take(options, flag, value, option, env)

    def _parse_short(self, cluster, arguments, options, env) -> None:  # type: ignore[no-untyped-def]
        super()._parse_short(cluster, (_OWN_WORD + word for word in arguments), options, env)

    def _parse_long(self, text, arguments, options, env) -> None:  # type: ignore[no-untyped-def]
        if text in self._hidden:
            options.add(text.replace("-", "_"), None)
        else:
            super()._parse_long(text, arguments, options, env)

    def _meant(self, start: str, text: str) -> str:
        if start == "help":
            return start
        raise UsageError(f"unrecognized option '--{text}'")


def whole(argument: RawArgument) -> int:
    """Parse a whole number."""
    match = _WHOLE.fullmatch(argument.text)
    if match is None:
        raise UsageError(f"invalid value '{argument.text}' for '{argument.option}': not a whole number")
    if len(match[1]) > 30 or int(match[1]) >= _MOST:
        raise UsageError(f"invalid value '{argument.text}' for '{argument.option}': the number is too large")
    return int(match[1])


def size(argument: RawArgument) -> int:
    """Parse a number of bytes, such as ``100K``."""
    match = _SIZE.fullmatch(argument.text)
    if match is None:
        raise UsageError(
            f"invalid format for size '{argument.text}', which should be a sequence of digits followed by an optional "
            "'K', 'M' or 'G' suffix",
            hint=False,
        )
    value = _MOST
    if len(match[1]) <= 30:
        value = int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]
    if value >= _MOST:
        raise UsageError(f"invalid value '{argument.text}' for '{argument.option}': the number is too large")
    return value


def choice(*names: str) -> Kind:
    """Return a parser that accepts only these names."""

    def read(argument: RawArgument) -> object:
        if argument.text not in names:
            raise UsageError(
                f"invalid value '{argument.text}' for '{argument.option}' (expected one of: {', '.join(names)})"
            )
        return argument.text

    return read
