"""What generated commands are made of: the files, the values by what an option's row calls them, and each utility's operands.

An option's row says most of what is needed (``pyshellhooks.command.flags.Flag``): whether it takes a value, a kind that knows
its words or its units, and a word such as ``NUM``. ``VALUES`` has usual and odd values for these words, ``OPERANDS`` one line
for each utility, and ``VALUES_OF`` the few rows whose word says too little.
"""

from __future__ import annotations

# Where a command runs. Names that end in / are directories, texts that begin with -> are links.
FILES: dict[str, str] = {
    "f": "one two three\nONE  two\n\n10\t9 x\n2,b,c\none two three\n",
    "g": "apple 1\nbanana 2\ncherry 3\n",
    "h": "apple x\nbanana y\ndate z\n",
    "num": "3\n10\n-1\n1e3\n0x1f\n 2\n1K\n3\nx\n",
    "long": "".join(f"{n}\n" for n in range(1, 31)),
    "e0": "",
    "nonl": "last line\nno newline",
    "crlf": "a\r\nb c\r\n\r\n",
    "bin": "\0\1\xff\xfeab\ncd\0\x7f\n",
    "utf": "é ü\n日本\té\n".encode().decode("latin-1"),
    "nul": "x\0y z\0x\0",
    "tabs": "a\tb\tc\n\td\n  e f  \n",
    "sp ace": "x y\n",
    "-n": "dash\n",
    "exe": "#!/bin/sh\necho exe \"$@\"\n",
    "sums": "d41d8cd98f00b204e9800998ecf8427e  e0\n00000000000000000000000000000000  f\n"
    "d41d8cd98f00b204e9800998ecf8427e  none\nrubbish\n",
    "hex": "00000000: 6869 0a41  hi.A\n00000010: 4242 0a    BB.\n",
    "quoted": "a 'b c' \"d e\" f\\ g\n\n h \ni\n",
    "f~": "of before\n",
    "wide": "x" * 70000 + " y\n" + "z,1\n",
    "notext": "caf\xe9 \xff\xfe\no\xc3\n\xe2\x82\n",
    "calc": "1+2\nscale=3\n10/3\nx=4; x^2\n",
    "d/": "",
    "d/x": "in d\n",
    "d/.hid": "hidden\n",
    "d/e/": "",
    "d/e/y.txt": "deep two\n",
    "e/": "",
    "l": "->f",
    "ld": "->d",
    "dang": "->none",
}  # fmt: skip
EXECUTABLE = {"exe"}

_USUAL_NUMBERS = ["0", "1", "2", "3", "5", "10"]
_NUMBERS = [
    *(
        "-1",
        "+2",
        "-2",
        "010",
        "0x2",
        "1k",
        "1K",
        "1KiB",
        "1kB",
        "2b",
        "1M",
        "5%",
        "",
        "x",
        " 2",
        "2 ",
        "1.5",
        "1e2",
        "-0",
        "+0",
        "1x",
    ),
    *(
        "99999999999999999999",
        "18446744073709551615",
        "9223372036854775807",
        "2147483648",
        "1KB",
        "1Y",
        "é",
        "--",
        "-",
        "1,2",
        "08",
    ),
]
_FILES = ["f", "g", "h", "num", "long"]
_ODD_FILES = [
    *(
        "e0",
        "nonl",
        "crlf",
        "bin",
        "utf",
        "nul",
        "tabs",
        "sp ace",
        "none",
        "d",
        "d/",
        "-",
        "l",
        "ld",
        "dang",
        "./-n",
        "f/",
        "none/x",
    ),
    *(
        "d/x",
        ".",
        "",
        "f~",
        "wide",
        "notext",
        "exe",
        "sums",
        "hex",
        "quoted",
        "./f",
        "d/../f",
        "-n",
        "ld/",
        "d/e/y.txt",
    ),
]
_DIRS = ["d", "e", "d/e", "."]
_ODD_DIRS = ["ld", "none", "f", "", "d/", "none/x", "dang", "./e", "-n", "e/"]
_STRINGS = ["x", ",", "-", ":", "ab"]
_ODD_STRINGS = [
    "",
    " ",
    "\t",
    "\n",
    "é",
    "\\n",
    "\\0",
    "\\t",
    "\\",
    "'",
    '"',
    "-x",
    "--",
    "%s",
    "$x",
    "0",
    "日本",
    "a b",
    "\\x41",
]
_PATTERNS = ["o", "two", "^.", "[0-9]", "e$"]
_ODD_PATTERNS = [
    *(
        "",
        "*",
        "a*",
        "\\(o\\)",
        "(o",
        "[",
        "o\\|a",
        "o|a",
        "x\\{2\\}",
        "o{1,2}",
        "\\<t",
        "\\bt",
        "^$",
        "é",
        ".",
        "\\",
        "-e",
        "\\.",
    ),
    *("[[:upper:]]", "[[:foo:]]", "a\nb", "\\1", "(o)\\1", "\\w+", "ONE", "+", "?", "o?", "[^a]", "two three"),
]

# The word of a row -> usual values, odd ones. A usual one is taken two times of three.
VALUES: dict[str, tuple[list[str], list[str]]] = {
    "NUM": (_USUAL_NUMBERS, _NUMBERS),
    "SIZE": (["1", "4", "10", "1k", "100"], _NUMBERS),
    "FILE": (_FILES, _ODD_FILES),
    "NEW": (["new", "e/new", "n2"], ["none/new", "d", "f", "", "new/", "-new", "é", "a b", "l", "dang", "new.txt", "-", "ld/new"]),
    "DIR": (_DIRS, _ODD_DIRS),
    "STRING": (_STRINGS, _ODD_STRINGS),
    "CHAR": ([",", " ", "o", ":", "\t"], ["", "ab", "é", "\\t", "\\0", "\n", "\\n", "\\", "-", "\\x2c", "\\054", "'", "tab"]),
    "SUFFIX": ([".bak", "~", ".x", "two"], ["", "y/x", "é", "-s", ".", "x y", "f", "e", "none/x", "*"]),
    "PATTERN": (_PATTERNS, _ODD_PATTERNS),
    "GLOB": (["*", "*.txt", "x", "d", "?"], ["", "[a-f]", "\\x", "./x", "d/*", "*/", "e/", "[", "é", ".*", "*x*", "-n", "d/"]),
    "MODE": (
        ["644", "700", "u+x", "go-r", "a=r"],
        ["0", "7777", "8", "u+s", "+t", "=", "g=u", "o=", "u=rwX", "a+rwx,o-w", "", "x", "-x", "+rw", "-w", "10000", "u+", "ug+r,", "1755",
         "u=g-w", "=,+X", "00644", "u-x+r", "07", "+7", "=640", "u+4", "é", "-644", "rw", "a+st", "--x", "g+s"],
    ),
    "WHEN": (["always", "never", "auto"], ["", "x", "a", "yes", "no", "force", "tty", "none", "if-tty", "al"]),
    "CONTROL": (["numbered", "simple", "existing", "none", "t"], ["nil", "off", "never", "", "x", "n", "num", "o", "s"]),
    "LIST": (["1", "2", "1,3", "2-", "-2", "1-2"], ["0", "", "-", "3-1", "1-", "1,,2", "2,1", "1 3", "x", "1-3-5", "99999999999999999999", "1,1", "2-2", "é", "0-1", "1-x", "+1", "5-", "1 -2", ","]),
    "SIGNAL": (["TERM", "9", "INT", "SIGKILL"], ["0", "", "x", "term", "sigint", "15", "EXIT", "99", "-9", "RTMIN+1", "HUP"]),
    "DURATION": (["1", "5", "2s", "1m"], ["0", "", "x", "-1", "1.5", "1e1", "1x", "0x1", "inf", "1h", " 1", "1d", "nan", "+1", ".5"]),
    "RADIX": (["d", "o", "x", "n"], ["", "z", "dd", "X", "é"]),
    "TIME": (
        ["2020-01-02", "2001-02-03 04:05:06", "@0", "2020-01-02T03:04:05Z"],
        ["", "x", "@-1", "@1.5", "1 Jan 2020", "2020-02-30", "2020-13-01", "20200102", "12:30", "2020-01-02 +1 day", "Jan 2 2020", "@x", "2020-01-02 25:00", "1/2/2020", "2020-01-02 03:04:05 +0100", "2020-02-29 1 year ago", "2020-W01", "2020-001"],
    ),
    "STAMP": (["202001020304", "202001020304.05", "2001020304"], ["", "x", "202013010304", "01020304", "202001020304.61", "2020", "200001020304.", "6901020304", "12345678901234"]),
    "COMMAND": (["echo", "cat", "true", "false", "echo a"], ["none", "", "./f", "d", "./exe", "echo -n", "wc -c", "sort"]),
    "WORD": (_STRINGS, _ODD_STRINGS),
    "NAME": (["x", "HOME", "f", "a"], ["", "é", "a b", "1x", "a=b", "-x", "none", "=", "LC_ALL", "none/x"]),
    "OCTETS": (["6869", "1", "ff"], _ODD_STRINGS),
}  # fmt: skip
# Other words that rows have for the same.
SAME = {
    "NUM": "NUMBER N COLS WIDTH COUNT LEN LIMIT BITS SKIP OFF SEEK LINES MAX-LINES MAX-ARGS MAX-CHARS MAX-PROCS NMERGE FIELD FILENUM "
    "[-]NUM [+]NUM LEVELS LEVEL N[bckwMG]",
    "SIZE": "BYTES CHUNKS FROM",
    "FILE": "RFILE DATEFILE F FILE1 FILE2 PROGFILE",
    "DIR": "DIRECTORY",
    "SUFFIX": "SUFF",
    "STRING": "STR SEP LABEL TEXT CC LIMITER S END R DELIM PROG PROGNAME OPTSTRING LONGOPTS NAMES COLUMNS STYLE FORMAT FMT TYPE CTX SHELL TERM NS",
    "CHAR": "CHARACTER",
    "PATTERN": "PATTERNS RE PAT",
    "NAME": "VAR",
}  # fmt: skip
WORDS = {word: name for name, words in SAME.items() for word in words.split()} | {name: name for name in VALUES}

_STAT = (
    ["%n", "%s", "%F", "%a", "%A %n"],
    ["%N", "%h", "%y", "%Y", "%f", "%t:%T", "%%", "%", "%5s|%-5s|%05s", "%q", "a\\n", "%u %U %g %G", "%10n|", "%.2n", "%'s", "%#a", "%m", "%B", "%o", "%.3Y", "%10Y|", "%+s", "% s", "%l", "", "\\t%n\\x41\\101", "%W %w", "%C"],
)  # fmt: skip
_KEYS = (
    ["1", "2", "2,2", "1n", "2r", "1.2"],
    ["0", "", "1.0", "1,0", "x", "1x", "2,1", "1.2,1.3", "2nr", "1b,2", "1.2b", "1f,1", "3", "1,", ",1", "1M", "1V", "1h", "1R", "1z", "99999999999999999999", "1nM", "-1", "1.", "2d", "2i", "1g"],
)  # fmt: skip
_DATES = (
    ["%F %T", "%s", "%Y-%m-%d", "%a %b %e", "%j %U"],
    ["%-d", "%_m", "%^a", "%#Z", "%10Y", "%N", "%3N", "%:z", "%::z", "%:::z", "%z", "%Z", "%%", "%", "%q", "%E", "%Ey", "%Od", "%k %l %P %p", "%C %y %G %g %V", "%u %w", "%c", "%x %X %r %R", "%D %h %n %t", "%05d", "%-5d", "%+4Y", "", "é", "%W", "%010s", "%_5S", "%^B", "%#p", "%-N", "%e"],
)  # fmt: skip
# Rows whose word says too little: by utility and key.
VALUES_OF: dict[str, tuple[list[str], list[str]]] = {
    "chmod.reference": VALUES["FILE"], "touch.reference": VALUES["FILE"], "date.reference": VALUES["FILE"],
    "date.date": VALUES["TIME"], "touch.date": VALUES["TIME"], "paste.delimiters": (["," , ":", "ab", " "], _ODD_STRINGS),
    "stat.format": _STAT, "stat.printf": _STAT, "sort.key": _KEYS,
    "join.o": (["1.1", "1.1,2.2", "0", "auto", "2.1 1.2"], ["", "0,1.1", "1", "3.1", "1.0", "1.x", "1.1,", "a", "0.1", "2.9", "1.1\t2.1"]),
    "join.e": (["X", "-", ""], _ODD_STRINGS), "join.a": (["1", "2"], ["0", "3", "", "x", "+1", "01"]), "join.v": (["1", "2"], ["0", "3", "", "x"]),
    "nl.body_numbering": (["a", "t", "n", "po"], ["", "p", "x", "aa", "p[", "p^$", "pa\\|b", "é", "ap"]),
    "nl.number_format": (["ln", "rn", "rz"], ["", "x", "l", "lnx"]), "nl.section_delimiter": (["ab", "::", "\\"], _ODD_STRINGS),
    "od.format": (["x1", "c", "a", "d2", "o1", "u4"], ["x", "xC", "f4", "fD", "x1z", "x1c", "", "q", "x3", "dS", "x8", "d1a", "f", "fF", "fL", "x16", "x1 c", "cz", "a1", "1", "uL", "oI"]),
    "seq.format": (["%g", "%03g", "%.2f"], ["%d", "%", "%%", "", "x", "%s", "%g%g", "%5.1e|", "%-5g|", "%a", "%+g", "% g", "%'g", "%#g", "%0", "%lf", "%Lf", "a%gb", "%%%g", "%G", "%E"]),
    "split.number": (["2", "l/2", "1/2", "r/2", "l/1/2", "r/1/2"], ["0", "", "x", "3/2", "0/2", "l/0", "l/", "r/x", "99999999999999999999", "2/", "-1", "l/3/2"]),
    "split.filter": (["cat", "wc -c", "echo $FILE"], ["false", "none", "", "cat > $FILE.y", "exit 3"]),
    "split.bytes": VALUES["SIZE"], "split.numeric_suffixes": VALUES["NUM"], "split.hex_suffixes": (["0", "1", "a"], ["ff", "x", "", "-1", "10", "fff"]),
    "sort.buffer_size": (["1M", "50%", "1024", "10b"], _NUMBERS), "sort.compress_program": (["gzip"], ["none"]),
    "ls.time_style": (["iso", "long-iso", "full-iso", "+%Y"], ["locale", "posix-iso", "posix-long-iso", "", "x", "+", "+%F\n%T", "+%F %N", "l", "i", "+a\nb\nc", "posix-locale"]),
    "ls.block_size": (["1", "1K", "KB", "human-readable"], ["si", "'1", "0", "", "x", "1M", "-1", "K", "kB", "MiB", "1KiB", "'human-readable", "h", "99999999999999999999", "1024"]),
    "ls.quoting_style": (["shell", "c", "literal", "escape"], ["", "x", "shell-always", "shell-escape", "shell-escape-always", "c-maybe", "locale", "clocale", "s", "l"]),
    "grep.context": VALUES["NUM"], "grep.binary_files": (["text", "binary", "without-match"], ["", "x", "t"]),
    "grep.directories": (["skip", "read", "recurse"], ["", "x", "s"]), "grep.devices": (["skip", "read"], ["", "x"]),
    "cp.preserve": (["mode", "timestamps", "all", "links,mode"], ["", "x", "ownership", "mode,", ",mode", "context", "xattr", "m", "mode,x", "a"]),
    "cp.no_preserve": (["mode", "timestamps", "all", "links"], ["", "x", "mode,x", "t"]),
    "xargs.replace": (["{}", "X", "%"], ["", "é", "{", "a b"]), "xargs.I": (["{}", "X", "%"], ["", "é", "{", "a b"]),
    "xargs.E": (["h", "_", "i"], _ODD_STRINGS), "xargs.eof": (["h", "_", "i"], _ODD_STRINGS),
    "xargs.max_chars": (["20", "30", "100"], _NUMBERS), "env.split_string": (["echo a b", "-i echo x", "A=1 printenv A"], ["", "echo 'a b' \"c\"", "echo \\_x", "echo ${HOME}", "echo $HOME", "'", "echo \\q", "echo a#b #c", "-u HOME printenv HOME", "echo a\\tb", "\\c", "echo 'a", "-S echo", "echo ${none}x", "-- echo a"]),
    "getopt.options": (["ab:", "a:b::", "+ab", ":a"], ["", "-ab", "a::", "é", ":", "a b", "--", "a-", "+", "-"]),
    "getopt.longoptions": (["long,arg:", "opt::", "all,alpha"], ["", ":", "a", "long:,long", "a,,b", "é", " x", "x y"]),
    "getopt.shell": (["sh", "bash", "csh", "tcsh"], ["", "x", "zsh"]), "getopt.name": (["prog", "x y"], ["", "é", "%s"]),
    "strings.encoding": (["s", "S", "b", "l"], ["", "x", "B", "L", "ss"]), "strings.bytes": VALUES["NUM"],
    "column.table_columns": (["A,B", "A", "A,B,C,D,E"], ["", "é", ",", "A,,C"]), "column.table_right": (["1", "2", "A", "1,2"], ["", "0", "9", "x", "-1", "-"]),
    "column.table_hide": (["1", "2", "1,2"], ["", "0", "9", "x", "-"]), "column.table_order": (["2,1", "2", "1"], ["", "0", "9", "x", "1,1"]),
    "date.iso_8601": (["date", "seconds", "hours"], ["", "x", "ns", "minutes", "s", "h"]), "date.date_file": VALUES["FILE"],
    "mktemp.p": VALUES["DIR"], "mktemp.tmpdir": VALUES["DIR"], "timeout.signal": VALUES["SIGNAL"],
    "shuf.input_range": (["1-3", "5-5", "0-2"], ["3-1", "", "x", "1", "-1-3", "1-", "-", "1-3x", "2-1", "010-011", "5-3", "99999999999999999999-99999999999999999999"]),
    "basename.suffix": VALUES["SUFFIX"], "cksum.algorithm": (["sysv", "bsd", "crc", "md5", "sha1", "sha256"], ["sha224", "sha384", "sha512", "blake2b", "sm3", "", "x", "sha", "SHA1", "m"]),
    "shasum.algorithm": (["1", "256", "512"], ["224", "384", "512224", "512256", "", "x", "0", "2", "sha1", "01"]),
    "b2sum.length": (["8", "256", "512"], ["0", "7", "520", "", "x", "-8", "08", "16x"]), "cksum.length": (["8", "256", "0"], ["7", "520", "", "x"]),
    "nice.adjustment": (["0", "1", "5"], ["", "x", "1.5", "+1", "99", "010", "1x", "99999999999999999999", " 1"]), "uuidgen.namespace": (["@dns", "@url"], ["", "x", "@x", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "@oid", "@x500"]),
    "uuidgen.name": (["a", "6869"], _ODD_STRINGS), "xxd.n": (["name", "a b"], ["", "é", "1x", "a-b"]), "xxd.c": (["4", "8", "16", "1"], ["0", "256", "257", "-1", "x", "", "0x4", "010", "99"]),
    "xxd.g": (["1", "2", "4"], ["0", "3", "-1", "x", "", "99", "0x2"]), "xxd.s": (["1", "4", "+2"], ["-1", "-4", "0", "x", "", "+-2", "0x2", "99", "010"]), "xxd.o": (["1", "0x10"], ["-1", "x", "", "010", "99"]),
    "xargs.process_slot_var": (["S", "x"], ["", "a=b"]), "clear.T": (["xterm", "dumb"], ["none", ""]), "tac.separator": (["o", ",", "two", "\\n"], _ODD_STRINGS + _ODD_PATTERNS),
    "du.time_style": VALUES["STRING"], "touch.time": (["atime", "mtime", "access", "use", "modify"], ["", "x", "a", "m"]),
}  # fmt: skip

_EXPR = ["1", "2", "+", "-", "*", "/", "%", "abc", ":", "a.", "\\(a\\)", "<", ">", "=", "!=", "<=", ">=", "|", "&", "(", ")", "0", "", "length", "substr", "index", "match", "-1", "é", "x", "010", "99999999999999999999", "+1", "a*", "^a", "=="]  # fmt: skip
_TEST = ["-e", "-f", "-d", "-s", "-L", "-h", "-r", "-w", "-x", "-z", "-n", "=", "!=", "==", "-eq", "-ne", "-lt", "-gt", "-nt", "-ot", "-ef", "!", "-a", "-o", "(", ")", "f", "g", "d", "l", "none", "", "1", "2", "x", "-1", "010", "<", ">", "-t", "-p", "-S", "-b", "-c", "-k", "-u", "-g", "-O", "-G", "-N", "-v", "HOME", "-R", "dang", "e0", "1x", " 1", "-le", "-ge"]  # fmt: skip
_FORMATS = ["%s\\n", "%d\\n", "%5s|", "%-5s|", "%05d\\n", "%x\\n", "%o", "%c", "%b", "%q\\n", "%e\\n", "%.2f\\n", "%g\\n", "%%", "%", "%z", "\\101\\x41\\u00e9\\n", "a\\c b", "%s %s\\n", "%*d|", "%.*s|", "%+d", "% d", "%#x", "%i\\n", "%u\\n", "%.3s\\n", "", "\\", "\\q", "%-", "%5%", "%ld\\n", "%'d", "%X", "%E %G", "%a", "%(%Y)T", "%.b", "%5c|", "%-*s|", "%1$s"]  # fmt: skip
_FIND = ["-name", "*", "*.txt", "x", "-type", "f", "d", "l", "-print", "-print0", "-o", "-a", "!", "(", ")", "-not", "-and", "-or", "-maxdepth", "-mindepth", "0", "1", "2", "-size", "+0", "-5c", "1k", "-empty", "-perm", "644", "-644", "/111", "u+x", "-newer", "g", "-newermt", "2001-02-05", "-path", "./d*", "-iname", "X", "-prune", "-delete", "-exec", "echo", "{}", ";", "+", "-printf", "%p\\n", "%f %s %y\\n", "%m %M", "%d %P %h", "-depth", "-follow", "-regex", ".*x", "-iregex", "-links", "-mtime", "-mmin", "-true", "-false", "-quit", "-lname", "-xtype", "-samefile", "-inum", "-user", "root", "-uid", "-nouser", "-executable", "-readable", "-writable", ",", "-ok", "-x", "-warn", "-nowarn", "-regextype", "posix-extended", "egrep", "-wholename", "-execdir", "-ls", "-fprint", "new", "-daystart", "-noleaf", "-xdev", "-used", "-anewer", "-cnewer", "-group", "-gid", "-ilname", "-ipath", "-amin", "-fprintf", "-fls", "-files0-from", "-version"]  # fmt: skip
LISTS: dict[str, tuple[list[str], list[str]]] = {
    "EXPR": (_EXPR[:10], _EXPR),
    "TEST": (_TEST[:16] + _TEST[26:34], _TEST),
    "PRINTF": (_FORMATS[:12], _FORMATS),
    "FIND": (_FIND[:24], _FIND),
    "PRINTED": (["1", "a", "10", "x y", "255"], ["", "-1", "0x1f", "010", "'a", '"é', "1.5", "1e3", "x", "99999999999999999999", "é", "a\\tb", "-5", "+3", "a\\c", "1x", " 7", "nan", "-"]),
    "SET": (["a-z", "A-Z", "[:upper:]", "[:lower:]", "o", "0-9", "\\n", "abc"], ["", "[:foo:]", "z-a", "[=a=]", "[x*3]", "[x*]", "\\101", "\\", "é", "a-", "-a", "[:digit:]", "[:space:]", "[a-z]", "\\x41", "[=ab=]", "[x*08]", "[x*a]", "\\0", "[:alnum:][:punct:]", "--", "a-c-e", "[", "[:", "[:alpha:]", "\\t ", "[y*0]", "\\400", "[:upper:]x", "a\\-z", "[:*3]"]),
    "SECTION": (["/usr/lib/", "a/b/c.x", "f", "d/e/y.txt", "x.bak"], ["", "/", "//", "a//", "a/", ".", "..", "-x", "é", "a b", "/a", "//a", "../x", "a/.", "/.", "x~", "two"]),
    "PATHS": (["f", "d", "l", "ld", "d/x", "ld/x"], ["none", "dang", "none/x", "", ".", "./f", "d/../f", "d/", "ld/", "f/", "f/x", "ld/..", "//", "/", "d//x", "-n", "dang/x", "none/../f", "d/e/../../l"]),
    "NUMBERS": (["1", "3", "5", "10", "2", "0.5"], ["0", "-1", "-0.5", "1e1", "0x10", "", "x", "inf", "nan", "010", "1.50", "+2", "-3", " 1", "1 ", "1e-2", ".5", "5.", "100000", "1e", "0x1p3", "-inf", "1,5"]),
    "TEMPLATES": (["tXXXXXX", "XXX", "d/tXXX", "tXXX.x"], ["", "x", "XX", "t", "none/XXX", "éXXX", "-XXX", "XXXtXX", "tXXXX/", "aXXXbXXX", "XXXXXXXXXXXXXXXXXXXX"]),
    "SLEEPS": (["0", "0.01", "0s", ".01"], ["", "x", "-1", "0x", "1e-2", "0d", "0m 0", "nan", "0x0", "+0", "0 s"]),
    "ASSIGNMENTS": (["A=1", "HOME=x", "B=a b"], ["=1", "A=", "é=x", "1=2", "A", "-", "A=1=2"]),
    "OFFSETS": (["0", "1", "2"], ["", "x", "-1", "010", "0x1", "1k", "99999999999999999999", "+1"]),
    "DATE": ([f"+{text}" for text in _DATES[0]], [*(f"+{text}" for text in _DATES[1]), "", "x", "01020304", "-x"]),
    "PREFIX": (["p", "e/p"], ["", "none/p", "d/", "é", "-p", "f"]),
    "OPTIONS": (["-a", "-b", "x", "--long", "--arg=1", "y"], ["-ab", "-bx", "--", "", "--lo", "--al", "-z", "--arg", "é", "a b", "it's", "--opt", "--opt=1", "-", "--nope", "--long=1", "!x", "-a1"]),
    "BC": (["calc"], ["none", "e0", "num", "d", "-"]),
    "WHO": (["root", "0"], ["none", "", "nobody", "65534", "daemon", "+0", "99999"]),
    "FORMATTED": (["$HOME", "$HOME $A", "x"], ["", "${HOME}", "${A", "$", "${1}", "$$"]),
    "COMMANDNAME": (["cat", "ls", "sh", "grep"], ["none", "", "./exe", "/bin/cat", "d", "f", "-x", "exe"]),
    "ANY": (_STRINGS, _ODD_STRINGS),
    "SED": (["p", "s/o/X/", "2d", "$!N;P;D", "s/[a-z]*/<&>/g"], ["", "1~2p", "/two/,+1d", "y/abc/xyz/", "s/o/X/2p", "=", "l", "1i\\hi", "$a end", "2q5", "s/x*/-/g", "n;d", "G", "/a/I!d", "x", "}", "s/a", "k", "0,/o/d", "w new", "r g", "s/\\(o\\)/\\1\\1/", "s/.*/\\U&/", "2c new", "F", "z", "1!G;h;$!d", "s/(o)/[\\1]/", "5l 3", "Q"]),
    "AWK": (["{print $2}", "NR==2", "{print NR, NF}", "END{print NR}", "/two/"], ["", "{print $NF}", "BEGIN{print 1/3}", "{$2=\"x\"; print}", "BEGIN{", "{print FILENAME FNR}", "{printf \"%s-\", $1}", "BEGIN{while((getline l)>0) n++; print n}", "{print > \"new\"}", "BEGIN{exit 3}", "{gsub(/o/, \"&&\"); print}", "BEGIN{print length(x)}", "NR%2", "{print toupper($0)}", "BEGIN{printf \"%d %s\\n\", \"0x1f\", 1e6}", "{a[$1]++} END{print length(a)}", "BEGINFILE{print FILENAME}", "BEGIN{print substr(\"hello\", 0, 3)}"]),
}  # fmt: skip

# What follows the options: slots, each with ? (none or one), * (up to three), + (one to three), or a number of words.
OPERANDS: dict[str, str] = {
    "[": "TEST*6 ]", "test": "TEST*6", "expr": "EXPR*6", "echo": "ANY*", "printf": "PRINTF PRINTED*", "true": "ANY*", "false": "ANY*",
    "awk": "AWK FILE*", "b2sum": "FILE*", "base64": "FILE?", "basename": "SECTION SUFFIX?", "bc": "BC?", "cat": "FILE*", "chmod": "MODE FILE+",
    "cksum": "FILE*", "clear": "", "cmp": "FILE FILE OFFSETS? OFFSETS?", "column": "FILE*", "comm": "FILE FILE", "cp": "FILE+ NEW", "cut": "FILE*",
    "date": "DATE?", "dirname": "SECTION+", "egrep": "PATTERN FILE*", "env": "ASSIGNMENTS* COMMAND?", "envsubst": "FORMATTED?", "fgrep": "PATTERN FILE*",
    "find": "DIR? FIND*6", "fold": "FILE*", "getopt": "OPTIONS*6", "grep": "PATTERN FILE*", "head": "FILE*", "id": "WHO?",
    "join": "FILE FILE", "ln": "FILE+ NEW", "ls": "PATHS*", "md5sum": "FILE*", "mkdir": "NEW+", "mkfifo": "NEW+", "mktemp": "TEMPLATES?",
    "mv": "FILE+ NEW", "nice": "COMMAND?", "nl": "FILE*", "nohup": "COMMAND?", "nproc": "", "od": "FILE*", "paste": "FILE*", "printenv": "NAME*",
    "pwd": "ANY?", "readlink": "PATHS+", "realpath": "PATHS+", "rev": "FILE*", "rm": "FILE+", "rmdir": "DIR+", "seq": "NUMBERS NUMBERS? NUMBERS?",
    "setsid": "COMMAND?", "sha1sum": "FILE*", "sha224sum": "FILE*", "sha256sum": "FILE*", "sha384sum": "FILE*", "sha512sum": "FILE*", "shasum": "FILE*",
    "shuf": "FILE?", "sleep": "SLEEPS+", "sort": "FILE*", "split": "FILE? PREFIX?", "stat": "PATHS+", "strings": "FILE*", "sum": "FILE*", "tac": "FILE*",
    "tail": "FILE*", "tee": "NEW*", "timeout": "DURATION COMMAND", "touch": "NEW+", "tr": "SET SET?", "tty": "ANY?", "uname": "ANY?", "uniq": "FILE? NEW?",
    "uuidgen": "", "wc": "FILE*", "which": "COMMANDNAME*", "whoami": "ANY?", "xargs": "COMMAND?", "xxd": "FILE? NEW?", "yes": "ANY*",
    "diff": "FILE FILE", "sed": "SED FILE*", "gawk": "AWK FILE*",
}  # fmt: skip
# An option that a call needs to mean anything, one of these nearly always.
NEEDED = {"cut": ("-f", "-b", "-c"), "getopt": ("-o",), "uuidgen": ("-n",)}
# Not asked: jq and rg have generators of their own, those of yq start a jq that is not ours, mawk and nawk are other programs on the machine, or none, and hostname would set the
# machine's name, or ask the network.
NOT_ASKED = {"jq", "yq", "xq", "tomlq", "rg", "mawk", "nawk", "hostname"}
# Utilities that change nothing by the names that they are given: these may be absolute.
READERS = {"[", "test", "basename", "dirname", "echo", "expr", "printf", "readlink", "realpath", "stat", "which"}
# Options that aren't made, by utility and key, and why.
LEFT_OUT = {
    "date.set": "it would set the machine's clock",
    "xargs.open_tty": "no terminal",
    "xargs.interactive": "it asks a terminal",
    "tail.f": "it ends with the run only",
    "tail.follow": "it ends with the run only",
    "tail.F": "it ends with the run only",
    "tail.retry": "only with -f",
    "tail.pid": "only with -f",
    "clear.x": "a terminal's",
}
