"""Data in every place where a shell may look at it again: each value of ``VALUES`` in each line of ``contexts.txt``.

A guard is given its data by others. What the shell makes of it must be what bash makes of it: the same output, the same
status, and a message where bash has one. One script for each value; each context runs in a subshell of its own.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .real_and_ours import Answer, Place

SECONDS = 60.0

# What looks like a number, an expansion, a name, an option, a pattern, a regular expression, a word of the grammar.
VALUES = (
    "$(echo ran >&2; echo 1)", "a[$(echo ran >&2; echo 0)]", "`echo ran >&2; echo 1`", "${one}", "$one", "$((one))", '"1"', "'1'", "\\1",
    "1", "", "m[k]", "a[0]", "@", "*", "1 2", "-n", "'", '"', "\\", "(", ")", "[", "]", "#", "~", "{a,b}", ";", "a=1", "one=7", "1 = 1", "1\n",
    "a[", "a]", "m[$k]", 'm["k"]', "m['k']", "01", "08", "0x1f", "1 ", " 1", " ", "-1", "+1", "--", "-e", "one", "a", "?", "!", "~/x", ".",
    "..", "/", "[[", "[a]", "{", "}", "((", "&", "|", "<", ">", "=", "a b=c", "k", "x y", "%", "%s", "%d", "%(%Y)T", "\\\\", "\\n", '"a', "a'",
    "\t", "\n", "a\nb", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "99999999999999999999", "1e3", "1.5", "0b1",
    "2#11", "1#1", "1_000", "\u0967", "\u00e9", "\udcff", "-v", "-o", "-f", "-t", "1 -o 1", "! 1", "(1)", "true", "TERM", "SIGTERM", "if", "function",
    "HOME", "_", "IFS", "a+=1", "one++", "one,2", "1?2:3", "1/0", "1%0", "2**-1", "1<<64", "&1", "1>&2", "nosuch/file", "*.none", "!(x)",
    "@(a|b)", "+(1)", "[!1]", "[[:digit:]]", "[[:nope:]]", "^1$", "1{2", "(1", "1)", "a{,1}", "[z-a]", "[1", "\\(", ".*", "\\d", "(?i)A", "x" * 300,
)  # fmt: skip

HEAD = """shopt -s extglob
one=1; k=k; s=abc1bc; a=(10 11 12); declare -A m=([k]=v [1]=one ['$(echo x)']=sub ['@']=at); set -- p1 p2
"""


class Excuse(NamedTuple):
    """A difference that has to be, by what the context and the value look like."""

    context: str
    value: str
    reason: str


EXCUSES = (
    Excuse(
        r"^b=\(\[\$v\]",
        "",
        "bash expands the subscript of an element in a literal twice, and so runs what it holds; ours does it once",
    ),
    Excuse(r'>&"\$v"', "", "bash expands the word behind >& twice, and so runs what it holds; ours does it once"),
    Excuse(r"^let .x=", r"\w\s(\S+ )?\w|^1[)]$", "arithmetic-is-parsed-whole"),
    Excuse(
        r"\$\{a\[@\]:0:v\}",
        r"^a\+?=",
        "bash takes the elements after it has evaluated the offsets, which change them here",
    ),
    Excuse(r'^(export|readonly|declare|declare -p) "\$v"', "^-", "lists-of-all-variables"),
    Excuse(
        r'^readonly "\$v"',
        "^_$",
        "bash complains that _ is readonly when it sets it behind the command; ours leaves it",
    ),
    Excuse(r'^"\$v"', "^%", "job-control-words"),
    Excuse(
        r'^declare -[fF] "\$v"',
        "=|^-n",
        "declare -f with what is no function's name: bash has other messages, and takes -n for -N",
    ),
    Excuse(
        "%[(]%Y[)]T|%[.][*]s|read -t",
        "^-?9{1,2}[0-9]{17}",
        "times and counts beyond 64 bits, and years that no calendar has",
    ),
    Excuse(r"\$\{@:1:\$v\}|OPTIND=", "^9223372036854775807$", "bash's own numbers flow over"),
)


@cache
def contexts() -> list[str]:
    """Return the contexts; one that has a here-document takes the lines up to its ``X``."""
    found: list[str] = []
    inside = False
    for line in (Path(__file__).parent / "contexts.txt").read_text(encoding="utf-8").splitlines():
        if inside:
            found[-1] += f"\n{line}"
            inside = line != "X"
        else:
            found.append(line)
            inside = line.endswith("<<X")
    return found


def quoted(text: str) -> str:
    """Quote for any shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def script(value: str) -> str:
    """Make the script of a value: a line with two ``@`` before each context on both streams, its status behind."""
    parts = [HEAD, f"v={quoted(value)}\n"]
    for number, context in enumerate(contexts()):
        mark = f"'\\n@@{number}\\n'"
        parts.append(f"printf {mark}; printf {mark} >&2; (\neval {quoted(context)}\n) </dev/null; printf '\\n@%s' $?\n")
    return "".join(parts)


def sections(stream: bytes) -> dict[int, bytes]:
    """Cut a stream at its marks."""
    found = re.split(rb"\n@@(\d+)\n", stream)[1:]
    return {int(number): text for number, text in zip(found[::2], found[1::2], strict=True)}


def differing(place: Place, value: str) -> list[str]:
    """Say what differs with one value, but for what is excused."""
    return [line for number, line in raw_differences(place, value) if excuse_for(contexts()[number], value) is None]


def raw_differences(place: Place, value: str) -> list[tuple[int, str]]:
    """Return the numbers of the contexts in which one value differs, and how."""
    ours, real = place.ours(script(value), timeout=SECONDS), place.real(script(value), timeout=SECONDS)
    found = []
    for number, context in enumerate(contexts()):
        mine, theirs = _section(ours, number), _section(real, number)
        if mine != theirs:
            found.append((number, f"{value!r} in {context!r}: bash {theirs}, ours {mine}"))
    return found


def excuse_for(context: str, value: str) -> Excuse | None:
    """Return the excuse for a difference, if there is one."""
    fits = (e for e in EXCUSES if re.search(e.context, context) and re.search(e.value, value))
    return next(fits, None)


def _section(answer: Answer, number: int) -> tuple[bytes | None, bool, bool]:
    """Return what was printed, whether something was said, and whether ``ran`` was."""
    said = sections(answer.stderr).get(number, b"")
    return sections(answer.stdout).get(number), bool(said.strip()), b"ran\n" in said
