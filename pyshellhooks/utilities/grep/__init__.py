"""grep, egrep and fgrep (GNU grep 3.8; POSIX XCU grep)."""

from __future__ import annotations

from functools import partial

from ...command import Call, Flag, Flags, utility
from .command import USAGE, run_grep
from .direct import make_direct
from .settings import context_length, devices, directories

_FLAGS = Flags(
    [
        Flag("-E", "--extended-regexp", help="PATTERNS are extended regular expressions"),
        Flag("-F", "--fixed-strings", help="PATTERNS are strings"),
        Flag("-G", "--basic-regexp", help="PATTERNS are basic regular expressions"),
        Flag("-P", "--perl-regexp", help="PATTERNS are Perl regular expressions"),
        Flag("-e", "--regexp", value="PATTERNS", help="use PATTERNS for matching"),
        Flag("-f", "--file", value="FILE", help="take PATTERNS from FILE"),
        Flag("-i", "-y", "--ignore-case", help="ignore case in patterns and data"),
        Flag("--no-ignore-case", help="do not ignore case (default)"),
        Flag("-w", "--word-regexp", help="match only whole words"),
        Flag("-x", "--line-regexp", help="match only whole lines"),
        Flag("-z", "--null-data", help="a data line ends in 0 byte, not newline"),
        Flag("-s", "--no-messages", help="suppress error messages about files"),
        Flag("-v", "--invert-match", help="select non-matching lines"),
        Flag("-V", "--version", help="display version information and exit"),
        Flag("-m", "--max-count", value="NUM", help="stop after NUM selected lines"),
        Flag("-b", "--byte-offset", help="print the byte offset with output lines"),
        Flag("-n", "--line-number", help="print line number with output lines"),
        Flag("--line-buffered", help="flush output on every line"),
        Flag("-H", "--with-filename", help="print file name with output lines"),
        Flag("-h", "--no-filename", help="suppress the file name prefix on output"),
        Flag("--label", value="LABEL", help="use LABEL as the standard input file name prefix"),
        Flag("-o", "--only-matching", help="show only nonempty parts of lines that match"),
        Flag("-q", "--quiet", "--silent", help="suppress all normal output"),
        Flag("--binary-files", value="TYPE", help="TYPE is 'binary', 'text', or 'without-match'"),
        Flag("-a", "--text", help="equivalent to --binary-files=text"),
        Flag("-I", help="equivalent to --binary-files=without-match"),
        Flag("-d", "--directories", value="ACTION", kind=directories, help="ACTION is 'read', 'recurse', or 'skip'"),
        Flag("-D", "--devices", value="ACTION", kind=devices, help="ACTION is 'read' or 'skip'"),
        Flag("-r", "--recursive", help="like --directories=recurse"),
        Flag("-R", "--dereference-recursive", help="likewise, but follow all symlinks"),
        Flag("--include", value="GLOB", help="search only files that match GLOB"),
        Flag("--exclude", value="GLOB", help="skip files that match GLOB"),
        Flag("--exclude-from", value="FILE", help="skip files that match any file pattern from FILE"),
        Flag("--exclude-dir", value="GLOB", help="skip directories that match GLOB"),
        Flag("-L", "--files-without-match", help="print only names of FILEs with no selected lines"),
        Flag("-l", "--files-with-matches", help="print only names of FILEs with selected lines"),
        Flag("-c", "--count", help="print only a count of selected lines per FILE"),
        Flag("-T", "--initial-tab", help="make tabs line up (if needed)"),
        Flag("-Z", "--null", help="print 0 byte after FILE name"),
        Flag("-A", "--after-context", value="NUM", kind=context_length, help="print NUM lines of trailing context"),
        Flag("-B", "--before-context", value="NUM", kind=context_length, help="print NUM lines of leading context"),
        Flag("-C", "--context", value="NUM", kind=context_length, help="print NUM lines of output context"),
        Flag("--group-separator", value="SEP", help="print SEP on line between matches with context"),
        Flag("--no-group-separator", help="do not print separator for matches with context"),
        Flag("--color", "--colour", value="WHEN", optional=True, help="WHEN is 'always', 'never', or 'auto'"),
        Flag("-U", "--binary", help="do not strip CR characters at EOL"),
        Flag("-u", "--unix-byte-offsets", help="(obsolete: warns)"),
    ],
    numeric="context",
)


@utility(
    "grep",
    summary="Search for PATTERNS in each FILE.",
    usage=USAGE,
    flags=_FLAGS,
    usage_status=2,
    error_status=2,
    brief=True,
    direct=partial(make_direct, _FLAGS, ""),
    filters=True,
)
def grep(call: Call) -> int:
    """Search files for patterns (POSIX XCU grep, GNU grep 3.8): 0 if a line was selected, 1 if not, 2 on errors."""
    return run_grep(call, "")


@utility(
    "egrep",
    summary="As grep -E.",
    usage=USAGE,
    flags=_FLAGS,
    usage_status=2,
    error_status=2,
    brief=True,
    direct=partial(make_direct, _FLAGS, "extended_regexp"),
    filters=True,
    reports_as="grep",
)
def egrep(call: Call) -> int:
    """Search with extended regular expressions."""
    return run_grep(call, "extended_regexp")


@utility(
    "fgrep",
    summary="As grep -F.",
    usage=USAGE,
    flags=_FLAGS,
    usage_status=2,
    error_status=2,
    brief=True,
    direct=partial(make_direct, _FLAGS, "fixed_strings"),
    filters=True,
    reports_as="grep",
)
def fgrep(call: Call) -> int:
    """Search for fixed strings."""
    return run_grep(call, "fixed_strings")
