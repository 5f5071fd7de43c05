"""Pathname expansion (POSIX XCU 2.6.6, bash's globstar, nullglob, failglob, dotglob, nocaseglob)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import Stop
from ..patterns.glob import compile_component, has_magic, unescape
from ..regexes import lazy_pattern
from ..state import variables
from ..state.failure import ExpansionError
from .bytewise import is_bytewise, narrow

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx


def expand_pathname(ctx: Ctx, pattern: str, text: str) -> list[str]:
    """Return the sorted paths that match. Without a match: the text, ``[]`` (nullglob), or an error (failglob)."""
    paths = _Walk(ctx, pattern).run()
    if paths:
        # By code point, as the locale is C.UTF-8 (rule 11).
        paths.sort()
        ignore = variables.get(ctx, "GLOBIGNORE") if "GLOBIGNORE" in ctx.vars else None
        if ignore:
            paths = _drop_ignored(ignore, paths)
    if paths:
        return paths
    shopts = ctx.shopts
    if "failglob" in shopts:
        raise ExpansionError(f"no match: {text}")
    if "nullglob" in shopts:
        return []
    return [text]


# A pattern of GLOBIGNORE: colons separate them, except in brackets, even unclosed ones.
_IGNORED = lazy_pattern(r"(?>\\.|\[[!^]?\]?(?>\[:[^]:]*:\]|[^]\[]++|\[)*+(?:\]|\Z)|[^:\\\[]++|\\)++", re.DOTALL)


def _drop_ignored(ignore: str, paths: list[str]) -> list[str]:
    from ..patterns.glob import compile_glob

    patterns = [compile_glob(pattern) for pattern in _IGNORED.findall(ignore)]
    remaining: list[str] = []
    for path in paths:
        if path in (".", ".."):  # with GLOBIGNORE set, no pattern matches them (bash)
            continue
        if not any(pattern.matches(path) for pattern in patterns):
            remaining.append(path)
    return remaining


class _Walk:
    """One pathname expansion, component by component; each directory is read once."""

    __slots__ = ("ctx", "dotglob", "extglob", "globstar", "nocase", "parts", "seen")

    def __init__(self, ctx: Ctx, pattern: str) -> None:
        self.ctx = ctx
        shopts = ctx.shopts
        self.extglob = "extglob" in shopts
        self.dotglob = "dotglob" in shopts or bool(ctx.vars.get("GLOBIGNORE"))  # GLOBIGNORE implies it (bash)
        self.nocase = "nocaseglob" in shopts
        self.globstar = "globstar" in shopts
        self.parts = split_components(pattern)
        if self.globstar:
            self.parts = _collapsed(self.parts)
        self.seen = 0

    def run(self) -> list[str]:
        paths: list[str] = []
        parts = self.parts
        start = 0  # slashes
        while start < len(parts) and parts[start] == "":
            start += 1
        self._descend("/" * start, parts[start:], paths)
        return paths

    def _descend(self, prefix: str, parts: list[str], paths: list[str]) -> None:
        while parts and not has_magic(parts[0], self.extglob):
            name = unescape(parts[0])
            if len(parts) == 1:
                # A pattern with a slash at its end matches directories only.
                exists = self._exists(prefix + name) if name else is_directory(self.ctx, prefix)
                if exists:
                    paths.append(prefix + name)
                return
            prefix = f"{prefix}{name}/"
            parts = parts[1:]
        if not parts:
            paths.append(prefix)
            return
        part, rest = parts[0], parts[1:]
        if part == "**" and self.globstar:
            self._globstar(prefix, rest, paths)
            return
        matches = self._predicate(part)
        for name, kind in self._entries(prefix, part):
            if is_bytewise(self.ctx, name):
                is_match = self._predicate(narrow(part))(narrow(name))
            else:
                is_match = matches(name)
            if not is_match:
                continue
            if not rest:
                paths.append(prefix + name)
                continue
            # Only a link, or an entry of unknown kind, costs a call that follows it.
            if kind == "d" or (kind in "lo" and is_directory(self.ctx, prefix + name)):
                self._descend(f"{prefix}{name}/", rest, paths)

    def _predicate(self, part: str) -> Callable[[str], bool]:
        return compile_component(part, extglob=self.extglob, ignore_case=self.nocase, dotglob=self.dotglob)

    def _globstar(self, prefix: str, rest: list[str], paths: list[str]) -> None:
        if rest:
            self._descend(prefix, rest, paths)
        # ``dir/**`` matches ``dir/`` itself.
        elif prefix and prefix not in paths:
            paths.append(prefix)
        self._below(prefix, rest, paths)

    def _below(self, prefix: str, rest: list[str], paths: list[str]) -> None:
        """Add all entries below a directory, or the matches of ``rest`` in each directory there."""
        for name, kind in self._entries(prefix, "**"):
            is_hidden = name.startswith(".") and not self.dotglob
            if is_hidden or name in (".", ".."):
                continue
            if not rest:
                paths.append(prefix + name)
            if kind != "d":  # ``**`` does not follow links
                continue
            if rest:
                self._descend(f"{prefix}{name}/", rest, paths)
            self._below(f"{prefix}{name}/", rest, paths)

    def _entries(self, prefix: str, part: str) -> list[tuple[str, str]]:
        ctx = self.ctx
        ctx.task.check()
        try:
            directory = ctx.fs.absolute(ctx.cwd, prefix or ".")
            entries = [(entry.name, entry.kind) for entry in ctx.fs.scandir(directory)]
        except OSError:
            return []
        # The limit is on entries, not on matches: a pattern may read a large tree and match nothing.
        self.seen += len(entries)
        if self.seen > ctx.limits.glob:
            raise Stop("limit", f"a pattern looks at more than {ctx.limits.glob} directory entries", "glob")
        # Since bash 5.2 ``.*`` does not match them by default; ``fs.scandir`` leaves them out.
        if "globskipdots" not in ctx.shopts and part.startswith((".", "\\.")):
            entries += [(".", "d"), ("..", "d")]
        return entries

    def _exists(self, path: str) -> bool:
        fs = self.ctx.fs
        try:
            # A link that leads nowhere is a name in its directory, too.
            fs.stat(fs.absolute(self.ctx.cwd, path or "."), follow=False)
        except OSError:
            return False
        return True


def is_directory(ctx: Ctx, path: str) -> bool:
    """Return whether a path leads to a directory."""
    try:
        return ctx.fs.stat(ctx.fs.absolute(ctx.cwd, path)).st_mode & 0o170000 == 0o040000
    except OSError:
        return False


def _collapsed(parts: list[str]) -> list[str]:
    """Return the components with ``**/**`` replaced by ``**``, so that no directory is walked twice."""
    collapsed: list[str] = []
    for part in parts:
        if part == "**" and collapsed[-1:] == ["**"]:
            continue
        collapsed.append(part)
    return collapsed


def split_components(pattern: str) -> list[str]:
    """Split a pattern at its slashes (a quoted slash is a slash); brackets don't hide one (POSIX XCU 2.13.3)."""
    return pattern.replace("\\/", "/").split("/")
