"""The options of a call that select files (ripgrep 13: ``rg --help``)."""

from __future__ import annotations

from ...command import Options
from .settings import FOREVER, number, on, unrestricted


class Wanted:
    """Which files are searched.

    ``own plain git exclude global_git``: whether each kind of rules applies. ``sort``: the key, and whether it is
    reversed.
    """

    __slots__ = (
        "exclude",
        "explicit_files",
        "follow",
        "git",
        "glob_ignores_case",
        "global_git",
        "hidden",
        "ignore_file_ignores_case",
        "max_depth",
        "max_size",
        "one_file_system",
        "own",
        "parents",
        "plain",
        "require_git",
        "sort",
        "tells_of_errors",
        "tells_of_rules",
    )

    def __init__(self, opts: Options) -> None:
        level = unrestricted(opts)
        every = _is_off(opts, "ignore") or level >= 1
        vcs = every or _is_off(opts, "ignore_vcs")
        self.own = not every
        self.plain = not (every or _is_off(opts, "ignore_dot"))
        self.git = not vcs
        self.exclude = not (vcs or _is_off(opts, "ignore_exclude"))
        self.global_git = not (vcs or _is_off(opts, "ignore_global"))
        self.parents = not (every or _is_off(opts, "ignore_parent"))
        self.explicit_files = not _is_off(opts, "ignore_files")
        self.require_git = on(opts, "require_git", default=True)
        self.hidden = on(opts, "hidden", default=level >= 2)
        self.follow = on(opts, "follow")
        self.one_file_system = on(opts, "one_file_system")
        self.max_depth = number(opts, "max_depth", FOREVER)
        self.max_size = number(opts, "max_filesize", 0) if "max_filesize" in opts else None
        self.glob_ignores_case = on(opts, "glob_case_insensitive")
        self.ignore_file_ignores_case = on(opts, "ignore_file_case_insensitive")
        self.tells_of_errors = on(opts, "messages", default=True)
        self.tells_of_rules = self.tells_of_errors and on(opts, "ignore_messages", default=True)
        last = opts.last_of("sort", "sortr", "sort_files")
        key = opts.value(last or "")
        if last == "sort_files":
            key = "path"
        self.sort = (key, last == "sortr")
        if key == "none":
            self.sort = ("", False)


def _is_off(opts: Options, name: str) -> bool:
    return not on(opts, name, default=True)
