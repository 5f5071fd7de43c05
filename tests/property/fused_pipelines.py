"""Random pipelines that may be fused, and data that is hostile to them.

The same script runs twice: as ever, and with its commands counted (``Limits.commands``), which fuses nothing and which a
script cannot see. Whatever it shows must be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from pyshellhooks import Limits, Shell

COUNTED = Limits(commands=10**9)

PAYLOADS = (
    b'{"a":"rm -rf /","b":{"c":[1,2.50,null,true,"x"]},"n":null,"f":false,"e":"","u":"\\u00e9\\n\\"q\\""}\n',
    b'{"a":"rm -rf /"}',
    b'{"a":"x","a":"y"}   \n\n\n',
    b'{"a":1}{"a":2}\n',
    b'{"a":1} x\n',
    b'{"a":"\\ud800","b":1}\n',
    b'{"a":1e1000,"b":100000000000000000000,"c":1.000}',
    b'[{"a":1}]\n',
    b'"a"\n1\n',
    b"",
    b"\n",
    b"\n\n\n",
    b"rm -rf /\nls -l\n\nrm",
    b"a\0b\nrm\0 -rf\n",
    b"\xff\xfe rm \xc3\n\xc3\xa9t\xe9\n",
    b"-n\n",
    b"-e a\\nb",
    b"\\c\\0101\\x41",
    b"*\n?\n[a-z]\n",
    b"  two  words \t\n",
    b"x\r\ny\r\n",
    b'{"a":"\xff"}\n',
    b'{"a":"' + b"long " * 20_000 + b'rm"}\n',
    b"line of text\n" * 10_000 + b"rm -rf /\n",
    b"rm -rf /\n" + b"line of text\n" * 10_000,
    b"[" * 300 + b"]" * 300,
    b'{"a":' * 500 + b"1" + b"}" * 500,
    "ÉTÉ été ſ K\n".encode(),
)
ARGUMENTS = ("rm -rf /", "-n", "", "\\0101\\n%s", '{"a":"é","b":[1]}', "*", "a\udcffb", "-e", "  a  b ")
SETTINGS = (
    "", "", "", "", "set -e", "set -o pipefail", "set -eo pipefail", "set -u", "shopt -s xpg_echo", "IFS=a", "IFS=", "set -f",
    "export LC_ALL=C", "shopt -s lastpipe", "trap 'echo err $?' ERR", "trap 'echo bye' EXIT", "trap ': d' DEBUG",
    "cat() { command cat | tr a b; }", "grep() { echo grep \"$@\"; }", "echo() { printf 'E%s\\n' \"$*\"; }", "enable -n echo",
    "declare -i x=3", "readonly x", "declare -n y=x", "x=(a b)", "unset x", "export POSIXLY_CORRECT=1", "shopt -s nullglob",
    "exec 0</dev/null", "export JQ_COLORS=1", "set -o posix", "export GREP_COLORS=x", "PATH=/nonexistent", "set -C",
    "exec 2>&1", "x=\"$x$x$x$x\"", "trap '' PIPE", "shopt -s inherit_errexit", "set -T; trap 'echo r' RETURN",
)  # fmt: skip
WORDS = (
    '"$x"', "$x", "${x}", '"${x}"', '"$1"', "$2", '"$3"', '"${4}"', '"$5"', '"$6"', '"$7"', '"$8"', '"$9"', "'a b'", "-n", "-e", "-E",
    "-ne", "--", "-", "a\\ b", '"rm $x"', '"${x:-d}"', '"${z-d}"', "${z:-$x}", "'a\\nb\\c'", "*", "~", '"$z"', "$RANDOM_NO", "a=$x",
    '"${#x}"', '"$?"', '"$#"', '"$@"', '"${x%rm*}"', '"$(echo in)"', "{a,b}", "{1..3}", "$((1+1))", '"${y:=q}"', "\"'$x'\"", "''",
)  # fmt: skip
FORMATS = (
    "'%s'", "'%s\\n'", "'%b'", "'%d\\n'", "'<%s>'", "'a\\n'", "'%s' '%s'", "-v v '%s'", "'%5s|'", "'%q'", "'\\0'", '"$x"', "'%'", "--",
    "'%(%Y)T' 0", "'%s\\0%s'",
)  # fmt: skip
PROGRAMS = (
    ".", ".a", ".a // empty", ".b.c", ".b.c[]", ".a?", ".n", ".f", ".[]", "keys", ".a|length", ".a|test(\"rm\")", "empty", "error",
    "input", "halt", "\"\\(.a) x\"", ".a,.n", "select(.a==1)", "$ENV.x", "env.x", "$ARGS", "input_line_number", ".a|@sh", "debug",
    "\"x\"|halt_error", ".a |= 1", "try error(\"x\") catch .", "[.[]|type]", "import \"a\" as a; .", ". as $d|$d.a", "@json", ".a.b.c",
    "$__loc__", "limit(3;repeat(1))", "[range(100)]", "{a}", ".a[0:2]", "if .a then 1 else 2 end", "(", "$nosuch", "nosuch", "tojson",
    "input_filename", "$JQ_BUILD_CONFIGURATION", "..", "del(.a)", "paths", "now|type", "stderr", "getpath([\"a\"])", "ltrimstr(\"x\")",
)  # fmt: skip
JQ_OPTIONS = (
    "", "-r", "-r", "-c", "-j", "-e", "-er", "-rc", "-S", "-n", "-R", "-s", "-a", "-ra", "--tab", "--indent 1", "-C", "-M", "--arg q 1",
    "--raw-output0", "--seq", "--stream", "-h", "--nosuch", "-L .", "--unbuffered", "-f", "--args", "-rS",
)  # fmt: skip
PATTERNS = (
    "rm", "'rm +-(rf|fr)'", "'rm -rf'", "'^$'", "''", "'$'", "'^'", "'^-'", "x", "'\\<a'", "'(a'", "'[[:alpha:]]$'", "'\\(a\\)\\1'",
    "'a|b'", "'.'", "'[^a]'", "'é'", "'\\xff'", '"$x"', "-e rm -e x", "'rm\nx'", "É", "'a{2'", "'\\d'", "-- -n", "'*a'", "s", "K",
)  # fmt: skip
GREP_OPTIONS = (
    "-q", "-q", "-qE", "-qE", "-qi", "-qF", "-qiE", "-qw", "-qx", "-qv", "-qc", "-qo", "-qP", "-E", "-o", "-c", "-qs", "-qEi", "-q -m1",
    "--quiet", "-qG", "-qz", "-qa", "-qb", "-qEw", "-ql", "-n", "--nosuch", "-qFx", "-qFw", "-qy", "--no-ignore-case -qi",
)  # fmt: skip
PLAIN_FILTERS = (
    "cat", "cat", "cat", "cat -", "cat -n", "cat /dev/stdin", "cat nosuch", "tr a b", "head -n 1", "head -c 3", "wc -c", "sed s/a/b/",
    "sort", "tail -n 1", "cut -c1-3", "rev", "uniq", "nosuch", "true", "read v", "echo late", "cat - -", "tee /dev/stderr",
    "awk '{print $1}'", "awk 'END{print NR}'", "awk 'BEGIN{print 1}'", "awk '{print > \"/dev/stderr\"}'", "awk '{exit 3}'",
    "awk '{\"echo x\"|getline y; print y}'", "awk '{print|\"cat\"}'", "awk '{print >\"made\"}'", "awk '{system(\"echo s\")}'",
    "sed 1q", "sed -n 2p", "sed 's/rm/X/w made'", "sed 'w /dev/stdout'", "sed q5", "sed -i s/a/b/", "sed '$!d'", "sed 'r made'",
    "sed 's/a/echo b/e'", "sed --nosuch", "head -n -1", "head nosuch", "tail -c +2", "tr -d '\\n'", "tr a", "wc", "sort -o made",
    "sort -u", "uniq - made", "base64", "base64 -d", "fold -w 3", "nl", "tac", "cut -d: -f2", "cut -f0", "head -c 0", "sort made",
    "wc -l made", "grep -c rm made", "sed --help", "awk -f made", "tail -f", "head -q", "sed -s 1d", "tail -n +2",
)  # fmt: skip
ERRORS = ("", "", "", "", " 2>/dev/null", " 2>&1", " 2>err", " >&2", " 2>&-")


class Pipelines:
    """Makes scripts from a seed."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def any(self, choices: Sequence[str]) -> str:
        """Choose one."""
        return self.random.choice(choices)

    def producer(self) -> str:
        """Make a first stage."""
        count = self.random.choice((1, 1, 1, 2, 3))
        words = " ".join(self.any(WORDS) for _ in range(count))
        kind = self.random.randrange(8)
        if kind < 3:
            return f"echo {words}"
        if kind < 5:
            return f"printf {self.any(FORMATS)} {words}"
        if kind < 7:
            return f"{self.filter()} <<<{self.any(WORDS)}"
        return self.filter()

    def filter(self) -> str:
        """Make a later stage."""
        kind = self.random.randrange(4)
        if kind == 0:
            return self.any(PLAIN_FILTERS)
        if kind == 1:
            return f"jq {self.any(JQ_OPTIONS)} '{self.any(PROGRAMS)}'"
        if kind == 2:
            return f"{self.any(('grep', 'grep', 'egrep', 'fgrep'))} {self.any(GREP_OPTIONS)} {self.any(PATTERNS)}"
        return self.any(("cat", "jq -r .a", "jq .", "grep -q rm", "grep -qE '^-n$'"))

    def pipeline(self) -> str:
        """Make a pipeline of one to four stages."""
        stages = [self.producer(), *(self.filter() for _ in range(self.random.choice((0, 1, 1, 1, 2, 2, 3))))]
        text = self.any((" | ", " | ", " | ", " | ", " | ", " |& ")).join(stage + self.any(ERRORS) for stage in stages)
        return text + self.any(
            ("", "", "", "", " >/dev/null", " &>/dev/null", " >/dev/null 2>&1", " >out", " 1>/dev/null")
        )

    def script(self) -> str:
        """Make a script, which shows all that a pipeline may have changed."""
        shown = 'printf "<%s>" "$?" "${PIPESTATUS[*]}" "$_" "$x" "${y-}" "${v-}" "${z-}"; echo\n'
        acts: tuple[Callable[[], str], ...] = (
            lambda: f"v=$({self.pipeline()})\n{shown}",
            lambda: f'v="$({self.pipeline()})"\n{shown}',
            lambda: f"x=`{self.pipeline()}`\n{shown}" if (one := self.pipeline()) and "`" not in one else "",
            lambda: f"{self.pipeline()}\n{shown}",
            lambda: f"if {self.pipeline()}; then echo yes; else echo no; fi\n{shown}",
            lambda: f"{self.pipeline()} && echo yes || echo no\n{shown}",
            lambda: f"! {self.pipeline()}\n{shown}",
            lambda: f"f() {{ local x=loc; {self.pipeline()}; }}\nf {self.any(WORDS)}\n{shown}",
            lambda: f"for i in 1 2; do v=$v$({self.pipeline()}); done\n{shown}",
            lambda: f"({self.pipeline()}; exit 3)\n{shown}",
            lambda: f"{{ {self.pipeline()}; echo z; }} | cat\n{shown}",
            lambda: f'echo "$({self.pipeline()})" x"$({self.pipeline()})"\n{shown}',
            lambda: f"read -r line; v=$({self.pipeline()})\n{shown}",
            lambda: f"while read -r line; do {self.pipeline()}; done <<<$'a\\nb'\n{shown}",
        )
        head = self.any(("", "x=$(cat)\n", "x=$(cat)\n", 'x="$1"\n', "read -r x\n"))
        body = "".join(self.random.choice(acts)() for _ in range(self.random.randint(1, 4)))
        return f'x=0\n{head}{self.any(SETTINGS)}\n{body}made=$(command cat made 2>/dev/null); echo "$made"\nrest=$(command cat; echo .)\necho "${{#rest}}" "$-"\n'


def answer(shell: Shell, script: str, data: bytes) -> tuple[object, ...]:
    """Run a script and give all that it shows."""
    for name in ("out", "err", "made"):
        Path(shell.cwd, name).unlink(missing_ok=True)
    result = shell.run(script, *ARGUMENTS, stdin=data, timeout=20)
    stdout = result.stdout
    if len(data) > 60_000:  # how much of it is left by who stops early is a matter of luck
        stdout = stdout.rstrip(b"\n").rpartition(b"\n")[0]
    return stdout, result.stderr, result.status, repr(result.ended), result.notices


def differing(shell: Shell, counted: Shell, script: str, data: bytes) -> str:
    """Say how the two answers differ; empty if they do not."""
    one, other = answer(shell, script, data), answer(counted, script, data)
    if one == other or "deadline" in f"{one[3]}{other[3]}":
        return ""
    return f"{script!r}\n  on {data[:80]!r}\n  fused   {str(one)[:600]}\n  unfused {str(other)[:600]}"
