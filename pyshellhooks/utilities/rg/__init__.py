"""rg (ripgrep 13.0, according to its manual ``rg --help``).

Files are searched one after the other, in the order of their names below each operand, as with ``--sort path``;
ripgrep's own order changes from run to run. Without an operand standard input is searched if it is a file, a pipe or a
socket, as ripgrep does, so in a hook ``rg PATTERN`` reads the payload: write ``rg PATTERN .`` for the directory.
Patterns are those of Rust's regex crate, on engines that take linear time, or with a timeout. With ``-U`` a file is
read as a whole, up to a sixteenth of ``Limits.memory``. No option starts a program: ``-z`` and ``--pre`` are refused.
``-d`` is ripgrep 14's. Messages begin with ``rg:``, as those of ripgrep 14 do.
"""

from __future__ import annotations

from ...command import Call, Flag, utility
from .command import run_rg
from .flags import RipgrepFlags, choice, size, whole

_COLORS = choice("always", "ansi", "auto", "never")
_SORTS = choice("accessed", "created", "modified", "none", "path")
_FLAGS = RipgrepFlags(
    [
        Flag("-e", "--regexp", value="PATTERN", help="search for PATTERN; may be given several times"),
        Flag("-f", "--file", value="FILE", help="take patterns from FILE, one in each line"),
        Flag("-F", "--fixed-strings", help="patterns are strings"),
        Flag("-i", "--ignore-case", help="ignore case"),
        Flag("-s", "--case-sensitive", help="match case (default)"),
        Flag("-S", "--smart-case", help="ignore case unless a pattern has an uppercase letter"),
        Flag("-w", "--word-regexp", help="match only whole words"),
        Flag("-x", "--line-regexp", help="match only whole lines"),
        Flag("-P", "--pcre2", help="patterns are Perl's"),
        Flag("--engine", value="ENGINE", kind=choice("auto", "default", "pcre2"), help="ENGINE is 'default', 'pcre2' or 'auto'"),
        Flag("--auto-hybrid-regex", help="as --engine=auto: Perl's patterns if Rust's lack a feature"),
        Flag("--no-unicode", "--no-pcre2-unicode", help="classes, case and '.' are of ASCII and bytes"),
        Flag("-U", "--multiline", help="matches may span several lines"),
        Flag("--multiline-dotall", help="with -U: '.' is a newline too"),
        Flag("--crlf", help="'$' also matches before a carriage return"),
        Flag("--null-data", help="a line ends in 0 byte, not newline"),
        Flag("-v", "--invert-match", help="select lines that do not match"),
        Flag("-m", "--max-count", value="NUM", kind=whole, help="select at most NUM lines of each file"),
        Flag("-q", "--quiet", help="write nothing, and stop at the first match"),
        Flag("-c", "--count", help="write only the number of matching lines"),
        Flag("--count-matches", help="write only the number of matches"),
        Flag("--include-zero", help="with a count: also for files without a match"),
        Flag("-l", "--files-with-matches", help="write only names of files with a match"),
        Flag("--files-without-match", help="write only names of files without a match"),
        Flag("-o", "--only-matching", help="write only the matching parts"),
        Flag("-r", "--replace", value="TEXT", help="write TEXT in place of each match; $1 and ${name} are groups"),
        Flag("--passthru", "--passthrough", help="also write the lines that do not match"),
        Flag("-A", "--after-context", value="NUM", kind=whole, help="write NUM lines after each match"),
        Flag("-B", "--before-context", value="NUM", kind=whole, help="write NUM lines before each match"),
        Flag("-C", "--context", value="NUM", kind=whole, help="write NUM lines before and after each match"),
        Flag("--context-separator", value="TEXT", help="the separator of groups of lines (default: --)"),
        Flag("--no-context-separator", help="no separator"),
        Flag("--field-match-separator", value="TEXT", help="the separator after a name or number (default: :)"),
        Flag("--field-context-separator", value="TEXT", help="the same for lines of context (default: -)"),
        Flag("-n", "--line-number", help="write the numbers of lines"),
        Flag("-N", "--no-line-number", help="do not"),
        Flag("--column", help="write the column of the first match, and the line's number"),
        Flag("-b", "--byte-offset", help="write the offset of each line, or of each match with -o"),
        Flag("-H", "--with-filename", help="write the file's name with each line"),
        Flag("-I", "--no-filename", help="do not"),
        Flag("--heading", help="write the file's name above its lines"),
        Flag("--no-heading", help="do not"),
        Flag("-0", "--null", help="write a NUL byte after a file's name"),
        Flag("--path-separator", value="CHAR", help="the separator of directories in names, instead of a slash"),
        Flag("--vimgrep", help="write a line for each match, with name, line and column"),
        Flag("-p", "--pretty", help="as --color=always --heading --line-number"),
        Flag("--color", value="WHEN", kind=_COLORS, help="WHEN is 'always', 'ansi', 'auto' or 'never'"),
        Flag("--colors", value="SPEC", help="a colour or style, as match:fg:blue or path:style:bold"),
        Flag("--trim", help="take blanks off the start of each line"),
        Flag("-M", "--max-columns", value="NUM", kind=whole, help="omit lines of more than NUM bytes"),
        Flag("--max-columns-preview", help="with -M: write their start"),
        Flag("--json", help="write messages in JSON"),
        Flag("--stats", help="write statistics about the search"),
        Flag("-a", "--text", help="search binary files as if they were text"),
        Flag("--binary", help="search binary files, and write whether they match"),
        Flag("-E", "--encoding", value="NAME", help="the encoding of the files; 'auto' looks for a byte order mark"),
        Flag("--files", help="write the names of the files that would be searched"),
        Flag("-g", "--glob", value="GLOB", help="search only files that match GLOB, or none that match !GLOB"),
        Flag("--iglob", value="GLOB", help="as -g, ignoring case"),
        Flag("--glob-case-insensitive", help="ignore case in -g"),
        Flag("-t", "--type", value="TYPE", help="search only files of TYPE"),
        Flag("-T", "--type-not", value="TYPE", help="search no files of TYPE"),
        Flag("--type-list", help="write the known file types with their globs"),
        Flag("--type-add", value="TYPE:GLOB", help="add a glob to a type"),
        Flag("--type-clear", value="TYPE", help="remove all globs from a type"),
        Flag("-.", "--hidden", help="search hidden files and directories"),
        Flag("-L", "--follow", help="follow symbolic links"),
        Flag("--one-file-system", help="stay on the file system of each operand"),
        Flag("-d", "--max-depth", "--maxdepth", value="NUM", kind=whole, help="go down at most NUM directories"),
        Flag("--max-filesize", value="SIZE", kind=size, help="search no files larger than SIZE (K, M, G)"),
        Flag("--sort", value="BY", kind=_SORTS, help="BY is 'path' (default), 'modified', 'accessed' or 'created'"),
        Flag("--sortr", value="BY", kind=_SORTS, help="the same in reverse"),
        Flag("--sort-files", help="(deprecated) as --sort=path"),
        Flag("-u", "--unrestricted", help="-u is --no-ignore, -uu --hidden too, -uuu --binary too"),
        Flag("--ignore-file", value="FILE", help="a file of rules, such as .gitignore"),
        Flag("--ignore-file-case-insensitive", help="ignore case in such files"),
        Flag("--no-ignore", help="ignore all files of rules"),
        Flag("--no-ignore-dot", help="ignore .ignore files"),
        Flag("--no-ignore-exclude", help="ignore .git/info/exclude"),
        Flag("--no-ignore-files", help="ignore --ignore-file"),
        Flag("--no-ignore-global", help="ignore the user's rules for git"),
        Flag("--no-ignore-parent", help="ignore rules of parent directories"),
        Flag("--no-ignore-vcs", help="ignore rules for git"),
        Flag("--no-require-git", help="apply rules for git also outside of git repositories"),
        Flag("--no-messages", help="do not report files that cannot be read"),
        Flag("--no-ignore-messages", help="do not report mistakes in files of rules"),
        Flag("--no-config", help="do not read the file in RIPGREP_CONFIG_PATH"),
        Flag("-j", "--threads", value="NUM", kind=whole, help="(accepted: one thread searches)"),
        Flag("--line-buffered", help="(accepted)"),
        Flag("--block-buffered", help="(accepted)"),
        Flag("--mmap", help="(accepted)"),
        Flag("--no-mmap", help="(accepted)"),
        Flag("--debug", help="(accepted)"),
        Flag("--trace", help="(accepted)"),
        Flag("--dfa-size-limit", value="SIZE", kind=size, help="(accepted)"),
        Flag("--regex-size-limit", value="SIZE", kind=size, help="(accepted)"),
        Flag("-z", "--search-zip", help="(refused)"),
        Flag("--pre", value="COMMAND", help="(refused)"),
        Flag("--pre-glob", value="GLOB", help="(only with --pre)"),
        Flag("--pcre2-version", help="write the engine of -P"),
        Flag("-V", "--version", help="display version information and exit"),
        Flag("-h", dest="help", help="display this help and exit"),
    ],
    undo=(
        "auto-hybrid-regex", "binary", "block-buffered", "column", "crlf", "encoding", "fixed-strings", "follow",
        "glob-case-insensitive", "hidden", "ignore-file-case-insensitive", "invert-match", "json", "line-buffered",
        "max-columns-preview", "multiline", "multiline-dotall", "one-file-system", "pcre2", "pre", "search-zip", "sort-files",
        "stats", "text", "trim",
    ),
    redo=(
        "no-ignore", "no-ignore-dot", "no-ignore-exclude", "no-ignore-files", "no-ignore-global", "no-ignore-messages",
        "no-ignore-parent", "no-ignore-vcs", "no-messages", "no-require-git", "no-unicode", "no-pcre2-unicode",
    ),
)  # fmt: skip


@utility(
    "rg",
    summary="Search for PATTERN in files and directories, except those that rules exclude.",
    usage="[OPTION]... PATTERN [PATH]...",
    flags=_FLAGS,
    usage_status=2,
    error_status=2,
    hears=False,
)
def rg(call: Call) -> int:
    """Search files as ripgrep does. Return 0 for a match, 1 for none, 2 for an error."""
    return run_rg(call)
