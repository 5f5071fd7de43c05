"""find: walk trees of files and evaluate an expression for each (POSIX XCU find; GNU findutils 4.9.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...command import Call, Flag, Flags, utility
from ...command.flags import Options
from ..support.bsd_forms import find_words


class Word(Flag):
    """A word of the expression: one dash and several letters, which is not a cluster of short options."""

    __slots__ = ()

    def __init__(self, name: str, value: str = "", help: str = "") -> None:
        super().__init__(value=value, help=help, dest=name.replace("-", "_"))
        self.short = (name,)


class _Expression(Flags):
    """The words of the expression, for the help and the tables; the expression's parser reads them."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        """Return all words as operands, for the expression's parser."""
        return Options(), list(argv)


_WORDS = [
    Word("H", help="follow symbolic links named on the command line"),
    Word("L", help="follow all symbolic links"),
    Word("P", help="never follow symbolic links (the default)"),
    Word("O", "LEVEL", help="(accepted, no effect)"),
    Word("daystart", help="measure times from the beginning of today"),
    Word("follow", help="as -L"),
    Word("nowarn", help="no warnings (the default away from terminals)"),
    Word("warn", help="warnings"),
    Word("regextype", "TYPE", help="the syntax of later -regex tests"),
    Word("depth", help="a directory's contents before the directory"),
    Word("d", help="as -depth"),
    Word("files0-from", "FILE", help="start at the names in FILE, which end in NUL"),
    Word("maxdepth", "LEVELS", help="descend at most LEVELS levels"),
    Word("mindepth", "LEVELS", help="no tests or actions above LEVELS"),
    Word("mount", help="as -xdev"),
    Word("xdev", help="don't descend into other file systems"),
    Word("noleaf", help="(accepted)"),
    Word("ignore_readdir_race", help="be silent about files that vanish"),
    Word("noignore_readdir_race", help="the default"),
    Word("amin", "N", help="read N minutes ago"),
    Word("anewer", "FILE", help="read after FILE was changed"),
    Word("atime", "N", help="read N days ago"),
    Word("cmin", "N", help="status changed N minutes ago"),
    Word("cnewer", "FILE", help="status changed after FILE was changed"),
    Word("ctime", "N", help="status changed N days ago"),
    Word("empty", help="empty, a file or a directory"),
    Word("executable", help="the user may execute or search it"),
    Word("false", help="false"),
    Word("gid", "N", help="the numeric group id is N"),
    Word("group", "NAME", help="belongs to group NAME"),
    Word("ilname", "PATTERN", help="as -lname, case-insensitive"),
    Word("iname", "PATTERN", help="as -name, case-insensitive"),
    Word("inum", "N", help="inode N"),
    Word("ipath", "PATTERN", help="as -path, case-insensitive"),
    Word("iregex", "PATTERN", help="as -regex, case-insensitive"),
    Word("iwholename", "PATTERN", help="as -ipath"),
    Word("links", "N", help="has N links"),
    Word("lname", "PATTERN", help="a symbolic link whose target matches PATTERN"),
    Word("mmin", "N", help="changed N minutes ago"),
    Word("mtime", "N", help="changed N days ago"),
    Word("name", "PATTERN", help="the last part of the name matches PATTERN"),
    Word("newer", "FILE", help="changed after FILE"),
    *(
        Word(f"newer{x}{y}", "TIME" if y == "t" else "FILE", help=f"its {x}time is after {y and ('the time' if y == 't' else f'the {y}time of FILE')}")
        for x in "acm"
        for y in "acmt"
    ),
    Word("nogroup", help="its group has no name"),
    Word("nouser", help="its owner has no name"),
    Word("path", "PATTERN", help="the whole path matches PATTERN"),
    Word("perm", "MODE", help="its mode: MODE, -MODE (all of), /MODE (any of)"),
    Word("readable", help="the user may read it"),
    Word("regex", "PATTERN", help="the whole path matches a regular expression"),
    Word("samefile", "FILE", help="the same inode as FILE"),
    Word("size", "N[bckwMG]", help="its size, rounded up, in units of 512 bytes"),
    Word("true", help="true"),
    Word("type", "TYPES", help="one of b c d p f l s"),
    Word("uid", "N", help="numeric owner N"),
    Word("used", "N", help="read N days after its status changed"),
    Word("user", "NAME", help="owned by NAME"),
    Word("wholename", "PATTERN", help="as -path"),
    Word("writable", help="the user may write it"),
    Word("xtype", "TYPES", help="as -type, on the other side of a link"),
    Word("delete", help="delete it, but never a root; implies -depth"),
    Word("exec", "COMMAND", help="run COMMAND ;  or COMMAND {} +"),
    Word("execdir", "COMMAND", help="as -exec, in the file's directory"),
    Word("fls", "FILE", help="as -ls, to FILE"),
    Word("fprint", "FILE", help="as -print, to FILE"),
    Word("fprint0", "FILE", help="as -print0, to FILE"),
    Word("fprintf", "FILE", help="as -printf, to FILE"),
    Word("ls", help="list it as ls -dils does"),
    Word("print", help="print its path"),
    Word("print0", help="print its path and a NUL"),
    Word("printf", "FORMAT", help="print by FORMAT"),
    Word("prune", help="don't descend into it"),
    Word("quit", help="end"),
    Word("a", help="EXPR -a EXPR: both"),
    Word("and", help="as -a"),
    Word("not", help="-not EXPR, ! EXPR: the contrary"),
    Word("o", help="EXPR -o EXPR: either"),
    Word("or", help="as -o"),
    Word("version", help="display version information and exit"),
]  # fmt: skip


@utility(
    "find",
    summary="Search for files in the trees below each PATH (default: .) and act on them (default: -print).",
    usage="[-H] [-L] [-P] [-Olevel] [PATH...] [EXPRESSION]",
    flags=_Expression(_WORDS),
    bsd=find_words,
)
def find(call: Call) -> int:
    """Evaluate an expression for all files of trees: return 0, or 1 if anything failed."""
    from .run import run_find

    return run_find(call, find.help())
