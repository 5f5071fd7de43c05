"""What generated jq programs and JSON texts are made of: odd numbers, strings, patterns, dates; all builtins."""

from __future__ import annotations

NUMBERS = """
0 -0 1 -1 2 3 4 5 7 10 16 64 100 255 1.0 1.10 2.50 0.1e1 -1.50 1e1000 -1e1000 1e-400 -1e-400 5e-324 2.2250738585072014e-308
1.7976931348623157e308 9007199254740992 9007199254740993 -9007199254740993 100000000000000000001 -100000000000000000001
0.1 0.2 0.30000000000000004 0.1000000000000000000001 1e17 1e16 1e15 123456789012345678 3.14159 1E5 1e+5 1.5e300 0.00001 1e-5
1e-7 0.0000001234 12345.678e-2 1e999999999 1e-999999999 65 97 128512 55296 1114112 1425599621 1425599621.678 -1 0.5 1.5 2.5 -0.5 -2.5
9007199254740991 4294967296 2147483648 -2147483649 18446744073709551616 1e308 1e-300 123e-2 0.0 -0.0 0e10 1.000000000000000000
""".split()
INTEGERS = ["0", "1", "2", "3", "-1", "-2", "4", "1.5", "-0", "2.0", "5"]
SPELLED_ONLY_IN_PROGRAMS = [".5", "5.", "nan", "infinite", "-infinite", "1.e2", "(0/0|tostring)", "-nan", "1e1000"]
STRINGS = [
    "", "a", "b", "abc", "A b", "é", "☃", "😀", "\\ud83d\\ude00", "\\u0000", "a\\u0000b", "\\u007f", "\x7f",
    "\\u0080", "\\u001f", "\\n\\t\\r\\b\\f", "\\\"\\\\\\/", "<&'>", "a,b, c", "1", "1.0", " 12 ", "nan", "-nan", "null", "true",
    "[1,2]", "{\\\"a\\\":1.0}", "0x10", "1e1000", "100000000000000000001", "%41%20%e9", "YWJj", "YWI=", "a" * 70, "日本語テキスト長い文字列",
    "a\\nb\\nc", "e\\u0301", "ß", "İ", "ſ", "Ǆ", "key", "value", "\\ufeff", "\\uffff", "\\u2028", "👩‍👩‍👧", "abcabc", "test TEST", "xaxbx",
    "  pad\\t", "a b c", "12", "-5", "foo.bar", "ABC", "aXbxc", "é́e", ".", "[]", "\\\\u0041", "\\u00E9",
]  # fmt: skip
# In JSON texts only: half a surrogate pair is a mistake in a program.
HALVES = ["\\ud800", "\\udc00x", "\\ud83d", "\\udbff\\udfff", "a\\ud83da"]
KEYS = [
    "a",
    "b",
    "c",
    "k",
    "key",
    "name",
    "value",
    "",
    "é",
    "a b",
    "1",
    "v",
    "K",
    "Key",
    "Value",
    "Name",
    "__loc__",
    "and",
    "if",
    "\\u0000",
    "aa",
]
REGEXES = [
    "a", "", "b", ".", "a*", "a+", "(a)", "(?<x>a)", "(?<x>a)|(?<y>b)", "[a-c]+", "\\\\d+", "\\\\s", "\\\\w+", "^", "$", "^a", "a$", "\\\\b",
    "(a)(b)?", "(?<n>[a-z]+)", "(?i)A", "[^a]", "x|a", "(?=a)", "(?<!a)b", "(?:a|b)*", "a{2}", "a{0,1}?", "é", "\\\\p{L}+", "[[:alpha:]]+", "\\\\h",
    "(", "[", "*", "a**", "(?<x>", "\\\\", "\\\\x41", "(?<é>a)", "(a)\\\\1", "(?<a>x)\\\\k<a>", ", ", "\\\\n", "(?m).", "(?x) a b", "\\\\R", "\\\\X", "😀",
    "(?<x>a)?b", "()", "(?<e>)", "\\\\Aa", "a\\\\z", "\\\\Z", "\\\\Ga", "[\\\\d\\\\s]", "[a&&b]", "\\\\u0061", "(?>a+)", "a++", "\\\\y", "\\\\K", "[]]", "{", "a{,2}", "\\\\H",
]  # fmt: skip
FLAGS = ["", "g", "i", "x", "s", "n", "p", "l", "gi", "gn", "xg", "z", "null", "gs", "ig", "gp"]
FORMATS = ["text", "json", "csv", "tsv", "html", "uri", "urid", "sh", "base64", "base64d", "base32", "base32d", "nope"]
TIME_FORMATS = [
    "%Y-%m-%dT%H:%M:%SZ", "%A, %B %d, %Y", "%j %U %w", "%s", "%e %k", "%H:%M", "%Z", "%z", "%c", "%D", "%F", "%T", "%a %b", "%y", "%C", "%G-%V", "%u",
    "%%", "%n%t", "%p %I %l", "%R", "%r", "%x %X", "%h", "%", "%Q", "", "abc", "%d/%m/%Y", "%Y", "%m", "%S", "%M", "é%Y", "%O", "%Ey", "%-d", "%_d", "%5Y",
]  # fmt: skip
DATES = [
    "2015-03-05T23:51:47Z", "1970-01-01T00:00:00Z", "2038-01-19T03:14:08Z", "1900-02-29T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
    "10:20", "Thursday, March 05, 2015", "2015-03-05T23:51:47.123Z", "1425599621", "15", "2024-02-29T12:00:60Z", " 2015-03-05T23:51:47Z", "2015-3-5T1:2:3Z",
    "05/03/2015", "2015", "", "Mar", "12", "x",
]  # fmt: skip

# Input, result: ``name(arguments) kinds kind``. Checked against the real jq's ``builtins`` by test_jq_generated.py.
SIGNATURES = """
IN(f) x b|IN(f;f) x b|INDEX(f) aw o|INDEX(f;f) x o|JOIN(o;f) w a|JOIN(o;f;f) x a|JOIN(o;f;f;f) x a
abs n n|acos n n|acosh n n|add uvw x|add(f) x x|all a b|all(c) a b|all(f;c) x b|any a b|any(c) a b|any(f;c) x b
arrays x a|ascii_downcase s s|ascii_upcase s s|asin n n|asinh n n|atan n n|atan2(n;n) x n|atanh n n|booleans x b
bsearch(x) uv n|builtins x v|capture(r) s o|capture(r;g) s o|cbrt n n|ceil n n|combinations w a|combinations(i) a a
contains(x) aos b|copysign(n;n) x n|cos n n|cosh n n|debug x x|debug(f) x x|del(l) ao x|delpaths(w) ao x|drem(n;n) x n
empty x x|endswith(s) s b|env x o|erf n n|erfc n n|error x x|error(x) x x|exp n n|exp10 n n|exp2 n n|explode s u|expm1 n n
fabs n n|fdim(n;n) x n|finites n n|first auv x|first(f) x x|flatten aw a|flatten(i) aw a|floor n n|fma(n;n;n) x n|fmax(n;n) x n
fmin(n;n) x n|fmod(n;n) x n|format(s) x s|frexp n a|from_entries e o|fromdate d n|fromdateiso8601 d n|fromjson s x
fromstream(q) x x|gamma n n|getpath(p) ao x|gmtime n a|group_by(f) a w|gsub(r;f) s s|gsub(r;f;g) s s|has(x) ao b|hypot(n;n) x n
implode u s|in(x) ns b|index(s) s n|index(x) a n|indices(s) s u|indices(x) a u|infinite x n|input x x|input_filename x z
input_line_number x n|inputs x x|inside(x) aos b|isempty(f) x b|isfinite n b|isinfinite n b|isnan n b|isnormal n b|iterables x x
j0 n n|j1 n n|jn(n;n) x n|join(s) v s|keys ao v|keys_unsorted ao v|last auv x|last(f) x x|ldexp(n;i) x n|length aosnz n|lgamma n n
lgamma_r n a|limit(i;f) x x|localtime n a|log n n|log10 n n|log1p n n|log2 n n|logb n n|ltrim s s|ltrimstr(x) s s
map(f) a a|map_values(f) ao x|match(r) s o|match(r;g) s o|max auv x|max_by(f) a x|min auv x|min_by(f) a x|mktime t n|modf n a
nan x n|nearbyint n n|nextafter(n;n) x n|nexttoward(n;n) x n|normals n n|not x b|nth(i) a x|nth(i;f) x x|nulls x z|numbers x n
objects x o|path(l) ao p|paths ao p|paths(c) ao p|pick(l) ao x|pow(n;n) x n|range(i) x n|range(i;i) x n|range(i;i;i) x n
recurse x x|recurse(f) x x|recurse(f;c) x x|remainder(n;n) x n|repeat(f) x x|reverse asz a|rindex(s) s n|rint n n|round n n|rtrim s s
rtrimstr(x) s s|scalars x x|scalb(n;i) x n|scalbln(n;i) x n|scan(r) s x|scan(r;g) s x|select(c) x x|setpath(p;x) ao x|significand n n
sin n n|sinh n n|skip(i;f) x x|sort auv a|sort_by(f) a a|split(s) s v|split(r;g) s v|splits(r) s s|splits(r;g) s s|sqrt n n
startswith(s) s b|stderr x x|strflocaltime(m) nt s|strftime(m) nt s|strings x s|strptime(m) d a|sub(r;f) s s|sub(r;f;g) s s
tan n n|tanh n n|test(r) s b|test(r;g) s b|tgamma n n|to_entries o e|toboolean x b|todate n s|todateiso8601 n s|tojson x s
tonumber s n|tostream x y|tostring x s|transpose w w|trim s s|trimstr(s) s s|trunc n n|truncate_stream(q) i y|type x s|unique auv a
unique_by(f) a a|until(c;f) x x|utf8bytelength s n|values x x|walk(f) x x|while(c;f) x x|with_entries(f) o o|y0 n n|y1 n n|yn(n;n) x n
have_decnum x b|have_literal_numbers x b|get_search_list x a|ltrimstr(s) s s|rtrimstr(s) s s|splits(s) s s|tojson n s|tostring n s
unique w a|sort w a|min w x|max w x|add a x|add o x|has(s) o b|has(i) a b|in(o) s b|contains(s) s b|inside(s) s b|tonumber x n
"""
# Not asked for: what ends the program (made apart), the clock, and what says where jq was built or lies.
LEFT_OUT = {"halt/0", "halt_error/0", "halt_error/1", "now/0", "get_jq_origin/0", "get_prog_origin/0", "modulemeta/0"}

TIMES = [
    "[2015,2,5,23,51,47,4,63]",
    "(1425599621|gmtime)",
    "1425599621",
    "[2024,10,1]",
    "[1e12,0,1,0,0,0,0,0]",
    "[2015,2,5,23,51,47.123,4,63]",
]
SIMPLE = [
    ".", ".[0]?", "type", "length?", ".a?", "true", "false", "null", "empty", "1", ".+1", "tojson", "not", ".[]?", "error", "(.,1)",
]  # fmt: skip
SIMPLE_PATHS = [
    ".", ".a", ".[0]", ".[]", ".a.b", ".[1:]", "..", ".[-1]", "empty", ".a,.b", "first(.[])", ".[]?", 'getpath(["a","b"])', ".a[1:3]",
    "select(.a?)", ".k?", "if . then .a else .b end", ".a // .b", "paths", "1", "recurse", "last", "limit(1;.[])", ".[0:1][0]", "(.a|.b)",
    ". as $x|.a", "try .a catch .b", "error", "reduce (1,2) as $i (.;.[$i])", "foreach (0,1) as $i (.;.[$i])", "label $f|.a,break $f",
]  # fmt: skip
# What a piece is replaced by to make a program smaller.
LEAVES = (".", "1", "0", "null", '""', "[]", "{}", "empty")
# Whole pieces, some of which do not compile.
PIECES = r"""
$__loc__
$ENV.PAGER
env.PAGER
($ENV|type)
input_line_number
input_filename
[inputs]
input
(try input catch .)
first(inputs)
..
[..]
[paths]
error(null)
(try error(null) catch .)
try error("\(1e1000)") catch .
halt
halt_error
("bye"|halt_error)
({a:1.0}|halt_error(3))
("x"|halt_error(1,2))
halt_error("a")
debug
stderr
debug("x\(.)")
debug("a","b")
$ARGS
$ARGS.named
[limit(3;repeat(.))]
[.[]?]
tojson|fromjson
getpath(["a",0,"b"])
[splits("a")]
ltrimstr("a")
[tostream]
fromstream(tostream)
[truncate_stream(1;tostream)]
[1|truncate_stream([[0],1],[[1,0],2],[[1,0]],[[1]])]
@json
@text
[recurse]
[..|numbers]
first
last(empty)
limit(0;1)
limit(-1;1)
skip(1;1,2)
skip(-1;1)
nth(-1;1,2)
add/length
with_entries(.)
walk(.)
del(..)
[range(5)]
[range(0;1;.3)]
[range(3;0;-1)]
[range(0,1;3,4)]
[.,.]
"\(.)"
"\("\("a")")"
@json "x\(.)y\(1)"
-1
-.
- 1
[[[]]]
reduce empty as $x (0;1)
reduce (1,2,3) as $x (0;empty)
reduce (1,2,3) as $x (0;.,$x)
foreach (1,2,3) as $x (0;empty;.)
foreach (1,2,3) as $x (0,1;.+$x)
$__prog_args
(.a).b
.a[]?
.["a"]
.a["b"]?
.[1,0]
.[[1]]
.[1:][0]
.[:-1]
.[1.2:3.5]
.[null:2]
.["a","b"]
."a"."b"
.a"b"
..a
..[0]?
.a.[0]
.a.["b"]
[.[]?|select(.)]
implode|explode
getpath([])
@sh
@csv
@tsv
isvalid(1)
splits
nosuch
nosuch(1;2)
$nope
.[
(
)
}
.a as [$x] | $x
. as {a:$x,b:[$y]} | [$x,$y]
. as [$x] ?// {a:$x} ?// $x | [$x]
. as {$a} ?// [$a] | if $a then error("e") else $a end
.[] as [$a] ?// $a | if ($a|type)=="number" then error("n") else [$a] end
try error("x")|.
try error({a:1}) catch .a
error("x")?
(error("x"))?//1
1.2.3
1as$x|$x
.e0
.e
?//
.a?//1
.a//.b//1
first(.a,.b)//"d"
{(1):2}
{a:1|2}
{"a":1}|.a
{a:(1,2),b:(3,4)}
{(1,"a"):1}
{"a":1,"a":2}
{$__loc__}
{a,b:1,"c","d\(1)":2}
{"a b"}
{@base64 "x":1}
1,2|.+1
(1,2)as$x|$x
if . then 1 end
if empty then 1 else 2 end
if (true,false) then 1 else 2 end
if . then 1 elif . then 2 end
tojson|tojson
getpath(["x"];1)
label $f|1,break $f,2
[label $f|(1,break $f,2)]
break $f
def f:def g:3;g;f
def f($a;b):$a+b;f(1;2)
def f(a;$a):a,$a;f(1;2)
def f: if .>3 then . else .+1|f end;0|f
def f(x): x|x; 2|f(.*.)
def f: reduce .[]? as $x (0;.+1); f
[foreach (1,2,3) as $x (0;.+$x;[$x,.])]
[limit(3;.[]?)]
$__loc__|.line
"a" as $x|"b" as $y|$x+$y
[.[]?|tojson]
.[-1:]|=[1,2]
.[1:3]=[9]
.a|=empty
.[]?|=empty
(.a,.b)=(1,2)
.a+=(1,2)
.a.b|=.+1
.[0]?//="d"
to_entries|from_entries
path(..)
[paths(type=="number")]
path(1)
path(.a|map(.b))
path(first(.a,.b))
[path(.a[].b?)]
del(.[0,2])
del(.[1:],.a?)
delpaths([["a"],["b",0]])
pick(.a[1])
pick(first)
pick(.[-1])
[splits("a+";"g")]
ascii
@base32d
ltrimstr(1)
tojson==(tojson|fromjson|tojson)
.[0]==.[1]
[.[]?]|sort==unique
limit(2;1,2,error)
first(1,error)
[.[]?|(1/.)?]
try (1/0) catch .
1%0
5%-2,-5%3,5.9%2.1
1e1000%3
nan<nan,nan==nan,([nan]|sort)
[nan,1,null]|sort
[nan]|min,max
nan|tojson,tostring
[1,1.0,1.10]|unique
{} * {a:{b:1}} * {a:{c:2}}
"abc"*0,"abc"*0.5,"abc"*1.5,"abc"*-1,"abc"*nan
"a,b"/","
""/"",""/"a"
[1,2,1]-[1]
[1,2]|.[1]=empty
getpath(["a","b"])?
input_line_number as $l|input|[$l,input_line_number]
.. |= .
..=1
.[nan]
.[nan]=1
[1,2,3]|.[1.7],.[-1.2],.["a"]?
[1,2,3]|.[1:2.9],.[-2:],.[:"a"]?
null|.[1:2],.a,.[0],.["x"]
null|.[1:2]=[1]
try ([1]|.[-2]=1) catch .
[1]|.[3]=2
"é☃😀"|.[1:2],.[1:],.[:-1],length,utf8bytelength
"abc"|test("B";"i"),[match("(?<x>z)?b";"g")]
"aXbX"|gsub("X";"1","2")
"abc"|[match("";"g").offset],gsub("";"-"),gsub("^";">"),[scan("")]
"abab"|sub("(?<l>a)";"\(.l)!","?"),gsub("(?<l>a)";"\(.l|ascii_upcase)")
@text "a\(1,2)b\(3,4)"
[.[]?|numbers|.+0]
ltrimstr("x")|rtrimstr("y")
splits(", ")
ascii_downcase?
getpath(["a",{}])?
tojson|.[0:5]
[limit(5;recurse(.[]?))]
[recurse(if .<3 then .+1 else empty end)?]
env|has("PAGER")
$ENV|has("PAGER")
[1,[2,[3]]]|flatten(0),flatten(1),flatten(-1)?
[[1,2],[3]]|combinations
[3,1,2]|sort_by(-.),group_by(.>1),min_by(-.),unique_by(.>1)
[{"a":1},{"a":null},{}]|sort_by(.a),group_by(.a),INDEX(.a)
strptime("%Y-%m-%dT%H:%M:%SZ")?
todate?
dateadd("seconds";1)?
getpath(["a"])=3
include "nope"; 1
import "nope" as x; 1
import "nope" as $x; 1
reduce range(5) as $i ([];.[$i]=$i)
reduce range(300) as $i (0;[.])|tojson|length
[range(10)]|.[2:4]=[],.[2:4]|=map(.*2)
last(range(100000))
[range(1000)]|add,length
def fac: if .<=1 then 1 else .*(.-1|fac) end; 20|fac
def f(g): def h: g; h; f(1,2)
[1,2]|(.[0],.[1])|=.+1
. as $d|[paths]|map(. as $p|$d|getpath($p))
tostream|tojson
fromjson?
"[1,2" | fromjson
"nan"|fromjson
"NaN10"|fromjson
"1 2"|fromjson
""|fromjson
"{\"a\":1,\"a\":2}"|fromjson
# comment
1 # comment
"\u00e9\ud83d\ude00\ud800"
"\x"
'a'
.a.
.[]."a"
try (.a|error) catch (.|tojson)
error(error("x"))
.. == ..
not not
1 as $x | 2 as $y | [$x,$y,$__loc__]
reduce .[]? as [$a,$b] (0;.+$a)
limit(3;range(1;infinite))
[range(0;10;3)],[range(0;-10;-3)],[range(1;2;0)|1][:3]?
@uri "\(.)?x=\("é&")"
"\(1;2)"
if . then "a" else end
"""
SPECIAL = [piece for piece in PIECES.split("\n") if piece]
