"""diff: compare files line by line (POSIX XCU diff; GNU diffutils 3.8).

``-l`` needs ``pr`` on the run's PATH, as GNU's does.
"""

from __future__ import annotations

from ...command import Call, Flag, utility
from ..support.kinds import Loose
from .flags import DiffFlags
from .options import STYLES, color_word, format_text, only_one, only_one_number

_MOST = 2**60
_CONTEXT = Loose("invalid context length '{text}'", most=_MOST, endless=True)
_HORIZON = Loose("invalid horizon length '{text}'", most=_MOST, endless=True)
_TABSIZE = only_one_number("tabsize", Loose("invalid tabsize '{text}'", 1, _MOST, endless=True))
_WIDTH = only_one_number("width", Loose("invalid width '{text}'", 1, _MOST, endless=True))

_FLAGS = DiffFlags(
    "diff",
    [
        Flag("--normal", help="output a normal diff (the default)"),
        Flag("-q", "--brief", help="report only when files differ"),
        Flag("-s", "--report-identical-files", help="report when two files are the same"),
        Flag("-c", dest="context_3", help="output 3 lines of copied context"),
        Flag("-C", value="NUM", kind=_CONTEXT, dest="context", help="output NUM lines of copied context"),
        Flag("--context", value="NUM", optional=True, kind=_CONTEXT, help="likewise; 3 if not given"),
        Flag("-u", dest="unified_3", help="output 3 lines of unified context"),
        Flag("-U", value="NUM", kind=_CONTEXT, dest="unified", help="output NUM lines of unified context"),
        Flag("--unified", value="NUM", optional=True, kind=_CONTEXT, help="likewise; 3 if not given"),
        Flag("-e", "--ed", help="output an ed script"),
        Flag("-f", "--forward-ed", help="output ed commands in the order of the file; ed can't read them"),
        Flag("-n", "--rcs", help="output an RCS format diff"),
        Flag("-y", "--side-by-side", help="output in two columns"),
        Flag("-W", "--width", value="NUM", kind=_WIDTH, help="output at most NUM (default 130) print columns"),
        Flag("--left-column", help="with -y: of common lines only the left column"),
        Flag("--suppress-common-lines", help="with -y: do not output common lines"),
        Flag("--sdiff-merge-assist", help="like -y, with the number of lines of each part, for sdiff"),
        Flag("-p", "--show-c-function", help="show which C function each change is in"),
        Flag("-F", "--show-function-line", value="RE", help="show the most recent line matching RE"),
        Flag("-L", "--label", value="LABEL", dest="label", help="use LABEL instead of file name and timestamp"),
        Flag("-t", "--expand-tabs", help="expand tabs to spaces in output"),
        Flag(
            "-D",
            "--ifdef",
            value="NAME",
            kind=format_text,
            help="output both files, with '#ifdef NAME' where they differ",
        ),
        Flag("--old-group-format", value="FORMAT", kind=format_text, help="format groups of lines of the first file"),
        Flag("--new-group-format", value="FORMAT", kind=format_text, help="format groups of lines of the second file"),
        Flag("--unchanged-group-format", value="FORMAT", kind=format_text, help="format groups of common lines"),
        Flag("--changed-group-format", value="FORMAT", kind=format_text, help="format groups of changed lines"),
        Flag("--old-line-format", value="FORMAT", kind=format_text, help="format lines of the first file"),
        Flag("--new-line-format", value="FORMAT", kind=format_text, help="format lines of the second file"),
        Flag("--unchanged-line-format", value="FORMAT", kind=format_text, help="format common lines"),
        Flag("--line-format", value="FORMAT", kind=format_text, help="format all lines"),
        Flag("-l", "--paginate", help="pass output through pr, with a header"),
        Flag("-T", "--initial-tab", help="make tabs line up by prepending a tab"),
        Flag("--tabsize", value="NUM", kind=_TABSIZE, help="tab stops every NUM (default 8) print columns"),
        Flag("--suppress-blank-empty", help="suppress space or tab before empty output lines"),
        Flag("-r", "--recursive", help="recursively compare any subdirectories found"),
        Flag("--no-dereference", help="don't follow symbolic links"),
        Flag("-N", "--new-file", help="treat absent files as empty"),
        Flag("-P", "--unidirectional-new-file", help="treat absent first files as empty"),
        Flag("-x", "--exclude", value="PAT", help="exclude files that match PAT"),
        Flag("-X", "--exclude-from", value="FILE", help="exclude files that match any pattern in FILE"),
        Flag(
            "-S",
            "--starting-file",
            value="FILE",
            kind=only_one("-S"),
            help="start with FILE when comparing directories",
        ),
        Flag("--ignore-file-name-case", help="ignore case when comparing file names"),
        Flag("--no-ignore-file-name-case", help="consider case when comparing file names"),
        Flag(
            "--from-file",
            value="FILE1",
            kind=only_one("--from-file"),
            help="compare FILE1 to all operands; FILE1 can be a directory",
        ),
        Flag(
            "--to-file",
            value="FILE2",
            kind=only_one("--to-file"),
            help="compare all operands to FILE2; FILE2 can be a directory",
        ),
        Flag("-i", "--ignore-case", help="ignore case differences in file contents"),
        Flag("-E", "--ignore-tab-expansion", help="ignore changes due to tab expansion"),
        Flag("-Z", "--ignore-trailing-space", help="ignore white space at line end"),
        Flag("-b", "--ignore-space-change", help="ignore changes in the amount of white space"),
        Flag("-w", "--ignore-all-space", help="ignore all white space"),
        Flag("-B", "--ignore-blank-lines", help="ignore changes where lines are all blank"),
        Flag("-I", "--ignore-matching-lines", value="RE", help="ignore changes where all lines match RE"),
        Flag(
            "--color",
            value="WHEN",
            optional=True,
            kind=color_word,
            help="color the output: never, always, or auto (on a terminal)",
        ),
        Flag("--palette", value="PALETTE", help="the colors of --color: 'rs=0:hd=1:ad=32:de=31:ln=36', no escapes"),
        Flag("-a", "--text", help="treat all files as text"),
        Flag("--strip-trailing-cr", help="strip trailing carriage return on input"),
        Flag("-d", "--minimal", help="try hard to find a smaller set of changes"),
        Flag("--horizon-lines", value="NUM", kind=_HORIZON, help="keep NUM lines of the common prefix and suffix"),
        Flag("-H", "--speed-large-files", help="(accepted, no effect)"),
        Flag("-h", help="(taken, and ignored, as by GNU)"),
        Flag("--binary", help="(accepted, no effect)"),
        Flag("--inhibit-hunk-merge", help="(taken, and ignored, as by GNU)"),
        Flag("-v", "--version", help="output version information and exit"),
    ],
    styles=STYLES,
    digits=True,
)


@utility(
    "diff",
    paths=True,
    summary="Compare FILES line by line.",
    usage="[OPTION]... FILES",
    flags=_FLAGS,
    usage_status=2,
    error_status=2,
)
def diff(call: Call) -> int:
    """Return 0 if the files do not differ, 1 if they differ, 2 on errors."""
    if call.opts.version:
        call.out.write(b"diff (pyshellhooks, as GNU diffutils) 3.8\n")
        return 0
    from .command import run_diff

    return run_diff(call)
