"""Record what the real jq answers about names: ``python tests/differential/record_jq_modules.py [/opt/jq182/bin/jq]``.

Writes ``jq_modules.json`` (modules) and ``jq_undefined.json`` (names that are not defined), which ``test_jq_modules.py`` and
``test_jq_undefined.py`` hold our jq to. The expected answers come from the real program only; to add a case, add it here
and record again. ``/w`` stands for the directory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

MODULES = Path(__file__).with_name("jq_modules.json")
UNDEFINED = Path(__file__).with_name("jq_undefined.json")

FILES = {
    "a.jq": 'module {version: 1.7, "more": [1.0, {a: null}]}; def a: "a";',
    "args.jq": "def b: $foo, $ARGS.named; def e: $ENV.HOME;",
    "bad.json": '{"a":1} [',
    "badimport.jq": 'import "a\\(1)" as f; def a: 1;',
    "badmeta.jq": "module (1+1); def a: 1;",
    "bom.jq": "\ufeffdef b: 1;",
    "comment.jq": "# only",
    "cycle1.jq": 'include "cycle2";',
    "cycle2.jq": 'include "cycle1";',
    "data.jq": 'import "values" as $v; import "values" as $w {search:"./"}; def d: $v; def dd: $v::v, $w; def no: $x;',
    "directory.jq/x": "",
    "empty.jq": "",
    "empty.json": "",
    "error.jq": 'def e: error("x"); def t: try error catch .;',
    "includes_broken.jq": 'include "broken"; def f: 1;',
    "broken.jq": "wat;",
    "label.jq": "def a: label $f | 1, break $f, 2;",
    "location.jq": '\n\ndef l: $__loc__; def l2: {$__loc__, a: [$__loc__.line]}; def l3: "\\($__loc__)";',
    "main.jq": "1",
    "meta.jq": 'module {deps: 1, x: 3}; import "a" as $foo {search: "x", as: "q"}; include "b" {z: 1}; def _x: 1; def _x: 2; '
    "def y(f;$g): 1;",
    "o.jq": "def f: 1; def g: [f]; def f: 2; def h: [f,g];",
    "o2.jq": "def f: 2;",
    "p2.jq": 'include "o2"; def f: 3; def k: f; def r: if . > 3 then . else .+1|r end;',
    "parameters.jq": "def p($a; f): $a + f; def q(f): def h: f; [h, f]; def rec(n): if n > 0 then n, rec(n - 1) else empty end;",
    "q2.jq": 'include "o2"; def f: if . == null then 1|f else "own" end; def k: null|f;',
    "shadow.jq": 'def map(f): "mine"; def useit: map(.); def length: 7;',
    "sub/inner.jq": 'include "rel" {search: "./"}; def i: rel;',
    "sub/inner2.jq": 'include "sub/rel"; def i: rel;',
    "sub/inner3.jq": 'include "rel"; def i: rel;',
    "sub/inner4.jq": 'include "o2" {search: ".."}; def i: f;',
    "sub/jq/main.jq": 'def m: "sub/jq/main";',
    "sub/prog.jq": 'include "rel" {search:"./"}; rel',
    "sub/prog2.jq": 'include "rel"; rel',
    "sub/rel.jq": 'def rel: "rel";',
    "sub/sub.jq": 'def m: "sub/sub";',
    "sub/sub2/sub2.jq": 'def m: "sub/sub2/sub2";',
    "two.json": '{"a":1.10}',
    "undefined1.jq": "def a: foo; def b: a; def c: $zz; def d: break $out; def e: pow(map(f1); map(f2));",
    "undefined2.jq": 'import "undefined1" as u;\ndef a: u::a;\ndef b: u::nope; def c: u::c, u::a;',
    "utf.jq": 'def u: "é€"; def e: é;',
    "utf2.jq": 'def u: "é€", é;',
    "names.jq": "def _p: 1; def x::y: 2; def x::y: 3;",
    "values.json": "1 2 [3]",
    "h1/.jq": 'def hh: "h1"; def f: "wat"; def f: "foo"; def fh: f + hh;',
    "h2/.jq/g.jq": "def g: 1;",
    "h3/jq/main.jq": 'def hh: "h3";',
    "h4/.jq": "def hh: ;",
}

PROGRAMS = r"""
include "a"; a
import "a" as m; m::a
import "a" as m; a
include "p2"; f, k, (1|r)
include "q2"; k
include "data"; d, dd
include "data"; no
import "data" as d; $d
import "data" as d; $d::v
import "two" as $t; $t[0].a, $t, $t::t
import "two" as $t; $t::x
import "empty" as $t; $t
import "empty" as $t {raw:true}; $t
import "values" as $t {raw:true}; $t
import "bad" as $t {raw:true}; $t
import "values" as $t {raw:1}; $t
include "empty"; 1
include "comment"; 1
include "utf"; u
include "utf2"; u
include "bom"; b
import "parameters" as p; p::p(1;2,3), p::q(4), [p::rec(3)]
import "parameters" as p; p::p(1)
include "location"; l, l2, l3, $__loc__
include "badmeta"; a
include "badimport"; a
"a","names","badmeta","o2","location","empty","comment","data","meta" | modulemeta
import "names" as u; u::_p, u::x::y
include "names"; x::y
include "undefined1"; a
include "undefined1"; b
include "undefined1"; a, c, d
include "undefined1"; zip, a
include "undefined1"; e
include "undefined1"; 1
import "undefined2" as u; u::b
import "undefined2" as u; u::c, u::b, map(zork)
include "label"; a
include "sub/inner"; i
include "sub/inner2"; i
include "sub/inner3"; i
include "sub/inner4"; i
include "error"; try e catch ., ("q"|t)
include "shadow"; [1] | map(2), useit, length
import "shadow" as l; l::length, length
import "o2" as o; import "two" as $o; o::f, $o
import "two" as $x; import "values" as $x; $x
import "values" as $x; import "two" as $x; $x
import "two" as $t; 1 as $t | $t
import "two" as $t; def f($t): $t; f(3)
import "two" as $t; {$t}, [$t[] | .a], reduce $t[] as $t (0; . + $t.a)
import "two" as $t; path($t)
include "nope"; include "main"; include "broken"; include "directory"; import "bad" as $s; 1
include "main"; include "broken"; include "directory"; import "bad" as $s; 1
include "includes_broken"; include "includes_broken"; f
include "includes_broken"; include "broken"; f
include "cycle1"; q
include "cycle1"; include "cycle2"; q
include "broken"; include "cycle1"; q
include "cycle1"; include "broken"; q
include "cycle1" {optional: true}; 1
include "sub"; m
include "sub/sub"; m
include "sub/sub2"; m
include "sub/sub2/sub2"; m
include "sub//sub2"; m
include "sub///sub2"; m
include "./sub/../sub2"; m
include ".."; m
include "a\u0000b"; m
include "a\\b"; m
include ""; 1
include "/"; m
include "sub/"; m
include "./sub"; m
include "."; m
include "sub" {search: 1}; m
include "sub" {search: null}; m
include "sub" {search: ["",1,null,"./"]}; m
include "sub" {search: []}; m
include "sub" {search: "."}; m
include "rel" {search: "sub"}; rel
include "rel" {search: "./sub/"}; rel
include "rel" {search: "/w/sub"}; rel
include "rel" {search: "~/sub"}; rel
include "rel" {search: "~/../sub"}; rel
include "rel" {search: ["~/x","$ORIGIN/lib"]}; rel
include "rel" {search: ["~"]}; rel
include "nope"; 1
include "nope" {optional:true}; 1
include "nope" {optional:1}; 1
include "main" {optional:true}; 1
include "directory" {optional:true}; 1
include "a\\b" {optional:true}; 1
import "bad" as $x {optional:true}; 1
import "bad" as $x {optional:true}; $x
include "sub" {as: ""}; m
include "sub" {as: "qq"}; qq::m
include "sub" {as: "qq"}; m
import "sub" as s {as: "qq"}; s::m
include "o"; f,g,h
include "o"; def f: 7; f,g
include "p2"; include "o"; f,g
include "o"; include "p2"; f,g
"cycle1","broken","main","directory","bad" | modulemeta
"broken","main","directory" | modulemeta
1 | modulemeta
"../a", "a/a", "", "a\\b", "a\u0000" | try modulemeta catch .
"sub","sub/rel" | modulemeta
import "a" as $x; 1
import "a" as x; import "b" as y; 1
include "o2" {homepage: "x", raw: true}; f
import "o2" as f; import "o2" as f; f::f
import "o2" as f; f::f(1)
import "o2" as f; def f::f: 9; f::f
import "o2" as x::y; x::y::f
import "o2" as f; [limit(3; repeat(f::f))]
module {a:1}; include "o2"; f
include "args"; b
include "args"; e
import "two" as $ENV; $ENV, env.HOME
import "two" as $__loc__; 1
include 1; 1
include "o2"
import "o2"; 1
import "o2" as f {a: .}; 1
hh
fh
get_search_list
"""
SETTINGS: list[tuple[str | None, list[str]]] = [
    ("/w/h1", ["-nc", "-L."]),
    (None, ["-nc", "--arg", "foo", "1", "-Lsub", "-L", "/w"]),
]
OTHERS: list[tuple[str | None, list[str]]] = [
    ("/w/h1", ["-nc", "hh, fh, f"]),
    ("/w/h1", ["-nc", "def f: 1; fh"]),
    ("/w/h1", ["-nc", "-L.", 'include "o"; f, fh']),
    ("/w/h2", ["-nc", 'include "g"; g']),
    ("/w/h2", ["-nc", "1"]),
    ("/w/h3", ["-nc", "hh"]),
    ("/w/h4", ["-nc", "length"]),
    ("h1", ["-nc", "hh"]),
    ("./h1/", ["-nc", "hh"]),
    ("", ["-nc", "length"]),
    (None, ["-nc", "length"]),
    (None, ["-nc", "get_search_list"]),
    (None, ["-nc", 'include "nope"; 1']),
    ("/w", ["-nc", 'include "o"; f']),
    ("/w/h1", ["-nc", "-Lnope", "-L", "sub/../sub", "-L~/x", "-L$ORIGIN/y", "get_search_list"]),
    ("/w/h1", ["-nc", "-Lnope", "-L", "sub/../sub", "-L~/x", "-L$ORIGIN/y", 'include "rel"; rel']),
    ("/w/h1", ["-nc", "-f", "sub/prog.jq"]),
    ("/w/h1", ["-nc", "-f", "sub/prog2.jq"]),
    ("/w/h1", ["-nc", "-L", "sub", "-f", "sub/prog2.jq"]),
    ("/w/h1", ["-nc", "-f", "/w/sub/../sub/prog.jq"]),
]

UNDEFINED_PROGRAMS = r"""
def f: h; f, k, $x, f
{$x: 1, b: 2}
{$x: (1 | foo), $y: if . then {end: 2} else "a\(1,2)" end | 1, $z}
{($x): 1}, {$x}, .[$x:1], {a: $x}
break $x
label $f | break    $x
. as {a: $x, ($x): $y} | 1
. as {a: $x, ($x): $y} ?// [$z, {($q): $z}] | 1
. as [$a, {(foo): $b}, {(bar): $c}] | baz
. as [$a, {(foo): $b}, {(bar): $c}] ?// {(x1): $p, (x2): [$q, {(x3): $r}]} ?// {(x4): $u} | baz
$__prog_args
$ENV, $ARGS, $x
$$$$x
foo(bar; $x)
map(foo), map(bar)
map(foo), bar
map(foo) + map(bar)
pow(map(foo); map(bar))
"\(map(foo)) and \(map(bar))"
map(foo(1)), map(bar), [range(zip; zap)], pow(a1; a2), ltrimstr(a3), test(b1; b2)
"a\(foo)b\(bar)c\(baz + zip)"
.[foo:bar], $x[a1:], $y[b1], (c1|.[c2]), .a.b[d1].c
@base64 "x\(foo)", @json
if a then b elif c then d else e end, (try f catch g), h?, (i // j), (k and l), (m or n)
reduce a as $x (b; c), foreach d as $y (e; f; g), foreach d2 as [$y] (e2; f2)
reduce foo as $x (bar; baz)
.a = foo
.a = foo | bar
.a |= foo | .b += bar
a |= b | c += d | e //= f | g -= h
def f(g): g | foo; f(bar)
def f(g): g | foo; f(bar), f(zip)
def f(g): 1; f(foo)
def f(g): 1; def h: foo; f(h)
def f($a; g): $a, $g, a, g, $b, b; f(1;2)
def a: def b: def c: xx; c; b; a
def a: def b: def c: xx; c; b, yy; a
def f: foo; def g: f; 1
def f: foo; zork(f)
def f: foo; def g: zork(f); g
def f: f, foo; f
def f: f, foo; def f: f, f(1), bar; f
def f: foo; def f: bar; 1
[foo], {a: foo, (bar): baz, "x\(y)": z, @base64 "\(q)": 1, "l\(m)"}
limit(foo; bar), first(a), input_line_number(b), error(c), getpath(d), path(e), empty(f), not(g)
x::y, x::y(1), $x::y
true(1), null(2)
-foo | ..
. as $x | [$x, $y] | . as [$y] | $y, $x
def f(x; $y): x, y, $y, $x; f(1; 2)
label $out | foreach .[] as $item (0; . + $zip; if . > 1 then ., break $out else break $in end)
"é", foo, "é", $x
"""

UNDEFINED_LINES = [
    "break   # foo $z\n $x",
    "{$x: 1,\n b: 2}",
    "{$x: 1 # foo\n , b: 2}",
    "{$x: 1\n}",
    "foo,\n  bar(1),\n\n\t$x",
    "# foo\nfoo # bar\n| . | bar",
    "{a: 1,\n $y: (1\n + 2)}",
]


def answer(jq: str, args: list[str], home: str | None, directory: str) -> dict[str, Any]:
    """Run one case; in what goes in and comes out ``/w`` is the directory."""

    def there(text: str) -> str:
        return text.replace("/w", directory)

    environment = {} if home is None else {"HOME": there(home)}
    done = subprocess.run(
        [jq, *map(there, args)], stdin=subprocess.DEVNULL, capture_output=True, cwd=directory, env=environment
    )
    out, error = (
        data.decode("utf-8", "surrogateescape").replace(directory, "/w") for data in (done.stdout, done.stderr)
    )
    return {"args": args, "home": home, "stdout": out, "stderr": error, "status": done.returncode}


def write_files(directory: str) -> None:
    """Make the tree of modules."""
    for name, text in FILES.items():
        path = Path(directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def main() -> None:
    """Record all cases."""
    jq = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("JQ182", "/opt/jq182/bin/jq")
    version = subprocess.run([jq, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    programs = PROGRAMS.strip().split("\n")
    asked = [(home, [*args, program]) for home, args in SETTINGS for program in programs]
    unknown = [*UNDEFINED_PROGRAMS.strip().split("\n"), *UNDEFINED_LINES]
    with tempfile.TemporaryDirectory(prefix="jqmodules") as made:
        directory = os.path.realpath(made)
        write_files(directory)
        modules = [answer(jq, args, home, directory) for home, args in [*asked, *OTHERS]]
        undefined = [answer(jq, ["-n", "--", program], None, directory) for program in unknown]
    for path, cases in ((MODULES, modules), (UNDEFINED, undefined)):
        aborted = [case["args"] for case in cases if case["status"] < 0]
        assert not aborted, aborted
        table = {"version": version, "files": FILES if path is MODULES else {}, "cases": cases}
        path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        print(f"{len(cases)} cases of {version} in {path}")


if __name__ == "__main__":
    main()
