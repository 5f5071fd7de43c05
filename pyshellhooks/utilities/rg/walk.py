"""The files to search: operands, and below directories all files that no rule ignores, sorted by name."""

from __future__ import annotations

import stat
from collections.abc import Iterator

from ...command import Call, reason
from ...fs.base import Entry, Stat
from ...text import encode
from .ignoring import Overrides, Reader, Rules, exclude_file, excludes_of_git
from .types import Types
from .wanted import Wanted

Identity = tuple[int, int]


# Few systems record a creation time; the time of the last status change replaces it.
_TIMES = {"modified": "st_mtime_ns", "accessed": "st_atime_ns", "created": "st_ctime_ns"}


class Found:
    """A file to search. ``name`` is its displayed name; an ``explicit`` file is an operand."""

    __slots__ = ("explicit", "name")

    def __init__(self, name: str, explicit: bool) -> None:
        self.name = name
        self.explicit = explicit


class _Layer:
    """The rules of one directory. ``base`` is its path with a trailing slash."""

    __slots__ = ("base", "clone", "own", "plain", "git", "exclude")

    def __init__(self, base: str, clone: bool, own: Rules, plain: Rules, git: Rules, exclude: Rules) -> None:
        self.base = base
        self.clone = clone  # a git clone: rules for git in directories above do not apply
        self.own = own
        self.plain = plain
        self.git = git
        self.exclude = exclude


class _Level:
    """A directory on the way down: its remaining entries, the rules that apply in it, and its ancestors."""

    __slots__ = ("above", "entries", "layers", "path", "shown")

    def __init__(
        self, shown: str, path: str, entries: Iterator[Entry], layers: list[_Layer], above: set[Identity]
    ) -> None:
        self.shown = shown
        self.path = path
        self.entries = entries
        self.layers = layers
        self.above = above


class Walk:
    """The walk of one call. ``failed``: something could not be read, which was reported."""

    __slots__ = ("_call", "_explicit", "_global", "_overrides", "_reader", "_types", "_wanted", "failed")

    def __init__(self, call: Call, wanted: Wanted) -> None:
        self._call = call
        self._wanted = wanted
        self._overrides = Overrides(call.opts.all("glob"), call.opts.all("iglob"), wanted.glob_ignores_case)
        self._types = Types(call.opts)
        self._reader = Reader(call, ignore_case=wanted.ignore_file_ignores_case, loud=wanted.tells_of_rules)
        names = call.opts.all("ignore_file") if wanted.explicit_files else []
        self._explicit = [self._reader.rules(call.path(name), name, must=True) for name in names]
        self._global: Rules | None = None
        self.failed = False

    def files(self, operands: list[str], *, bare: bool) -> Iterator[Found]:
        """Yield the files; ``bare``: the operand is the default, and its name is not shown."""
        call = self._call
        for operand in operands:
            if operand == "-":
                yield Found("-", True)
                continue
            try:
                file_status = call.fs.stat(call.path(operand))
            except OSError as error:
                self.fail(operand, error)
                continue
            if stat.S_ISDIR(file_status.st_mode):
                yield from self._tree(operand, bare, file_status)
            else:
                yield Found(operand, True)

    def fail(self, name: str, error: OSError) -> None:
        """Report that a file or directory could not be read."""
        self.failed = True
        if self._wanted.tells_of_errors:
            self._call.error(f"{name}: {reason(error)}")

    def _tree(self, operand: str, bare: bool, file_status: Stat) -> Iterator[Found]:
        call, wanted = self._call, self._wanted
        # Ignore files of the directories above apply to the real path.
        top = call.fs.realpath(call.path(operand)).rstrip("/")
        identity = _identity(file_status)
        layers = self._above(top) if wanted.parents else []
        start = ""
        if not bare:
            start = operand if operand.endswith("/") else operand + "/"
        stack = [self._enter(start or "./", top + "/", layers, {identity})]
        while stack:
            level = stack[-1]
            entry = next(level.entries, None)
            if entry is None:
                stack.pop()
                continue
            call.check()
            name, path = level.shown + entry.name, level.path + entry.name
            if bare and len(stack) == 1:
                name = entry.name  # without "./", as ripgrep shows names of the default operand
            kind = self._kind(name, entry)
            if not kind or self._skips(name, path, entry.name, kind == "d", level.layers):
                continue
            if kind == "f":
                if not self._is_too_large(name):
                    yield Found(name, False)
            elif kind == "d" and len(stack) < wanted.max_depth:
                deeper = self._below(name, path, level, identity[0], entry.kind == "l")
                if deeper is not None:
                    stack.append(deeper)

    def _kind(self, name: str, entry: Entry) -> str:
        """Return ``f`` or ``d``, or "" for a kind that is not searched."""
        kind = entry.kind
        if kind != "l":
            if kind in "fd":
                return kind
            return ""
        if not self._wanted.follow:
            return ""
        try:
            mode = self._call.fs.stat(self._call.path(name)).st_mode
        except OSError as error:
            self.fail(name, error)
            return ""
        if stat.S_ISDIR(mode):
            return "d"
        if stat.S_ISREG(mode):
            return "f"
        return ""

    def _is_too_large(self, name: str) -> bool:
        most = self._wanted.max_size
        if most is None:
            return False
        try:
            return self._call.fs.stat(self._call.path(name)).st_size > most
        except OSError:
            return False

    # Directories

    def _below(self, name: str, path: str, level: _Level, device: int, is_link: bool) -> _Level | None:
        """Enter a directory. Return None if it is not searched."""
        wanted = self._wanted
        above = level.above
        if wanted.follow or wanted.one_file_system:
            try:
                identity = _identity(self._call.fs.stat(self._call.path(name)))
            except OSError as error:
                self.fail(name, error)
                return None
            if wanted.one_file_system and identity[0] != device:
                return None
            has_inode = identity[1] != 0
            if is_link and has_inode and identity in above:
                self.failed = True
                if wanted.tells_of_errors:
                    self._call.error(f"File system loop found: {name} points to an ancestor")
                return None
            above = above | {identity}
        return self._enter(name + "/", path + "/", level.layers, above)

    def _enter(self, shown: str, path: str, layers: list[_Layer], above: set[Identity]) -> _Level:
        entries: list[Entry] = []
        try:
            entries = list(self._call.fs.scandir(self._call.path(shown)))
        except OSError as error:
            self.fail(shown.rstrip("/") or "/", error)
        if not self._wanted.max_depth:
            entries = []
        layer = self._layer(path, shown, {entry.name for entry in entries})
        if layer is not None:
            layers = [*layers, layer]
        return _Level(shown, path, iter(self._ordered(shown, entries)), layers, above)

    def _ordered(self, shown: str, entries: list[Entry]) -> list[Entry]:
        how, reverse = self._wanted.sort
        if how in ("", "path"):
            return sorted(entries, key=lambda entry: encode(entry.name), reverse=reverse)
        times: dict[str, int] = {}
        for entry in entries:
            try:
                file_status = self._call.fs.stat(self._call.path(shown + entry.name))
                times[entry.name] = getattr(file_status, _TIMES[how])
            except OSError:
                times[entry.name] = 0
        entries = sorted(entries, key=lambda entry: encode(entry.name))
        return sorted(entries, key=lambda entry: times[entry.name], reverse=reverse)

    def _above(self, top: str) -> list[_Layer]:
        """Return the rules of the directories above one, outermost first."""
        layers = []
        path = ""
        for part in (top or "/").split("/")[:-1]:
            path += part + "/"
            layer = self._layer(path, path, None)
            if layer is not None:
                layers.append(layer)
        return layers

    def _layer(self, base: str, shown: str, names: set[str] | None) -> _Layer | None:
        """Read the rules of a directory with these entries (None: not listed). Return None if it has no rules."""
        wanted = self._wanted
        rules = {}
        for name, is_read in ((".rgignore", wanted.own), (".ignore", wanted.plain), (".gitignore", wanted.git)):
            rules[name] = Rules(())
            may_exist = names is None or name in names
            if is_read and may_exist:
                rules[name] = self._reader.rules(base + name, shown + name)
        clone = False
        if wanted.git or wanted.exclude:
            # The listing of a directory saves a stat.
            clone = ".git" in names if names is not None else self._call.fs.exists(base + ".git")
        exclude = Rules(())
        if clone and wanted.exclude:
            path = exclude_file(self._call, base + ".git")
            if path:
                exclude = self._reader.rules(path, path)
        if not (clone or any(rules.values())):
            return None
        return _Layer(base, clone, rules[".rgignore"], rules[".ignore"], rules[".gitignore"], exclude)

    # One entry

    def _skips(self, name: str, path: str, last: str, is_directory: bool, layers: list[_Layer]) -> bool:
        """Return whether a file or directory is ignored (rg's manual, "Automatic filtering" and --glob)."""
        plain = name.removeprefix("./")
        cwd = self._call.cwd.rstrip("/") + "/"
        plain = plain.removeprefix(cwd)
        verdict = self._overrides.verdict(plain, is_directory)
        if verdict is not None:
            return verdict
        ruled = self._ruled(plain, path, is_directory, layers)
        if ruled:
            return True
        typed = None if is_directory else self._types.verdict(last)
        if typed:
            return True
        if ruled is not None or typed is not None:
            return False  # a rule that includes a file also includes a hidden one
        return last.startswith(".") and not self._wanted.hidden

    def _ruled(self, plain: str, path: str, is_directory: bool, layers: list[_Layer]) -> bool | None:
        """Return the verdict of the ignore files. Order: .rgignore, .ignore, git's; of each kind the nearest first."""
        wanted = self._wanted
        in_clone = not wanted.require_git or any(layer.clone for layer in layers)
        # gitignore(5): rules of git end at the top of a clone.
        top = next((at for at in reversed(range(len(layers))) if layers[at].clone), 0)
        for_git = layers[top:] if in_clone else []
        for kind, where in (("own", layers), ("plain", layers), ("git", for_git), ("exclude", for_git)):
            for layer in reversed(where):
                rules: Rules = getattr(layer, kind)
                if not rules:
                    continue
                verdict = rules.verdict(path[len(layer.base) :], is_directory)
                if verdict is not None:
                    return verdict
        others = list(reversed(self._explicit))
        if in_clone and wanted.global_git:
            others.insert(0, self._of_user())
        for rules in others:
            if (verdict := rules.verdict(plain, is_directory)) is not None:
                return verdict
        return None

    def _of_user(self) -> Rules:
        """Return the user's ignore rules for all clones."""
        if self._global is None:
            path = excludes_of_git(self._call)
            if path is None:
                self._global = Rules(())
            else:
                self._global = self._reader.rules(self._call.path(path), path)
        return self._global


def _identity(file_status: Stat) -> Identity:
    return file_status.st_dev, file_status.st_ino
