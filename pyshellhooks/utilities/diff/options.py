"""Settings that several options of diff share: the output format, and the formats of lines and groups."""

from __future__ import annotations

from collections.abc import Iterator

from ...command import RawArgument
from ...command.flags import Kind, Options
from ...errors import UsageError
from ..support.kinds import Number
from .flags import hinted

LINES = ("unchanged_line_format", "old_line_format", "new_line_format")
GROUPS = ("unchanged_group_format", "old_group_format", "new_group_format", "changed_group_format")
_IFDEF = (
    "%=",
    "#ifndef {0}\n%<#endif /* ! {0} */\n",
    "#ifdef {0}\n%>#endif /* {0} */\n",
    "#ifndef {0}\n%<#else /* {0} */\n%>#endif /* {0} */\n",
)
STYLES = {
    "normal": "normal",
    "context_3": "context",
    "context": "context",
    "unified_3": "unified",
    "unified": "unified",
    "ed": "ed",
    "forward_ed": "forward",
    "rcs": "rcs",
    "side_by_side": "columns",
    "sdiff_merge_assist": "columns",
    "ifdef": "formats",
    "line_format": "formats",
    **dict.fromkeys((*LINES, *GROUPS), "formats"),
}


def _assigned(dest: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the formats that an option sets: ``-D`` sets four group formats, ``--line-format`` three line formats."""
    if dest == "ifdef":
        yield from zip(GROUPS, [form.format(text) for form in _IFDEF], strict=True)
    elif dest == "line_format":
        yield from ((name, text) for name in LINES)
    else:
        yield dest, text


def format_of(opts: Options, name: str) -> str | None:
    """Return the format that the options set for a name, or None."""
    general = "ifdef" if name in GROUPS else "line_format"
    for dest in (name, general):
        if dest in opts:
            return dict(_assigned(dest, opts.value(dest)))[name]
    return None


def color_word(argument: RawArgument) -> str:
    """Parse the value of --color."""
    if argument.text not in ("always", "auto", "never"):
        raise hinted(f"invalid color '{argument.text}'", "diff")
    return argument.text


def format_text(argument: RawArgument) -> str:
    """Return the value of an option that sets formats; it may be repeated only with the same value."""
    dest = "" if argument.flag is None else argument.flag.dest
    for name, text in _assigned(dest, argument.text):
        if format_of(argument.before, name) not in (None, text):
            option = argument.option
            if dest == "ifdef":
                option = "-D"  # GNU names the short option, even for --ifdef
            raise hinted(f"conflicting {option} option value '{text}'", "diff")
    return argument.text


def only_one(spelling: str) -> Kind:
    """Return the kind of an option that may be repeated only with the same text; ``spelling``: its name in errors."""

    def read(argument: RawArgument) -> str:
        if argument.flag is not None and argument.before.value(argument.flag.dest, argument.text) != argument.text:
            raise hinted(f"conflicting {spelling} option value '{argument.text}'", "diff")
        return argument.text

    return read


def only_one_number(what: str, number: Number) -> Kind:
    """Return the kind of an option that may be repeated only with the same number."""

    def read(argument: RawArgument) -> int:
        value = number(argument)
        if argument.flag is not None and argument.before.integer(argument.flag.dest, value) != value:
            raise UsageError(f"conflicting {what} options", 2, hint=False)
        return value

    return read
