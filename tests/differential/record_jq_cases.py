"""Record what the real jq answers: ``python tests/differential/record_jq_cases.py [/opt/jq182/bin/jq]``.

Writes ``jq_cases.json``, which ``test_jq_cases.py`` holds our jq to. The expected answers come from the real program
only; to add a case, add it here and record again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("jq_cases.json")

HOOK = json.dumps(
    {
        "session_id": "s1",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": 'rm -rf / "x"\n', "timeout": 1.50, "files": ["a.txt", "b c.txt"], "n": None},
        "big": 100000000000000000001,
        "ok": True,
        "tags": [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "a", "v": 3}],
        "text": "h\u00e9llo \u2603 \U0001f600 \x7f <&'>",
    },
    ensure_ascii=False,
)
FILES = {
    "good.json": '{"a":1}\n{"a":2}\n',
    "more.json": "3 4",
    "bad.json": '{"a":1}\n{"a":\n',
    "filter.jq": "# a comment\n.a + 1 # more\n",
    "text.txt": 'one\ntwo \\ "three"\n',
    "empty": "",
}
ENVIRONMENT = {"FOO": "bar", "EVENT": '{"x":[1.0,2]}'}

FILTERS_ON_HOOK = """
.tool_input.command
.tool_input.command // empty
.tool_input.cmd // ""
.tool_input.cmd // "none"
.nothing.at.all
.session_id // "unknown"
.tool_input
.tool_input["command"]
.tool_input.files[0]
.tool_input.files[-1]
.tool_input.files[]
.tool_input.files[7]
.tool_input.files[1:]
.tool_input.timeout
.big
.ok
.text
.tool_input.n
.tool_name.x
.tool_name[0]
.tags[].k
.tags[0], .ok
.tags | length
.tool_name | length
.tool_input | keys
.tool_input | type
.ok | not
.tool_name == "Bash"
.tool_name == "Bash" and .ok
"\\(.tool_name): \\(.tool_input.command)"
.tool_name + " " + .session_id
{tool: .tool_name, cmd: .tool_input.command}
{tool_name, ok}
[.tags[] | .v]
.tags | map(.v) | add
.tags | map(select(.k == "a"))
.tags | group_by(.k) | map({k: .[0].k, n: length})
.tags | map({(.k): .v}) | add
.tags | from_entries
.tool_input | to_entries | map(.key) | join(",")
.tool_input | with_entries(select(.value != null))
.tool_input | del(.files, .timeout)
.tool_input.timeout += 1
.tool_input.command |= ascii_downcase
.tool_input.command | test("rm\\\\s+-rf")
.tool_input.command | test("RM"; "i")
.tool_input.command | gsub("\\\\s+"; " ")
.tool_input.command | capture("(?<prog>[a-z]+) (?<args>.*)")
.tool_input.command | [match("[a-z]"; "g").offset]
.tool_input.command | split(" ")
.tool_input.command | @sh
.tool_input.files | @sh, @csv, @tsv
.text | @html, @uri, @json, @base64
.text | @base64 | @base64d
.text | ascii_upcase, length, utf8bytelength
.text | explode | implode
.text | ltrimstr("h"), rtrimstr("x"), startswith("h"), endswith("x")
tojson | fromjson | .big
.tool_input | tojson, tostring
[paths] | length
[.. | numbers]
[.. | strings] | length
reduce .tags[] as $t (0; . + $t.v)
reduce .tags[] as $t ({}; .[$t.k] += $t.v)
foreach .tags[] as $t (0; . + $t.v; [$t.k, .])
.tags[] as {k: $k, v: $v} | "\\($k)\\($v)"
if .ok then "yes" elif .no then "maybe" else "no" end
if .no then "yes" end
try error("x") catch .
try error({a: 1}) catch .a
.tool_name.x?
(.tool_name.x?) // "no"
[.tags[].v] | min, max, sort, unique, reverse, any, all
[limit(2; .tags[].v)], first(.tags[]), ([.tags[]] | last)
[range(3)], [range(1; 7; 2)]
def f(x): x + 1; f(.tags[0].v)
def f: if . > 3 then . else (. + 1 | f) end; 0 | f
[.tags[0].v | recurse(if . < 3 then . + 1 else empty end)]
[1 | until(. > 100; . * 2)], [1 | while(. < 10; . * 2)]
label $out | .tags[] | if .v == 2 then break $out else .v end
.tags | INDEX(.k)
.tags | any(.v == 2), all(.v > 0)
env.FOO, $ENV.FOO, (env.EVENT | fromjson)
$__loc__
input_filename
splits("x")
walk(if type == "number" then . + 1 else . end) | .tags
[tostream] | length
fromstream(tostream) | .ok
getpath(["tool_input", "n"]), (try getpath(["ok", "x"]) catch .)
.tags | map(has("k")), (.[0] | has("z"))
.tool_input | map_values(type)
.tags | transpose?
[splits("a")]?
.[
.a b
}
foo
foo(1; 2)
$nope
.a as $x
"unclosed
{a: 1
if . then 1
.tags[] | error
error(null)
error
.tags | error("\\(.)")
{} | .a.b.c = 1
.a[1:2] = ["x"]
1 / 0
[1, 2] - [2], {a: 1} * {a: {b: 2}}, "a,b" / ","
5 % 3, -5 % 3, 1 - 0.9, 1e1000, -0, 1.0, 1.10, 100000000000000000001, 3.0e2
[1, 1.0, 1.10] | unique
infinite, -infinite, nan | tostring
1e17, 1.5e300, 123456789012345678
[.[]?] | length
@text "x\\(1 + 1)", @json "x\\([1])", @sh "echo \\("a b")"
"\\u00e9\\n\\t\\"\\\\"
ltrimstr(1), ascii(65)?
[splits("a"; "b")]?
.tags[1:] | .[0].v, (.[:1] | length)
now | type
"2015-03-05T23:51:47Z" | fromdate, strptime("%Y-%m-%dT%H:%M:%SZ")
1425599621 | todate, (gmtime | mktime)
halt
"bye\\n" | halt_error
{a: 1.10} | halt_error(3)
1, halt, 2
1, ("x" | halt_error(7)), 2
import "a" as a; 1
""".strip().split("\n")

# What of an error, or of a break, comes back to a `?//` that stands further in: bodies, what is around them, what follows.
RETRIED = ["(. as $y ?// $z | $y)", "(. as $y ?// $z ?// $w | $y, $w)", "(. as $y ?// $z | try error($y) catch .)"]
AROUND = [
    "{}", "try {}", "(try (try {}) catch 8)", "first({})", "(try first({}))", "(label $f | {}, break $f)", "limit(1; {})",
    "first(try {})", "isempty({})", "any({}; .)", "[{}]", "({} // 5)", "(foreach {} as $q (0; . + 1))", "(def f: {}; try f)",
]  # fmt: skip
# Where a path is wanted, and something else stands.
NO_PATHS = [
    ".a |= 1", ".a += 1", ".a //= 1", ".a = 1", "empty |= 1", ".[]? += 1", ".a |= empty", "1 | getpath([])", 'null | getpath(["a"])',
    '1 | getpath(["a"])', "[4] | paths as $p | getpath($p)", "null | tostream", "truncate_stream(tostream)", "tojson | getpath([])",
]  # fmt: skip
BEHIND = [
    "{}",
    "{} | error",
    "try ({} | error) catch .",
    "first({} | error)",
    "label $o | {} | break $o",
    "({} | . + {{}})?",
]


def case(*args: str, stdin: str = "", files: bool = False, note: str = "") -> dict[str, Any]:
    return {
        "args": list(args),
        "stdin": stdin,
        **({"files": True} if files else {}),
        **({"note": note} if note else {}),
    }


def cases() -> list[dict[str, Any]]:
    """Give what is asked."""
    found = [case("-c", text, stdin=HOOK) for text in FILTERS_ON_HOOK if not text.startswith("import")]
    found += [
        case("-c", behind.format(around.format(body)), stdin='"" [1] null')
        for body in RETRIED
        for around in AROUND
        for behind in BEHIND
    ]
    found += [
        case("-c", whole.format(text), stdin='{"a":2} 1 null')
        for text in NO_PATHS
        for whole in ("path({})?", "try path({}) catch .", "try (({}) |= 3) catch .", "[paths, ({})]?")
    ]
    layouts = ["-r", "-j", "-a", "-S", "-C", "--tab", "-cC", "-rj", "-SC", "-ac", "-ra", "-M"]
    found += [case(flag, ".tool_input, .text, .tags", stdin=HOOK) for flag in layouts]
    found += [case("--indent", n, ".tags[0], [], {}, [[]]", stdin=HOOK) for n in ("0", "1", "7", "-1", "8", "x")]
    found += [
        case(".", stdin=text)
        for text in (
            "", " \n", "1 2 3", "[1][2]{}", '1"a"null', "nul", "{'a':1}", '{"a":1,}', "[1,2", '"abc', "01", "1.", "+1",
            ".5", "nan", "[NaN]", "[1,2] x 3", "1 2 x 3", '{"a":1 "b":2}', "tru", "]", '"\\x"', '"a\tb"', '"\\ud800"',
            '"\\udc00"', '"\\ud83d\\ude00"', '{"a":1,"a":2,"b":3}', "\ufeff[1]", "[1]\ufeff", "1e1000", "[1.000, 1e5, 1E-7]",
            "-0", "[0.00001, 0.0000001]", '{"":{"":[]}}', "123abc", "truefalse", "1\n2\n\n[3\n", '"\u007f\\u0000"',
        )
    ]  # fmt: skip
    found += [
        case(*args.split(), stdin="null\nfalse\n1\n")
        for args in ("-e .", "-e .[]?", "-e empty", "-e 1", "-e null", "-e error", ".a.b", "-e .a")
    ]
    found += [
        case("-n", "1"), case("-n", "[inputs]", "-c", stdin="1 2 3"), case("-n", "input, input", stdin="1 2 3"),
        case("-c", "[., input]", stdin="1 2 3 4"), case("-c", "[., input]", stdin="1 2 3"),
        case("-n", "reduce inputs as $x (0; . + $x)", stdin="1 2 3"), case("-nc", "input as $a | [inputs] | [$a, .]", stdin="1 2 3"),
        case("-n", "first(inputs)", stdin="1 2 3"), case("-n", "input"), case("-s", "-c", ".", stdin="1 2 [3]"),
        case("-sc", ".", stdin=""), case("-s", ".", stdin="1 x"), case("-R", ".", stdin="a\nb \\ \"c\"\n\nd"),
        case("-Rs", ".", stdin="a\nb\n"), case("-sR", "split(\"\\n\")", "-c", stdin="a\nb\n"), case("-Rr", "ascii_upcase", stdin="a\r\nb\n"),
        case("-nR", "[inputs]", "-c", stdin="a\nb\n"), case("-Rn", "input", stdin="a\nb"), case("-R", "tonumber", stdin="1\nx\n3\n"),
        case("-rn", "\"a\\u0000b\""), case("--raw-output0", "-n", "\"a\", 1"), case("--raw-output0", "-n", "\"a\\u0000b\", 1"),
        case("--seq", "-n", "1, [2]"), case("--stream", "-c", ".", stdin='{"a":[1,{"b":2}],"c":[]} 3'),
        case("--stream", "-c", "select(length == 2)", stdin='{"a":[1]}'),
        case("--arg", "x", "1", "-n", "$x, $ARGS.named", "-c"), case("-n", "--argjson", "x", '{"a":1.0}', "$x.a, ($x | type)"),
        case("-n", "--argjson", "x", "{", "$x"), case("-n", "--argjson", "x", "1 2", "$x"), case("-n", "--arg", "x"),
        case("-n", "--arg", "x", "1", "--arg", "x", "2", "$x"), case("-nc", "--arg", "a-b", "1", "$ARGS"),
        case("-nc", "$ARGS", "--args", "a", "b"), case("-nc", "$ARGS.positional", "--jsonargs", "1.0", '{"a":2}', "null"),
        case("-nc", "--jsonargs", "$ARGS", "1", "{"), case("-nc", "--args", "[$ARGS.positional[], $x]", "a", "--arg", "x", "y"),
        case("-n", "$x", "--arg", "y", "1"), case("-n", "$ENV.FOO"), case("-n", "env | type"), case("-nr", "@sh \"echo \\(env.FOO)\""),
        case("--foo"), case("-Q", "."), case("-rQ", "."), case("-V"), case("--indent"), case("-n", "-1"),
        case("-n", "--", "-1"), case("-n", "-c", "--", "[1]", "-r"), case(stdin="[1]"), case("-c", stdin="[1]"),
        case(".a", stdin='{"a":"x"}\n{"a":{"b":1}}\n"str"\n{"a":null}\n'), case(".a.b", stdin='{"a":1}\n{"a":{"b":2}}\n'),
        case(".a.b", stdin='{"a":{"b":2}}\n{"a":1}\n'), case(".[0]", stdin='{"a":1}'), case(".a", stdin="[1]"), case(".a", stdin="\n\n  1\n"),
        case("-n", '"x" | error'), case("-n", 'error("a\\u0000b")'), case("-n", "{} | .a.b |= 3", "-c"),
        case("-c", "input_line_number", stdin="1\n2\n\n[3,\n4]\n"), case("-r", ".[]", stdin='["a",1,null,{"b":[]}]'),
        case("-f", "filter.jq", "good.json", files=True), case("good.json", "-f", "filter.jq", files=True),
        case("-c", "-f", "missing.jq", files=True), case("-c", ".a", "good.json", "good.json", files=True),
        case(".a", "missing.json", "good.json", files=True), case(".a", "good.json", "missing.json", files=True),
        case("-c", ".", "more.json", "more.json", files=True), case(".a", "bad.json", "good.json", files=True),
        case("-c", "[., input_filename]", "good.json", "more.json", files=True), case("-s", "-c", ".", "good.json", "more.json", files=True),
        case(".a.b", "good.json", files=True), case("-n", "--slurpfile", "x", "good.json", "$x | length", files=True),
        case("-n", "--slurpfile", "x", "bad.json", "$x", files=True), case("-n", "--slurpfile", "x", "none", "$x", files=True),
        case("-n", "--rawfile", "x", "text.txt", "$x", files=True), case("-n", "--rawfile", "x", "none", "$x", files=True),
        case(".", "empty", files=True), case("-R", ".", "text.txt", "empty", "more.json", files=True), case("-n", "input_filename"),
        case("-e", ".a", "good.json", "missing.json", files=True), case("-nr", "[1,\"a\",null] | @csv, @tsv, @html, @uri, @sh"),
    ]  # fmt: skip
    return found


def ask(jq: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Run one case in a directory of its own."""
    with tempfile.TemporaryDirectory() as directory:
        if asked.get("files"):
            for name, text in FILES.items():
                Path(directory, name).write_text(text, encoding="utf-8")
        environment = {**ENVIRONMENT, "HOME": directory, "TZ": "UTC"}
        done = subprocess.run(
            [jq, *asked["args"]], input=asked["stdin"].encode(), capture_output=True, cwd=directory, env=environment
        )
    return {
        **asked,
        "stdout": done.stdout.decode("utf-8", "surrogateescape"),
        "stderr": done.stderr.decode("utf-8", "surrogateescape"),
        "status": done.returncode,
    }


def main() -> None:
    """Record all cases."""
    jq = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("JQ182", "/opt/jq182/bin/jq")
    version = subprocess.run([jq, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    table = {
        "version": version,
        "environment": ENVIRONMENT,
        "files": FILES,
        "cases": [ask(jq, asked) for asked in cases()],
    }
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"{len(table['cases'])} cases of {version} in {TABLE}")


if __name__ == "__main__":
    main()
