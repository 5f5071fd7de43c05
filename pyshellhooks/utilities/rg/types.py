"""File types: ``-t``, ``-T``, ``--type-add``, ``--type-clear``, ``--type-list``."""

from __future__ import annotations

from ...command import Options
from ...errors import UsageError
from .default_types import DEFAULT_TYPES
from .globs import GlobError, PathGlob, bytewise, compile_path_glob


def definitions(opts: Options) -> dict[str, list[str]]:
    """Return the globs of all types. Raise ``UsageError`` with ripgrep's messages."""
    known: dict[str, list[str]] = {}
    for line in DEFAULT_TYPES.splitlines():
        name, _, globs = line.partition(": ")
        known[name] = globs.split(", ")
    for name in opts.all("type_clear"):
        known.pop(name, None)
    for definition in opts.all("type_add"):
        _add(known, definition)
    return known


def _add(known: dict[str, list[str]], definition: str) -> None:
    name, *rest = definition.split(":")
    if len(rest) == 2 and rest[0] == "include":
        wanted = rest[1].split(",")
        if not all(one in known for one in wanted):
            raise _wrong_definition()
        globs = [glob for one in wanted for glob in known[one]]
    elif len(rest) == 1 and rest[0] and _is_name(name):
        globs = rest
    else:
        raise _wrong_definition()
    known[name] = [*known.get(name, ()), *globs]  # a second definition of a type extends it


def _is_name(name: str) -> bool:
    if not name or name == "all":
        return False
    return all(char.isalpha() or char.isdigit() for char in name)


def _wrong_definition() -> UsageError:
    return UsageError("invalid definition (format is type:glob, e.g., html:*.html)", hint=False)


def listing(known: dict[str, list[str]]) -> str:
    """Return the sorted text of ``--type-list``."""
    return "".join([f"{name}: {', '.join(sorted(known[name]))}\n" for name in sorted(known)])


class Types:
    """The file types that are searched, and those that are not."""

    __slots__ = ("_globs", "_wanted")

    def __init__(self, opts: Options) -> None:
        self._globs: list[tuple[bool, PathGlob]] = []
        self._wanted = "type" in opts
        selected = [(True, name) for name in opts.all("type")] + [(False, name) for name in opts.all("type_not")]
        known = definitions(opts)
        for wanted, name in selected:
            if name != "all" and name not in known:
                raise UsageError(f"unrecognized file type: {name}", hint=False)
            globs = known.get(name, [])
            if name == "all":
                globs = [glob for globs in known.values() for glob in globs]
            for glob in globs:
                try:
                    self._globs.append((wanted, compile_path_glob(glob)))
                except GlobError as error:
                    raise UsageError(f"error parsing glob '{glob}': {error}", hint=False) from None

    def verdict(self, name: str) -> bool | None:
        """Return True if a file of this name is skipped, False if it is searched, and None if types do not decide."""
        name = bytewise(name)
        for wanted, glob in reversed(self._globs):
            if glob.matches([name]):
                return not wanted
        return True if self._wanted else None
