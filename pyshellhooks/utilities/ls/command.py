"""ls: list directories (POSIX XCU ls; GNU coreutils 9.1, for output that is not a terminal)."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from operator import attrgetter
from time import time_ns

from ...command import Call, Flag, utility
from ...command.call import reason
from ...fs.base import Stat
from ...text import decode, encode, paced
from ...times.moments import moment, strftime
from ..support.owners import Owners
from ..support.quoting import quote_name
from ..support.sizes import human
from .names import columns, commas, shown_width, style_of, writer
from .options import (
    FORMAT,
    INDICATOR,
    ORDER,
    ORDERS,
    STYLE,
    TAB,
    TIME,
    WHEN,
    WIDTH,
    block_size,
    color_of,
    ignoring,
    layout_of,
    number,
    painting,
    refuse_unsupported,
    sizes_of,
    time_style,
)


class _File:
    """One file to list; ``kind`` is its type in the directory entry, for a file without a status."""

    __slots__ = ("found", "kind", "link", "name", "path", "target")

    def __init__(self, name: str, path: str, file_status: Stat | None, kind: int = 0) -> None:
        self.name = name
        self.path = path
        self.found = file_status
        self.kind = kind
        self.link = ""
        self.target: Stat | None = None

    @property
    def mode(self) -> int:
        if self.found is None:
            return self.kind
        return self.found.st_mode


def _largest_first(file: _File) -> int:
    if file.found is None:
        return 0
    return -file.found.st_size


def _extension(file: _File) -> bytes:
    """Return a name from its last dot, the sort key of -X; names without a dot come first."""
    if "." not in file.name:
        return b""
    return encode(file.name[file.name.rfind(".") :])


def _directory_first(file: _File) -> bool:
    """Return the sort key of --group-directories-first, for which a link to a directory is one."""
    mode = file.mode
    if file.target:
        mode = file.target.st_mode
    return not stat.S_ISDIR(mode)


_AT_ONCE = 1000  # names
_KINDS = {"f": stat.S_IFREG, "d": stat.S_IFDIR, "l": stat.S_IFLNK, "o": 0}


class _Listing:
    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.call = call
        self.status = 0
        self.all = opts.last_of("all", "almost_all", "f")
        self.layout = layout_of(call)
        self.long = self.layout == "l"
        self.style = ""
        self.formats = ("", "")
        if self.long:  # GNU ls also reads --time-style, and reports a wrong one, only for the long format
            self.style = time_style(call)
            self.formats = self._date_formats()
        self.zone = call.zone
        self.width = opts.integer("width", number(call.env.get("COLUMNS", ""), 80))
        self.tab = opts.integer("tabsize", number(call.env.get("TABSIZE", ""), 8))
        self.written = writer(call, style_of(call))
        ignored = opts.all("ignore")
        if self.all is None:
            ignored = ignored + opts.all("hide")  # -a and -A show the files of --hide, not those of --ignore
        self.ignores = ignoring(call, ignored)
        block = sizes_of(opts)
        self.unit, self.unit_name, self.scale = block.unit, block.name, block.scale
        refuse_unsupported(call)
        self.paints, self.has_painted = painting(call), False
        self.owner = "g" not in opts
        self.group = "o" not in opts and "no_group" not in opts
        self.author, self.context = opts.author, opts.context
        self.columns = sum((self.owner, self.group, self.author, self.context))
        self.owners = Owners(call.fs, numeric="numeric_uid_gid" in opts)
        self.inode = opts.inode
        self.blocks = opts.size
        self.indicator = self._indicator()
        self.recursive = opts.recursive
        self.now = time_ns()
        self.end = b"\0" if opts.zero else b"\n"
        self.first = True
        self.follows = opts.dereference
        self.directories_first = opts.group_directories_first
        self.order = self._order()
        self.stamp_of = self._stamp_of()
        # The directory entries are sufficient: no file needs a stat, except directories with -R.
        shows_status = self.long or self.indicator or self.inode or self.blocks or self.paints
        sorts_by_status = self.order in "tS" or self.directories_first
        self.lean = not shows_status and not sorts_by_status

    def _indicator(self) -> str:
        opts = self.call.opts
        last = opts.last_of("classify", "p", "file_type", "indicator_style")
        if last == "indicator_style":
            return {"classify": "F", "slash": "p", "file-type": "t"}.get(opts.value("indicator_style"), "")
        if last == "classify":
            # --classify=auto marks names only on a terminal.
            return "F" if opts.value("classify", "always") == "always" else ""
        return {"p": "p", "file_type": "t"}.get(last or "", "")

    # --- collecting --------------------------------------------------------------------------------------------

    def fail(self, what: str, name: str, error: OSError, status: int) -> None:
        self.call.error(f"{what} {quote_name(name)}: {reason(error)}")
        self.status = max(self.status, status)

    def _follows(self) -> bool:
        """Return whether operands that are links to directories are followed."""
        opts = self.call.opts
        if "dereference_command_line_symlink_to_dir" in opts or "H" in opts:
            return True
        # These options show the link itself: its type, its name or its mark "@".
        if self.long or opts.directory:
            return False
        return self.indicator != "F"

    def operand(self, name: str) -> _File | None:
        fs, call = self.call.fs, self.call
        try:
            path = call.path(name)
            every = call.opts.dereference
            file_status = fs.stat(path, follow=False)
            if stat.S_ISLNK(file_status.st_mode) and (every or self._follows()):
                # Without -L and -H only links to directories are followed, and a dangling link is listed itself.
                any_target = every or "H" in call.opts
                try:
                    target = fs.stat(path)
                    if any_target or stat.S_ISDIR(target.st_mode):
                        file_status = target
                except OSError:
                    if any_target:
                        raise
        except OSError as error:
            self.fail("cannot access", name, error, 2)
            return None
        return self._complete(_File(name, path, file_status))

    def _complete(self, file: _File) -> _File:
        """Add the target of a link, if the output or the order depends on it."""
        needs_target = self.long or self.indicator or self.directories_first
        if not needs_target or file.found is None:
            return file
        if stat.S_ISLNK(file.mode):
            try:
                file.link = self.call.fs.readlink(file.path)
                file.target = self.call.fs.stat(file.path)
            except OSError:
                pass  # a dangling link has no target
        return file

    def entries(self, path: str, name: str) -> list[_File] | None:
        fs = self.call.fs
        try:
            kinds = {entry.name: _KINDS[entry.kind] for entry in fs.scandir(path)}
        except OSError as error:
            # GNU ls: trouble with an operand is serious (2), trouble below it is minor (1).
            self.fail("cannot open directory", name, error, 2 if self.first else 1)
            return None
        names = self._shown(list(kinds))
        base = path.rstrip("/")
        # With -R and -L links may lead to directories.
        if self.lean and not (self.recursive and self.follows):  # no entry needs its status
            self.call.check()
            return [_File(entry, f"{base}/{entry}", None, kinds.get(entry, 0)) for entry in names]
        files = []
        for entry in names:
            self.call.check()
            inner = f"{base}/{entry}"
            found = None
            try:
                found = fs.stat(inner, follow=self.follows)
            except OSError as error:
                shown = entry
                if name != ".":
                    shown = f"{name}/{entry}"
                self.fail("cannot access", shown, error, 1)
            files.append(self._complete(_File(entry, inner, found, kinds.get(entry, 0))))
        return files

    def _shown(self, names: list[str]) -> list[str]:
        """Return the names of a directory's entries that the options select."""
        opts = self.call.opts
        if self.all is None:
            names = [name for name in names if not name.startswith(".")]
        elif self.all in ("all", "f"):
            names += [".", ".."]
        if opts.ignore_backups:
            names = [name for name in names if not name.endswith("~")]
        if "ignore" in opts or "hide" in opts:
            names = [name for name in names if not self.ignores(name)]
        return names

    def _order(self) -> str:
        opts = self.call.opts
        last = opts.last_of("t", "S", "U", "X", "v", "sort", "f")
        if last == "sort":
            return ORDERS[opts.value("sort")]
        if last is None:
            # -c and -u alone select the time to sort by; with -l only the time to show.
            if not (self.long or opts.last_of("u", "c", "time") is None):
                return "t"
            return "n"
        return "U" if last == "f" else last

    def _stamp_of(self) -> Callable[[Stat], int]:
        """Return the function that returns the time to show and to sort by."""
        # The last of -u, -c and --time counts, as for all options of ls that contradict each other.
        last = self.call.opts.last_of("u", "c", "time")
        word = self.call.opts.value("time") if last == "time" else ""
        if last == "u" or word == "atime":
            return attrgetter("st_atime_ns")
        if last == "c" or word == "ctime":
            return attrgetter("st_ctime_ns")
        return attrgetter("st_mtime_ns")

    def sorted(self, files: list[_File]) -> list[_File]:
        """Sort files in place and return them. Each sort is stable, so that the name decides between equal keys."""
        how = self.order
        if how != "U":
            files.sort(key=lambda file: encode(file.name))
            if how == "t":
                files.sort(key=self._newest_first)
            elif how == "w":
                files.sort(key=lambda file: shown_width(self.written(file.name)))
            elif how == "S":
                files.sort(key=_largest_first)
            elif how == "X":
                files.sort(key=_extension)
            elif how == "v":
                from ..support.versions import version_key

                files.sort(key=lambda file: version_key(encode(file.name)))
            if self.call.opts.reverse:
                files.reverse()
        if self.directories_first:
            files.sort(key=_directory_first)
        return files

    def _newest_first(self, file: _File) -> int:
        if file.found is None:
            return 0
        return -self.stamp_of(file.found)

    # --- printing ----------------------------------------------------------------------------------------------

    def marker(self, mode: int) -> str:
        """Return the character that marks a kind of file: -p marks only directories, --file-type no programs."""
        if stat.S_ISDIR(mode):
            return "/" if self.indicator else ""
        if self.indicator not in ("F", "t"):
            return ""
        if stat.S_ISLNK(mode):
            return "@"
        if stat.S_ISFIFO(mode):
            return "|"
        if stat.S_ISSOCK(mode):
            return "="
        is_program = stat.S_ISREG(mode) and mode & 0o111
        if self.indicator == "F" and is_program:
            return "*"
        return ""

    def size(self, number: int) -> str:
        if self.scale:
            return human(number, self.scale)
        if not self.unit:
            return str(number)
        units = -(-number // self.unit)  # rounded up, as GNU does
        return f"{units}{self.unit_name}"

    def _date_formats(self) -> tuple[str, str]:
        """Return the formats of old and of recent times."""
        style = self.style
        if self.call.opts.last_of("full_time", "time_style") == "full_time":
            style = "full-iso"
        if style.startswith("+"):
            old, _, new = style[1:].partition("\n")
            return old, new or old
        if style == "iso":
            return "%Y-%m-%d ", "%m-%d %H:%M"
        fmt = {"full-iso": "%Y-%m-%d %H:%M:%S.%N %z", "long-iso": "%Y-%m-%d %H:%M"}.get(style)
        if fmt is not None:
            return fmt, fmt
        return "%b %e  %Y", "%b %e %H:%M"

    def date(self, file_status: Stat) -> str:
        stamp = self.stamp_of(file_status)
        # POSIX XCU ls: six months. GNU takes half of an average Gregorian year.
        recent = self.now - 31556952 * 10**9 // 2 < stamp <= self.now
        return strftime(self.formats[recent], moment(stamp, self.zone))

    def no_date(self) -> str:
        """Return the placeholder of an unknown date, in the width of a date."""
        return "?".rjust(len(strftime(self.formats[0], moment(0, self.zone))))

    def used(self, file_status: Stat | None) -> str:
        if file_status is None:
            return "?"
        blocks = getattr(file_status, "st_blocks", None)
        if blocks is None:  # Windows does not report blocks
            kilobytes = (file_status.st_size + 1023) // 1024
        else:
            kilobytes = (blocks + 1) // 2
        return self._scaled(kilobytes)

    def _scaled(self, kilobytes: int) -> str:
        """Return a number of kilobytes in the unit of the options, by default in kilobytes."""
        if self.scale or self.unit:
            return self.size(kilobytes * 1024)
        return str(kilobytes)

    def row(self, file: _File) -> list[str]:
        """Return the cells of a file's line before its name."""
        cells = []
        if self.inode:
            cells.append(str(file.found.st_ino) if file.found else "?")
        if self.blocks:
            cells.append(self.used(file.found))
        if self.long:
            cells += self._long_cells(file)
        elif self.context:
            cells.append("?")
        return cells

    def _long_cells(self, file: _File) -> list[str]:
        found = file.found
        if found is None:
            unknown = ["?"] * (1 + self.columns + 1)  # links, owners, size
            return [f"{stat.filemode(file.kind)[0]}?????????", *unknown, self.no_date()]
        user = self.owners.user(found.st_uid, file.path)
        group = self.owners.group(found.st_gid, file.path)
        cells = [stat.filemode(found.st_mode), str(found.st_nlink)]
        if self.owner:
            cells.append(user)
        if self.group:
            cells.append(group)
        if self.author:
            cells.append(user)
        if self.context:
            cells.append("?")
        return [*cells, self.size(found.st_size), self.date(found)]

    def show(self, files: list[_File], *, total: bool, beside: Sequence[_File] = ()) -> None:
        """Print files; those in ``beside`` only affect the widths of columns."""
        write = self.call.out.write
        if total and (self.long or self.blocks):
            kilobytes = sum(int(used) for used in self._kilobytes(files))
            write(encode(f"total {self._scaled(kilobytes)}") + self.end)
        rows = [self.row(file) for file in files]
        form = self._form(rows, beside)
        names, lengths = [], []
        for file, row in zip(files, rows, strict=True):
            name, length = self.named(file)
            head = form.format(*row)
            names.append(head + name)
            lengths.append(len(head) + length)
        end = decode(self.end)
        if not names or self.layout not in "Cxm":
            for at in range(0, len(names), _AT_ONCE):
                self.call.check()
                write(encode(end.join(names[at : at + _AT_ONCE]) + end))
            return
        if self.layout == "m":
            text = commas(names, lengths, self.width, end)
        else:
            tab = self.tab
            if self.paints:
                tab = 0  # GNU pads with spaces if names are coloured
            text = columns(names, lengths, self.width, tab, down=self.layout == "C", end=end)
        write(encode(text))

    def _form(self, rows: Sequence[Sequence[str]], beside: Sequence[_File]) -> str:
        """Return the format of a row, whose columns are as wide as their widest cell."""
        widths: list[int] = []
        if rows:
            widths = [max(map(len, column)) for column in zip(*rows, *map(self.row, beside), strict=True)]
        left = set()
        if self.long:
            start = self.inode + self.blocks
            left = {start, *range(start + 2, start + 2 + self.columns)}
            widths[start + 3 + self.columns :] = [0]  # dates are not padded
        form = ""
        for at, width in enumerate(widths):
            alignment = "<" if at in left else ">"
            form += f"{{:{alignment}{width}}} "
        return form

    def painted(self, text: str, mode: int) -> str:
        code = ""
        if self.paints:
            code = color_of(mode)
        if not code:
            return text
        start = "\33[0m"
        if self.has_painted:
            start = ""
        self.has_painted = True
        return f"{start}\33[{code}m{text}\33[0m"

    def named(self, file: _File) -> tuple[str, int]:
        """Return a name as it is shown, with its indicator or link target, and its width."""
        plain = self.written(file.name)
        shown = self.painted(plain, file.mode)
        tail = ""
        if self.long and file.link:
            tail = f" -> {self.written(file.link)}"
            if file.target and self.indicator != "p":
                tail += self.marker(file.target.st_mode)
        else:
            tail = self.marker(file.mode)
        return shown + tail, shown_width(plain) + len(tail)

    def _kilobytes(self, files: list[_File]) -> list[str]:
        wanted = self.scale, self.unit
        self.scale, self.unit = 0, 0
        used = [self.used(file.found) for file in files if file.found is not None]
        self.scale, self.unit = wanted
        return used

    def directory(self, name: str, path: str, headed: bool, above: tuple[tuple[int, int], ...] = ()) -> None:
        files = self.entries(path, name)
        if files is None:
            return
        if headed:
            gap = b"\n"
            if self.first:
                gap = b""
            self.call.out.write(gap + encode(self.written(name)) + b":\n")
        self.first = False
        files = self.sorted(files)
        self.show(files, total=True)
        if not self.recursive:
            return
        for file in files:
            if not stat.S_ISDIR(file.mode) or file.name in (".", ".."):
                continue
            if name == "/":
                shown = f"/{file.name}"
            else:
                shown = f"{name.rstrip('/')}/{file.name}"
            try:
                found = file.found
                if found is None and self.lean:
                    found = self.call.fs.stat(file.path)
            except OSError as error:
                self.fail("cannot open directory", shown, error, 1)
                continue
            if found is None:
                continue  # the error was already reported
            identity = found.st_dev, found.st_ino
            if identity in above:
                self.call.error(f"{shown}: not listing already-listed directory")
                self.status = 2
                continue
            self.directory(shown, file.path, True, (*above, identity))


@utility(
    "ls",
    paths=True,
    summary="List information about the FILEs (the current directory by default).",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-a", "--all", help="do not ignore entries starting with ."),
        Flag("-A", "--almost-all", help="do not list implied . and .."),
        Flag("-B", "--ignore-backups", help="do not list implied entries ending with ~"),
        Flag("-c", help="sort by, or with -l show, ctime"),
        Flag("-C", help="list entries by columns"),
        Flag("--color", value="WHEN", optional=True, kind=WHEN, help="always, never or auto (LS_COLORS is not read)"),
        Flag("-d", "--directory", help="list directories themselves, not their contents"),
        Flag("-f", help="do not sort, enable -a"),
        Flag("-F", dest="classify", help="append indicator (one of */=>@|) to entries"),
        Flag("--classify", value="WHEN", optional=True, kind=WHEN, help="likewise, always or never"),
        Flag("--file-type", help="likewise, except do not append '*'"),
        Flag(
            "--format", value="WORD", kind=FORMAT, help="across commas horizontal long single-column verbose vertical"
        ),
        Flag("--full-time", help="like -l --time-style=full-iso"),
        Flag("-g", help="like -l, but do not list owner"),
        Flag("--group-directories-first", help="group directories before files"),
        Flag("-G", "--no-group", help="in a long listing, don't print group names"),
        Flag("-h", "--human-readable", help="with -l and -s, print sizes like 1K 234M 2G"),
        Flag("--si", help="likewise, but use powers of 1000"),
        Flag("-H", "--dereference-command-line", dest="H", help="follow symbolic links listed on the command line"),
        Flag("-i", "--inode", help="print the index number of each file"),
        Flag("--indicator-style", value="WORD", kind=INDICATOR, help="none, slash (-p), file-type, classify (-F)"),
        Flag("-k", "--kibibytes", help="(the default)"),
        Flag("-l", help="use a long listing format"),
        Flag("-L", "--dereference", help="show information for the file a symbolic link references"),
        Flag("-m", help="fill width with a comma separated list of entries"),
        Flag("-n", "--numeric-uid-gid", help="like -l, but list numeric user and group IDs"),
        Flag("-N", "--literal", help="print entry names without quoting (the default here)"),
        Flag("-o", help="like -l, but do not list group information"),
        Flag("-p", help="append / indicator to directories"),
        Flag("-q", "--hide-control-chars", help="print ? instead of nongraphic characters"),
        Flag("--show-control-chars", help="show nongraphic characters as they are (the default)"),
        Flag("-Q", "--quote-name", help="enclose entry names in double quotes"),
        Flag("-b", "--escape", help="print C-style escapes for nongraphic characters"),
        Flag("--quoting-style", value="WORD", kind=STYLE, help="how names are quoted: literal, shell, c, locale, ..."),
        Flag("--author", help="with -l, print the author of each file"),
        Flag("--block-size", value="SIZE", kind=block_size, help="scale sizes by SIZE"),
        Flag("-D", "--dired", help="(refused)"),
        Flag("--dereference-command-line-symlink-to-dir", help="follow links to directories among the operands"),
        Flag("--hide", value="PATTERN", help="do not list entries that match, unless -a or -A"),
        Flag("-I", "--ignore", value="PATTERN", help="do not list entries that match PATTERN"),
        Flag("--hyperlink", value="WHEN", optional=True, kind=WHEN, help="(auto or never: no links)"),
        Flag("-T", "--tabsize", value="COLS", kind=TAB, help="assume tab stops at each COLS instead of 8"),
        Flag("-w", "--width", value="COLS", kind=WIDTH, help="set output width to COLS; 0 means no limit"),
        Flag("-Z", "--context", help="print any security context of each file (always ?)"),
        Flag("-r", "--reverse", help="reverse order while sorting"),
        Flag("-R", "--recursive", help="list subdirectories recursively"),
        Flag("-s", "--size", help="print the allocated size of each file, in blocks"),
        Flag("-S", help="sort by file size, largest first"),
        Flag("--sort", value="WORD", kind=ORDER, help="sort by none, size, time, version, extension, width"),
        Flag("--time", value="WORD", kind=TIME, help="show and sort by atime or ctime instead of mtime"),
        Flag("--time-style", value="STYLE", help="full-iso, long-iso, iso, locale, or +FORMAT"),
        Flag("-t", help="sort by time, newest first"),
        Flag("-u", help="sort by, or with -l show, access time"),
        Flag("-U", help="do not sort; list entries in directory order"),
        Flag("-v", help="natural sort of (version) numbers within text"),
        Flag("-x", help="list entries by lines instead of by columns"),
        Flag("-X", help="sort alphabetically by entry extension"),
        Flag("--zero", help="end each output line with NUL, not newline"),
        Flag("-1", help="list one file per line"),
    ],
    usage_status=2,
    error_status=2,
)
def ls(call: Call) -> int:
    listing = _Listing(call)
    operands: list[_File] = []
    for name in paced(call.args or ["."]):
        operand = listing.operand(name)
        if operand is not None:
            operands.append(operand)
    plain: list[_File] = []
    folders: list[_File] = []
    for file in listing.sorted(operands):
        if stat.S_ISDIR(file.mode) and not call.opts.directory:
            folders.append(file)
        else:
            plain.append(file)
    if plain:
        listing.show(plain, total=False, beside=folders)
        listing.first = False
    headed = len(call.args) > 1 or listing.recursive
    for file in folders:
        identity = (0, 0)
        if file.found:
            identity = (file.found.st_dev, file.found.st_ino)
        listing.directory(file.name, file.path, headed, (identity,))
    return listing.status
