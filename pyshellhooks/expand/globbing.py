"""Pathname expansion (POSIX XCU 2.6.6, bash's globstar, nullglob, failglob, dotglob, nocaseglob)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import Stop
from ..pattern.glob import compile_component, has_magic, unescape
from ..regexes import lazy_pattern
from ..state import variables
from ..state.failure import ExpansionError
from .bytewise import is_bytewise, narrow

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx


def expand_pathname(ctx: Ctx, pattern: str, text: str) -> list[str]:
    """Return the sorted paths that match, or what the options say when there are none."""
    found = _Walk(ctx, pattern).run()
    if found:
        found.sort()
        ignore = variables.get(ctx, "GLOBIGNORE") if "GLOBIGNORE" in ctx.vars else None
        if ignore:
            found = _drop_ignored(ignore, found)
    if found:
        return found
    shopts = ctx.shopts
    if "failglob" in shopts:
        raise ExpansionError(f"no match: {text}")
    if "nullglob" in shopts:
        return []
    return [text]


# What colons part, but in brackets, also where those are not closed.
_IGNORED = lazy_pattern(r"(?:\\.|\[[!^]?\]?(?:\[:[^]:]*:\]|[^]\[]++|\[)*+(?:\]|\Z)|[^:\\\[]++|\\)++", re.DOTALL)


def _drop_ignored(ignore: str, found: list[str]) -> list[str]:
    from ..pattern.glob import compile_glob

    patterns = [compile_glob(p) for p in _IGNORED.findall(ignore)]
    return [f for f in found if f not in (".", "..") and not any(p.matches(f) for p in patterns)]


class _Walk:
    """One pathname expansion: component by component, reading each directory once."""

    __slots__ = ("ctx", "dotglob", "extglob", "globstar", "nocase", "parts", "seen")

    def __init__(self, ctx: Ctx, pattern: str) -> None:
        self.ctx = ctx
        shopts = ctx.shopts
        self.extglob = "extglob" in shopts
        self.dotglob = "dotglob" in shopts or bool(ctx.vars.get("GLOBIGNORE"))
        self.nocase = "nocaseglob" in shopts
        self.globstar = "globstar" in shopts
        self.parts = _collapsed(split_components(pattern)) if self.globstar else split_components(pattern)
        self.seen = 0

    def run(self) -> list[str]:
        found: list[str] = []
        parts = self.parts
        start = ""
        if parts and parts[0] == "":
            start = "/"
            parts = parts[1:]
            while parts and parts[0] == "":
                start += "/"
                parts = parts[1:]
        self._descend(start, parts, found)
        return found

    def _descend(self, prefix: str, parts: list[str], found: list[str]) -> None:
        while parts and not has_magic(parts[0], self.extglob):
            name = unescape(parts[0])
            if len(parts) == 1:
                path = prefix + name
                if self._exists(path if name else prefix, directory=not name):
                    found.append(path)
                return
            prefix = f"{prefix}{name}/"
            parts = parts[1:]
        if not parts:
            found.append(prefix)
            return
        part, rest = parts[0], parts[1:]
        if part == "**" and self.globstar:
            self._globstar(prefix, rest, found)
            return
        matches = self._predicate(part)
        bytewise: Callable[[str], bool] | None = None
        for name, kind in self._entries(prefix, part):
            if is_bytewise(self.ctx, name):
                if bytewise is None:
                    bytewise = self._predicate(narrow(part))
                if not bytewise(narrow(name)):
                    continue
            elif not matches(name):
                continue
            if not rest:
                found.append(prefix + name)
            elif kind in "dlo" and self._is_directory(prefix + name, kind):
                self._descend(f"{prefix}{name}/", rest, found)

    def _predicate(self, part: str) -> Callable[[str], bool]:
        return compile_component(part, extglob=self.extglob, ignore_case=self.nocase, dotglob=self.dotglob)

    def _globstar(self, prefix: str, rest: list[str], found: list[str]) -> None:
        if not rest:
            if prefix and prefix not in found:
                found.append(prefix)
        else:
            self._descend(prefix, rest, found)
        for name, kind in self._entries(prefix, "**"):
            if name.startswith(".") and (not self.dotglob or name in (".", "..")):
                continue
            if kind == "d":
                if not rest:
                    found.append(prefix + name)
                    self._below(f"{prefix}{name}/", found)
                else:
                    self._globstar(f"{prefix}{name}/", rest, found)
            elif not rest:
                found.append(prefix + name)

    def _below(self, prefix: str, found: list[str]) -> None:
        for name, kind in self._entries(prefix, "**"):
            if name.startswith(".") and (not self.dotglob or name in (".", "..")):
                continue
            found.append(prefix + name)
            if kind == "d":
                self._below(f"{prefix}{name}/", found)

    def _entries(self, prefix: str, part: str) -> list[tuple[str, str]]:
        ctx = self.ctx
        ctx.task.check()
        try:
            entries = [(e.name, e.kind) for e in ctx.fs.scandir(ctx.fs.absolute(ctx.cwd, prefix or "."))]
        except OSError:
            return []
        self.seen += len(entries)
        if self.seen > ctx.limits.glob:
            raise Stop("limit", f"a pattern looks at more than {ctx.limits.glob} directory entries", "glob")
        if "globskipdots" not in ctx.shopts and part.startswith((".", "\\.")):
            entries += [(".", "d"), ("..", "d")]
        return entries

    def _exists(self, path: str, directory: bool) -> bool:
        fs = self.ctx.fs
        try:
            fs.stat(fs.absolute(self.ctx.cwd, path or "."), follow=directory)
        except OSError:
            return False
        return not directory or self._is_directory(path, "o")

    def _is_directory(self, path: str, kind: str) -> bool:
        if kind == "d":
            return True
        fs = self.ctx.fs
        try:
            return fs.stat(fs.absolute(self.ctx.cwd, path)).st_mode & 0o170000 == 0o040000
        except OSError:
            return False


def _collapsed(parts: list[str]) -> list[str]:
    """``**/**`` is ``**``: no directory is walked twice."""
    return [part for at, part in enumerate(parts) if not (part == "**" and at and parts[at - 1] == "**")]


def split_components(pattern: str) -> list[str]:
    """Split a pattern at its slashes (a quoted slash is a slash); brackets don't hide one (POSIX XCU 2.13.3)."""
    return pattern.replace("\\/", "/").split("/")
