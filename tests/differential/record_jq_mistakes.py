"""Record what the real jq says to wrong programs: ``python -m tests.differential.record_jq_mistakes [/opt/jq182/bin/jq]``.

Writes ``jq_mistakes.json``, which ``test_jq_mistakes.py`` holds our parser to. To add a program, add it here and record
again. Half of them are made: programs that are right, with words dropped, doubled, changed or replaced.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

from conformance.oracles import find
from tests.recorded import write

TABLE = Path(__file__).with_name("jq_mistakes.json")
MADE = 600

# One program to a line; ⏎ stands for a line's end.
WRITTEN = Path(__file__).with_name("jq_mistakes_written.txt").read_text(encoding="utf-8")
# Programs with names that are not defined, and some where what is missing is never looked for.
NAMES = r"""
foo
foo(1)
foo(bar)
.a | foo
$x
$ENV.a | $x
$a::b
a::b
a::b(1)
break $x
break   $x
label $x | break $y
$__prog_args
foo, bar
foo | bar, baz
foo + bar
foo + bar * baz
map(foo) + map(bar)
map(foo), map(bar)
map(foo, bar), map(map(baz))
foo, map(bar)
map(foo | map(bar))
foo and bar or baz
foo // bar
.a = foo
foo = bar
foo |= bar
foo += bar
foo //= bar
.[foo]
.[foo][bar]
.[foo:bar]
foo[bar]
"\(foo)\(bar)"
@json "\(foo) \(map(bar)) \(map(baz))"
{a: foo, (bar): baz}
{(foo): bar, $x}
{$x, $y}
[foo, [bar]]
-(foo)
if foo then bar else baz end
if foo then bar elif baz then qux end
try foo catch bar
foo?
reduce foo as $x (bar; baz)
foreach foo as $x (bar; baz; qux)
. as {(foo): $x, (bar): $y} | baz
. as [{(foo): $x}, {(bar): $y}] | baz
. as {a: $x, ($x): $y} | $y
. as {a: $x, ($x): $y} ?// [$z] | $z
foo as $x | $x, $y
def f: foo; 1
def f: foo; f
def f: foo; bar
def f: foo; f, bar
def f: foo; def g: f; 1
def f: foo; def g: f; g
def f: f; 1
def f: def g: foo; g; f
def f: def g: foo; 1; f
def f(g): 1; f(foo)
def f(g): g; f(foo)
def f(g): g(1); f(.)
def f($x): $x, x, $y; f(1)
def f: 1; f(2)
def f(x): 1; f
def f: foo; def g: bar; g, f
def f: foo; def g: bar; map(baz), g, f
split(foo)
setpath(foo; bar)
setpath(map(foo); map(bar))
pow(foo; bar)
fma(foo; map(bar); map(baz))
has(foo)
path(foo)
range(foo)
limit(foo; bar)
first(foo), nosuch
sort_by(foo)
error(foo)
select(foo == bar)
.a⏎| foo⏎| bar
"é" | foo
"é" | foo | "日本" | $bar
label $x | (label $y | break $x, break $y), break $y
length(1)
empty(1)
not(foo)
input_line_numbers
.tool_input.command | contain("x")
.tool_input.comand | startwith("rm") and endwith("x")
"""
RIGHT = r"""
.tool_input.command // empty
.a.b | select(.c == "d") | not
[.[] | {a, b: .c}]
if . then 1 elif 2 then 3 else 4 end
try error("x") catch .
reduce .[] as $x (0; . + $x)
foreach .[] as [$a, {b: $c}] (0; . + 1; [., $c])
. as {a: $x, $y, "b": [$z], (.c): $w} ?// [$q] | [$x, $y]
label $out | 1, break $out
def f(g; $h): def k: 1; g + $h; f(.; 2)
{a: 1, "b": 2, (.c): 3, $x, @base64 "x": 4, "q\(1)": 5, if: 6, $__loc__}
.[1:2][:3][4:]? | .. | .a."b"?.["c"][]?
import "a" as b; import "c" as $d {search: "./"}; include "x"; 1
module {a: 1}; def f: 1; .
"a\(1 + 2)b\n\u00e9" | @json "x\(.)"
.a // .b | .c = 1 | .d |= 2 | .e += 3 and .f == 4 or .g < 5
- 1 * -2 % 3 - .a
map(select(.tool_name == "Bash") | .tool_input.command) | join(", ")
"""
WORDS = """
' ` ! & ~ ^ \\ " ( ) [ ] { } | , ; : . ? $ @ # = < > + - * / % && || == then end if else .. // ?// as $x .a 1 "x" foo \\(
$__loc__ @json reduce try catch def label break and é “
""".split()
_PIECE = re.compile(r"""[A-Za-z_]\w*|\$\w+|@\w+|[0-9.]+|"|\\.|\s+|\?//|//=?|[|+*/%=!<>-]=|.""")


def change(chance: random.Random, program: str) -> str:
    """Do to a program what people do."""
    pieces = _PIECE.findall(program)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(pieces))
        match chance.randrange(7):
            case 0:
                pieces[at] = ""
            case 1:
                pieces[at] += f" {pieces[at]}"
            case 2:
                pieces[at] = chance.choice(pieces)
            case 3:
                other = chance.randrange(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 4:
                pieces[at] = chance.choice(WORDS)
            case 5:
                pieces[at] += chance.choice(("", " ")) + chance.choice(WORDS) + chance.choice(("", " "))
            case _:
                pieces = pieces[: at + 1]
    return "".join(pieces)


def seeds() -> list[str]:
    """Return programs that are right."""
    return [line for line in RIGHT.splitlines() if line]


def real_message(program: str, text: str) -> str:
    """Return what the real jq says to a program; nothing if it compiles."""
    done = subprocess.run([program, "-n", "--", text], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.stderr.decode() if done.returncode == 3 else ""


def is_syntax(words: str) -> bool:
    """Say whether jq complains of the text, not of names that it does not know."""
    later = ("is not defined", "module not found", "module names must")
    return "syntax error" in words or bool(words and not any(complaint in words for complaint in later))


def record(program: str) -> None:
    """Write the table."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    programs = [line.replace("⏎", "\n") for line in WRITTEN.splitlines() if line]
    chance = random.Random(11)
    while len(programs) < MADE:
        programs.append(change(chance, chance.choice(seeds())))
    mistakes = {text: words for text in dict.fromkeys(programs) if is_syntax(words := real_message(program, text))}
    names = [line.replace("⏎", "\n") for line in NAMES.splitlines() if line]
    undefined = {text: real_message(program, text) for text in names}
    write(TABLE, [*rows_of("syntax", mistakes), *rows_of("names", undefined)], version=version)
    print(len(mistakes), "of", len(programs), "and", len(undefined))


def rows_of(kind: str, found: dict[str, str]) -> list[tuple[str, str, str]]:
    """Return the rows of one kind: it, the program, what jq says."""
    return [(kind, program, words) for program, words in found.items()]


if __name__ == "__main__":
    record(sys.argv[1] if len(sys.argv) > 1 else find("jq") or "jq")
